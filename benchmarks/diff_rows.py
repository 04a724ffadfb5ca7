"""P19: `diff --against HEAD` in a repository of services, beside reading the text diff of git."""

from __future__ import annotations

import subprocess
from functools import partial
from typing import TYPE_CHECKING

import yaml
from process import Command, alternate, environment, typical
from row import MILLI, SECOND, Row
from workshop import PYTHON, TOOLSPEC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from workshop import Workshop

_AUTHOR = ("-c", "user.name=a", "-c", "user.email=a@b.example")
_DIFF = (TOOLSPEC, "diff", "--against", "HEAD")


def compare(bench: Workshop) -> Iterator[Row]:
    """Each edit has a repository of its own; a second run finds what the first one kept."""
    edits = (lambda _: None, _change_one_tool, _reorder_keys)
    same, changed, reordered = (_repository(bench, edit) for edit in edits)
    commands = {
        "python": Command((PYTHON, "-c", "pass"), same),
        "rev-parse": Command(("git", "rev-parse", "HEAD"), same),
        "ls-tree": Command(("git", "ls-tree", "-r", "--full-tree", "HEAD"), same),
        "same": Command(_DIFF, same),
        "changed": Command(_DIFF, changed, accepted=(1,)),
        "reordered": Command(_DIFF, reordered),
    }
    makers: list[Callable[[], Command]] = [partial(_itself, each) for each in commands.values()]
    usages = alternate(makers, bench.rounds)
    cpu = {name: typical(own).cpu for name, own in zip(commands, usages, strict=True)}
    start = sum(cpu[name] for name in ("python", "rev-parse", "ls-tree"))
    row = partial(Row, "P19")
    what = f"`diff --against HEAD`, {bench.tools:,} tools"
    against = "starts of Python and git"
    beyond = 1000 * (cpu["same"] - start)
    shown = (f"{1000 * each:.0f} {MILLI}" for each in (cpu["same"], start))
    yield row(f"{what}, nothing changed: beyond", "≤ 30 ms", against, beyond, f" {MILLI}", *shown)
    for name, goal, note in (
        ("changed", "≤ 1.5 s", "one tool"),
        ("reordered", "≤ 3 s", "every document"),
    ):
        yield row(f"{what}, {note} changed", goal, "–", cpu[name], f" {SECOND}")
    note = "not installed: a Go module, and modules cannot be fetched here"
    yield row(f"{what}, one tool changed", "≥ 1×", "oasdiff", note=note)
    for folder, edit in ((changed, "the type of a result"), (reordered, "keys reordered")):
        ours, theirs = (_lines(each, folder) for each in (_DIFF, ("git", "diff", "HEAD")))
        lines = (f"{ours} lines", f"{theirs} lines")
        yield row(f"lines to read, {edit}", "≤ 1×", "`git diff`", ours / theirs, "×", *lines)


def _itself(command: Command) -> Command:
    return command


def _repository(bench: Workshop, edit: Callable[[Path], None]) -> Path:
    """Return a new repository with the corpus in its only commit, and an edit after it."""
    folder = bench.project(bench.tools)
    for path in (folder / "specs").iterdir():  # a copy of its own: links lead to the corpus
        text = path.read_bytes()
        path.unlink()
        path.write_bytes(text)
    for arguments in (("init", "-q"), ("add", "--all"), (*_AUTHOR, "commit", "-q", "-m", "first")):
        subprocess.run(["git", *arguments], cwd=folder, env=environment(), check=True)
    edit(folder / "specs")
    return folder


def _change_one_tool(specs: Path) -> None:
    path = min(specs.iterdir())
    head, tools, rest = path.read_text("utf-8").partition("\ntools:\n")
    before, result, after = rest.partition("outputSchema:")
    path.write_text(
        head + tools + before + result + after.replace("type: string", "type: integer", 1)
    )


def _reorder_keys(specs: Path) -> None:
    for path in specs.iterdir():
        content = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        path.write_text(yaml.dump(content, sort_keys=True), "utf-8")


def _lines(arguments: tuple[str, ...], folder: Path) -> int:
    """Return the number of lines that a command prints."""
    done = subprocess.run(
        arguments, cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )
    return len(done.stdout.splitlines())
