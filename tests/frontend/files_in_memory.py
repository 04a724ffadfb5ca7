"""A project's files held in memory: the front end asks no more of a disk."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked

if TYPE_CHECKING:
    from toolspec.syntax.nodes import Document, Location


class FilesInMemory:
    """The documents of a project by their paths."""

    def __init__(self, documents: dict[str, Document]) -> None:
        self._documents = documents

    def read(self, path: str, referrer: Location) -> Checked[Document | None]:
        del referrer
        return Checked(self._documents.get(path))

    def is_folder(self, path: str) -> bool:
        return any(name.startswith(f"{path}/") for name in self._documents)

    def glob(self, pattern: str, referrer: Location) -> Checked[tuple[str, ...]]:
        del referrer
        depth = pattern.count("/")
        level = (path for path in self._documents if path.count("/") == depth)
        return Checked(tuple(sorted(path for path in level if fnmatch(path, pattern))))
