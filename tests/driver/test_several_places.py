"""What is said of several places at once, and allowed at some of them only."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from ping_spec import HEAD
from toolspec.driver import build, fixing
from toolspec.driver.build import Request
from toolspec.driver.lint import baseline
from toolspec.driver.lint.update_baseline import update_baseline

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic

RULE = "schema/missing-items"
UNUSED = "meta/unused-suppression"
REASON = "it may hold anything at all"
PROPERTIES = f"{HEAD}      type: object\n      properties:\n"


def put(folder: Path, comments: dict[str, str], member: str = "type: array") -> Path:
    """Write a tool whose parameters are all amiss, some with a comment."""
    lines = (
        f"        {name}: {{{member}, description: Some of {name}.}}{' # toolspec: ' * bool(said)}{said}\n"
        for name, said in comments.items()
    )
    path = folder / "specs" / "demo.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(PROPERTIES + "".join(lines))
    (folder / "toolspec.toml").touch()
    return path


def check(folder: Path) -> tuple[Diagnostic, ...]:
    return build.check(Request(folder=folder, today="2026-11-22")).diagnostics


def pointed(found: tuple[Diagnostic, ...], *, allowed: bool = False) -> list[list[str]]:
    """Return the texts of the places of each finding that stands, or of each that is allowed."""
    return [
        [span.text for span in (each.span, *(label.span for label in each.labels)) if span]
        for each in found
        if (each.suppression is not None) is allowed
    ]


ALLOW = f"allow {RULE} -- {REASON}"


@pytest.mark.parametrize(
    ("said", "standing", "allowed"),
    [
        ({"q": "", "r": "", "s": ""}, [["q", "r", "s"]], []),
        ({"q": ALLOW, "r": ""}, [["r"]], [["q"]]),
        ({"q": "", "r": ALLOW}, [["q"]], [["r"]]),
        ({"q": ALLOW, "r": "", "s": ""}, [["r"], ["s"]], [["q"]]),
        ({"q": ALLOW, "r": ALLOW}, [], [["q"], ["r"]]),
    ],
)
def test_a_comment_allows_its_own_place(
    tmp_path: Path, said: dict[str, str], standing: list[list[str]], allowed: list[list[str]]
) -> None:
    put(tmp_path, said)
    found = check(tmp_path)
    assert {each.code for each in found} == {RULE}, "no comment is unused"
    assert pointed(found) == standing
    assert pointed(found, allowed=True) == allowed


def test_what_allows_all_places_leaves_them_together(tmp_path: Path) -> None:
    put(tmp_path, {"q": "", "r": ""})
    config = f'[[lint.allow]]\nrule = "{RULE}"\ntool = "demo_ping"\nreason = "{REASON}"\n'
    (tmp_path / "toolspec.toml").write_text(config)
    assert pointed(check(tmp_path), allowed=True) == [["q", "r"]]
    (tmp_path / "toolspec.toml").write_text(f'{config}pointer = "/**/r"\n')
    assert pointed(check(tmp_path)) == [["q"]]


def test_a_baseline_allows_the_places_that_were_there(tmp_path: Path) -> None:
    put(tmp_path, {"q": "", "r": ""})
    assert (
        update_baseline(Request(folder=tmp_path, has_baseline=False), lambda _: None).value.entries
        == 2
    )
    assert pointed(check(tmp_path)) == []
    put(tmp_path, {"s": "", "q": "", "r": ""})
    assert pointed(check(tmp_path)) == [["s"]]
    put(tmp_path, {"r": ""})
    stale = check(tmp_path)
    assert [each.code for each in stale if not each.suppression] == ["meta/stale-baseline"]
    entries = json.loads((tmp_path / baseline.NAME).read_text())["diagnostics"]
    assert {each["message"] for each in entries} == {"this list does not describe its items"}


@pytest.mark.parametrize(
    ("code", "member"),
    [
        ("schema/whole-number", "type: number"),
        ("docs/restated-parameter", "type: string"),
        ("schema/redundant-keyword", "type: string, minLength: 0"),
    ],
)
def test_what_is_said_names_the_places_that_are_left(
    tmp_path: Path, code: str, member: str
) -> None:
    allow = f"allow {code} -- {REASON}"
    (tmp_path / "specs").mkdir()
    path = put(tmp_path, {"page_count": allow, "row_count": "", "cell_count": ""}, member)
    text = path.read_text().replace("Some of page_count", "The page count")
    path.write_text(text.replace("Some of row_count", "The row count"))
    (tmp_path / "toolspec.toml").write_text('[lint]\npreset = "strict-2026-11"\n')
    found = [each for each in check(tmp_path) if each.code in (code, UNUSED)]
    assert [each.code for each in found if each.suppression] == [code]
    told = [each for each in found if not each.suppression]
    assert told
    assert all("page_count" not in each.message for each in told)


def test_a_fix_leaves_the_places_that_may_stand(tmp_path: Path) -> None:
    allow = f"allow schema/redundant-keyword -- {REASON}"
    path = put(tmp_path, {"q": allow, "r": "", "s": ""}, "type: string, minLength: 0")
    (tmp_path / "toolspec.toml").write_text(
        '[lint]\nignore = ["schema"]\n[lint.severity]\n"schema/redundant-keyword" = "note"\n'
    )
    assert fixing.fix(Request(folder=tmp_path)).fixed == 2
    assert [line for line in path.read_text().splitlines() if "minLength" in line] == [
        f"        q: {{type: string, minLength: 0, description: Some of q.}} # toolspec: {allow}"
    ]


def test_tools_of_another_style_are_allowed_one_by_one(tmp_path: Path) -> None:
    allow = " # toolspec: allow naming/mixed-style -- it was there before the others"
    names = {"getOne": "", "getTwo": "", "get_three": allow, "get_four": ""}
    tools = "".join(
        f"""  - name: {name}{said}
    description: Answer a call with whatever there is.
    mutation: false
    outputSchema: {{type: string, description: What came of it.}}
"""
        for name, said in names.items()
    )
    path = put(tmp_path, {})
    path.write_text(PROPERTIES.partition("  - name")[0] + tools)
    found = tuple(each for each in check(tmp_path) if each.code in ("naming/mixed-style", UNUSED))
    assert pointed(found) == [["get_four"]]
    assert pointed(found, allowed=True) == [["get_three"]]
