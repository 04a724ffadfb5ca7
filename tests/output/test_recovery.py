"""What an interrupted run left, and what somebody made of it: finished or discarded, never trusted."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from toolspec.driver.output import drift
from toolspec.driver.output.commit import Step, parse, render
from toolspec.driver.write_options import WriteOptions
from trees import emission, files_of, made, snapshot

OLD = emission(a_py="a\n", b__c_py="c\n")


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    out = tmp_path / "generated"
    assert made(out, OLD) == ()
    return out


def leave(out: Path, *steps: Step, stage: tuple[str, ...] = ()) -> None:
    folder = out / ".toolspec" / "stage"
    folder.mkdir(parents=True)
    (out / ".toolspec" / "moves.json").write_text(render(steps))
    for number, text in enumerate(stage):
        (folder / str(number)).write_text(text)


def put(path: str, before: str | None, after: str, *, keeps: bool = False) -> Step:
    return Step(path, before and digest(before), digest(after), keeps)


def test_a_list_of_moves_is_finished_before_anything_else(out: Path) -> None:
    steps = (put("a.py", "a\n", "A\n"), Step("b/c.py", digest("c\n"), None, keeps=False))
    leave(out, *steps, stage=("A\n",))
    assert made(out, emission(a_py="A\n")) == ()
    assert set(snapshot(out)) == {"a.py", "toolspec.lock.json"}
    assert not (out / ".toolspec").exists()
    assert not (out / "b").exists()


def test_an_edit_since_the_interruption_is_kept(out: Path) -> None:
    leave(out, put("a.py", "a\n", "A\n"), put("b/c.py", "c\n", "C\n"), stage=("A\n", "C\n"))
    (out / "a.py").write_text("mine\n")
    assert made(out, emission(a_py="A\n", b__c_py="c\n")) == (
        "output/edited-file",
        "output/edited-file",
    )
    assert (out / "a.py").read_text() == "mine\n"
    assert (out / "b" / "c.py").read_text() == "C\n"


def test_a_new_file_since_the_interruption_is_kept(out: Path) -> None:
    leave(out, put("new.py", None, "N\n"), stage=("N\n",))
    (out / "new.py").write_text("mine\n")
    assert made(out, OLD) == ()
    assert (out / "new.py").read_text() == "mine\n"


def test_a_backup_is_finished(out: Path) -> None:
    (out / "a.py").write_text("mine\n")
    leave(out, put("a.py", "mine\n", "A\n", keeps=True), stage=("A\n",))
    assert made(out, emission(a_py="A\n", b__c_py="c\n")) == ("output/kept-file",)
    assert (out / "a.py").read_text() == "A\n"
    assert (out / "a.py.orig").read_text() == "mine\n"


def test_a_stage_without_a_list_of_moves_is_discarded(out: Path) -> None:
    stage = out / ".toolspec" / "stage"
    stage.mkdir(parents=True)
    (stage / "0").write_text("A\n")
    before = snapshot(out)
    assert drift(out, files_of([OLD]), WriteOptions()).ok
    assert made(out, OLD) == ()
    assert snapshot(out) == before
    assert not (out / ".toolspec").exists()


def test_a_staged_file_that_is_not_what_was_sealed_is_not_put(out: Path) -> None:
    leave(out, put("a.py", "a\n", "A\n"), stage=("something else\n",))
    assert made(out, OLD) == ()
    assert (out / "a.py").read_text() == "a\n"


def test_a_removal_spares_what_was_edited(out: Path) -> None:
    leave(out, Step("b/c.py", digest("c\n"), None, keeps=False))
    (out / "b" / "c.py").write_text("mine\n")
    assert made(out, emission(a_py="a\n")) == ("output/edited-orphan",)
    assert (out / "b" / "c.py").read_text() == "mine\n"


def test_drift_tells_of_a_list_of_moves(out: Path) -> None:
    leave(out)
    checked = drift(out, files_of([OLD]), WriteOptions())
    assert [each.code for each in checked.diagnostics] == ["output/unfinished"]
    assert (out / ".toolspec" / "moves.json").exists()


ENTRY = {"path": "a.py", "before": None, "after": "0" * 64, "keeps": False}
GARBAGE = [
    b"",
    b"{",
    b"\xff\xfe",
    b"null",
    b"[" * 100_000,
    b'{"moves": 2, "steps": []}',
    b'{"moves": 1}',
    b'{"moves": 1, "steps": [1]}',
    *(
        json.dumps({"moves": 1, "steps": [{**ENTRY, **change}]}).encode()
        for change in (
            *({"path": path} for path in ("../x", "/x", "a/../../x", "", "c:x", "a\\b", 7)),
            *({"path": path} for path in (".toolspec/lock", ".Toolspec/lock", "a/./b", "a\n")),
            *({"after": after} for after in ("0", 7, "Z" * 64, [])),
            *({"before": before} for before in ("0", 7)),
            {"keeps": "yes"},
        )
    ),
]


@pytest.mark.parametrize("data", GARBAGE, ids=range(len(GARBAGE)))
def test_a_list_of_moves_that_nobody_wrote_is_discarded(out: Path, data: bytes) -> None:
    assert parse(data) is None
    leave(out, stage=("mine",))
    (out / ".toolspec" / "moves.json").write_bytes(data)
    around = snapshot(out.parent)
    assert made(out, OLD) == ("output/damaged-moves",)
    left = {path for path in around if "/.toolspec/" in path}
    assert snapshot(out.parent) == {p: d for p, d in around.items() if p not in left}


def test_a_stage_of_links_leads_nowhere(out: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("mine\n")
    leave(out, put("a.py", "a\n", "mine\n"))
    (out / ".toolspec" / "stage" / "0").symlink_to(outside / "file")
    (out / ".toolspec" / "more").symlink_to(outside)
    assert made(out, OLD) == ("output/symbolic-link",)
    assert snapshot(outside) == {"file": b"mine\n"}
    assert (out / "a.py").read_text() == "a\n"


def test_a_list_of_moves_through_a_link_puts_and_removes_nothing(out: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim").write_text("mine\n")
    (out / "way").symlink_to(outside)
    steps = (
        put("way/new", None, "evil\n"),
        Step("way/victim", digest("mine\n"), None, keeps=False),
    )
    leave(out, *steps, stage=("evil\n",))
    assert made(out, OLD) == ("output/symbolic-link",)
    assert snapshot(outside) == {"victim": b"mine\n"}
