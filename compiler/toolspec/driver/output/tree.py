"""The output folder as it stands: files read without following a link, and what is in the way."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from toolspec.driver import output_kinds as kinds
from toolspec.driver.output.paths import fold

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic

_WRITABLE = 0o222


class BlockedError(Exception):
    """Something stands where an artifact belongs that is no file of an output folder."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Tree:
    """An output folder. Paths are relative to it, with `/`; what was seen of its folders is kept.

    The folder itself may be a link, for a person chose it; nothing below it may be one.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, bool] = {}
        self._names: dict[str, dict[str, list[str]]] = {}

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, None where nothing stands.

        Raises BlockedError at a link, a folder, a device, or a file that can't be read.
        """
        try:
            if not self._has_folder(_parent(path)):
                return None
            full = self.root / path
            mode = full.lstat().st_mode
            if not stat.S_ISREG(mode):
                raise BlockedError(self._in_the_way(path, mode))
            # Not blocking, not following: it could have been exchanged since.
            at = os.open(full, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(at, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BlockedError(unwritable(self.root / path, error)) from error

    def check_writable(self, path: str, *, is_new: bool) -> None:
        """Raise BlockedError where a file could not be made, replaced or removed, as far as one can tell."""
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
        """Make a folder and those above it; return what was changed: each one's parent."""
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
        known = self._folders.get(path)
        if known is None:
            known = self._folders[path] = self._look(path)
        return known

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
        raise BlockedError(_refused(self.root / path, "a file stands where a folder belongs"))

    def _in_the_way(self, path: str, mode: int) -> Diagnostic:
        if stat.S_ISLNK(mode):
            return kinds.OUTPUT_LINK.at(None, path=path)
        is_folder = stat.S_ISDIR(mode)
        reason = f"a {'folder' if is_folder else 'device or pipe'} stands where the file belongs"
        return _refused(self.root / path, reason)

    def _check_twins(self, path: str) -> None:
        """Raise BlockedError where a name differs only in its case from one that is there."""
        at = PurePosixPath()
        for part in PurePosixPath(path).parts:
            twins = self._names_in(at.as_posix()).get(fold(part), [part])
            if part not in twins:
                twin, ours = (at / twins[0]).as_posix(), (at / part).as_posix()
                raise BlockedError(kinds.OUTPUT_TWIN.at(None, path=ours, twin=twin))
            at /= part

    def _names_in(self, folder: str) -> dict[str, list[str]]:
        """Return the names in a folder by their folded form."""
        known = self._names.get(folder)
        if known is None:
            known = self._names[folder] = {}
            there = (self.root / folder).iterdir() if self._has_folder(folder) else ()
            for name in sorted(path.name for path in there):
                known.setdefault(fold(name), []).append(name)
        return known

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def unwritable(path: Path, error: OSError) -> Diagnostic:
    """Return the finding about a failed call; it says that nothing was changed."""
    match error:
        case FileExistsError() | NotADirectoryError():
            reason = "a file stands where a folder belongs"
        case IsADirectoryError():
            reason = "a folder stands where the file belongs"
        case _:
            reason = error.strerror or str(error)
    return _refused(Path(error.filename or path), reason)


def shown(path: Path) -> str:
    """Return a path as a person in the working folder would write it, with `/`."""
    return Path(os.path.relpath(path)).as_posix()


def _refused(path: Path, reason: str) -> Diagnostic:
    return kinds.UNWRITABLE.at(None, path=shown(path), reason=reason)


def _is_writable(folder: Path) -> bool:
    return bool(folder.stat().st_mode & _WRITABLE) and os.access(folder, os.W_OK | os.X_OK)


def _parent(path: str) -> str:
    return PurePosixPath(path).parent.as_posix()
