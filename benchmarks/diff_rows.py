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
    """Each edit has a repository of its own, and a first run a new one."""
    edits = (lambda _: None, _change_one_tool, _reorder_keys)
    same, changed, reordered = (_repository(bench, edit) for edit in edits)
    commands = {
        "python": Command((PYTHON, "-c", "pass"), same),
        "rev-parse": Command(("git", "rev-parse", "HEAD"), same),
        "ls-tree": Command(("git", "ls-tree", "-r", "--full-tree", "HEAD"), same),
        "same": Command(_DIFF, same),
        "changed": Command(_DIFF, changed, accepted=(0, 1)),
    }
    makers: list[Callable[[], Command]] = [partial(_itself, each) for each in commands.values()]
    makers.append(lambda: Command(_DIFF, _repository(bench, _change_one_tool), accepted=(0, 1)))
    usages = alternate(makers, bench.rounds)
    cpu = {name: typical(own).cpu for name, own in zip((*commands, "first"), usages, strict=True)}
    start = sum(cpu[name] for name in ("python", "rev-parse", "ls-tree"))
    row = partial(Row, "P19")
    what = f"`diff --against HEAD`, {bench.tools:,} tools"
    against = "starts of Python and git"
    beyond = 1000 * (cpu["same"] - start)
    shown = (f"{1000 * each:.0f} {MILLI}" for each in (cpu["same"], start))
    yield row(f"{what}, nothing changed: beyond", "≤ 30 ms", against, beyond, f" {MILLI}", *shown)
    for name, goal in (("first", "≤ 3 s"), ("changed", "≤ 1.5 s")):
        run = "first run" if name == "first" else "later runs"
        yield row(f"{what}, one tool changed, {run}", goal, "–", cpu[name], f" {SECOND}")
    note = "not installed: a Go module, and modules cannot be fetched here"
    yield row(f"{what}, one tool changed", "≥ 1×", "oasdiff", note=note)
    for folder, edit in ((changed, "a result of one tool"), (reordered, "keys reordered")):
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
        head + tools + before + result + after.replace("type: integer", "type: number", 1)
    )


def _reorder_keys(specs: Path) -> None:
    for path in specs.iterdir():
        content = _reordered(yaml.load(path.read_text("utf-8"), yaml.CSafeLoader))
        path.write_text(yaml.dump(content, sort_keys=False), "utf-8")


def _reordered(value: object) -> object:
    """Return a document with the keys of each object reversed, but those of properties."""
    if isinstance(value, list):
        return [_reordered(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {name: _reordered(member) for name, member in item.items()}
        if key == "properties"
        else item
        if key in ("examples", "example", "default")
        else _reordered(item)
        for key, item in reversed(value.items())
    }


def _lines(arguments: tuple[str, ...], folder: Path) -> int:
    """Return the number of lines that a command prints."""
    done = subprocess.run(
        arguments, cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )
    return len(done.stdout.splitlines())
