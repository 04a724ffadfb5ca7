"""Cache of units as JSON.

A unit is valid as long as its inputs and its artifacts are byte for byte the same. A file with an
unchanged fingerprint is not read again.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import astuple, fields
from functools import partial
from typing import TYPE_CHECKING

from toolspec.driver.cache.diagnostics import diagnostics_from_json, diagnostics_to_json, files_in
from toolspec.driver.cache.fingerprints import ABSENT, YOUNG, stamp_to_read, stamps_of
from toolspec.driver.cache.last_compile import compiler
from toolspec.driver.cache.record import FOLDER, keep, kept, make_witness, witness
from toolspec.driver.cache.suppressions import suppressions_from_json, suppressions_to_json
from toolspec.driver.output import BlockedError, File
from toolspec.driver.output.tree import Tree
from toolspec.driver.service_summary import ServiceSummary, ToolSummary
from toolspec.driver.unit import CompiledUnit, UnitInputs
from toolspec.driver.workspace import Workspace, digest
from toolspec.rules.catalogue import ServiceFacts, ToolFacts
from toolspec.rules.unused_definitions import UnusedDefinition
from toolspec.shared.validator import VARIABLE
from toolspec.syntax.decoding import decode
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Any

    from toolspec.driver.config import Project
    from toolspec.driver.output.tree import Known
    from toolspec.driver.workspace import FileSnapshot
    from toolspec.source import SourceFile

    # The result of `json.loads`; if anything is wrong with it, the unit is not used.
    Kept = Any

_PREFIX = "unit-"


class UnitCache:
    """The cached units of a project; files that may have come with the project are not trusted.

    `_mark` identifies compiler, configuration and folder, by its witness (`record.py`). `known`
    caches digests of files on the disk.
    """

    def __init__(self, project: Project, out: Path, known: Known) -> None:
        self._project, self._out, self._root = project, out, str(project.root)
        self._known = known
        self._tree = Tree(out, known)
        self._mark = _mark(project, witness(self._root))
        self._fresh: set[str] = set()
        self._seen: dict[str, FileSnapshot] = {}
        self._wanted: dict[str, Iterable[str]] = {}

    def find(self, name: str) -> CompiledUnit | None:
        """Return the unit of a document, or None if it has to be compiled."""
        try:
            body = json.loads(kept(self._root, _file(name)))
            if not self._mark or body["mark"] != self._mark or body["name"] != name:
                return None
            old = UnitInputs(body["files"], _patterns(body["patterns"]), body["stamps"])
            self._wanted[name] = old.files
            reads = self._still(old)
            files = tuple(self._standing(*each) for each in body["made"])
            sources = partial(self._source, old)
            found = diagnostics_from_json(body["findings"], sources)
            about = _outline(body["outline"]), _facts(body["facts"])
            stated = suppressions_from_json(body["allowances"], sources)
            unit = CompiledUnit(name, reads, *about, body["notes"], files, found, stated)
            if reads.stamps == old.stamps and all(made[-1] for made in body["made"]):
                self._fresh.add(name)
            self._seen.pop(name, None)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        return unit

    def given(self, name: str) -> dict[str, FileSnapshot]:
        """Return the files of a document that are read already, those of its last unit included."""
        wanted = (name, *self._wanted.get(name, ()))
        return {each: self._seen[each] for each in wanted if each in self._seen}

    def keep(self, unit: CompiledUnit) -> None:
        """Store a unit whose files are written, unless it is stored already.

        A unit with a diagnostic about the run is not stored: the next run may not have it.
        """
        if any(each.kind.is_about_run for each in unit.diagnostics):
            return
        self._mark = self._mark or _mark(self._project, make_witness(self._root))
        is_told = all(path in unit.reads.files for path in files_in(unit.diagnostics))
        if unit.name in self._fresh or not is_told or not self._mark:
            return
        body = {
            "mark": self._mark,
            "name": unit.name,
            "files": dict(unit.reads.files),
            "patterns": dict(unit.reads.patterns),
            "stamps": dict(unit.reads.stamps),
            "outline": _kept_outline(unit.outline),
            "facts": unit.facts and astuple(unit.facts),
            "notes": dict(unit.notes),
            "made": [(f.path, f.target, f.sha256, self._stamp(f)) for f in unit.files],
            "findings": diagnostics_to_json(unit.diagnostics),
            "allowances": suppressions_to_json(unit.suppressions),
        }
        keep(self._root, _file(unit.name), json.dumps(body).encode("ascii"))

    def keep_only(self, names: Iterable[str]) -> None:
        """Remove the units of all other documents."""
        wanted = {_file(name) for name in names}
        folder = f"{self._root}/{FOLDER}"
        try:
            for each in os.listdir(folder) if self._mark else ():  # noqa: PTH208 - texts, as in `record`
                if each.startswith(_PREFIX) and each not in wanted:
                    os.unlink(f"{folder}/{each}")  # noqa: PTH108
        except OSError:
            return

    def _still(self, reads: UnitInputs) -> UnitInputs:
        """Return the inputs with current fingerprints. Raises ValueError if one has changed.

        If a file's fingerprint differs, its digest decides.
        """
        now = {path: stamp_to_read(path) for path in reads.stamps}
        workspace = Workspace(self._project)
        for name, known in reads.files.items():
            path = f"{self._root}/{name}"
            if now[path] == reads.stamps[path] and not now[path].endswith(YOUNG):
                continue
            if digest(self._look(name).data) != known:
                raise ValueError(name)
        for pattern, names in reads.patterns.items():
            if workspace.matches(pattern) != names:
                raise ValueError(pattern)
        return UnitInputs(reads.files, reads.patterns, {**now, **workspace.stamps})

    def _standing(self, path: str, target: str, sha256: str, stamp: str) -> File:
        """Return a file that is on the disk. Raises ValueError if it is not what was written."""
        if stamp:
            self._known[path] = stamp, sha256
        try:
            if self._tree.digest(path) != sha256:
                raise ValueError(path)
        except BlockedError as blocked:
            raise ValueError(path) from blocked
        return File(path, target, sha256)

    def _stamp(self, file: File) -> str:
        """Return the fingerprint of an artifact, or an empty text if none is known."""
        stamp, sha256 = self._known.get(file.path, ("", ""))
        return stamp if sha256 == file.sha256 else ""

    def _source(self, reads: UnitInputs, name: str) -> SourceFile:
        """Return the text of a file. Raises ValueError if it is not what was read."""
        data = self._look(name).data
        if digest(data) != reads.files[name]:
            raise ValueError(name)
        return decode(name, data, is_yaml=not name.lower().endswith(".json")).value

    def _look(self, name: str) -> FileSnapshot:
        """Return a file's content, read at most once. Raises OSError if it cannot be read."""
        seen = self._seen.get(name) or Workspace(self._project).look(name)
        if seen is None:
            raise FileNotFoundError(name)
        self._seen[name] = seen
        return seen


