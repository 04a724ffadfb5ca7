"""Atomic writes: changes are staged, then moved into place; the next run ends what was interrupted.

The rename of the list of moves is the point of commitment. Before it the tree is as it was; after
it every new file is complete on the disk, and the next run can finish the moves (threats.md,
section 6).
"""

from __future__ import annotations

import errno
import json
import os
import re
from contextlib import contextmanager
from itertools import count
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from toolspec.driver import output_kinds as kinds
from toolspec.driver.filesystem import sync_file, sync_folder, write_new_file
from toolspec.driver.output.exclusive import MOVES, STAGE, discard, has_moves
from toolspec.driver.output.files import OnDisk
from toolspec.driver.output.paths import STATE, is_safe
from toolspec.driver.output.tree import BlockedError, Tree, shown, unwritable
from toolspec.shared.records import as_dict, dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.output.changes import Change
    from toolspec.driver.output.files import Content
    from toolspec.syntax.nodes import JsonValue


VERSION: Final = 1
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Step:
    """One file: digests of its old and its new content (None: no file).

    The new content is in the stage under the number of the step. `keeps` means to rename the old
    file first.
    """

    path: str
    before: str | None
    after: str | None
    keeps: bool


def steps_of(changes: Iterable[Change]) -> tuple[Step, ...]:
    """Return the steps for some changes."""
    return tuple(Step(change.path, change.before, change.after, change.keeps) for change in changes)


def render(steps: Iterable[Step]) -> str:
    """Return the text of a list of moves."""
    return json.dumps({"moves": VERSION, "steps": [as_dict(step) for step in steps]}) + "\n"


def parse(data: bytes) -> tuple[Step, ...] | None:
    """Return the steps of a list of moves, or None for anything that the compiler would not write.

    The list may come with a repository, so its paths are checked like those of a target.
    """
    try:
        value: JsonValue = json.loads(data)
    except (ValueError, RecursionError):
        return None
    match value:
        case {"moves": 1, "steps": list(items)}:
            steps = tuple(_step(item) for item in items)
            valid = tuple(step for step in steps if step is not None)
            return valid if len(valid) == len(steps) else None
    return None


def _step(value: JsonValue) -> Step | None:
    match value:
        case {"path": str(path), "before": before, "after": after, "keeps": bool(keeps)} if (
            is_safe(path) and _is_digest(before) and _is_digest(after)
        ):
            return Step(path, _text(before), _text(after), keeps)
    return None


def _is_digest(value: JsonValue) -> bool:
    return value is None or (isinstance(value, str) and _DIGEST.fullmatch(value) is not None)


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None


_FULL = {errno.ENOTEMPTY, errno.EEXIST}
_MANY = 32
"""Number of files from which threads are worth their start."""
_AT_ONCE = 16


def commit(tree: Tree, changes: Iterable[Change]) -> tuple[Diagnostic, ...]:
    """Make the needed changes under the folder's lock; return errors and notes of backups.

    An error says whether nothing was changed or whether the next run has to finish.
    """
    needed = [change for change in changes if change.is_needed]
    # Remove last, so that a folder that gets a new file is never empty in between.
    needed.sort(key=lambda change: change.after is None)
    if not needed:
        return ()
    steps = steps_of(needed)
    try:
        _stage(tree.root, needed, steps)
        return _finish(tree, enumerate(steps))
    except OSError as error:
        return (_failed(tree.root, error),)
    except BlockedError as blocked:
        return (blocked.diagnostic,)


def recover(out: Path) -> tuple[Diagnostic, ...]:
    """Finish the moves of an interrupted run; discard a stage without a list of them.

    An error means that the output is still between two states.
    """
    notes: tuple[Diagnostic, ...] = ()
    try:
        tree = Tree(out)
        data = tree.read(MOVES)
        steps = None if data is None else parse(data)
        if steps is not None:
            notes = _finish(tree, _intact(tree, steps))
        discard(out)
    except OSError as error:
        return (_failed(out, error),)
    except BlockedError as blocked:
        return (blocked.diagnostic,)
    if data is not None and steps is None:
        return (kinds.DAMAGED_MOVES.at(None, path=shown(out / STATE)),)
    return notes


def _stage(out: Path, changes: Iterable[Change], steps: Iterable[Step]) -> None:
    """Write every new file and the list of moves, synced before the list gets its name."""
    state, stage = out / STATE, out / STAGE
    write_new_file(state / ".gitignore", (b"*\n",))
    stage.mkdir()
    files = [
        _StagedFile(out / change.path, stage / str(number), change.content)
        for number, change in enumerate(changes)
        if change.content is not None
    ]
    for file in files:
        file.write()
    _sync_all(files)
    for file in files:
        file.place()
    sync_folder(stage)
    draft = state / "draft"
    write_new_file(draft, (render(steps).encode("utf-8"),))
    sync_file(draft)
    sync_folder(state)
    draft.replace(out / MOVES)
    sync_folder(state)


