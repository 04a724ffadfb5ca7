"""Lines of `.gitattributes` and `CODEOWNERS`, by which a host of repositories shows what needs a review."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolspec.changes.contract import FILE
from toolspec.driver import user_kinds
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic

_ATTRIBUTES = ".gitattributes"
_OWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where owners are read from; the first file that exists counts."""
_OWNER = "@your-team"


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """A line for the end of a file in a project's folder, which may not exist yet."""

    name: str
    line: str
    exists: bool
    text: str


def review_lines(folder: Path) -> tuple[ReviewLine, ...]:
    """Return the lines that a new project in a folder lacks; a link to a file gets none.

    Owners are read from the root of a repository only: for a project in a folder of one, the line is
    that of `owners_hint`.
    """
    return tuple(line for line in _lines(folder) if not (folder / line.name).is_symlink())


def owners_hint(folder: Path) -> str:
    """Return the line for the owners of the repository around a folder; empty if it is the root."""
    root = next((above for above in folder.parents if (above / ".git").exists()), None)
    if root is None or (folder / ".git").exists():
        return ""
    return f"/{folder.relative_to(root).as_posix()}/{FILE} {_OWNER}"


def append_lines(folder: Path, lines: Iterable[ReviewLine], base: Path) -> Iterator[Diagnostic]:
    """Add the lines to files that exist; yield a diagnostic for each that the system refuses."""
    for line in lines:
        path = folder / line.name
        try:
            with path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line.text)
        except OSError as error:
            shown, reason = os.path.relpath(path, base), error.strerror or str(error)
            yield user_kinds.LINE_UNWRITABLE.at(None, path=shown, reason=reason, line=line.line)


def _lines(folder: Path) -> Iterator[ReviewLine]:
    from toolspec.driver.config import Config  # which imports what creates files

    out = f"{Config().out}/"
    attributes = _read(folder / _ATTRIBUTES)
    if not _is_named(out, attributes):
        yield _line(_ATTRIBUTES, f"{out}** linguist-generated", attributes)
    if not owners_hint(folder):
        name = next((each for each in _OWNERS if (folder / each).exists()), _OWNERS[0])
        owners = _read(folder / name)
        if not _is_named(FILE, owners):
            yield _line(name, f"/{FILE} {_default_owners(owners)}", owners)


def _line(name: str, line: str, before: str | None) -> ReviewLine:
    start = "\n" if before and not before.endswith("\n") else ""
    return ReviewLine(name, line, before is not None, f"{start}{line}\n")


def _read(path: Path) -> str | None:
    """Return the text of a file, empty if it cannot be read; None if there is none."""
    try:
        return path.read_text("utf-8", errors="replace") if path.is_file() else None
    except OSError:
        return ""


def _is_named(name: str, text: str | None) -> bool:
    """Return whether a pattern of the file is about a path, a folder with a `/` at its end."""
    patterns = (line.split()[0].lstrip("/") for line in (text or "").splitlines() if line.strip())
    return any(each.startswith(name) if name.endswith("/") else each == name for each in patterns)


def _default_owners(text: str | None) -> str:
    """Return the owners of all files, else a name to replace."""
    rules = (line.partition("#")[0].split() for line in (text or "").splitlines())
    owners = [" ".join(rule[1:]) for rule in rules if len(rule) > 1 and rule[0] == "*"]
    return owners[-1] if owners else _OWNER
