"""Validates artifact paths: safe, portable, and unique on every file system."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from toolspec.driver import output_kinds as kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.output.files import File
    from toolspec.source import Span

STATE: Final = ".toolspec"
LOCK: Final = "toolspec.lock.json"

_LONGEST_NAME: Final = 255
_DEVICES = frozenset(
    (
        *("con", "prn", "aux", "nul", "conin$", "conout$", "clock$"),
        *(f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"),
    )
)


def is_safe(path: str) -> bool:
    """Return whether a path names a file below the folder it is relative to, part by part.

    It never names the folder of the compiler's own state. This is the only check of paths from
    outside: from a target, the lock, or a list of moves (threats.md, F1).
    """
    if not path.isprintable() or any(sign in path for sign in "\\:"):
        return False
    parts = path.split("/")
    if fold(parts[0]) == STATE or any(part in {"", ".", ".."} for part in parts):
        return False
    return all(len(part.encode("utf-8", "replace")) <= _LONGEST_NAME for part in parts)


def fold(path: str) -> str:
    """Return a path as the least exact file system compares it: case-folded, in NFKC."""
    return unicodedata.normalize("NFKC", path).casefold()


def check_paths(
    files: Iterable[File],
    span: Callable[[str], Span | None] = lambda _: None,
    is_input: Callable[[str], bool] = lambda _: False,
) -> tuple[Diagnostic, ...]:
    """Return diagnostics for paths that are unsafe, reserved on Windows, or not unique.

    A file and a folder of one name collide as two files do. `span` returns the span of the
    configuration that asks for a path, `is_input` whether the build reads from it.
    """
    diagnostics: list[Diagnostic] = []
    owners = {LOCK: (LOCK, "")}
    folders: dict[str, tuple[str, str]] = {}
    for path, target in ((file.path, file.target) for file in files):
        if not is_safe(path):
            diagnostics.append(kinds.OUTPUT_ESCAPE.at(span(path), path=path, target=target))
        elif reserved := _reserved(path):
            diagnostics.append(kinds.OUTPUT_RESERVED.at(span(path), path=path, name=reserved))
        elif is_input(path):
            advice = "change this path" if span(path) else "choose another output folder"
            diagnostics.append(kinds.OUTPUT_INPUT.at(span(path), path=path, suggestion=advice))
        key = fold(path)
        parents = _parents(key)
        claims = [owners.get(key), folders.get(key), *map(owners.get, parents)]
        if other := next(filter(None, claims), None):
            diagnostics.append(_clash(span(path), path, target, other))
        owners[key] = path, target
        folders.update(dict.fromkeys(parents, (path, target)))
    return tuple(diagnostics)


def _clash(span: Span | None, path: str, target: str, other: tuple[str, str]) -> Diagnostic:
    """Return the diagnostic of a path that another artifact or folder has."""
    there, owner = other
    if there == path:
        problem = f"two artifacts have the path `{path}`"
    elif fold(there) == fold(path):
        problem = f"the paths `{there}` and `{path}` differ only in case or form"
    else:
        file, below = sorted((there, path), key=len)
        problem = f"`{file}` would be a file, and the folder of `{below}`"
    suggestion = "change this path"
    if not owner:
        problem = f"`{path}` is the path of the compiler's lock"
    elif not span:
        targets = " and ".join(f"`{name}`" for name in dict.fromkeys((owner, target)))
        suggestion = f"rename one of the services, or leave out one of the targets {targets}"
    return kinds.OUTPUT_CLASH.at(span, problem=problem, suggestion=suggestion)


def _parents(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _reserved(path: str) -> str:
    """Return the part of a path that Windows reserves or cannot store, or an empty text."""
    for part in path.split("/"):
        stem = part.split(".")[0].rstrip(" ").casefold()
        if stem in _DEVICES or part.endswith((".", " ")):
            return part
    return ""