def _intact(tree: Tree, steps: Iterable[Step]) -> Iterator[tuple[int, Step]]:
    """Yield the numbered steps whose staged file exists and matches its digest."""
    for number, step in enumerate(steps):
        if step.after is None or tree.digest(f"{STAGE}/{number}") == step.after:
            yield number, step


def _finish(tree: Tree, steps: Iterable[tuple[int, Step]]) -> tuple[Diagnostic, ...]:
    """Move every staged file into place, remove files, then remove the list.

    Any part of it may have been done before. Returns a note for each file that was kept.
    """
    notes: list[Diagnostic] = []
    touched: set[Path] = set()
    for number, step in steps:
        if step.after is None:
            _remove(tree, step, touched)
        else:
            notes += _put(tree, number, step, touched)
    for folder in sorted(touched):
        sync_folder(folder)
    (tree.root / MOVES).unlink()
    return tuple(notes)


def _put(tree: Tree, number: int, step: Step, touched: set[Path]) -> Iterator[Diagnostic]:
    """Move a staged file into place, unless the file there changed since it was staged."""
    there = tree.digest(step.path)
    if there is not None and (there == step.after or there != step.before):
        return
    path = tree.root / step.path
    touched.update(tree.make_folder(PurePosixPath(step.path).parent.as_posix()))
    if there is not None and step.keeps:
        backup = path.rename(_free_name(path))
        yield kinds.KEPT.at(None, path=shown(path), backup=shown(backup))
    (tree.root / STAGE / str(number)).replace(path)
    touched.add(path.parent)
    tree.note(step.path, step.after or "")


def _remove(tree: Tree, step: Step, touched: set[Path]) -> None:
    """Remove an unchanged file, and the folders that it leaves empty."""
    path = tree.root / step.path
    there = tree.digest(step.path)
    if there == step.before and there is not None:
        path.unlink()
    elif there is not None:
        return
    for folder in path.parents:
        if folder == tree.root or not _remove_empty(folder):
            touched.add(folder)
            return
        touched.discard(folder)


def _remove_empty(folder: Path) -> bool:
    """Remove a folder if it is empty; return whether it is gone."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError as error:
        if error.errno in _FULL:
            return False
        raise
    return True


def _free_name(path: Path) -> Path:
    names = (f"{path.name}.orig{f'.{number}' if number else ''}" for number in count())
    return next(at for name in names if not os.path.lexists(at := path.with_name(name)))


class _StagedFile(NamedTuple):
    """A new file in the stage; an OSError about it names its destination."""

    final: Path
    path: Path
    content: Content

    def write(self) -> None:
        """Write the bytes, unless they are in the stage of the build already."""
        if not isinstance(self.content, OnDisk):
            with self._named():
                write_new_file(self.path, (self.content.read(),))

    def sync(self) -> None:
        """Sync the bytes; not when they are written, since by now most are on the disk."""
        with self._named():
            sync_file(self.content.path if isinstance(self.content, OnDisk) else self.path)

    def place(self) -> None:
        """Move the file from the stage of the build."""
        if isinstance(self.content, OnDisk):
            with self._named():
                os.replace(self.content.path, self.path)  # noqa: PTH105 - a text, as it came from a worker

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.final)) from error


def _sync_all(files: Sequence[_StagedFile]) -> None:
    if len(files) >= _MANY:
        _sync_at_once(files)
    else:
        for file in files:
            file.sync()


def _sync_at_once(files: Sequence[_StagedFile]) -> None:
    """Sync files in threads: a disk takes hardly longer for sixteen files than for one.

    The threads share no lock with this one, as those of an executor do: an interrupt may leave
    such a lock taken, and the executor would wait for its threads for ever.
    """
    from threading import Thread

    errors: dict[int, Exception] = {}

    def sync(start: int) -> None:
        for number in range(start, len(files), _AT_ONCE):
            try:
                files[number].sync()
            except Exception as error:  # noqa: BLE001 - raised again below, the first of all files
                errors[number] = error
                return

    threads = []
    for start in range(1, _AT_ONCE):
        thread = Thread(target=sync, args=(start,), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the platform has no threads, or no more of them
            sync(start)
        else:
            threads.append(thread)
    sync(0)
    for thread in threads:
        thread.join()
    if errors:
        raise errors[min(errors)]


def _failed(out: Path, error: OSError) -> Diagnostic:
    """Return the diagnostic of a failed call; whether the list of moves exists decides which."""
    plain = unwritable(out, error)
    if not has_moves(out):
        return plain
    return kinds.UNFINISHED.at(None, path=shown(out), reason=plain.message)
