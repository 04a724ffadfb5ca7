"""Sources of a build: found, read once, parsed once, and served to the front end by path."""

from __future__ import annotations

import os
from functools import lru_cache, partial
from hashlib import blake2b
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from toolspec.diagnostics import Checked
from toolspec.driver import kinds
from toolspec.driver.config import Config
from toolspec.driver.incremental.fingerprints import fingerprint_to_read
from toolspec.driver.lint.baseline import NAME as BASELINE
from toolspec.frontend import allow_syntax
from toolspec.source import SourceFile
from toolspec.syntax import parse
from toolspec.syntax.decoding import decode
from toolspec.syntax.limits import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.config import Project
    from toolspec.frontend.allow_syntax.parsed import DocumentSuppression
    from toolspec.syntax.nodes import Document, Location

SUFFIXES = (".yaml", ".yml", ".json")
_SIGNS = "*?["
# Hidden folders such as `.git` and `.venv` are left out too.
_OF_TOOLS = frozenset({"node_modules", "__pycache__"})


class FileSnapshot(NamedTuple):
    """A file as it was read: its fingerprint, and its first bytes up to the size limit."""

    fingerprint: str
    data: bytes


class ParsedFile(NamedTuple):
    """A file after parsing, with the suppressions in it and diagnostics about those."""

    fingerprint: str
    digest: str
    document: Checked[Document | None]
    suppressions: Checked[tuple[DocumentSuppression, ...]]


