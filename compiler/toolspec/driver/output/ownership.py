"""Decides which files a build may replace or remove, and reports edited and foreign ones."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

from toolspec.diagnostics import Checked, Label, has_errors
from toolspec.driver import output_kinds as kinds
from toolspec.driver.output import lockfile
from toolspec.driver.output.changes import Change, compare, readable
from toolspec.driver.output.files import file_of
from toolspec.driver.output.lockfile import Entry
from toolspec.driver.output.paths import LOCK
from toolspec.driver.output.tree import BlockedError, shown
from toolspec.driver.renders import TARGET as RENDER
from toolspec.driver.write_options import OverwritePolicy
from toolspec.shared.records import replace
from toolspec.source import SourceFile
from toolspec.syntax.conflicts import merge_conflicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.output.files import File
    from toolspec.driver.output.tree import Tree
    from toolspec.driver.write_options import WriteOptions
    from toolspec.source import Span

MAX_SHOWN: Final = 3

_MAX_COMPARED = 1_000_000  # pairs of lines; a larger difference is shown as one

Lines = list[str]


def conflict(name: str, path: str, there: bytes, ours: bytes, *, is_known: bool) -> Diagnostic:
    """Return the diagnostic of an edited file (`is_known` to the lock) or a foreign one.

    Its location has the name of the file, its message the path.

    The first `MAX_SHOWN` differences are shown, each at the line that would be lost.
    """
    merge = merge_conflict(name, path, there)
    if merge is not None:
        return merge
    source = SourceFile(name, readable(there))
    # Compare bytes: as readable text, invalid UTF-8 could look like the new content.
    lost_lines, our_lines = (
        data.decode("utf-8", "surrogateescape").split("\n") for data in (there, ours)
    )
    (span, text), *others = (
        (_line(source, at), _label(lost, written))
        for at, lost, written in islice(_differences(lost_lines, our_lines), MAX_SHOWN)
    )
    kind = kinds.EDITED if is_known else kinds.FOREIGN
    labels = [Label(*other) for other in others]
    return kind.at(span, text, labels=labels, path=path, name=path.rpartition("/")[2])


def merge_conflict(name: str, path: str, there: bytes) -> Diagnostic | None:
    """Return the diagnostic of the first merge conflict marker in a file, or None."""
    markers = next(merge_conflicts(SourceFile(name, readable(there))), None)
    if markers is None:
        return None
    labels = (
        Label(markers.between, "the second version begins here"),
        Label(markers.theirs, "the conflict ends here"),
    )
    return kinds.MERGE_CONFLICT.at(
        markers.ours, "the first version begins here", labels=labels, path=path
    )


def _differences(there: Lines, ours: Lines) -> Iterator[tuple[int, Lines, Lines]]:
    """Yield the differences of two texts: a line of the first, removed lines, added lines."""
    start = _common(there, ours)
    end = _common(reversed(there[start:]), reversed(ours[start:]))
    lost, written = there[start : len(there) - end], ours[start : len(ours) - end]
    if len(lost) * len(written) > _MAX_COMPARED:
        yield start, lost, written
        return
    from difflib import SequenceMatcher

    for tag, a, b, c, d in SequenceMatcher(None, lost, written, autojunk=False).get_opcodes():
        if tag != "equal":
            yield start + a, lost[a:b], written[c:d]


def _common(one: Iterable[str], other: Iterable[str]) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _label(lost: Lines, written: Lines) -> str:
    if not written:
        return "not the compiler's"
    more = len(written) - 1
    line = next((line.strip() for line in written if line.strip()), "")
    text = f"the compiler writes `{line}`" + (f" and {more} more" if more else "")
    return text if lost else f"before this {text}"


def _line(source: SourceFile, at: int) -> Span:
    at = min(at, len(source.line_starts) - 1)
    start = source.line_starts[at]
    line = source.line(at + 1)
    return source.span(start + len(line) - len(line.lstrip()), start + len(line))


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
        them = "it" if len(names) == 1 else "them"
        tables = "restore its `[[render]]` tables" if RENDER in count else ""
        add = f"add {them} to `targets`" if set(count) != {RENDER} else ""
        yield kinds.UNNAMED_TARGET.at(
            None,
            files="1 file" if count.total() == 1 else f"{count.total()} files",
            targets=f"the target{'' if len(names) == 1 else 's'} {', '.join(names)}",
            remain="remains" if count.total() == 1 else "remain",
            them=them,
            suggestion=" and ".join(filter(None, (add, tables))),
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
            merge = merge_conflict(write_options.name(tree.root / LOCK), path, data)
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
        name = write_options.name(tree.root / change.path)
        path = shown(tree.root / change.path)
        there, ours = tree.read(change.path), change.content.read() if change.content else b""
        diagnostics.append(conflict(name, path, there or b"", ours, is_known=entry is not None))
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
