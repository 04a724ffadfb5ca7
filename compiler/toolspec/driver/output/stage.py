"""Stages new files in the state folder of the output while a build runs; the commit moves them.

Each build has a stage of its own, so builds of one output folder do not wait for each other until
they commit. Workers that share the disk write to the stage themselves. The lock of a stage tells one
in use from one that a killed build left behind, which the next build removes.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from toolspec.driver.filesystem import write_new_file
from toolspec.driver.output.exclusive import create_stage, discard_abandoned, exclusive, has_state
from toolspec.driver.output.files import InMemory, Joined, OnDisk
from toolspec.driver.output.paths import is_safe
from toolspec.driver.output.tree import BlockedError, Tree, unwritable
from toolspec.driver.write_options import WriteOptions
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.driver.output.files import File
    from toolspec.driver.output.tree import FileDigests


@dataclass(frozen=True, slots=True)
class StageFolder:
    """A stage for the workers of its build, on this machine or on others that share its disk."""

    out: Path
    path: str

    def store(self, document: str, files: Iterable[File]) -> tuple[tuple[File, ...], FileDigests]:
        """Return the files of a document, and the digests of those on the disk that were read.

        A worker on another disk does not find the random name of the stage, and returns the bytes.
        A file that cannot be staged keeps them too: the process that owns the stage reports it.
        """
        if self.path and not Path(self.path).is_dir():
            return tuple(files), {}
        digests: FileDigests = {}
        stage = Stage(self.out, digests, writes=bool(self.path), path=self.path)
        files = tuple(files)
        with suppress(BlockedError):
            files = stage.store(document, files)
        return files, digests


class Stage:
    """The new files of a build, so that memory holds the bytes of one service only.

    Content that is on the disk already is dropped; the rest is written to the stage if the build
    `writes`, and else stays in memory. The folder is created when it is first needed; a `path` is
    that of another process, which owns it.
    """

    def __init__(self, out: Path, digests: FileDigests, *, writes: bool, path: str = "") -> None:
        self.digests = digests
        self._out, self._writes, self._path = out, writes, path
        self._tree = Tree(out, digests)
        self._lock: int | None = None
        self._created: list[Path] = []

    def store(self, document: str, files: Iterable[File]) -> tuple[File, ...]:
        """Return the files of a document with no bytes in memory. Raises BlockedError."""
        name = sha256(document.encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return tuple(self._store(f"{name}-{number}", file) for number, file in enumerate(files))

    def shared(self) -> StageFolder:
        """Return the stage for other processes; without a path if it cannot be created."""
        path = ""
        if self._writes:
            with suppress(BlockedError):
                path = self._folder()
        return StageFolder(self._out, path)

    def close(self) -> None:
        """Remove the stage, those of killed builds, and folders that are empty without them."""
        if self._lock is not None:
            os.close(self._lock)
            rmtree(self._path, ignore_errors=True)
        with suppress(BlockedError, OSError):
            if self._writes and has_state(self._out):
                with exclusive(self._out, 0):
                    discard_abandoned(self._out)
            for folder in self._created:
                folder.rmdir()

    def _store(self, name: str, file: File) -> File:
        if not isinstance(file.content, InMemory | Joined):
            return file
        if self._is_on_disk(file):
            return replace(file, content=None)
        return replace(file, content=self._write(name, file.content)) if self._writes else file

    def _is_on_disk(self, file: File) -> bool:
        try:
            return is_safe(file.path) and self._tree.digest(file.path) == file.sha256
        except BlockedError:
            return False  # the plan of the output reports it

    def _write(self, name: str, content: InMemory | Joined) -> OnDisk:
        path = f"{self._folder()}/{name}"
        try:
            write_new_file(path, content.chunks())
        except OSError as error:
            # The error names the staged file, which means nothing to a user.
            plain = OSError(error.errno, error.strerror)
            raise BlockedError(unwritable(self._out, plain)) from error
        return OnDisk(path)

    def _folder(self) -> str:
        """Return the folder of the stage, created if needed. Raises BlockedError."""
        if not self._path:
            self._created = [at for at in (self._out, *self._out.parents) if not at.exists()]
            try:
                # Stages are created and discarded under the lock of the output folder.
                with exclusive(self._out, WriteOptions().lock_timeout):
                    discard_abandoned(self._out)
                    self._path, self._lock = create_stage(self._out)
            except OSError as error:
                raise BlockedError(unwritable(self._out, error)) from error
        return self._path
