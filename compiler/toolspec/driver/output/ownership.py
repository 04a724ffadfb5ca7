"""Decides which files of the output folder a build may replace or remove."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, has_errors
from toolspec.driver import output_kinds as kinds
from toolspec.driver.output import lockfile
from toolspec.driver.output.changes import Change, compare, readable
from toolspec.driver.output.conflicts import conflict, merge_conflict
from toolspec.driver.output.files import file_of
from toolspec.driver.output.lockfile import Entry
from toolspec.driver.output.paths import LOCK
from toolspec.driver.output.tree import BlockedError, shown
from toolspec.driver.write_options import OverwritePolicy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.output.files import File
    from toolspec.driver.output.tree import Tree
    from toolspec.driver.write_options import WriteOptions


def plan(
    tree: Tree, files: Iterable[File], write_options: WriteOptions
) -> Checked[tuple[Change, ...]]:
    """Return every change of the output folder, the lock included.

    If it reports an error about a file that a build may not change, none of the changes may be
    made.
    """
    files = tuple(files)
    compared = compare(tree, files)
    diagnostics = list(compared.diagnostics)
    entries = _read_lock(tree, write_options, diagnostics)
    if has_errors(diagnostics):
        return Checked((), tuple(diagnostics))
    changes = [
        _permitted(tree, change, entries.get(change.path), write_options, diagnostics)
        for change in compared.value
    ]
    new_entries = {file.path: Entry(file.target, file.sha256) for file in files}
    old = {path: entry for path, entry in entries.items() if path not in new_entries}
    retained = {
        path: entry
        for path, entry in old.items()
        if _is_retained(tree, path, entry.target, write_options)
    }
    orphans = {path: entry for path, entry in old.items() if path not in retained}
    changes += _removals(tree, orphans, diagnostics)
    if write_options.targets is None:
        diagnostics += _unnamed(retained.values())
    lock = file_of(LOCK, "", lockfile.render({**retained, **new_entries}))
    changes += compare(tree, [lock]).value
    return Checked(tuple(sorted(changes, key=lambda change: change.path)), tuple(diagnostics))


def _is_retained(tree: Tree, path: str, target: str, write_options: WriteOptions) -> bool:
    """Return whether a file that this build does not create stays."""
    if write_options.configured is not None and target not in write_options.configured:
        return not write_options.prune and _is_there(tree, path)
    return write_options.targets is not None and target not in write_options.targets


def _is_there(tree: Tree, path: str) -> bool:
    try:
        return tree.digest(path) is not None
    except BlockedError:
        return True


def _unnamed(entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """Yield one warning for all files of targets that the configuration does not name."""
    count = Counter(entry.target for entry in entries)
    if count:
        names = [f"`{name}`" for name in sorted(count)]
        yield kinds.UNNAMED_TARGET.at(
            None,
            files="1 file" if count.total() == 1 else f"{count.total()} files",
            targets=f"the target{'' if len(names) == 1 else 's'} {', '.join(names)}",
            them="it" if len(names) == 1 else "them",
        )


def _read_lock(
    tree: Tree, write_options: WriteOptions, diagnostics: list[Diagnostic]
) -> Mapping[str, Entry]:
    """Return the entries of the lock; empty without a lock, or if it will be written again."""
    try:
        data = tree.read(LOCK)
    except BlockedError as blocked:
        diagnostics.append(blocked.diagnostic)
        return {}
    if data is None:
        return {}
    try:
        return lockfile.parse(readable(data))
    except ValueError as error:
        if write_options.overwrite_policy is OverwritePolicy.REFUSE:
            path = shown(tree.root / LOCK)
            merge = merge_conflict(path, data)
            diagnostics.append(merge or kinds.DAMAGED_LOCK.at(None, path=path, reason=str(error)))
        return {}


def _permitted(
    tree: Tree,
    change: Change,
    entry: Entry | None,
    write_options: WriteOptions,
    diagnostics: list[Diagnostic],
) -> Change:
    """Return the permitted change of a file; add a diagnostic if it is not permitted."""
    if not change.is_needed or change.before is None or _is_ours(tree, change, entry):
        return change
    if write_options.overwrite_policy is OverwritePolicy.REFUSE:
        path = shown(tree.root / change.path)
        there, ours = tree.read(change.path), change.content.read() if change.content else b""
        diagnostics.append(conflict(path, there or b"", ours, is_known=entry is not None))
    return replace(change, keeps=write_options.overwrite_policy is OverwritePolicy.OVERWRITE)


def _is_ours(tree: Tree, change: Change, entry: Entry | None) -> bool:
    """Return whether a file is as the compiler wrote it; its line endings may differ."""
    if entry is None or change.before is None:
        return False
    if entry.sha256 == change.before:
        return True
    plain = (tree.read(change.path) or b"").replace(b"\r\n", b"\n")
    return entry.sha256 == sha256(plain).hexdigest()


def _removals(
    tree: Tree, orphans: Mapping[str, Entry], diagnostics: list[Diagnostic]
) -> Iterator[Change]:
    """Yield the removal of each unchanged file that is no longer an artifact."""
    for path, entry in orphans.items():
        try:
            change = Change(path, tree.digest(path), None)
            is_ours = _is_ours(tree, change, entry)
        except BlockedError:
            diagnostics.append(kinds.EDITED_ORPHAN.at(None, path=shown(tree.root / path)))
            continue
        if is_ours:
            yield change
        elif change.before is not None:
            diagnostics.append(kinds.EDITED_ORPHAN.at(None, path=shown(tree.root / path)))
