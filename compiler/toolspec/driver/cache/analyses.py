"""Cache of analyses as JSON.

An analysis is valid as long as its inputs and its files are byte for byte the same. A file with an
unchanged fingerprint is not read again.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import astuple, fields
from functools import partial
from typing import TYPE_CHECKING

from toolspec.driver.analysis import Analysis, Inputs
from toolspec.driver.cache.diagnostics import (
    diagnostics_from_json,
    diagnostics_to_json,
    files_in,
    suppressions_from_json,
    suppressions_to_json,
)
from toolspec.driver.cache.fingerprints import ABSENT, YOUNG, stamp_to_read, stamps_of
from toolspec.driver.cache.last_compile import compiler
from toolspec.driver.cache.record import FOLDER, keep, kept, make_witness, witness
from toolspec.driver.lint.suppressions import has_unsuppressed_errors
from toolspec.driver.output import BlockedError, File
from toolspec.driver.output.tree import Tree
from toolspec.driver.service_summary import ServiceSummary, ToolSummary
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

    # The result of `json.loads`; if anything is wrong with it, the analysis is not used.
    Kept = Any

_PREFIX = "analysis-"


class AnalysisCache:
    """The cached analyses of a project; files that may have come with the project are not trusted.

    `_mark` identifies compiler, configuration and folder, by its witness (`record.py`). `known`
    caches digests of files on the disk.
    """

    def __init__(self, project: Project, out: Path, known: Known) -> None:
        self._project, self._out, self._root = project, out, str(project.root)
        self._known = known
        self._tree = Tree(out, known)
        self._mark = _mark(project, witness(self._root))
        self._fresh: set[str] = set()
        self._snapshots: dict[str, FileSnapshot] = {}
        self._wanted: dict[str, Iterable[str]] = {}

    def find(self, name: str) -> Analysis | None:
        """Return the analysis of a document, or None if it has to be made."""
        try:
            body = json.loads(kept(self._root, _file(name)))
            if not self._mark or body["mark"] != self._mark or body["name"] != name:
                return None
            stored = Inputs(body["inputs"], _patterns(body["patterns"]), body["stamps"])
            self._wanted[name] = stored.files
            inputs = self._current(stored)
            sources = partial(self._source, stored)
            analysis = Analysis(
                name,
                inputs,
                diagnostics_from_json(body["diagnostics"], sources),
                suppressions_from_json(body["suppressions"], sources),
                is_part=body["isPart"],
                is_complete=True,
                service_name=body["serviceName"],
                claims=tuple(body["claims"]),
                summary=_summary(body["summary"]),
                facts=_facts(body["facts"]),
                notes=body["notes"],
                files=tuple(self._file_on_disk(*each) for each in body["files"]),
            )
            if inputs.stamps == stored.stamps and all(file[-1] for file in body["files"]):
                self._fresh.add(name)
            self._snapshots.pop(name, None)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        return analysis

    def snapshots(self, name: str) -> dict[str, FileSnapshot]:
        """Return the files of a document that were read to compare them with its last analysis."""
        wanted = (name, *self._wanted.get(name, ()))
        return {each: self._snapshots[each] for each in wanted if each in self._snapshots}

    def keep(self, analysis: Analysis, *, is_written: bool) -> None:
        """Store an analysis whose files are on the disk, unless it is stored already.

        After an error in another document nothing is written; then the files must be there from an
        earlier compile. An analysis with an error or a diagnostic about the run is not stored: the
        next run may not have it.
        """
        diagnostics = analysis.diagnostics
        if has_unsuppressed_errors(diagnostics) or any(d.kind.is_about_run for d in diagnostics):
            return
        if not is_written and any(file.content for file in analysis.files):
            return
        self._mark = self._mark or _mark(self._project, make_witness(self._root))
        inputs = analysis.inputs
        is_readable = all(path in inputs.files for path in files_in(diagnostics))
        if analysis.name in self._fresh or not is_readable or not self._mark:
            return
        body = {
            "mark": self._mark,
            "name": analysis.name,
            "inputs": dict(inputs.files),
            "patterns": dict(inputs.patterns),
            "stamps": dict(inputs.stamps),
            "isPart": analysis.is_part,
            "serviceName": analysis.service_name,
            "claims": analysis.claims,
            "summary": _summary_to_json(analysis.summary),
            "facts": analysis.facts and astuple(analysis.facts),
            "notes": dict(analysis.notes),
            "files": [(f.path, f.target, f.sha256, self._stamp(f)) for f in analysis.files],
            "diagnostics": diagnostics_to_json(diagnostics),
            "suppressions": suppressions_to_json(analysis.suppressions),
        }
        keep(self._root, _file(analysis.name), json.dumps(body).encode("ascii"))

    def keep_only(self, names: Iterable[str]) -> None:
        """Remove the analyses of all other documents."""
        wanted = {_file(name) for name in names}
        folder = f"{self._root}/{FOLDER}"
        try:
            for each in os.listdir(folder) if self._mark else ():  # noqa: PTH208 - texts, as in `record`
                if each.startswith(_PREFIX) and each not in wanted:
                    os.unlink(f"{folder}/{each}")  # noqa: PTH108
        except OSError:
            return

    def _current(self, inputs: Inputs) -> Inputs:
        """Return the inputs with current fingerprints. Raises ValueError if one has changed.

        If a file's fingerprint differs, its digest decides.
        """
        now = {path: stamp_to_read(path) for path in inputs.stamps}
        workspace = Workspace(self._project)
        for name, stored in inputs.files.items():
            path = f"{self._root}/{name}"
            if now[path] == inputs.stamps[path] and not now[path].endswith(YOUNG):
                continue
            if digest(self._look(name).data) != stored:
                raise ValueError(name)
        for pattern, names in inputs.patterns.items():
            if workspace.matches(pattern) != names:
                raise ValueError(pattern)
        return Inputs(inputs.files, inputs.patterns, {**now, **workspace.stamps})

    def _file_on_disk(self, path: str, target: str, sha256: str, stamp: str) -> File:
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

    def _source(self, inputs: Inputs, name: str) -> SourceFile:
        """Return the text of a file. Raises ValueError if it is not what was read."""
        data = self._look(name).data
        if digest(data) != inputs.files[name]:
            raise ValueError(name)
        return decode(name, data, is_yaml=not name.lower().endswith(".json")).value

    def _look(self, name: str) -> FileSnapshot:
        """Return a file's content, read at most once. Raises OSError if it cannot be read."""
        snapshot = self._snapshots.get(name) or Workspace(self._project).look(name)
        if snapshot is None:
            raise FileNotFoundError(name)
        self._snapshots[name] = snapshot
        return snapshot


