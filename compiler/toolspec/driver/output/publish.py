"""Writes the output folder, or compares it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, has_errors
from toolspec.driver import output_kinds as kinds
from toolspec.driver.output.changes import check_writable
from toolspec.driver.output.commit import commit, recover
from toolspec.driver.output.exclusive import exclusive, has_moves, has_state
from toolspec.driver.output.ownership import plan
from toolspec.driver.output.tree import BlockedError, Tree, shown, unwritable
from toolspec.driver.write_options import OverwritePolicy
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolspec.driver.output.changes import Change
    from toolspec.driver.output.files import File
    from toolspec.driver.output.tree import FileDigests
    from toolspec.driver.write_options import WriteOptions


def drift(
    out: Path,
    files: Iterable[File],
    write_options: WriteOptions,
    digests: FileDigests | None = None,
) -> Checked[tuple[Change, ...]]:
    """Return every file compared with the disk, with the lock and removals; write nothing.

    Edited and foreign files count as differences; their `keeps` is set. An interrupted compile is
    an error. Files in `digests` are not read.
    """
    if has_moves(out):
        reason = "a compile was interrupted, or is running"
        return Checked((), (kinds.UNFINISHED.at(None, path=shown(out), reason=reason),))
    return plan(
        Tree(out, digests),
        files,
        replace(write_options, overwrite_policy=OverwritePolicy.OVERWRITE),
    )


def publish(
    out: Path,
    files: Iterable[File],
    write_options: WriteOptions,
    digests: FileDigests | None = None,
) -> Checked[tuple[Change, ...]]:
    """Return what `drift` returns, and write it; after an error the diagnostic says what changed.

    Without a difference nothing is written, not even a lock. Files in `digests` are not read.
    """
    files = tuple(files)
    digests = {} if digests is None else digests
    if not has_state(out):
        planned = plan(Tree(out, digests), files, write_options)
        if planned.ok and not any(change.is_needed for change in planned.value):
            return planned
    try:
        with exclusive(out, write_options.lock_timeout):
            return _publish_alone(Tree(out, digests), files, write_options)
    except BlockedError as blocked:
        return Checked((), (blocked.diagnostic,))
    except OSError as error:
        return Checked((), (unwritable(out, error),))


def _publish_alone(
    tree: Tree, files: tuple[File, ...], write_options: WriteOptions
) -> Checked[tuple[Change, ...]]:
    """Finish an interrupted compile, then plan again: another one may have written in between."""
    left = recover(tree.root)
    if has_errors(left):
        return Checked((), left)
    planned = plan(tree, files, write_options)
    diagnostics = (*left, *planned.diagnostics)
    if planned.ok:
        diagnostics = (
            *diagnostics,
            *(check_writable(tree, planned.value) or commit(tree, planned.value)),
        )
    return Checked(planned.value, diagnostics)
