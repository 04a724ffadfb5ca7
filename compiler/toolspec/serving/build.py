"""The build of a generated package, which the compiler's lock identifies."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError

if TYPE_CHECKING:
    from pathlib import Path

LOCK = "toolspec.lock.json"


def build_digest(folder: Path) -> str:
    """Return the digest of a package's lock, which names each file of a build; empty without one."""
    try:
        return sha256((folder / LOCK).read_bytes()).hexdigest()
    except OSError:
        return ""


def check_build(folder: Path, build: str) -> None:
    """Return if a package is still of this build. Raises ServeError otherwise."""
    if build_digest(folder) != build:
        text = f"the package in {folder} is of another build than the server: start it again"
        raise ServeError(text)
