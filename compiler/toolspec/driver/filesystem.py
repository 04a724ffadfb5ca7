"""File operations on every operating system: open without links, lock, sync, replace."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
"""Flags for a file that must not exist yet."""

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
# Windows has no O_CLOEXEC, but O_BINARY, without which `os.write` changes line ends. O_NONBLOCK keeps
# a pipe that took the place of a file from blocking the process.
_EVERYWHERE = (
    getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
)


def open_file(path: Path | str, flags: int, mode: int = 0o666) -> int:
    """Return a descriptor of a file. Raises OSError (ELOOP) if the path is a link."""
    if not _NO_FOLLOW and os.path.islink(path):  # noqa: PTH114 - paths are texts on hot ways
        raise _link(path)
    descriptor = os.open(path, flags | _NO_FOLLOW | _EVERYWHERE, mode)
    if not _NO_FOLLOW and not os.path.samestat(os.fstat(descriptor), os.lstat(path)):
        os.close(descriptor)  # a link replaced the file in between
        raise _link(path)
    return descriptor


def regular(path: Path) -> Path:
    """Return a path. Raises OSError if it is that of a pipe or a device, which may never end."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return path


def write_new_file(path: Path | str, chunks: Iterable[bytes]) -> None:
    """Write the chunks of a new file; `sync_file` makes sure that it is on the disk."""
    at = open_file(path, NEW_FILE)
    try:
        for chunk in chunks:
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(at, rest) :]
    finally:
        os.close(at)


def sync_file(path: Path | str) -> None:
    """Sync the content of a file to the disk."""
    at = open_file(path, os.O_RDWR)
    try:
        os.fsync(at)
    finally:
        os.close(at)


def try_lock(descriptor: int) -> bool:
    """Return whether this process now has the lock of a file; closing the file releases it."""
    try:
        import fcntl
    except ImportError:
        return _try_lock_without_fcntl(descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _try_lock_without_fcntl(descriptor: int) -> bool:
    from importlib import import_module

    try:
        windows = import_module("msvcrt")
    except ImportError:
        return True  # a platform of one process, such as Pyodide
    try:
        windows.locking(descriptor, windows.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def sync_folder(folder: Path) -> None:
    """Sync the entries of a folder to the disk, if the platform can."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _EVERYWHERE)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_file(path: Path, text: str) -> None:
    """Replace a file with a UTF-8 text. Raises OSError, and then nothing is changed."""
    from tempfile import TemporaryDirectory

    # In a folder of its own the new file gets the default permissions.
    with TemporaryDirectory(dir=path.parent, prefix=".toolspec-") as folder:
        new_file = type(path)(folder, path.name)
        new_file.write_text(text, encoding="utf-8", newline="\n")
        new_file.replace(path)


def _link(path: Path | str) -> OSError:
    return OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
