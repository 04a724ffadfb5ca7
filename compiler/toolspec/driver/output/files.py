"""Files of the output: path, target, digest, and where their bytes are."""

from __future__ import annotations

from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.targets.target import Artifact, ServiceFile


class Content(Protocol):
    """The bytes of a file before they are on the disk."""

    def read(self) -> bytes:
        """Return the bytes."""


@dataclass(frozen=True, slots=True)
class InMemory:
    """Bytes in memory."""

    data: bytes

    def read(self) -> bytes:
        """Return the bytes."""
        return self.data

    def chunks(self) -> Iterable[bytes]:
        """Return the bytes, at once."""
        return (self.data,)


@dataclass(frozen=True, slots=True)
class Joined:
    """A text, then further ones and bytes of files of services, each of these after a line break."""

    text: str
    rest: Iterable[str | ServiceFile]
    contents: Mapping[str, Content]

    def read(self) -> bytes:
        """Return the bytes."""
        return b"".join(self.chunks())

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes of one part at a time."""
        yield self.text.encode("utf-8")
        for part in self.rest:
            if isinstance(part, str):
                yield part.encode("utf-8")
            elif content := self.contents.get(part.path):
                yield b"\n"
                yield content.read()


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A complete file of a stage."""

    path: str

    def read(self) -> bytes:
        """Return the bytes. Raises OSError once the file is moved or removed."""
        with open(self.path, "rb") as file:  # noqa: PTH123 - a text, as it came from a worker
            return file.read()


@dataclass(frozen=True, slots=True)
class File:
    """A file of the output: path below the folder, target, and SHA-256 of its bytes.

    A file without content is on the disk already.
    """

    path: str
    target: str
    sha256: str
    content: Content | None = field(default=None, repr=False)


def file_of(path: str, target: str, content: str | bytes) -> File:
    """Return a file with the given content and its digest."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    return File(path, target, sha256(data).hexdigest(), InMemory(data))


def files_of(
    target: str,
    artifacts: Iterable[Artifact],
    contents: Mapping[str, Content] = MappingProxyType({}),
) -> tuple[File, ...]:
    """Return the artifacts of a target as files; `contents` are those of files of services by path."""
    return tuple(
        _joined(artifact, target, contents)
        if artifact.rest
        else file_of(artifact.path, target, artifact.data or artifact.text)
        for artifact in artifacts
    )


def _joined(artifact: Artifact, target: str, contents: Mapping[str, Content]) -> File:
    content = Joined(artifact.text, artifact.rest, contents)
    digest = sha256()
    for chunk in content.chunks():
        digest.update(chunk)
    return File(artifact.path, target, digest.hexdigest(), content)
