"""Whose a file of the output folder is, and so what a build may do with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, has_errors
from toolspec.driver import output_kinds as kinds
from toolspec.driver.output import lockfile
from toolspec.driver.output.changes import change_of, compare_in, digest, readable
from toolspec.driver.output.conflicts import conflict, merge_conflict
from toolspec.driver.output.lockfile import Entry
from toolspec.driver.output.paths import LOCK
from toolspec.driver.output.tree import BlockedError, Tree, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.output.changes import Change
    from toolspec.driver.pipeline import Emission


class Takeover(Enum):
    """What happens to an edited or foreign file where an artifact belongs."""

    REFUSE = "refuse"
    ADOPT = "adopt"
    OVERWRITE = "overwrite"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a build may do: take files over, and whether it makes all targets or only chosen ones.

    A narrowed build leaves the files of the targets that it does not make as they are. `patience` is
    how many seconds it waits for another build of the same folder.
    """

    takeover: Takeover = Takeover.REFUSE
    is_narrowed: bool = False
    patience: float = 5.0


def plan(out: Path, emissions: tuple[Emission, ...], terms: Terms) -> Checked[tuple[Change, ...]]:
    """Return every change that makes the output folder what it is to be, its lock included.

    Complains of whatever a build may not touch; then none of the changes may be made.
    """
    tree = Tree(out)
    compared = compare_in(tree, emissions)
    found = list(compared.diagnostics)
    known = _read_lock(tree, terms, found)
    if has_errors(found):
        return Checked((), tuple(found))
    changes = [
        _judge(tree, change, known.get(change.path), terms, found) for change in compared.value
    ]
    emitted = {
        artifact.path: Entry(each.target, digest(artifact.text) or "")
        for each in emissions
        for artifact in each.artifacts
    }
    made = {each.target for each in emissions}
    old = {path: entry for path, entry in known.items() if path not in emitted}
    kept = {path: e for path, e in old.items() if terms.is_narrowed and e.target not in made}
    orphans = {path: entry for path, entry in old.items() if path not in kept}
    changes += _removals(tree, orphans, found)
    changes.append(change_of(tree, LOCK, lockfile.render({**kept, **emitted})))
    return Checked(tuple(sorted(changes, key=lambda each: each.path)), tuple(found))


def _read_lock(tree: Tree, terms: Terms, found: list[Diagnostic]) -> Mapping[str, Entry]:
    """Return the entries of the lock: none where there is none, or where it is to be made anew."""
    try:
        change = change_of(tree, LOCK, None)
    except BlockedError as blocked:
        found.append(blocked.diagnostic)
        return {}
    if change.before is None:
        return {}
    try:
        return lockfile.parse(readable(change.before))
    except ValueError as error:
        if terms.takeover is Takeover.REFUSE:
            path = shown(tree.root / LOCK)
            merge = merge_conflict(path, change)
            found.append(merge or kinds.DAMAGED_LOCK.at(None, path=path, reason=str(error)))
        return {}


def _judge(
    tree: Tree, change: Change, entry: Entry | None, terms: Terms, found: list[Diagnostic]
) -> Change:
    """Return the change of an artifact as it may be made; a finding where it may not."""
    if not change.is_needed or change.before is None or _is_ours(change, entry):
        return change
    if terms.takeover is Takeover.REFUSE:
        path = shown(tree.root / change.path)
        found.append(conflict(path, change, is_known=entry is not None))
    return replace(change, keeps=terms.takeover is Takeover.OVERWRITE)


def _is_ours(change: Change, entry: Entry | None) -> bool:
    """Whether a file is as the compiler wrote it; version control may have changed its line ends."""
    if entry is None or change.before is None:
        return False
    if entry.sha256 == change.digest_before:
        return True
    return entry.sha256 == digest(change.before.replace("\r\n", "\n"))


def _removals(
    tree: Tree, orphans: Mapping[str, Entry], found: list[Diagnostic]
) -> Iterable[Change]:
    """Yield the removal of each file of ours that nothing makes any more."""
    for path, entry in orphans.items():
        try:
            change = change_of(tree, path, None)
        except BlockedError:
            found.append(kinds.EDITED_ORPHAN.at(None, path=shown(tree.root / path)))
            continue
        if _is_ours(change, entry):
            yield change
        elif change.before is not None:
            found.append(kinds.EDITED_ORPHAN.at(None, path=shown(tree.root / path)))