def _mark(project: Project, place: str) -> str:
    """Return the cache key of compiler, configuration and folder; empty without a cache."""
    if place == ABSENT:
        return ""
    compiled_by = (__version__, sys.version, os.environ.get(VARIABLE), stamps_of(compiler()))
    of = repr((place, compiled_by, str(project.root), project.config))
    return digest(of.encode("utf-8", "surrogateescape"))


def _file(name: str) -> str:
    return f"{_PREFIX}{digest(name.encode('utf-8', 'surrogateescape'))[:32]}"


def _patterns(kept: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {pattern: tuple(names) for pattern, names in kept.items()}


def _kept_outline(outline: ServiceSummary | None) -> Kept:
    if outline is None:
        return None
    names = (outline.name, outline.module, outline.class_stem, outline.title, outline.version)
    tools = [(t.name, t.method, t.safety, t.marks, dict(t.sizes)) for t in outline.tools]
    return (*names, tools, dict(outline.sizes), outline.public_names)


def _outline(kept: Kept) -> ServiceSummary | None:
    if kept is None:
        return None
    name, module, class_stem, title, version, tools, sizes, public = kept
    lines = (ToolSummary(a, b, c, tuple(marks), sizes) for a, b, c, marks, sizes in tools)
    head = (name, module, class_stem, title, version)
    return ServiceSummary(*head, tuple(lines), sizes, tuple(public))


def _facts(kept: Kept) -> ServiceFacts | None:
    if kept is None:
        return None
    known = {each.name: value for each, value in zip(fields(ServiceFacts), kept, strict=True)}
    tools = tuple(map(_tool_facts, known["tools"]))
    left = tuple(
        UnusedDefinition(each[0], each[1], tuple(map(tuple, each[2])))
        for each in known["unused_definitions"]
    )
    uses = tuple((file, tuple(path)) for file, path in known["uses"])
    path = tuple(known["path"])
    return ServiceFacts(
        **{**known, "tools": tools, "path": path, "unused_definitions": left, "uses": uses}
    )


def _tool_facts(kept: Kept) -> ToolFacts:
    known = {each.name: value for each, value in zip(fields(ToolFacts), kept, strict=True)}
    pairs = tuple((name, kind) for name, kind in known["parameters"])
    return ToolFacts(**{**known, "parameters": pairs, "path": tuple(known["path"])})
