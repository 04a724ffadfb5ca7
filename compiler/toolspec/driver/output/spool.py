"""Temporary storage for new files until all are generated: one unnamed file on the disk."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from toolspec.driver.output.paths import is_safe
from toolspec.driver.output.tree import BlockedError, Tree, unwritable
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolspec.driver.output.files import File
    from toolspec.driver.output.tree import FileDigests


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A range of the spool."""

    file: IO[bytes]
    start: int
    size: int

    def read(self) -> bytes:
        """Return the bytes."""
        self.file.seek(self.start)
        data = self.file.read(self.size)
        self.file.seek(0, os.SEEK_END)
        return data


class Spool:
    """New files of an output folder, so that a build holds only one service in memory.

    Content that is on the disk already is dropped; the rest goes to one unnamed file beside the
    output, which leaves nothing behind however the build ends. The file is created when it is first
    needed.
    """

    def __init__(self, out: Path, digests: FileDigests) -> None:
        self._out = out
        self._tree = Tree(out, digests)
        self._file: IO[bytes] | None = None
        self._end = 0

    def store(self, files: Iterable[File]) -> tuple[File, ...]:
        """Return the files with no bytes in memory. Raises BlockedError if the disk refuses."""
        return tuple(map(self._store, files))

    def close(self) -> None:
        """Close the spool and free its file."""
        if self._file is not None:
            self._file.close()

    def _store(self, file: File) -> File:
        if file.content is None:
            return file
        if self._is_on_disk(file):
            return replace(file, content=None)
        return replace(file, content=self._add(file.content.read()))

    def _is_on_disk(self, file: File) -> bool:
        try:
            return is_safe(file.path) and self._tree.digest(file.path) == file.sha256
        except BlockedError:
            return False  # the plan of the output reports it

    def _add(self, data: bytes) -> OnDisk:
        from tempfile import TemporaryFile

        near = next(folder for folder in (self._out, *self._out.parents) if folder.is_dir())
        try:
            if self._file is None:
                self._file = TemporaryFile(dir=near)  # noqa: SIM115 - `close` does
            self._file.write(data)
        except OSError as error:
            # The error names the temporary file, which means nothing to a user.
            plain = OSError(error.errno, error.strerror)
            raise BlockedError(unwritable(self._out, plain)) from error
        start, self._end = self._end, self._end + len(data)
        return OnDisk(self._file, start, len(data))