class Workspace:
    """The files of a project; all names are relative to the project's root, with `/`.

    It implements the front end's `Files`: included and referenced files are read here, below the
    root and nowhere else. `snapshots` are files that were read before, `parsed` the files that
    several workspaces of this process share. `fingerprints` has those of every file that was read
    and every folder that was listed, `digests` the digests of files, `patterns` the matches of
    patterns, and `suppressions` those of the documents; diagnostics about them are in
    `diagnostics`.
    """

    def __init__(
        self,
        project: Project,
        snapshots: Mapping[str, FileSnapshot] | None = None,
        parsed: dict[str, ParsedFile] | None = None,
    ) -> None:
        self.project = project
        self.root = project.root
        self._snapshots = snapshots or {}
        self.parsed = {} if parsed is None else parsed
        self.out = Path(os.path.abspath(project.root / project.config.out))  # noqa: PTH100 - a link is not followed here
        self._documents: dict[str, Checked[Document | None]] = {}
        self.used: set[str] = set()
        self.suppressions: list[DocumentSuppression] = []
        self.diagnostics: list[Diagnostic] = []
        self.fingerprints: dict[str, str] = {}
        self.digests: dict[str, str] = {}
        self.patterns: dict[str, tuple[str, ...]] = {}

    def sources(
        self, requested: Sequence[str] = (), folder: Path | None = None
    ) -> Checked[tuple[str, ...]]:
        """Return the names of all documents under some files, folders or globs, sorted.

        The requested paths are relative to a folder; without any, those of the configuration are
        used. Reports a missing path, a build without a single document, and a link that leads out
        of the folder in which it was found.
        """
        config = self.project.config
        paths = tuple(requested or config.specs)
        folder = folder if folder and requested else self.root
        names: set[str] = set()
        missing: list[Diagnostic] = []
        outside: set[str] = set()
        for at, path in enumerate(paths):
            self._record(str(folder / path))
            matching = set(self._expand(folder / path))
            if not matching and not os.path.exists(folder / path):  # noqa: PTH110 - also answers for names that are too long
                span = None if requested else config.span("specs", at)
                missing.append(kinds.MISSING_PATH.at(span, path=path))
            names |= matching
            outside |= self._links_outside(matching, folder / path)
        if not names and (not missing or paths == Config().specs):
            locations = " and ".join(f"`{path}`" for path in paths)
            span = None if requested else config.span("specs")
            missing = [kinds.NO_SPECS.at(span, locations=locations, suggestion=self._no_specs())]
        missing += (kinds.OUTSIDE_LINK.at(None, path=name) for name in sorted(outside))
        return Checked(tuple(sorted(names - outside)), tuple(missing))

    def _no_specs(self) -> str:
        """Return a hint: where documents are instead, or how to begin."""
        if not self.project.is_configured:
            for levels, folder in enumerate(self.root.parents, start=1):
                if any((folder / "specs").glob("*.yaml")) or any((folder / "specs").glob("*.json")):
                    up = "/".join([".."] * levels)
                    return (
                        f"there are some in `{up}/specs`: run this in `{up}`, or add a "
                        "`toolspec.toml` there, which is found from the folders below it"
                    )
        return (
            "start a project with `toolspec init`, or name files, folders or globs: "
            "`toolspec compile PATH…`"
        )

    def document(self, name: str) -> Checked[Document | None]:
        """Return a parsed file of the project, read and parsed at most once."""
        document = self._documents.get(name)
        if document is None:
            document = self._documents[name] = self._load(name)
        return document

    def source(self, name: str, digests: Mapping[str, str]) -> SourceFile | None:
        """Return a file of the project; one in `digests` was read before, and is not read here."""
        document = self._documents.get(name)
        if document is None and name in digests and name not in self._snapshots:
            return unread_source(self.root, name, digests[name])
        document = document or self.document(name)
        return document.value.source if document.value else None

    def read(self, path: str, referrer: Location) -> Checked[Document | None]:
        """Return a file that a document refers to: see `frontend.files.Files`."""
        self.used.add(path)
        if not self._is_inside(self.root / path):
            root = f"`{self.root.name}/`"
            return Checked(None, (kinds.OUTSIDE.at(referrer.span, path=path, root=root),))
        if path in self._snapshots:
            return self.document(path)
        if not os.path.isfile(self.root / path):  # noqa: PTH113 - also answers for names that are too long
            self._record(str(self.root / path))
            return Checked(None)
        return self.document(path)

    def glob(self, pattern: str, referrer: Location) -> Checked[tuple[str, ...]]:
        """Return the files that match a pattern, sorted: see `frontend.files.Files`."""
        del referrer
        return Checked(self.matches(pattern))

    def matches(self, pattern: str) -> tuple[str, ...]:
        """Return the files below the root that match a pattern, sorted."""
        whole = str(self.root / pattern)
        self._record_folders(whole)
        try:
            paths = [path for path in self.root.glob(pattern) if path.is_file()]
        except OSError:  # a name in the pattern is longer than file names can be
            paths = []
        names = tuple(
            sorted(
                self._name(path)
                for path in paths
                if self._is_inside(path) and not self._is_skipped(path, whole)
            )
        )
        self.patterns[pattern] = names
        return names

    def _load(self, name: str) -> Checked[Document | None]:
        parsed = self.parsed.get(name)
        if parsed is None:
            try:
                snapshot = self._snapshots.get(name) or self.snapshot(name)
            except OSError as error:
                return Checked(None, (self._unreadable(name, error.strerror or str(error)),))
            if snapshot is None:
                return Checked(None, (self._unreadable(name, "it is not a regular file"),))
            parsed = self.parsed[name] = _parse(name, snapshot)
        self.fingerprints[str(self.root / name)] = parsed.fingerprint
        self.digests[name] = parsed.digest
        self.suppressions += parsed.suppressions.value
        self.diagnostics += parsed.suppressions.diagnostics
        return parsed.document

    def snapshot(self, name: str) -> FileSnapshot | None:
        """Return a file's content, or None if it is not a regular file. Raises OSError."""
        path = self.root / name
        self._record(str(path))
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return FileSnapshot(self.fingerprints[str(path)], file.read(MAX_BYTES + 1))

    def _unreadable(self, name: str, reason: str) -> Diagnostic:
        return kinds.UNREADABLE.at(None, path=name, reason=reason)

    def _expand(self, path: Path) -> Iterator[str]:
        if os.path.isdir(path):  # noqa: PTH112 - also answers for names that are too long
            yield from self._walk(path)
        elif os.path.exists(path):  # noqa: PTH110 - the same
            yield self._name(path)
        elif any(sign in str(path) for sign in _SIGNS):
            import glob

            self._record_folders(str(path))
            for match in map(Path, glob.iglob(str(path), recursive=True)):  # noqa: PTH207 - absolute patterns too
                is_document = match.name.endswith(SUFFIXES) and match.is_file()
                if is_document and not self._is_skipped(match, str(path)):
                    yield self._name(match)

    def _links_outside(self, names: Iterable[str], folder: Path) -> set[str]:
        """Return the files found in a folder, or by a pattern, that links lead out of it.

        A repository may contain a link to a private file of the person who compiles it.
        """
        if os.path.isfile(folder):  # noqa: PTH113 - also answers for names that are too long
            return set()
        is_folder = os.path.isdir(folder)  # noqa: PTH112 - the same
        home = os.path.realpath(folder if is_folder else _split(str(folder))[0])
        paths = {name: self.root / name for name in names}
        return {
            name
            for name, path in paths.items()
            if not (is_folder and not path.is_symlink())
            and not self._is_inside(path)
            and not Path(os.path.realpath(path)).is_relative_to(home)
        }

    def _walk(self, folder: Path) -> Iterator[str]:
        for path, folders, names in os.walk(folder):
            here = Path(path)
            self._record(path)
            folders[:] = sorted(name for name in folders if not self._is_left_out(here / name))
            for name in names:
                if name.endswith(SUFFIXES) and not name.startswith(".") and name != BASELINE:
                    yield self._name(here / name)

    def _record(self, path: str) -> None:
        if path not in self.fingerprints:
            self.fingerprints[path] = fingerprint_to_read(path)

    def _record_folders(self, pattern: str) -> None:
        """Record every folder in which a new file may match a pattern."""
        top, parts = _split(pattern)
        depth = inf if "**" in parts else len(parts) - 1
        levels = len(Path(top).parts)
        self._record(top)
        for at, folders, _ in os.walk(top):
            here = Path(at)
            self._record(at)
            folders[:] = [
                name
                for name in folders
                if len(here.parts) - levels < depth
                and (name in parts or not self._is_left_out(here / name))
            ]

    def _is_skipped(self, path: Path, pattern: str) -> bool:
        """Return whether a wildcard matches a folder that is left out, on the way to a file."""
        top, parts = _split(pattern)
        between = list(path.parents)[: len(path.parts) - len(Path(top).parts) - 1]
        return any(parent.name not in parts and self._is_left_out(parent) for parent in between)

    def _is_left_out(self, folder: Path) -> bool:
        """Return whether a folder is the output, hidden, or kept by tools."""
        return folder.name.startswith(".") or folder.name in _OF_TOOLS or folder == self.out

    def _name(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.root)).as_posix()

    def _is_inside(self, path: Path) -> bool:
        """Return whether a path, links followed, is below the root, compared by parts."""
        real = os.path.realpath(path)  # unlike Path.resolve, it accepts a cycle of links
        return Path(real).is_relative_to(self.root)


