"""What the front end asks of a project's files; the driver answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from toolspec.diagnostics import Checked
    from toolspec.syntax.nodes import Document, Place


class Files(Protocol):
    """The files of one project, by normalised POSIX paths relative to its root."""

    def read(self, path: str, referrer: Place) -> Checked[Document | None]:
        """Return a parsed file.

        None without a finding where there is no such file: the stage that asked says so in its own
        words. None with findings where it is there and cannot be used. The referrer is the place
        that names it.
        """
        ...

    def glob(self, pattern: str, referrer: Place) -> Checked[tuple[str, ...]]:
        """Return the paths that a pattern names, sorted; none is no finding."""
        ...
