"""Artifacts against the disk: what would change."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver.output.tree import BlockedError, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.pipeline import Emission


@dataclass(frozen=True, slots=True)
class Change:
    """One file of the output folder, on the disk and as it is to be.

    `before` is None where there is no file yet, and holds bytes that are no UTF-8 as surrogates;
    `after` is None where the file is to be removed. `keeps` says that what stands there is first
    renamed to `<name>.orig`.
    """

    path: str
    before: str | None = field(repr=False)
    after: str | None = field(repr=False)
    keeps: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether the file on the disk differs."""
        return self.before != self.after

    @property
    def digest_before(self) -> str | None:
        """The SHA-256 of what stands on the disk."""
        return digest(self.before)

    @property
    def digest_after(self) -> str | None:
        """The SHA-256 of what is to stand there."""
        return digest(self.after)

    def diff(self) -> str:
        """Return the unified diff from disk to artifact, empty where they agree."""
        from difflib import unified_diff

        lines = unified_diff(
            readable(self.before).splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            f"a/{self.path}" if self.before is not None else "/dev/null",
            f"b/{self.path}" if self.after is not None else "/dev/null",
        )
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def compare(out: Path, emissions: Iterable[Emission]) -> Checked[tuple[Change, ...]]:
    """Return every artifact against what stands below the output folder, sorted by path.

    Complains of what is in the way of a file and can't be read as one.
    """
    return compare_in(Tree(out), emissions)


def compare_in(tree: Tree, emissions: Iterable[Emission]) -> Checked[tuple[Change, ...]]:
    """Return what `compare` does, for a folder that is being looked at already."""
    changes: list[Change] = []
    found: dict[str, Diagnostic] = {}
    for artifact in (artifact for emission in emissions for artifact in emission.artifacts):
        try:
            changes.append(change_of(tree, artifact.path, artifact.text))
        except BlockedError as blocked:
            # A link at a folder is in the way of all its files: one cause, one finding.
            found[blocked.diagnostic.message] = blocked.diagnostic
    return Checked(tuple(sorted(changes, key=lambda each: each.path)), tuple(found.values()))


def change_of(tree: Tree, path: str, after: str | None) -> Change:
    """Return a file against what it is to be. Raises BlockedError where it can't be read as a file."""
    data = tree.read(path)
    if data is None:
        return Change(path, None, after)
    if after is not None and data == after.encode("utf-8"):
        return Change(path, after, after)
    return Change(path, data.decode("utf-8", "surrogateescape"), after)


def check_writable(out: Path, changes: Iterable[Change]) -> tuple[Diagnostic, ...]:
    """Return what would refuse a change that is needed, as far as one can tell before trying."""
    tree = Tree(out)
    found: dict[str, Diagnostic] = {}
    for change in changes:
        try:
            if change.is_needed:
                tree.check_writable(change.path, is_new=change.before is None)
        except BlockedError as blocked:
            found[blocked.diagnostic.message] = blocked.diagnostic
    return tuple(found.values())


def digest(text: str | None) -> str | None:
    """Return the SHA-256 of a text as it stands on the disk, in hexadecimal digits."""
    return None if text is None else sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def readable(text: str | None) -> str:
    """Return what stands on the disk with bytes that are no UTF-8 replaced."""
    return (text or "").encode("utf-8", "surrogateescape").decode("utf-8", "replace")
