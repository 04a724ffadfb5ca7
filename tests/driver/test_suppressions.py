"""What may stand: said in comments, members, the configuration and a baseline, with its limits."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from jsonschema_rs import Draft202012Validator
from toolspec.diagnostics import Diagnostic, DiagnosticKind, Severity, SuppressionSource
from toolspec.driver import build
from toolspec.driver.build import Request
from toolspec.driver.clock import today
from toolspec.driver.lint import baseline
from toolspec.driver.lint.update_baseline import update_baseline
from toolspec.schema.shipped import read_schema
from toolspec.shared.records import replace
from toolspec.usercode.patch import applied

RULE = "schema/any-output"
SPEC = """toolspec: 1
service: {name: demo, description: A demo service of some size.}
tools:
  - name: ping
    description: Answer a call with whatever there is.
    mutation: false
    outputSchema: true
  - name: sendLater
    description: Send a message at a later time.
    mutation: true
    outputSchema: {type: string}
"""
MALFORMED = "meta/malformed-suppression"
OUTPUT = "    outputSchema: true\n"
ALLOW = f"# toolspec: allow {RULE} -- the format is the caller's choice"
MEMBER = f"x-toolspec-allow: [{{rule: {RULE}, reason: the format is open}}]"


def checked(
    folder: Path, text: str = SPEC, config: str = "", day: str = "2026-11-22"
) -> tuple[Diagnostic, ...]:
    (folder / "specs").mkdir(exist_ok=True)
    (folder / "specs" / "demo.yaml").write_text(text)
    (folder / "toolspec.toml").write_text(config)
    return build.check(Request(folder=folder, today=day)).diagnostics


def told(found: tuple[Diagnostic, ...]) -> list[str]:
    """Return the codes of what stands, and in brackets of what is suppressed and by whom."""
    return [
        f"[{each.code} {each.suppression.source}]" if each.suppression else each.code
        for each in found
    ]


def with_output(line: str) -> str:
    return SPEC.replace(OUTPUT, line)


@pytest.mark.parametrize(
    "text",
    [
        with_output(f"    outputSchema: true  {ALLOW}\n"),
        with_output(f"    {ALLOW}\n{OUTPUT}"),
        with_output(f"    {ALLOW}\n\n    # and more\n{OUTPUT}"),
        SPEC.replace("  - name: ping", f"  {ALLOW}\n  - name: ping"),
        SPEC.replace("tools:", f"tools:  {ALLOW}"),
        f"{ALLOW}\n{SPEC}",
        with_output(
            f"    # toolspec: allow {RULE} until 2026-11-22 -- the format is open\n{OUTPUT}"
        ),
        with_output(f"    outputSchema: true  # toolspec:allow {RULE}--the format is open\n"),
    ],
)
def test_a_comment_allows_what_it_stands_at(tmp_path: Path, text: str) -> None:
    assert told(checked(tmp_path, text)) == [f"[{RULE} comment]"]


@pytest.mark.parametrize("location", ["    outputSchema: true", "service:", "toolspec: 1"])
def test_a_member_allows_what_is_in_its_mapping(tmp_path: Path, location: str) -> None:
    text = SPEC.replace(
        location, f"{' ' * (len(location) - len(location.lstrip()))}{MEMBER}\n{location}", 1
    )
    assert told(checked(tmp_path, text)) == [f"[{RULE} document]"]


def test_json_has_the_same(tmp_path: Path) -> None:
    import yaml

    content = yaml.safe_load(SPEC)
    content["tools"][0]["x-toolspec-allow"] = [{"rule": RULE, "reason": "the format is open"}]
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.json").write_text(json.dumps(content))
    assert told(build.check(Request(folder=tmp_path)).diagnostics) == [f"[{RULE} document]"]


def test_who_said_so_and_why_stays_with_the_finding(tmp_path: Path) -> None:
    (found,) = checked(tmp_path, with_output(f"    {ALLOW}\n{OUTPUT}"))
    assert found.suppression
    assert found.suppression.source is SuppressionSource.COMMENT
    assert found.suppression.reason == "the format is the caller's choice"
    assert found.suppression.span
    assert found.suppression.span.first.line == 7


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        (f"    # toolspec: allow {RULE}\n{OUTPUT}", [f"[{RULE} comment]", "meta/missing-reason"]),
        (
            f"    # toolspec: allow {RULE} -- short\n{OUTPUT}",
            [f"[{RULE} comment]", "meta/missing-reason"],
        ),
        (f"    # toolspec: allow -- a good reason\n{OUTPUT}", [RULE, "meta/malformed-suppression"]),
        (
            f"    # toolspec: ignore {RULE} -- a good reason\n{OUTPUT}",
            [RULE, "meta/malformed-suppression"],
        ),
        (
            f"    # toolspec: allow {RULE} until soon -- a good reason\n{OUTPUT}",
            [f"[{RULE} comment]", "meta/malformed-suppression"],
        ),
        (
            f"    # toolspec: allow {RULE} until 2026-11-31 -- a good reason\n{OUTPUT}",
            [f"[{RULE} comment]", "meta/malformed-suppression"],
        ),
        (
            f"    # toolspec: allow {RULE} until 2026-11-21 -- a good reason\n{OUTPUT}",
            [RULE, "meta/expired-suppression"],
        ),
        (
            f"    # toolspec: allow schema/any-outptu -- a good reason\n{OUTPUT}",
            [RULE, "meta/unknown-rule"],
        ),
        (
            f"    # toolspec: allow schema/unsatisfiable -- a good reason\n{OUTPUT}",
            [RULE, "meta/not-suppressible"],
        ),
        (
            f"    # toolspec: allow schema/* -- a good reason\n{OUTPUT}",
            [f"[{RULE} comment]", "meta/broad-suppression"],
        ),
        (
            f"    # toolspec: allow docs/cut-off-text -- a good reason\n{OUTPUT}",
            [RULE, "meta/unused-suppression"],
        ),
        (
            f"    # toolspec: allow {RULE}, docs/cut-off-text -- a good reason\n{OUTPUT}",
            [f"[{RULE} comment]", "meta/unused-suppression"],
        ),
        (
            f"    # toolspec: allow safety/name-destroys -- a good reason\n{OUTPUT}",
            [RULE, "meta/open-ended-suppression", "meta/unused-suppression"],
        ),
        ("    # toolspec: 1 is the version of the language\n" + OUTPUT, [RULE]),
        ("    # write `# toolspec: allow CODE -- reason`\n" + OUTPUT, [RULE]),
        *(
            (f"    {written} {RULE} -- a good reason\n{OUTPUT}", [RULE, MALFORMED])
            for written in (
                "# Toolspec: Allow",
                "# toolspec: Allow",
                "# TOOLSPEC ALLOW",
                "# the format # toolspec: allow",
                "# the format  # Toolspec: Allow",
            )
        ),
        (f"    # `# toolspec: allow {RULE}` or # toolspec: 1\n{OUTPUT}", [RULE]),
    ],
)
def test_what_is_amiss_with_one_is_told(tmp_path: Path, line: str, codes: list[str]) -> None:
    assert sorted(told(checked(tmp_path, with_output(line)))) == sorted(codes)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f"{RULE} \u2014 the format is open", f"{RULE} -- the format is open"),
        (f"{RULE}: the format is open", f"{RULE} -- the format is open"),
        (f"{RULE} - the format is open", f"{RULE} -- the format is open"),
        (f"{RULE} the format is open", f"{RULE} -- the format is open"),
        (f"{RULE}, the format is open", f"{RULE} -- the format is open"),
        (
            f"{RULE} until 2027-01-31 \u2013 the format -- is open",
            f"{RULE} until 2027-01-31 -- the format -- is open",
        ),
    ],
)
def test_a_reason_that_is_not_set_off_is_one_finding(
    tmp_path: Path, written: str, meant: str
) -> None:
    text = with_output(f"    # toolspec: allow {written}\n{OUTPUT}")
    mistake, allowed = sorted(checked(tmp_path, text), key=lambda each: each.code)
    assert (mistake.code, allowed.code) == ("meta/malformed-suppression", RULE)
    assert allowed.suppression
    assert mistake.help == f"write `# toolspec: allow {meant}`"
    assert mistake.fix
    assert applied(text, mistake.fix.edits) == text.replace(written, meant)


def test_a_missing_comma_is_one_finding(tmp_path: Path) -> None:
    line = f"    # toolspec: allow {RULE} docs/cut-off-text -- the format is open\n"
    codes = [f"[{RULE} comment]", "meta/malformed-suppression"]
    assert sorted(told(checked(tmp_path, with_output(line + OUTPUT)))) == codes


@pytest.mark.parametrize(
    ("member", "problem"),
    [
        ("x-toolspec-allow: yes", "is not a list"),
        ("x-toolspec-allow: [all]", "is not a mapping"),
        ("x-toolspec-allow: [{}]", "names no rule"),
        (
            "x-toolspec-allow: [{rule: [], reason: a good reason}]",
            "has a `rule` that is not a text",
        ),
        (
            f"x-toolspec-allow: [{{rule: {RULE}, raeson: a good reason, reason: a good reason}}]",
            "has an unknown key `raeson`; did you mean `reason`?",
        ),
        (f"x-toolspec-allow: [{{rule: {RULE}, reason: a good reason, until: 1.1.27}}]", "`1.1.27`"),
    ],
)
def test_what_is_amiss_with_a_member_is_told(tmp_path: Path, member: str, problem: str) -> None:
    found = checked(tmp_path, with_output(f"    {member}\n{OUTPUT}"))
    assert [each for each in found if each.code.startswith("meta/mal") and problem in each.message]


def test_a_property_of_that_name_is_one(tmp_path: Path) -> None:
    line = "    inputSchema: {type: object, properties: {x-toolspec-allow: {type: string, enum: [a]}}}\n"
    assert told(checked(tmp_path, with_output(line + OUTPUT))) == [RULE]


@pytest.mark.parametrize(
    ("line", "mended"),
    [
        ("    # toolspec: allow docs/cut-off-text -- it is for good\n", ""),
        ("    title: A  # toolspec: allow docs/cut-off-text -- it is for good\n", "    title: A\n"),
        (
            f"    outputSchema: true # toolspec: allow {RULE}, docs/cut-off-text -- it is for good\n",
            f"    outputSchema: true # toolspec: allow {RULE} -- it is for good\n",
        ),
        ("    x-toolspec-allow: [{rule: docs/cut-off-text, reason: it is for good}]\n", ""),
        (
            "    inputSchema: {x-toolspec-allow: [{rule: docs, reason: it is for good}], type: object}\n",
            "    inputSchema: {type: object}\n",
        ),
    ],
)
def test_the_fix_of_an_unused_suppression_takes_it_out(
    tmp_path: Path, line: str, mended: str
) -> None:
    rest = "" if "outputSchema" in line else "    outputSchema: {type: string}\n"
    text = with_output(line + rest)
    (found,) = (each for each in checked(tmp_path, text) if each.code == "meta/unused-suppression")
    assert found.fix
    assert found.fix.safe
    (edit,) = found.fix.edits
    after = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    assert after == with_output(mended + rest)


def test_an_error_of_the_document_stands(tmp_path: Path) -> None:
    text = with_output(
        "    # toolspec: allow schema/keyword-type -- it has always worked\n" + OUTPUT
    )
    text = text.replace("{type: string}", "{type: strnig}")
    found = checked(tmp_path, text)
    assert all(each.suppression is None for each in found)
    assert not any(each.code == "meta/unused-suppression" for each in found)


ALLOWED = f'[[lint.allow]]\nrule = "{RULE}"\nreason = "the format is open"\n'


@pytest.mark.parametrize(
    ("config", "codes"),
    [
        (ALLOWED + 'tool = "demo_*"', [f"[{RULE} configuration]"]),
        (ALLOWED + 'tool = ["demo_pong", "demo_ping"]', [f"[{RULE} configuration]"]),
        (ALLOWED + 'service = "demo"\nuntil = 2026-11-22', [f"[{RULE} configuration]"]),
        (ALLOWED + 'path = "specs"', [f"[{RULE} configuration]"]),
        (ALLOWED + 'path = "specs/*.yaml"', [f"[{RULE} configuration]"]),
        (ALLOWED + 'pointer = "/tools/*"', [f"[{RULE} configuration]"]),
        (ALLOWED, [f"[{RULE} configuration]", "meta/broad-suppression"]),
        (ALLOWED + 'path = "**"', [f"[{RULE} configuration]", "meta/broad-suppression"]),
        (ALLOWED + 'tool = "demo_pong"', [RULE, "meta/unused-suppression"]),
        (ALLOWED + 'tool = "demo_*"\nuntil = 2026-11-21', [RULE, "meta/expired-suppression"]),
        (
            ALLOWED.replace(RULE, "schema") + 'tool = "demo_*"',
            [f"[{RULE} configuration]", "meta/broad-suppression"],
        ),
        (f'[lint]\nignore = ["{RULE}"]', []),
        (f'[[lint.override]]\npaths = ["specs/d*"]\nignore = ["{RULE}"]', []),
        (f'[[lint.override]]\npaths = ["specs/e*"]\nignore = ["{RULE}"]', [RULE]),
    ],
)
def test_the_configuration_allows(tmp_path: Path, config: str, codes: list[str]) -> None:
    assert told(checked(tmp_path, config=config)) == codes


def test_the_configuration_weighs(tmp_path: Path) -> None:
    (found,) = checked(tmp_path, config='[lint.severity]\n"schema/any-output" = "error"')
    assert (str(found.severity), str(found.kind.severity)) == ("error", "note")


def test_part_of_a_project_tells_nothing_of_what_was_not_looked_at(tmp_path: Path) -> None:
    config = ALLOWED + 'tool = "other_*"'
    assert told(checked(tmp_path, config=config)) == [RULE, "meta/unused-suppression"]
    (tmp_path / baseline.NAME).write_text(json.dumps({"baseline": 1, "diagnostics": [ENTRY]}))
    found = build.check(Request(["specs"], folder=tmp_path)).diagnostics
    assert told(found) == [RULE]


ENTRY = {"fingerprint": "0" * 12, "code": "docs/cut-off-text", "tool": "a_b", "message": "text"}


def line(folder: Path, *paths: str, prunes: bool = False) -> tuple[int, int, int]:
    request = Request(paths, folder=folder, has_baseline=False)
    drawn = update_baseline(request, lambda _: None, only_prunes=prunes)
    assert drawn.ok, drawn.diagnostics
    return drawn.value.entries, drawn.value.added, drawn.value.removed


def test_a_baseline_hides_what_was_there_and_tells_what_is_gone(tmp_path: Path) -> None:
    checked(tmp_path)
    assert line(tmp_path) == (1, 1, 0)
    text = (tmp_path / baseline.NAME).read_text()
    assert Draft202012Validator(json.loads(read_schema("baseline.v1.schema.json"))).is_valid(
        json.loads(text)
    )
    assert told(checked(tmp_path, "# a line more\n" + SPEC)) == [f"[{RULE} baseline]"]
    two = SPEC.replace("{type: string}", "true")
    assert told(checked(tmp_path, two)) == [f"[{RULE} baseline]", RULE]
    one = SPEC.replace("true\n  - name: s", "{type: string}\n  - name: s")
    assert told(checked(tmp_path, one)) == ["meta/stale-baseline"]
    assert line(tmp_path, prunes=True) == (0, 0, 1)
    assert not (tmp_path / baseline.NAME).exists()
    assert told(checked(tmp_path, one)) == []


def test_a_fingerprint_does_not_depend_on_wording() -> None:
    kind = DiagnosticKind("docs/made-up", Severity.NOTE, "`{name}` of `{owner}` is odd")
    reworded = replace(kind, message="`{owner}` has an odd `{name}`", hint="rename `{name}`")
    (one, two), other = (
        [each.at(None, name="a", owner="b").fingerprint for each in (kind, reworded)],
        kind.at(None, name="b", owner="a").fingerprint,
    )
    assert one == two != other


def test_to_prune_adds_nothing(tmp_path: Path) -> None:
    checked(tmp_path)
    line(tmp_path)
    checked(tmp_path, SPEC.replace("{type: string}", "true"))
    assert line(tmp_path, prunes=True) == (1, 0, 0)
    assert line(tmp_path, "specs/demo.yaml") == (2, 1, 0)
    assert line(tmp_path) == (2, 0, 0)


def test_nothing_is_recorded_beside_an_error(tmp_path: Path) -> None:
    checked(tmp_path, SPEC.replace("mutation: true", "mutaton: true"))
    drawn = update_baseline(Request(folder=tmp_path, has_baseline=False), lambda _: None)
    assert not drawn.ok
    assert not (tmp_path / baseline.NAME).exists()


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "\udcff", "[" * 100_000),
        '{"baseline": 1}',
        '{"baseline": 2, "diagnostics": []}',
        json.dumps({"baseline": 1, "diagnostics": [{**ENTRY, "fingerprint": "x"}]}),
    ],
)
def test_a_broken_baseline_is_an_error(tmp_path: Path, text: str) -> None:
    checked(tmp_path)
    (tmp_path / baseline.NAME).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "config/bad-baseline" in told(build.check(Request(folder=tmp_path)).diagnostics)
    assert line(tmp_path) == (1, 1, 0)


def test_a_pipe_is_no_baseline(tmp_path: Path) -> None:
    checked(tmp_path)
    os.mkfifo(tmp_path / baseline.NAME)
    assert "config/bad-baseline" in told(build.check(Request(folder=tmp_path)).diagnostics)


def test_a_baseline_is_no_document(tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text(SPEC)
    (tmp_path / "toolspec.toml").write_text('specs = ["."]')
    line(tmp_path)
    assert told(build.check(Request(folder=tmp_path)).diagnostics) == [f"[{RULE} baseline]"]


def test_today_is_that_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert today() == "1970-01-02"
    assert Request().today == "1970-01-02"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "tomorrow")
    assert today() > "2026-01-01"
