"""The record of the last compile: if no input has changed, its output is printed again.

The record contains the paths of all inputs and one hash of their fingerprints. It is text, and a
damaged record counts as missing. A compile that has nothing to do imports this module and
`fingerprints`, so both import little.

A record that came with a repository, or that another user left in a folder above, must not decide
the output. So only a record of the same user is valid, and only beside the witness file that existed
when it was written: that file's fingerprint has its inode and the time of its change, which no
author of a repository can choose.
"""

from __future__ import annotations

import _imp
import os
import time

from toolspec.driver.incremental import fingerprints

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FOLDER = ".toolspec-cache"
NAME = "last-compile"
WITNESS = ".gitignore"
_MAGIC = "toolspec record 4"
_ALWAYS = "-"


def load_record(start: str, key: str) -> tuple[int, str] | None:
    """Return status and output of the last compile if command and inputs are unchanged.

    The record is searched for from a folder upwards, as the configuration is.
    """
    try:
        root = _nearest(start)
        head, paths, text = (
            read_entry(root, NAME).decode("utf-8", "surrogateescape").split("\0\0", 2)
        )
        magic, stored_key, status, until, seal = head.split("\0")
        if magic != _MAGIC or stored_key != key or witness(root) == fingerprints.ABSENT:
            return None
        if until != _ALWAYS and _is_over(until):
            return None
        if seal == _seal(root, map(fingerprints.stat_numbers, paths.split("\0"))):
            return int(status), text
    except (OSError, ValueError):
        pass
    return None


def store_record(
    root: str, key: str, inputs: Mapping[str, str], output: tuple[int, str], until: str = ""
) -> None:
    """Store the output of a compile; wait briefly for fingerprints that are not reliable yet.

    `inputs` has fingerprints by path. `until` is the last day on which the output is valid, empty
    for always. Nothing is stored if the wait would be longer than a tick: the next compile then
    runs in full.
    """
    status, text = output
    if any(value.endswith(fingerprints.UNRELIABLE) for value in inputs.values()):
        return
    wait = max(map(fingerprints.reliable_from, inputs.values()), default=0) - time.time_ns()
    if wait > fingerprints.FINE_TICK:
        return
    time.sleep(max(0, wait) / 1e9)
    make_witness(root)
    seal = _seal(root, map(fingerprints.numbers_of, inputs.values()))
    head = "\0".join((_MAGIC, key, str(status), until or _ALWAYS, seal))
    parts = (head, "\0".join(inputs), text)
    write_entry(root, NAME, "\0\0".join(parts).encode("utf-8", "surrogateescape"))


def _is_over(day: str) -> bool:
    from toolspec.driver.clock import today

    return day < today()


def _seal(root: str, looks: Iterable[tuple[int, ...]]) -> str:
    """Return one hash of the witness and all fingerprints; hashes of numbers are not random."""
    seal = hash(fingerprints.stat_numbers(f"{root}/{FOLDER}/{WITNESS}"))
    for look in looks:
        seal = hash((seal, look))
    return str(seal)


def witness(root: str) -> str:
    """Return the fingerprint of the witness file, which proves who wrote a cache; `-` without one."""
    folder = f"{root}/{FOLDER}"
    if os.path.islink(folder):  # noqa: PTH114 - as in `fingerprints`
        return fingerprints.ABSENT
    return fingerprints.fingerprint(f"{folder}/{WITNESS}")


def make_witness(root: str) -> str:
    """Return what `witness` returns, and create folder and file if they are missing."""
    folder = f"{root}/{FOLDER}"
    try:
        if not os.path.lexists(folder):
            os.mkdir(folder)  # noqa: PTH102 - as in `fingerprints`
        if not os.path.islink(folder) and witness(root) == fingerprints.ABSENT:  # noqa: PTH114 - as in `fingerprints`
            _write(f"{folder}/{WITNESS}", b"*\n")
    except OSError:
        return fingerprints.ABSENT
    return witness(root)


def write_entry(root: str, name: str, body: bytes) -> None:
    """Write a file of the cache in one step; ignore a cache that cannot be written."""
    path = f"{root}/{FOLDER}/{name}"
    temporary = f"{path}.{os.getpid()}"
    try:
        if make_witness(root) != fingerprints.ABSENT:
            _write(temporary, _checksum(body), b"\n", body)
            os.replace(temporary, path)  # noqa: PTH105 - as in `fingerprints`
    except OSError:
        return


def read_entry(root: str, name: str) -> bytes:
    """Return a file of the cache. Raises OSError without one, ValueError if it is damaged."""
    with open(f"{root}/{FOLDER}/{name}", "rb") as file:  # noqa: PTH123 - as in `fingerprints`
        if os.name == "posix" and os.fstat(file.fileno()).st_uid != os.getuid():
            raise PermissionError(name)
        check, _, body = file.read().partition(b"\n")
    if check != _checksum(body):
        raise ValueError(name)
    return body


def _nearest(start: str) -> str:
    """Return the nearest folder that has a cache. Raises FileNotFoundError without one."""
    folder = start
    while not os.path.isdir(f"{folder}/{FOLDER}"):  # noqa: PTH112 - as in `fingerprints`
        above = os.path.dirname(folder)  # noqa: PTH120 - as in `fingerprints`
        if above == folder:
            raise FileNotFoundError(FOLDER)
        folder = above
    return folder


def _checksum(data: bytes) -> bytes:
    """Return a checksum against damage: eight bytes in hex, by the interpreter's source hash."""
    return _imp.source_hash(0, data).hex().encode()


def _write(path: str, *parts: bytes) -> None:
    # Never through a link: the name of a temporary file is predictable.
    with open(path, "xb") as file:  # noqa: PTH123 - as in `fingerprints`
        file.writelines(parts)
