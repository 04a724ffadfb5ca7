"""Run the command as on a platform that has only what Windows has: `python without_posix.py ARGUMENTS`.

Hidden: `fcntl`, the flags of `os.open` for links, folders and pipes, `os.pread`, and opening folders.
Refused as there: renaming over a file that is open, or onto one without `replace`, removing an open
file. `msvcrt` locks with the system's own lock; what is unlike Windows is only that the names of
temporary files go with their descriptors.
"""

from __future__ import annotations

import errno
import fcntl
import os
import pathlib
import shutil
import subprocess  # noqa: F401 - the standard library takes `msvcrt` for Windows, unless loaded before
import sys
import tempfile
import types
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "compiler"))
_open, _rename, _replace, _unlink = os.open, os.rename, os.replace, os.unlink
_flock, _exclusive = fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB


def _is_open(path: Any) -> bool:
    try:
        seen = pathlib.Path(path).stat()
    except OSError:
        return False
    for entry in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if os.path.samestat(entry.stat(), seen):
                return True
        except OSError:
            continue
    return False


def _refused(path: Any) -> PermissionError:
    return PermissionError(errno.EACCES, "the file is open", str(path))


def _open_no_folder(path: Any, *options: Any, **named: Any) -> int:
    if pathlib.Path(path).is_dir():
        raise PermissionError(errno.EACCES, "a folder cannot be opened", str(path))
    return _open(path, *options, **named)


def _rename_onto_nothing(source: Any, target: Any, **named: Any) -> None:
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, "the file exists", str(target))
    _replace_closed(source, target, **named)


def _replace_closed(source: Any, target: Any, **named: Any) -> None:
    for path in (source, target):
        if pathlib.Path(path).is_file() and _is_open(path):
            raise _refused(path)
    _replace(source, target, **named)


def _unlink_closed(path: Any, **named: Any) -> None:
    if _is_open(path):
        raise _refused(path)
    if pathlib.Path(path).is_symlink():
        _unlink(path, **named)
        return
    # The lock makes one step of the check and the removal.
    file = _open(path, os.O_RDONLY)
    try:
        _flock(file, _exclusive)
        _unlink(path, **named)
    except BlockingIOError:
        raise _refused(path) from None
    finally:
        os.close(file)


def _named_temporary_file(*options: Any, **named: Any) -> Any:
    return tempfile.NamedTemporaryFile(*options, **named)


def hide() -> None:
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_DIRECTORY", "pread"):
        delattr(os, name)
    sys.modules["fcntl"] = None  # type: ignore[assignment]
    windows = types.ModuleType("msvcrt")
    windows.LK_NBLCK = 2  # type: ignore[attr-defined]
    windows.locking = lambda file, mode, size: _flock(file, _exclusive)  # type: ignore[attr-defined]
    sys.modules["msvcrt"] = windows
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    tempfile.TemporaryFile = _named_temporary_file  # type: ignore[assignment]
    os.open, os.rename, os.replace = _open_no_folder, _rename_onto_nothing, _replace_closed
    os.unlink = os.remove = _unlink_closed


if __name__ == "__main__":
    hide()
    from toolspec.cli.main import main

    sys.argv[0] = "toolspec"
    main()
