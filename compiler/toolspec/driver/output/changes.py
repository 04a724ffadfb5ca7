"""Compares files with the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver.output.tree import BlockedError, Tree
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.output.files import Content, File


@dataclass(frozen=True, slots=True)
class Change:
    """One file of the output folder, before and after the build.

    `before` and `after` are the SHA-256 of its bytes: None for a file that is missing, or is to be
    removed. `content` is the new content, None if the file has it already. `keeps` means that the
    existing file is first renamed to `<name>.orig`.
    """

    path: str
    before: str | None
    after: str | None
    content: Content | None = field(default=None, repr=False)
    keeps: bool = False

    @property
    def is_needed(self) -> bool:
        """Return whether the file on the disk differs."""
        return self.before != self.after

    def diff(self, out: Path) -> str:
        """Return the unified diff against the output folder, empty without a difference."""
        from difflib import unified_diff

        if not self.is_needed:
            return ""
        before, after = Tree(out).read(self.path), self.content.read() if self.content else None
        names = (
            f"a/{self.path}" if self.before is not None else "/dev/null",
            f"b/{self.path}" if self.after is not None else "/dev/null",
        )
        if b"\0" in (before or b"") + (after or b""):
            return f"Binary files {names[0]} and {names[1]} differ\n"
        lines = unified_diff(
            readable(before).splitlines(keepends=True),
            readable(after).splitlines(keepends=True),
            *names,
        )
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


class GoneError(Exception):
    """A file without content in memory vanished from the disk."""


def compare(tree: Tree, files: Iterable[File]) -> Checked[tuple[Change, ...]]:
    """Return every file compared with the output folder, sorted by path.

    Reports anything at the path of a file that cannot be read as one. Raises GoneError.
    """
    changes: list[Change] = []
    blocked_by: dict[str, Diagnostic] = {}
    for file in files:
        try:
            change = Change(file.path, tree.digest(file.path), file.sha256, file.content)
            if change.is_needed and file.content is None:
                raise GoneError(file.path)
            changes.append(change)
        except BlockedError as blocked:
            # A link in place of a folder blocks all its files: one cause, one diagnostic.
            blocked_by[blocked.diagnostic.message] = blocked.diagnostic
    return Checked(
        tuple(sorted(changes, key=lambda change: change.path)), tuple(blocked_by.values())
    )


def check_writable(tree: Tree, changes: Iterable[Change]) -> tuple[Diagnostic, ...]:
    """Return diagnostics for needed changes that the disk would refuse, as checked in advance."""
    blocked_by: dict[str, Diagnostic] = {}
    for change in changes:
        try:
            if change.is_needed:
                tree.check_writable(change.path, is_new=change.before is None)
        except BlockedError as blocked:
            blocked_by[blocked.diagnostic.message] = blocked.diagnostic
    return tuple(blocked_by.values())


def readable(data: bytes | None) -> str:
    """Return bytes as text, with invalid UTF-8 replaced."""
    return (data or b"").decode("utf-8", "replace")
