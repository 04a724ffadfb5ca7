"""Files that requests send: read only where a permission of the tool allows it."""

from __future__ import annotations

import asyncio
import os
import re
import stat
from mimetypes import guess_type
from pathlib import Path

from toolspec.runtime.errors import ToolError
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.runtime.http.binding import HttpArgument, HttpBinding
    from toolspec.shared.json_values import JsonValue

_WILDCARDS = re.compile(r"(\*\*/|\*\*|\*|\?)")
_PATTERNS = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
# A link that has come since the path was resolved is not followed, and a pipe is not waited for.
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Upload(Record):
    """The content of a file, with its name and media type."""

    name: str
    content: bytes
    content_type: str


async def read_uploads(
    binding: HttpBinding,
    arguments: dict[str, JsonValue],
    permissions: Iterable[tuple[str, str, str]],
    limit: int,
) -> list[tuple[HttpArgument, Upload]]:
    """Return the files that arguments name, and take these arguments out of `arguments`.

    `permissions` are those of the tool. `limit` is the size of all files in bytes. Raises ToolError
    `permission` for a file that no permission covers, and `validation` for one that is not there,
    is no regular file, or is too large.
    """
    patterns = [name for kind, name, operation in permissions if (kind, operation) == _READING]
    uploads: list[tuple[HttpArgument, Upload]] = []
    for argument in binding.arguments:
        if not argument.is_file or argument.argument not in arguments:
            continue
        value = arguments.pop(argument.argument)
        for path in value if isinstance(value, list) else [value]:
            if isinstance(path, str):
                upload = await asyncio.to_thread(_read, argument.argument, path, patterns, limit)
                limit -= len(upload.content)
                uploads.append((argument, upload))
    return uploads


_READING = ("file", "read")


def _read(argument: str, path: str, patterns: Iterable[str], limit: int) -> Upload:
    """Return a file. What a link leads to has to be covered, and not the link."""
    try:
        real = Path(path).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):  # a null character, a circle of links, no home
        raise _refused(argument, "is not a path") from None
    if not any(_covers(pattern, real) for pattern in patterns):
        message = f"no permission of the tool covers the file of `{argument}`"
        raise ToolError.permission(message, code="file_not_allowed")
    try:
        with open(real, "rb", opener=_open) as stream:
            is_file = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
            content = stream.read(limit + 1) if is_file else b""
    except OSError:
        is_file, content = False, b""
    if not is_file:
        raise _refused(argument, "is not a file that can be read")
    if len(content) > limit:
        raise _refused(argument, "is too large")
    content_type = guess_type(real.name)[0] or "application/octet-stream"
    return Upload(name=real.name, content=content, content_type=content_type)


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | _FLAGS)


def _covers(pattern: str, file: Path) -> bool:
    """Return whether a pattern covers a path without links: `**` is any depth, `*` within a name."""
    first, *others = _WILDCARDS.split(Path(pattern).expanduser().as_posix())
    if not others:
        return Path(first).resolve() == file
    folder, slash, name = first.rpartition("/")
    literal = f"{Path(folder + slash).resolve().as_posix().rstrip('/')}/{name}"
    expression = "".join(_PATTERNS.get(part) or re.escape(part) for part in (literal, *others))
    return re.fullmatch(expression, file.as_posix(), re.DOTALL) is not None


def _refused(argument: str, reason: str) -> ToolError:
    message = f"the file of `{argument}` {reason}"
    return ToolError.validation(message, code="not_sendable", details={"argument": argument})
