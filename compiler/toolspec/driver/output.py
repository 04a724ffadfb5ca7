"""Artifacts against the disk: what would change, and the writing of it.

Every file is first written beside its place under a temporary name; only when all of them are on the
disk are they renamed, so that a full disk or a read-only folder leaves the old output as it was.
"""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver import kinds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.pipeline import Emission


@dataclass(frozen=True, slots=True)
class Change:
    """One artifact against the disk: `before` is None where there is no file yet."""

    path: str
    before: str | None = field(repr=False)
    after: str = field(repr=False)

    @property
    def is_needed(self) -> bool:
        """Whether the file on the disk differs."""
        return self.before != self.after

    def diff(self) -> str:
        """Return the unified diff from disk to artifact, empty where they agree."""
        from difflib import unified_diff

        before = (self.before or "").splitlines(keepends=True)
        lines = unified_diff(
            before,
            self.after.splitlines(keepends=True),
            f"a/{self.path}" if self.before is not None else "/dev/null",
            f"b/{self.path}",
        )
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def check_paths(emissions: Iterable[Emission]) -> tuple[Diagnostic, ...]:
    """Return findings for paths that leave the output folder or that two artifacts share.

    Paths are compared as a file system may compare them: without case, in Unicode form NFKC.
    """
    found: list[Diagnostic] = []
    owners: dict[str, str] = {}
    for emission in emissions:
        for artifact in emission.artifacts:
            path = PurePosixPath(artifact.path)
            if path.is_absolute() or ".." in path.parts or "\\" in artifact.path:
                escape = kinds.OUTPUT_ESCAPE.at(None, path=artifact.path, target=emission.target)
                found.append(escape)
            key = unicodedata.normalize("NFKC", artifact.path).casefold()
            if key in owners:
                targets = " and ".join(f"`{each}`" for each in (owners[key], emission.target))
                clash = kinds.OUTPUT_CLASH.at(None, path=artifact.path, targets=targets)
                found.append(clash)
            owners[key] = emission.target
    return tuple(found)


def compare(out: Path, emissions: Iterable[Emission]) -> Checked[tuple[Change, ...]]:
    """Return every artifact against what stands below the output folder, sorted by path.

    Complains of what is in the way of a file and can't be read as one.
    """
    changes: list[Change] = []
    found: list[Diagnostic] = []
    for artifact in (artifact for emission in emissions for artifact in emission.artifacts):
        path = out / artifact.path
        try:
            changes.append(Change(artifact.path, _text_at(path), artifact.text))
        except OSError as error:
            found.append(_unwritable(path, error))
    return Checked(tuple(sorted(changes, key=lambda each: each.path)), tuple(found))


def write(out: Path, changes: Iterable[Change]) -> tuple[Diagnostic, ...]:
    """Write the changes that are needed; after a failure nothing is changed and the finding says why."""
    needed = [each for each in changes if each.is_needed]
    linked = [kinds.OUTPUT_LINK.at(None, path=path) for path in _links(out, needed)]
    if linked:
        return tuple(linked)
    staged: list[tuple[Path, Path]] = []
    path = out
    try:
        for change in needed:
            path = out / change.path
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.toolspec-{os.getpid()}")
            staged.append((temporary, path))
            temporary.write_bytes(change.after.encode("utf-8"))
        for temporary, path in staged:
            temporary.replace(path)
    except OSError as error:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
        return (_unwritable(path, error),)
    return ()


def _unwritable(path: Path, error: OSError) -> Diagnostic:
    shown = os.path.relpath(error.filename or path)
    match error:
        case FileExistsError() | NotADirectoryError():
            reason = "a file stands where a folder belongs"
        case IsADirectoryError():
            reason = "a folder stands where the file belongs"
        case _:
            reason = error.strerror or str(error)
    return kinds.UNWRITABLE.at(None, path=shown, reason=reason)


def _text_at(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", errors="replace")
    except (FileNotFoundError, NotADirectoryError):
        return None


def _links(out: Path, changes: list[Change]) -> Iterator[str]:
    """Yield the paths that are, or pass through, a symbolic link below the output folder."""
    seen: set[Path] = set()
    for change in changes:
        at = out
        for part in PurePosixPath(change.path).parts:
            at /= part
            if at not in seen and at.is_symlink():
                yield at.relative_to(out).as_posix()
            seen.add(at)
