"""Killed or refused at any call: the output is the old one or the new one, and nothing of a user is lost."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from faults import Fault, Outcome, run
from sampling import sampled
from toolspec.diagnostics import Diagnostic
from toolspec.driver.build import Request, compile_specs
from toolspec.driver.output import publish
from toolspec.driver.output.commit import recover
from toolspec.driver.output.exclusive import exclusive, has_moves, has_state
from toolspec.driver.write_options import OverwritePolicy, WriteOptions
from trees import SERVICE, Files, compiled, roomy, snapshot

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
NOTED = {"output/edited-orphan", "output/kept-file"}
TERMS = WriteOptions(OverwritePolicy.OVERWRITE)
MINE = {
    "notes.txt": b"mine, beside the output\n",
    "fresh/types.py": b"mine, where a generated file belongs \xff\n",
    "fresh/types.py.orig": b"mine, where a backup would go\n",
    "docs/gone.md": b"mine: a page that was generated once, then edited\n",
    "gone/mine.txt": b"mine, in a folder of the compiler\n",
}


@dataclass
class Change:
    """A change of an output folder: before it, the files that it is made from, after it."""

    before: Path
    files: Files
    old: dict[str, bytes]
    new: dict[str, bytes]
    work: Path

    def publish(self, out: Path) -> tuple[Diagnostic, ...]:
        return publish(out, self.files, TERMS).diagnostics


def change(work: Path, before: Path, files: Files) -> Change:
    after = work / f"{before.name}-after"
    shutil.copytree(before, after)
    assert publish(after, files, TERMS).ok
    assert not has_state(after)
    return Change(before, files, snapshot(before), snapshot(after), work)


def changes(work: Path, services: int) -> dict[str, Change]:
    """Return the three shapes: a first run, a small change, and one of every file with removals."""
    names = tuple(f"service{number:02}" for number in range(services))
    project = work / "project"
    first = compiled(project, (*names, "gone"), "An old text.")
    small = compiled(project, (*names[:-1], "gone"), "An old text.")
    large = compiled(project, (*names, "fresh"), "Another text.")
    empty, standing = work / "empty", work / "standing"
    empty.mkdir()
    assert publish(standing, first, WriteOptions()).ok
    for path, data in MINE.items():
        (standing / path).parent.mkdir(exist_ok=True)
        (standing / path).write_bytes(data)
    return {
        "first": change(work, empty, first),
        "small": change(work, shutil.copytree(standing, work / "standing2"), small),
        "large": change(work, standing, large),
    }


def hit(of: Change, fault: Fault, at: int) -> Outcome:
    """Strike a compile at a call; assert everything that must hold afterwards."""
    out = of.work / "out"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(of.before, out)
    outcome = run(lambda: of.publish(out), fault, at)
    said = f"{fault.value} at {at}: {outcome}"
    now = snapshot(out)
    is_between = has_moves(out)
    mine = [data for path, data in of.old.items() if path in MINE]
    assert all(data in now.values() for data in mine), said
    for path in now.keys() | of.old.keys() | of.new.keys():
        allowed = {of.old.get(path), of.new.get(path)} | ({None} if is_between else set())
        assert now.get(path) in allowed, f"{path} is torn; {said}"
    if not is_between:
        assert now in (of.old, of.new), said
    if fault is not Fault.KILL:
        judge_refusal(of, outcome, now, said)
    with exclusive(out, 0):
        assert {each.code for each in recover(out)} <= NOTED, said
    assert snapshot(out) == (of.new if is_between else now), said
    assert {each.code for each in of.publish(out)} <= NOTED, said
    assert snapshot(out) == of.new, said
    assert not has_state(out), said
    return outcome


def judge_refusal(of: Change, outcome: Outcome, now: dict[str, bytes], said: str) -> None:
    """A refused call is one finding that tells the truth, or did no harm to a complete output."""
    errors = [code for code in outcome.codes if code not in NOTED]
    if outcome.status == 0:
        assert now == of.new, said
        assert not errors, said
        return
    assert outcome.status == 1, said
    assert errors in (["output/unwritable"], ["output/unfinished"]), said
    assert "`" in outcome.text, said
    if errors == ["output/unwritable"]:
        assert now == of.old, said


@pytest.fixture(scope="module")
def work() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=roomy()) as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def few(work: Path) -> dict[str, Change]:
    (work / "few").mkdir()
    return changes(work / "few", 2)


def points(calls: int, wanted: int) -> list[int]:
    return sorted({1 + number * calls // wanted for number in range(wanted)} | {calls})


@pytest.mark.parametrize("shape", sampled(["first", "small", "large"], 1))
@pytest.mark.parametrize("fault", sampled([Fault.KILL, Fault.EIO, Fault.EACCES, Fault.FULL], 2))
def test_a_dozen_points(few: dict[str, Change], shape: str, fault: Fault) -> None:
    calls = hit(few[shape], Fault.NONE, 0).calls
    seen = Counter(hit(few[shape], fault, at).status for at in points(calls, 12))
    assert seen[-9 if fault is Fault.KILL else 1] >= 9


@pytest.mark.prove
@pytest.mark.parametrize("fault", [Fault.KILL, Fault.EIO])
def test_the_whole_compile_in_a_dozen_points(tmp_path: Path, fault: Fault) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(
        SERVICE.format(name="demo", text="Answer a call with the time.")
    )

    def work() -> tuple[Diagnostic, ...]:
        return compile_specs(Request(targets=["python"], folder=tmp_path)).diagnostics

    out = tmp_path / "generated"
    calls = run(work).calls
    new = snapshot(out)
    for at in points(calls, 12):
        shutil.rmtree(out, ignore_errors=True)
        outcome = run(work, fault, at)
        assert outcome.status == (-9 if fault is Fault.KILL else outcome.status)
        assert outcome.status != 0 or snapshot(out) == new
        assert not work()
        assert snapshot(out) == new


@pytest.mark.prove
@pytest.mark.parametrize("fault", [Fault.KILL, Fault.EIO, Fault.FULL])
def test_every_mutating_call_of_a_compile_of_twenty_services(work: Path, fault: Fault) -> None:
    folder = work / fault.name
    folder.mkdir()
    total: Counter[str] = Counter()
    for shape, each in changes(folder, 20).items():
        calls = hit(each, Fault.NONE, 0).calls
        for at in range(1, calls + 1):
            outcome = hit(each, fault, at)
            total[f"{shape}: status {outcome.status} {' '.join(outcome.codes)}".strip()] += 1
    print(f"\n{sum(total.values())} compiles {fault.value}:", *total.items(), sep="\n  ")
    assert sum(total.values()) >= 1000
