"""Files of the output as they are made: what made each, what it holds, and where its bytes are."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.driver.pipeline import Emission


class Content(Protocol):
    """The bytes of a file until it stands on the disk."""

    def read(self) -> bytes:
        """Return them."""


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes in memory."""

    data: bytes

    def read(self) -> bytes:
        """Return them."""
        return self.data


@dataclass(frozen=True, slots=True)
class File:
    """A file of the output, by its path below the folder, its target and the SHA-256 of its bytes.

    Without content it stands on the disk already.
    """

    path: str
    target: str
    sha256: str
    content: Content | None = field(default=None, repr=False)


def file_of(path: str, target: str, text: str) -> File:
    """Return the file that holds a text; its digest is taken here and nowhere else."""
    data = text.encode("utf-8")
    return File(path, target, sha256(data).hexdigest(), Held(data))


def files_of(emissions: Iterable[Emission]) -> tuple[File, ...]:
    """Return the files of some emissions."""
    return tuple(
        file_of(artifact.path, each.target, artifact.text)
        for each in emissions
        for artifact in each.artifacts
    )