def _parse(name: str, snapshot: FileSnapshot) -> ParsedFile:
    document = parse(name, snapshot.data)
    none: Checked[tuple[DocumentSuppression, ...]] = Checked(())
    suppressed = none if document.value is None else allow_syntax.read(document.value)
    return ParsedFile(snapshot.fingerprint, digest(snapshot.data), document, suppressed)


def digest(data: bytes) -> str:
    """Return the digest of a file's bytes."""
    return blake2b(data, digest_size=32).hexdigest()


def unread_source(root: Path, name: str, content_digest: str) -> SourceFile:
    """Return a file of a project that was read before; its text is read again when it is needed."""
    return SourceFile.unread(name, reader(root, name, content_digest))


def reader(root: Path, name: str, content_digest: str) -> Callable[[], str]:
    """Return a function that reads the text of a file again; empty if the file has changed."""
    return partial(_read_again, str(root / name), name, content_digest)


# Reports show diagnostics file by file.
@lru_cache(maxsize=4)
def _read_again(path: str, name: str, content_digest: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - a text is a key of the cache
            data = file.read(MAX_BYTES + 1)
    except OSError:
        return ""
    if digest(data) != content_digest:
        return ""
    return decode(name, data, is_yaml=not name.lower().endswith(".json")).value.text


def _split(pattern: str) -> tuple[str, tuple[str, ...]]:
    """Return a pattern's folder before any wildcard, and the parts from the first wildcard on."""
    parts = pattern.split("/")
    plain = next(
        at for at, part in enumerate((*parts, "*")) if any(sign in part for sign in _SIGNS)
    )
    return "/".join(parts[:plain]) or "/", tuple(parts[plain:])
