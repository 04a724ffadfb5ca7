"""Reads the output folder without following links, and detects what blocks an artifact."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from toolspec.driver import output_kinds as kinds
from toolspec.driver.filesystem import open_file
from toolspec.driver.incremental.fingerprints import UNRELIABLE, fingerprint_to_read
from toolspec.driver.output.paths import fold

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic

    # By path: a file's fingerprint, and the SHA-256 of its content while it has it.
    FileDigests = dict[str, tuple[str, str]]

_WRITABLE = 0o222


class BlockedError(Exception):
    """Something at the path of an artifact that is not a regular file."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Tree:
    """An output folder with a cache of its folders; paths are relative to it, with `/`.

    The folder itself may be a link, since a person chose it; nothing below it may be one. Files in
    `digests` are not read again while their fingerprint is the same; each read adds to it.
    """

    def __init__(self, root: Path, digests: FileDigests | None = None) -> None:
        self.root = root
        self._digests: FileDigests = {} if digests is None else digests
        self._folders: dict[str, bool] = {}
        self._names: dict[str, dict[str, list[str]]] = {}

    def digest(self, path: str) -> str | None:
        """Return the SHA-256 of a file, or None without one; read it only if it may have changed.

        Raises the errors of `read`.
        """
        try:
            if not self._has_file(path):
                return None
            now = fingerprint_to_read(f"{self.root}/{path}")
            cached = self._digests.get(path)
            if cached is not None and cached[0] == now:
                return cached[1]
            data = self._bytes(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BlockedError(unwritable(self.root / path, error)) from error
        digest = sha256(data).hexdigest()
        if not now.endswith(UNRELIABLE):
            self._digests[path] = now, digest
        return digest

    def note(self, path: str, sha256: str) -> None:
        """Record the digest of a file that was just moved into place."""
        now = fingerprint_to_read(f"{self.root}/{path}")
        if not now.endswith(UNRELIABLE):
            self._digests[path] = now, sha256

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, or None without one.

        Raises BlockedError at a link, a folder, a device, or an unreadable file.
        """
        try:
            return self._bytes(path) if self._has_file(path) else None
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BlockedError(unwritable(self.root / path, error)) from error

    def _has_file(self, path: str) -> bool:
        """Return whether a folder has the file's path.

        Raises FileNotFoundError without the file.
        """
        if not self._has_folder(_parent(path)):
            return False
        mode = os.lstat(f"{self.root}/{path}").st_mode
        if not stat.S_ISREG(mode):
            raise BlockedError(self._in_the_way(path, mode))
        return True

    def _bytes(self, path: str) -> bytes:
        # A link or a pipe could have replaced it since the check.
        with os.fdopen(open_file(f"{self.root}/{path}", os.O_RDONLY), "rb") as file:
            return file.read()

    def check_writable(self, path: str, *, is_new: bool) -> None:
        """Raise BlockedError if the disk would refuse the change, as checked in advance."""
        full = self.root / path
        if is_new:
            self._check_twins(path)
        elif not full.lstat().st_mode & _WRITABLE:
            raise BlockedError(_refused(full, "the file is read-only"))
        folder = full.parent
        while folder != self.root and not self._has_folder(self._name(folder)):
            folder = folder.parent
        if folder.is_dir() and not _is_writable(folder):
            raise BlockedError(_refused(folder, "the folder is read-only"))

    def make_folder(self, path: str) -> list[Path]:
        """Create a folder and those above it; return the parents, which have changed."""
        changed: list[Path] = []
        at = self.root
        for part in PurePosixPath(path).parts:
            folder, at = at, at / part
            if not self._has_folder(self._name(at)):
                at.mkdir()
                changed.append(folder)
                self._folders[self._name(at)] = True
        return changed

    def _has_folder(self, path: str) -> bool:
        is_folder = self._folders.get(path)
        if is_folder is None:
            is_folder = self._folders[path] = self._look(path)
        return is_folder

    def _look(self, path: str) -> bool:
        try:
            if path == ".":
                mode = self.root.stat().st_mode
            elif self._has_folder(_parent(path)):
                mode = (self.root / path).lstat().st_mode
            else:
                return False
        except FileNotFoundError:
            return False
        if stat.S_ISDIR(mode):
            return True
        if stat.S_ISLNK(mode):
            raise BlockedError(self._in_the_way(path, mode))
        raise BlockedError(_refused(self.root / path, "a file has the path of a folder"))

    def _in_the_way(self, path: str, mode: int) -> Diagnostic:
        if stat.S_ISLNK(mode):
            return kinds.OUTPUT_LINK.at(None, path=path)
        is_folder = stat.S_ISDIR(mode)
        reason = f"a {'folder' if is_folder else 'device or pipe'} has the path of the file"
        return _refused(self.root / path, reason)

    def _check_twins(self, path: str) -> None:
        """Raise BlockedError if an existing name differs only in case."""
        at = PurePosixPath()
        for part in PurePosixPath(path).parts:
            twins = self._names_in(at.as_posix()).get(fold(part), [part])
            if part not in twins:
                twin, ours = (at / twins[0]).as_posix(), (at / part).as_posix()
                raise BlockedError(kinds.OUTPUT_TWIN.at(None, path=ours, twin=twin))
            at /= part

    def _names_in(self, folder: str) -> dict[str, list[str]]:
        """Return the names in a folder by case-folded name."""
        names = self._names.get(folder)
        if names is None:
            names = self._names[folder] = {}
            there = (self.root / folder).iterdir() if self._has_folder(folder) else ()
            for name in sorted(path.name for path in there):
                names.setdefault(fold(name), []).append(name)
        return names

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def unwritable(path: Path, error: OSError) -> Diagnostic:
    """Return the diagnostic of a failed call; it says that nothing was changed."""
    match error:
        case FileExistsError() | NotADirectoryError():
            reason = "a file has the path of a folder"
        case IsADirectoryError():
            reason = "a folder has the path of the file"
        case _:
            reason = error.strerror or str(error)
    return _refused(Path(error.filename or path), reason)


def shown(path: Path) -> str:
    """Return a path relative to the working folder, with `/`."""
    return Path(os.path.relpath(path)).as_posix()


def _refused(path: Path, reason: str) -> Diagnostic:
    return kinds.UNWRITABLE.at(None, path=shown(path), reason=reason)


def _is_writable(folder: Path) -> bool:
    return bool(folder.stat().st_mode & _WRITABLE) and os.access(folder, os.W_OK | os.X_OK)


def _parent(path: str) -> str:
    return path.rpartition("/")[0] or "."
