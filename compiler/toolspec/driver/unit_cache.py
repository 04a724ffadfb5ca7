"""Units of earlier compiles, kept as JSON.

A unit is good for as long as what it was made from, and what it made, is byte for byte the same.
Findings have places in texts and are not kept: a service that has any is compiled again.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.driver.answers import compiler
from toolspec.driver.outline import Outline, ToolLine
from toolspec.driver.pipeline import Emission
from toolspec.driver.record import keep, kept, make_witness, witness
from toolspec.driver.stamps import ABSENT, stamp_to_read, stamps_of
from toolspec.driver.unit import Reads, Unit
from toolspec.driver.workspace import Workspace, digest
from toolspec.targets.target import Artifact
from toolspec.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.driver.config import Project
    from toolspec.driver.workspace import Seen


class UnitCache:
    """The units of a project. Nothing in it is believed that could have come with the project.

    `_mark` names this compiler, this configuration and this very folder, by its witness (`record.py`).
    """

    def __init__(self, project: Project, out: Path) -> None:
        self._project, self._out, self._root = project, out, str(project.root)
        self._mark = _mark(project, witness(self._root))
        self.given: dict[str, Seen] = {}

    def find(self, name: str) -> Unit | None:
        """Return the unit of a document; None where it has to be made."""
        try:
            body = json.loads(kept(self._root, _file(name)))
            if not self._mark or body["mark"] != self._mark or body["name"] != name:
                return None
            reads = self._still(Reads(body["files"], _patterns(body["patterns"]), body["stamps"]))
            unit = Unit(name, reads, _outline(body["outline"]), body["notes"])
            emissions = (
                Emission(target, tuple(self._artifact(*each) for each in made))
                for target, made in body["made"].items()
            )
            return replace(unit, emissions=tuple(emissions))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None

    def keep(self, unit: Unit) -> None:
        """Keep a unit whose files are in place, unless there is something to be said of it."""
        self._mark = self._mark or _mark(self._project, make_witness(self._root))
        if unit.diagnostics or not self._mark:
            return
        body = {
            "mark": self._mark,
            "name": unit.name,
            "files": dict(unit.reads.files),
            "patterns": dict(unit.reads.patterns),
            "stamps": dict(unit.reads.stamps),
            "outline": asdict(unit.outline) if unit.outline else None,
            "notes": dict(unit.notes),
            "made": {
                each.target: [(a.path, _sha256(a.text.encode("utf-8"))) for a in each.artifacts]
                for each in unit.emissions
            },
        }
        keep(self._root, _file(unit.name), json.dumps(body).encode("ascii"))

    def _still(self, reads: Reads) -> Reads:
        """Return what was read, with the stamps of now. Raises ValueError where it has changed.

        Of a file that has another stamp the digest decides; what it holds is kept for who needs it.
        """
        workspace = Workspace(self._project)
        now = {path: stamp_to_read(path) for path in reads.stamps}
        for name, known in reads.files.items():
            path = str(self._project.root / name)
            if now[path] == reads.stamps[path]:
                continue
            seen = self.given.get(name) or workspace.look(name)
            if seen is None or digest(seen.data) != known:
                self.given |= {name: seen} if seen else {}
                raise ValueError(name)
        for pattern, names in reads.patterns.items():
            if workspace.matches(pattern) != names:
                raise ValueError(pattern)
        return replace(reads, stamps={**now, **workspace.stamps})

    def _artifact(self, path: str, known: str) -> Artifact:
        """Return a file as it stands. Raises ValueError where it is not what was written."""
        data = (self._out / path).read_bytes()
        if _sha256(data) != known:
            raise ValueError(path)
        return Artifact(path, data.decode("utf-8"))


def _mark(project: Project, place: str) -> str:
    """Return what a unit must have been made by, and where; empty where nothing can be kept."""
    if place == ABSENT:
        return ""
    compiled_by = (__version__, sys.version, stamps_of(compiler()))
    of = repr((place, compiled_by, str(project.root), project.config))
    return digest(of.encode("utf-8", "surrogateescape"))


def _file(name: str) -> str:
    return f"unit-{digest(name.encode('utf-8', 'surrogateescape'))[:32]}"


def _patterns(kept: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {pattern: tuple(names) for pattern, names in kept.items()}


def _outline(body: dict[str, object] | None) -> Outline | None:
    if body is None:
        return None
    tools = body["tools"]
    assert isinstance(tools, list)
    lines = tuple(ToolLine(**{**tool, "marks": tuple(tool["marks"])}) for tool in tools)
    return Outline(**{**body, "tools": lines})  # type: ignore[arg-type] # as `asdict` wrote it


def _sha256(data: bytes) -> str:
    return sha256(data).hexdigest()
