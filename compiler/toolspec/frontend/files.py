"""Interface to a project's files, implemented by the driver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from toolspec.diagnostics import Checked
    from toolspec.syntax.nodes import Document, Location


class Files(Protocol):
    """The files of one project, by normalised POSIX paths relative to its root."""

    def read(self, path: str, referrer: Location) -> Checked[Document | None]:
        """Return a parsed file.

        Returns None without a diagnostic if the file does not exist: the caller reports it. Returns
        None with diagnostics if it exists and cannot be used. The referrer is the location that
        names it.
        """
        ...

    def is_folder(self, path: str) -> bool:
        """Return whether a path inside the project is that of a folder."""
        ...

    def glob(self, pattern: str, referrer: Location) -> Checked[tuple[str, ...]]:
        """Return the paths that match a pattern, sorted; no match is not an error."""
        ...
