"""Sources of a build: found, read once, parsed once, and served to the front end by path."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import chain
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
_NOWHERE = "it is a link that leads nowhere"
# Hidden folders such as `.git` and `.venv` are left out too.
_OF_TOOLS = frozenset({"node_modules", "__pycache__"})


def is_document(name: str) -> bool:
    """Return whether a file has a suffix of documents, in capitals or not."""
    return name.lower().endswith(SUFFIXES)


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
        declared = project.root / (project.config.declared_out or self.out)
        self._outputs = {os.path.realpath(self.out), os.path.realpath(declared)}
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
        used. Reports a missing path, a build without a single document, a folder that cannot be
        listed, and a link that leads out of the folder in which it was found.
        """
        config = self.project.config
        paths = tuple(requested or config.specs)
        folder = folder if folder and requested else self.root
        names: set[str] = set()
        missing: list[Diagnostic] = []
        problems: dict[str, Diagnostic] = {}
        for at, path in enumerate(paths):
            self._record(str(folder / path))
            reported = len(problems)
            matching = set(self._expand(folder, path, problems))
            is_missing = not matching and len(problems) == reported
            if is_missing and not os.path.exists(folder / path):  # noqa: PTH110 - also answers for names that are too long
                span = None if requested else config.span("specs", at)
                missing.append(kinds.MISSING_PATH.at(span, path=path))
            outside = self._links_outside(matching, folder, path)
            problems |= {name: _outside_link(name, "file") for name in outside}
            names |= matching
        if not names and not problems and (not missing or paths == Config().specs):
            locations = " and ".join(f"`{path}`" for path in paths) or "`specs = []`"
            span = None if requested else config.span("specs")
            missing = [kinds.NO_SPECS.at(span, locations=locations, suggestion=self._no_specs())]
        missing += (problems[name] for name in sorted(problems))
        return Checked(tuple(sorted(self._once(names - problems.keys()))), tuple(missing))

    def searches(self, folder: Path, path: str, out: Path, *, is_left_out: bool) -> bool:
        """Return whether a search of a path finds what a compile writes to the folder `out`.

        The path is relative to `folder`. With `is_left_out` that of `out` is not entered from another
        one.
        """
        is_folder = os.path.isdir(folder / path)  # noqa: PTH112 - also answers for names that are too long
        start, parts = (folder / path, ("**", "*")) if is_folder else _split(folder, path)
        top, real = os.path.realpath(start), Path(os.path.realpath(out))
        if not parts or not real.is_relative_to(top):
            return False
        between = real.relative_to(top).parts
        is_entered = not between or (not is_left_out and _OF_TOOLS.isdisjoint(between))
        # Every compile writes a JSON file.
        return is_entered and _fits((*between, "toolspec.lock.json"), parts)

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

    def is_folder(self, path: str) -> bool:
        """Return whether a path below the root is that of a folder: see `frontend.files.Files`."""
        folder = self.root / path
        return self._is_inside(folder) and os.path.isdir(folder)  # noqa: PTH112 - also answers for names that are too long

    def glob(self, pattern: str, referrer: Location) -> Checked[tuple[str, ...]]:
        """Return the files that match a pattern, sorted: see `frontend.files.Files`."""
        del referrer
        return self.matches(pattern)

    def matches(self, pattern: str) -> Checked[tuple[str, ...]]:
        """Return the files below the root that match a pattern, sorted.

        Reports a folder in which files may match, and that cannot be listed.
        """
        problems: dict[str, Diagnostic] = {}
        for _ in self._matching_folders(self.root, pattern, problems):
            pass
        try:
            paths = [path for path in self.root.glob(pattern) if path.is_file()]
        except OSError:  # a name in the pattern is longer than file names can be
            paths = []
        names = tuple(
            sorted(
                self._name(path)
                for path in paths
                if self._is_inside(path) and not self._is_skipped(path, pattern)
            )
        )
        self.patterns[pattern] = names
        unlisted = (each for each in problems.values() if each.kind is kinds.UNLISTED)
        return Checked(names, tuple(unlisted))

    def _load(self, name: str) -> Checked[Document | None]:
        parsed = self.parsed.get(name)
        if parsed is None:
            try:
                snapshot = self._snapshots.get(name) or self.snapshot(name)
            except OSError as error:
                return Checked(None, (self._unreadable(name, error.strerror or str(error)),))
            if snapshot is None:
                return Checked(None, (self.irregular(name),))
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

    def irregular(self, name: str) -> Diagnostic:
        """Return the diagnostic of a file of which there is no snapshot."""
        leads_nowhere = _leads_nowhere(self.root / name)
        return self._unreadable(name, _NOWHERE if leads_nowhere else "it is not a regular file")

    def _unreadable(self, name: str, reason: str) -> Diagnostic:
        return kinds.UNREADABLE.at(None, path=name, reason=reason)

    def _expand(self, folder: Path, pattern: str, problems: dict[str, Diagnostic]) -> Iterator[str]:
        path = folder / pattern
        if os.path.isdir(path):  # noqa: PTH112 - also answers for names that are too long
            yield from self._walk(path, problems)
        elif os.path.exists(path):  # noqa: PTH110 - also answers for names that are too long
            yield self._name(path)
        elif any(sign in pattern for sign in _SIGNS):
            root, parts = _split(folder, pattern)
            levels = len(root.parts)
            for here, names in self._matching_folders(folder, pattern, problems):
                for name in names:
                    if is_document(name) and _fits((*here.parts[levels:], name), parts):
                        yield self._name(here / name)

    def _links_outside(self, names: Iterable[str], folder: Path, pattern: str) -> set[str]:
        """Return the files found in a folder, or by a pattern, that links lead out of it.

        A repository may contain a link to a private file of the person who compiles it.
        """
        path = folder / pattern
        if os.path.isfile(path):  # noqa: PTH113 - also answers for names that are too long
            return set()
        is_folder = os.path.isdir(path)  # noqa: PTH112 - also answers for names that are too long
        home = os.path.realpath(path if is_folder else _split(folder, pattern)[0])
        files = {name: self.root / name for name in names}
        return {
            name
            for name, file in files.items()
            if not (is_folder and not file.is_symlink())
            and not self._is_inside(file)
            and not Path(os.path.realpath(file)).is_relative_to(home)
        }

    def _once(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the names without those of files in linked folders that have another name, too."""
        own: dict[str, str] = {}
        linked: dict[str, str] = {}
        realpath = lru_cache(os.path.realpath)
        for name in sorted(names, key=lambda name: (name.count("/"), name)):
            folder, file = os.path.split(os.path.abspath(self.root / name))  # noqa: PTH100 - a link is not followed here
            real = realpath(folder)
            (own if real == folder else linked).setdefault(f"{real}/{file}", name)
        yield from {**linked, **own}.values()

    def _walk(self, folder: Path, problems: dict[str, Diagnostic]) -> Iterator[str]:
        """Yield the documents in a folder and the folders below it."""
        for here, names in self._folders(
            folder, lambda path: not self._is_left_out(path), problems, is_once=True
        ):
            for name in names:
                if name.startswith(".") or name == BASELINE:
                    continue
                if is_document(name):
                    yield self._name(here / name)
                elif _leads_nowhere(here / name) and not self._is_left_out(here / name):
                    # It may have been a folder of documents, whose generated files must stay.
                    link = self._name(here / name)
                    problems[link] = self._unreadable(link, _NOWHERE)

    def _folders(
        self,
        folder: Path,
        is_wanted: Callable[[Path], bool],
        problems: dict[str, Diagnostic],
        *,
        is_once: bool,
    ) -> Iterator[tuple[Path, list[str]]]:
        """Yield a folder and the wanted ones below it, with the names of their files; record them.

        Links are followed after all other folders, inside the project and below `folder` only. With
        `is_once` each real folder is yielded once, which ends circles; otherwise `is_wanted` has to
        end them. Adds a diagnostic for each folder that cannot be listed, and for each link to a
        folder outside, by the name of the folder.
        """

        def report(error: OSError) -> None:
            # A path that is not a folder is reported as missing elsewhere.
            if os.path.isdir(error.filename):  # noqa: PTH112 - also answers for names that are too long
                self._record(str(error.filename))
                name = self._name(error.filename)
                reason = error.strerror or str(error)
                problems[name] = kinds.UNLISTED.at(None, path=name, reason=reason)

        seen: set[str] = set()
        followed: list[Path] = []  # grows during iteration
        for root in chain((folder,), followed):
            for path, folders, names in os.walk(root, onerror=report):
                self._record(path)
                real = os.path.realpath(path)
                if is_once and real in seen:
                    folders.clear()
                    continue
                seen.add(real)
                wanted = [Path(path, name) for name in sorted(folders)]
                wanted = [each for each in wanted if is_wanted(each)]
                links = [each for each in wanted if each.is_symlink()]
                folders[:] = [each.name for each in wanted if each not in links]
                for link in links:
                    self._record(str(link))
                    if self._is_inside(link) or Path(os.path.realpath(link)).is_relative_to(
                        os.path.realpath(folder)
                    ):
                        followed.append(link)
                    else:
                        name = self._name(link)
                        problems[name] = _outside_link(name, "folder")
                yield Path(path), names

    def _record(self, path: str) -> None:
        if path not in self.fingerprints:
            self.fingerprints[path] = fingerprint_to_read(path)

    def _matching_folders(
        self, folder: Path, pattern: str, problems: dict[str, Diagnostic]
    ) -> Iterator[tuple[Path, list[str]]]:
        """Yield every folder in which a file may match a pattern; see `_folders`."""
        root, parts = _split(folder, pattern)
        before = parts[: parts.index("**")] if "**" in parts else parts[:-1]
        levels = len(root.parts)

        def is_wanted(path: Path) -> bool:
            depth = len(path.parts) - levels
            if depth <= len(before):
                may_match = path.name in parts or fnmatch(path.name, before[depth - 1])
            else:
                may_match = "**" in parts and not _is_circle(path)
            return may_match and (path.name in parts or not self._is_left_out(path))

        self._record(str(root))
        return self._folders(root, is_wanted, problems, is_once=False)

    def _is_skipped(self, path: Path, pattern: str) -> bool:
        """Return whether a wildcard matches a folder that is left out, on the way to a file."""
        root, parts = _split(self.root, pattern)
        between = list(path.parents)[: len(path.parts) - len(root.parts) - 1]
        return any(parent.name not in parts and self._is_left_out(parent) for parent in between)

    def _is_left_out(self, folder: Path) -> bool:
        """Return whether a folder is the output, hidden, or kept by tools."""
        return (
            folder.name.startswith(".")
            or folder.name in _OF_TOOLS
            or os.path.realpath(folder) in self._outputs
        )

    def _name(self, path: Path | str) -> str:
        return Path(os.path.relpath(path, self.root)).as_posix()

    def _is_inside(self, path: Path) -> bool:
        """Return whether a path, links followed, is below the root, compared by parts."""
        real = os.path.realpath(path)  # unlike Path.resolve, it accepts a cycle of links
        return Path(real).is_relative_to(self.root)


def _outside_link(name: str, what: str) -> Diagnostic:
    return kinds.OUTSIDE_LINK.at(None, path=name, what=what)


def _leads_nowhere(path: Path) -> bool:
    """Return whether a path is a link without a target, or one in a circle of links."""
    return path.is_symlink() and not os.path.exists(path)  # noqa: PTH110 - also answers for circles


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


def _is_circle(path: Path) -> bool:
    """Return whether a path is a link to one of the folders that it is reached through."""
    if not path.is_symlink():
        return False
    real = os.path.realpath(path)
    return any(os.path.realpath(parent) == real for parent in path.parents)


def _fits(names: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Return whether a path's names match a pattern; as in a shell, wildcards match no hidden name."""
    if not pattern or not names:
        return not names and set(pattern) <= {"**"}
    is_hidden = names[0].startswith(".") and not pattern[0].startswith(".")
    if pattern[0] == "**":
        return _fits(names, pattern[1:]) or (not is_hidden and _fits(names[1:], pattern))
    return not is_hidden and fnmatch(names[0], pattern[0]) and _fits(names[1:], pattern[1:])


def _split(folder: Path, pattern: str) -> tuple[Path, tuple[str, ...]]:
    """Return a pattern's folder before any wildcard, and the parts from the first wildcard on.

    A wildcard in the path of `folder`, which the pattern is relative to, is none.
    """
    parts = Path(pattern).parts
    plain = next(
        at for at, part in enumerate((*parts, "*")) if any(sign in part for sign in _SIGNS)
    )
    return folder.joinpath(*parts[:plain]), parts[plain:]