def _mark(project: Project, location: str) -> str:
    """Return the cache key of compiler, configuration and folder; empty without a cache."""
    if location == ABSENT:
        return ""
    compiled_by = (__version__, sys.version, os.environ.get(VARIABLE), stamps_of(compiler()))
    of = repr((location, compiled_by, str(project.root), project.config))
    return digest(of.encode("utf-8", "surrogateescape"))


def _file(name: str) -> str:
    return f"{_PREFIX}{digest(name.encode('utf-8', 'surrogateescape'))[:32]}"


def _patterns(kept: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {pattern: tuple(names) for pattern, names in kept.items()}


def _summary_to_json(summary: ServiceSummary | None) -> Kept:
    if summary is None:
        return None
    names = (summary.name, summary.module, summary.class_stem, summary.title, summary.version)
    tools = [(t.name, t.method, t.safety, t.marks, dict(t.sizes)) for t in summary.tools]
    return (*names, tools, dict(summary.sizes))


def _summary(kept: Kept) -> ServiceSummary | None:
    if kept is None:
        return None
    name, module, class_stem, title, version, tools, sizes = kept
    lines = (ToolSummary(a, b, c, tuple(marks), sizes) for a, b, c, marks, sizes in tools)
    return ServiceSummary(name, module, class_stem, title, version, tuple(lines), sizes)


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
