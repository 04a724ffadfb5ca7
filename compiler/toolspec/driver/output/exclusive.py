"""State folder of the output: its lock, which only one compile can hold, and the stages of builds.

The folder exists only while a compile runs, or after one that was interrupted. The lock inside a
stage tells one in use from one that a killed build left.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from toolspec.driver import output_kinds as kinds
from toolspec.driver.filesystem import NEW_FILE, open_file, try_lock, write_new_file
from toolspec.driver.output.paths import STATE
from toolspec.driver.output.tree import BlockedError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOVES: Final = f"{STATE}/moves.json"
STAGE: Final = f"{STATE}/stage"

_PAUSE = 0.02
_MAX_VANISHED = 20
_LOCK = "lock"
_BUILD = "build-"


def has_state(out: Path) -> bool:
    """Return whether a compile is writing to an output folder, or was interrupted in it."""
    return os.path.lexists(out / STATE)


def has_moves(out: Path) -> bool:
    """Return whether a compile started to move files into place and did not finish."""
    return os.path.lexists(out / MOVES)


@contextmanager
def exclusive(out: Path, lock_timeout: float) -> Iterator[None]:
    """Lock the output folder against other compiles, and create it if needed.

    Waits `lock_timeout` seconds, then raises BlockedError. The state folder is removed at the end
    unless it contains a list of moves.
    """
    created = [folder for folder in (out, *out.parents) if not folder.exists()]
    at = _acquire(out, lock_timeout)
    try:
        yield
    finally:
        _release(out, at)
        with suppress(OSError):
            for folder in created:
                folder.rmdir()


def discard(out: Path) -> None:
    """Remove everything in the state folder besides the lock and the stages of builds.

    Links are removed, not followed.
    """
    from shutil import rmtree

    for path in sorted((out / STATE).iterdir()):
        if path.is_dir() and not path.is_symlink():
            if not path.name.startswith(_BUILD):
                rmtree(path)
        elif path.name != _LOCK:
            path.unlink()


def create_stage(out: Path) -> tuple[str, int]:
    """Create the stage of a build under the lock of its output; return its path and its lock."""
    from secrets import token_hex

    folder = out / STATE / f"{_BUILD}{token_hex(8)}"
    folder.mkdir()
    at = open_file(folder / _LOCK, NEW_FILE)
    write_new_file(folder / ".gitignore", (b"*\n",))
    try_lock(at)
    return str(folder), at


def discard_abandoned(out: Path) -> None:
    """Remove every stage whose build has ended, under the lock of its output."""
    from shutil import rmtree

    for folder in sorted((out / STATE).glob(f"{_BUILD}*")):
        if not folder.is_symlink() and not _is_in_use(folder):
            rmtree(folder, ignore_errors=True)


def _is_in_use(stage: Path) -> bool:
    try:
        at = open_file(stage / _LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        return not try_lock(at)
    finally:
        os.close(at)


def _release(out: Path, at: int) -> None:
    """Remove the state folder unless it contains a list of moves, and close the lock.

    The next run removes what cannot be removed now; no diagnostic of this one depends on it.
    """
    try:
        _clean(out)
    except PermissionError:  # Windows cannot remove an open file
        os.close(at)
        with suppress(OSError):  # the next compile may have the lock by now
            _remove_lock(out)
        return
    except OSError:
        pass
    os.close(at)


def _clean(out: Path) -> None:
    if has_moves(out):
        return
    discard(out)
    _remove_lock(out)


def _remove_lock(out: Path) -> None:
    """Remove the lock, and the state folder if nothing else is in it."""
    (out / STATE / _LOCK).unlink()
    (out / STATE).rmdir()


def _acquire(out: Path, lock_timeout: float) -> int:
    """Return the descriptor of the acquired lock. Raises BlockedError after `lock_timeout`."""
    end = time.monotonic() + lock_timeout
    vanished = 0
    while True:
        try:
            at = _attempt(out)
        except FileNotFoundError:
            # Another compile removed a folder in between, or no folder can be created there.
            vanished += 1
            if vanished > _MAX_VANISHED:
                raise
            at = None
        if at is not None:
            return at
        if time.monotonic() > end:
            raise BlockedError(kinds.BUSY.at(None, path=shown(out), seconds=f"{lock_timeout:g}"))
        time.sleep(_PAUSE)


def _attempt(out: Path) -> int | None:
    """Return the descriptor of the lock, or None if another process has it.

    The previous holder may remove folder and file at any moment of this: only a file that still has
    its name counts. Raises FileNotFoundError if the folder is removed meanwhile.
    """
    state = out / STATE
    try:
        out.mkdir(parents=True, exist_ok=True)
        _make_state(state)
        at = open_file(state / _LOCK, os.O_RDWR | os.O_CREAT)
    except FileExistsError:
        if os.path.lexists(out):
            raise
        return None
    try:
        if try_lock(at) and os.path.samestat(os.fstat(at), (state / _LOCK).lstat()):
            return at
    except FileNotFoundError:
        pass
    except BaseException:
        os.close(at)
        raise
    os.close(at)
    return None


def _make_state(state: Path) -> None:
    with suppress(FileExistsError):
        state.mkdir()
    mode = state.lstat().st_mode
    if stat.S_ISLNK(mode):
        raise BlockedError(kinds.OUTPUT_LINK.at(None, path=STATE))
