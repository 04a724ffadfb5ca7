"""The cache: analyses as JSON, with what they depend on.

An analysis is valid as long as its inputs and its files are byte for byte the same. A file with an
unchanged fingerprint is not read again.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from toolspec.driver.analysis import Analysis, Inputs
from toolspec.driver.held import Plain, held_as_json
from toolspec.driver.incremental.compiler_files import compiler_files
from toolspec.driver.incremental.diagnostics_json import (
    diagnostics_from_json,
    diagnostics_to_json,
    files_in,
    suppressions_from_json,
    suppressions_to_json,
)
from toolspec.driver.incremental.fingerprints import (
    ABSENT,
    UNRELIABLE,
    fingerprint_to_read,
    fingerprints_of,
)
from toolspec.driver.incremental.last_compile import (
    FOLDER,
    make_witness,
    read_entry,
    witness,
    write_entry,
)
from toolspec.driver.lint.suppressions import has_unsuppressed_errors
from toolspec.driver.output import BlockedError, File, GoneError
from toolspec.driver.output.tree import Tree
from toolspec.driver.service_summary import summary_from_json, summary_to_json
from toolspec.driver.workspace import Workspace, digest, unread_source
from toolspec.rules.facts import facts_from_json, facts_to_json
from toolspec.shared.records import dataclass, replace
from toolspec.shared.validator import is_native
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from typing import Any

    from toolspec.diagnostics import Checked
    from toolspec.driver.config import Project
    from toolspec.driver.output.tree import FileDigests
    from toolspec.driver.workspace import FileSnapshot
    from toolspec.source import SourceFile

    # The result of `json.loads`; if anything is wrong with it, the analysis is not used.
    Json = Any

T = TypeVar("T")

_PREFIX = "analysis-"
# Files that no compile could write yet are kept up to this size, for each document.
_MAX_UNWRITTEN = 16_000_000


@dataclass(frozen=True, slots=True)
class _Unwritten:
    """The bytes of a file that waits in the cache until a compile can write it."""

    root: str
    name: str
    sha256: str
    start: int
    end: int

    def read(self) -> bytes:
        """Return the bytes. Raises GoneError if the cache has lost them, or has other bytes."""
        try:
            data = read_entry(self.root, _contents(self.name))[self.start : self.end]
        except (OSError, ValueError) as error:
            raise GoneError(self.name) from error
        if sha256(data).hexdigest() != self.sha256:
            raise GoneError(self.name)
        return data


class _StoredFile(NamedTuple):
    """A file of an analysis that is on the disk; the fingerprint may be empty."""

    path: str
    target: str
    sha256: str
    fingerprint: str


class _Remembered(NamedTuple):
    """An analysis in memory, with its files on the disk and the key that it was stored under."""

    key: str
    analysis: Analysis
    files: tuple[_StoredFile, ...]


# The analyses that a process keeps from one compile to the next, by document.
AnalysisMemory: TypeAlias = "dict[str, _Remembered]"


class AnalysisCache:
    """The cached analyses of a project; files that may have come with the project are not trusted.

    `_key` identifies compiler, configuration and folder, by its witness (`last_compile.py`). `digests`
    caches those of files on the disk. A process that compiles repeatedly has a `memory`.
    """

    def __init__(
        self,
        project: Project,
        out: Path,
        digests: FileDigests,
        memory: AnalysisMemory | None = None,
    ) -> None:
        self._project, self._root = project, str(project.root)
        self._digests = digests
        self._memory = {} if memory is None else memory
        self._remembers = memory is not None
        self._tree = Tree(out, digests)
        self._key = _key(project, witness(self._root))
        self._fresh: set[str] = set()
        self._snapshots: dict[str, FileSnapshot] = {}
        self._wanted: dict[str, Iterable[str]] = {}

    def find(self, name: str) -> Analysis | None:
        """Return the analysis of a document, or None if it has to be made."""
        cached = self._remembered(name)
        if cached is None or cached.inputs is not self._memory[name].analysis.inputs:
            self._memory.pop(name, None)
        return cached or self._stored(name)

    def _remembered(self, name: str) -> Analysis | None:
        """Return the analysis in memory if its inputs and its files are unchanged."""
        known = self._memory.get(name)
        if known is None or known.key != self._key:
            return None
        stored = known.analysis.inputs
        try:
            inputs = self._current(stored)
            for file in known.files:
                self._file_on_disk(*file)
        except (OSError, ValueError):
            return None
        if inputs.fingerprints == stored.fingerprints:
            self._fresh.add(name)
            return known.analysis
        return replace(known.analysis, inputs=inputs)

    def _stored(self, name: str) -> Analysis | None:
        """Return the analysis on the disk if it can be used."""
        try:
            body = json.loads(read_entry(self._root, _file(name)))
            if not self._key or body["key"] != self._key or body["name"] != name:
                return None
            stored = Inputs(body["inputs"], _patterns(body["patterns"]), body["fingerprints"])
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
                claims=Plain(tuple(body["claims"])),
                summary=_held(body["summary"], summary_from_json),
                facts=_held(body["facts"], facts_from_json),
                notes={target: Plain(note) for target, note in body["notes"].items()},
                files=(
                    *(self._file_on_disk(*file) for file in body["files"]),
                    *(
                        File(path, target, of, _Unwritten(self._root, name, of, start, end))
                        for path, target, of, start, end in body["unwritten"]
                    ),
                ),
            )
            is_written = all(file[-1] for file in body["files"]) and not body["unwritten"]
            if inputs.fingerprints == stored.fingerprints and is_written:
                self._fresh.add(name)
            self._snapshots.pop(name, None)
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        return analysis

    def snapshots(self, name: str) -> dict[str, FileSnapshot]:
        """Return the files of a document that were read to compare them with its last analysis."""
        names = (name, *self._wanted.get(name, ()))
        return {name: self._snapshots[name] for name in names if name in self._snapshots}

    def store(self, analysis: Analysis, checked: Checked[Any]) -> None:
        """Store an analysis of a checked build, unless it is stored already.

        If the build has an error, nothing is written; then files that are not there from an
        earlier compile are stored too. An analysis is not stored if the next run may lack one of its
        diagnostics: an error, or a kind that is not cached.
        """
        diagnostics = analysis.diagnostics
        if has_unsuppressed_errors(diagnostics) or not all(d.kind.is_cached for d in diagnostics):
            return
        self._key = self._key or _key(self._project, make_witness(self._root))
        inputs = analysis.inputs
        is_readable = all(path in inputs.files for path in files_in(diagnostics))
        if not is_readable or not self._key:
            return
        if self._remembers and checked.ok and analysis.name not in self._memory:
            files = tuple(map(self._stored_file, analysis.files))
            named = tuple(File(f.path, f.target, f.sha256) for f in files)
            kept = replace(analysis.decoded(), files=named)
            self._memory[analysis.name] = _Remembered(self._key, kept, files)
        if analysis.name in self._fresh:
            return
        unwritten = [] if checked.ok else [file for file in analysis.files if file.content]
        spans = self._store_unwritten(analysis.name, unwritten)
        if spans is None:
            return
        body = {
            "key": self._key,
            "name": analysis.name,
            "inputs": dict(inputs.files),
            "patterns": dict(inputs.patterns),
            "fingerprints": dict(inputs.fingerprints),
            "isPart": analysis.is_part,
            "serviceName": analysis.service_name,
            "files": [self._stored_file(f) for f in analysis.files if f not in unwritten],
            "unwritten": spans,
            "diagnostics": diagnostics_to_json(diagnostics),
            "suppressions": suppressions_to_json(analysis.suppressions),
        }
        held = {
            "claims": held_as_json(analysis.claims),
            "summary": held_as_json(analysis.summary, summary_to_json),
            "facts": held_as_json(analysis.facts, facts_to_json),
            "notes": _object({name: held_as_json(note) for name, note in analysis.notes.items()}),
        }
        members = {**{name: json.dumps(value) for name, value in body.items()}, **held}
        write_entry(self._root, _file(analysis.name), _object(members).encode("ascii"))

    def _store_unwritten(self, name: str, files: list[File]) -> Json:
        """Store the bytes of files; return their entries, or None if they cannot be stored."""
        data = bytearray()
        spans = []
        for file in files:
            assert file.content is not None
            start = len(data)
            try:
                data += file.content.read()
            except OSError:  # a commit that failed had moved it
                return None
            spans.append((file.path, file.target, file.sha256, start, len(data)))
            if len(data) > _MAX_UNWRITTEN:
                return None
        if files:
            write_entry(self._root, _contents(name), bytes(data))
        return spans

    def retain(self, names: tuple[str, ...]) -> None:
        """Remove the analyses of all other documents."""
        for name in self._memory.keys() - set(names):
            del self._memory[name]
        kept = set(map(_file, names))
        folder = f"{self._root}/{FOLDER}"
        try:
            for name in os.listdir(folder) if self._key else ():  # noqa: PTH208 - texts, as in `last_compile`
                if name.startswith(_PREFIX) and name not in kept:
                    os.unlink(f"{folder}/{name}")  # noqa: PTH108 - the same
        except OSError:
            return

    def _current(self, inputs: Inputs) -> Inputs:
        """Return the inputs with current fingerprints. Raises ValueError if one has changed.

        If a file's fingerprint differs, its digest decides.
        """
        now = {path: fingerprint_to_read(path) for path in inputs.fingerprints}
        workspace = Workspace(self._project)
        for name, stored in inputs.files.items():
            path = f"{self._root}/{name}"
            if now[path] == inputs.fingerprints[path] and not now[path].endswith(UNRELIABLE):
                continue
            if digest(self._look(name).data) != stored:
                raise ValueError(name)
        for pattern, names in inputs.patterns.items():
            matches = workspace.matches(pattern)
            if matches.value != names or not matches.ok:
                raise ValueError(pattern)
        return Inputs(inputs.files, inputs.patterns, {**now, **workspace.fingerprints})

    def _file_on_disk(self, path: str, target: str, sha256: str, fingerprint: str) -> File:
        """Return a file that is on the disk. Raises ValueError if it is not what was written."""
        if fingerprint:
            self._digests[path] = fingerprint, sha256
        try:
            if self._tree.digest(path) != sha256:
                raise ValueError(path)
        except BlockedError as blocked:
            raise ValueError(path) from blocked
        return File(path, target, sha256)

    def _stored_file(self, file: File) -> _StoredFile:
        """Return an artifact with its fingerprint, or an empty text if none is known."""
        fingerprint, sha256 = self._digests.get(file.path, ("", ""))
        known = fingerprint if sha256 == file.sha256 else ""
        return _StoredFile(file.path, file.target, file.sha256, known)

    def _source(self, inputs: Inputs, name: str) -> SourceFile:
        """Return a file of an analysis, unread. Raises KeyError if it is not one of the inputs."""
        return unread_source(self._project.root, name, inputs.files[name])

    def _look(self, name: str) -> FileSnapshot:
        """Return a file's content, read at most once. Raises OSError if it cannot be read."""
        snapshot = self._snapshots.get(name) or Workspace(self._project).snapshot(name)
        if snapshot is None:
            raise FileNotFoundError(name)
        self._snapshots[name] = snapshot
        return snapshot


def _key(project: Project, location: str) -> str:
    """Return the cache key of compiler, configuration and folder; empty without a cache."""
    if location == ABSENT:
        return ""
    compiled_by = (__version__, sys.version, is_native(), _compiler_fingerprints())
    of = repr((location, compiled_by, str(project.root), project.config))
    return digest(of.encode("utf-8", "surrogateescape"))


@cache
def _compiler_fingerprints() -> dict[str, str]:
    """Return the fingerprints of the compiler's files when this process first needed them.

    A watcher goes on running the code that it has loaded, even if its files are replaced.
    """
    return fingerprints_of(compiler_files())


def _file(name: str) -> str:
    return f"{_PREFIX}{digest(name.encode('utf-8', 'surrogateescape'))[:32]}"


def _contents(name: str) -> str:
    return f"{_file(name)}-files"


def _patterns(stored: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {pattern: tuple(names) for pattern, names in stored.items()}


def _held(stored: Json, decode: Callable[[Json], T]) -> Plain[T] | None:
    return None if stored is None else Plain(decode(stored))


def _object(members: Mapping[str, str]) -> str:
    """Return an object of members that are JSON already."""
    return f"{{{', '.join(f'{json.dumps(name)}: {text}' for name, text in members.items())}}}"
