"""Copies of a revision's specs: read from the objects of a git repository, never checked out.

Only `git rev-parse`, `git ls-tree` and `git cat-file` run: none of them reads the work tree, runs a
hook, a filter or another program, or uses the network.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from shlex import quote
from shutil import which
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from toolspec.diagnostics import Checked
from toolspec.driver.config import Config, Project, find_project
from toolspec.driver.contract import revision_kinds as kinds
from toolspec.driver.contract.unchanged import CONFIGURATIONS, git_environment
from toolspec.driver.workspace import is_document
from toolspec.syntax.limits import MAX_BYTES
from toolspec.targets.templates import SUFFIX as TEMPLATE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic, DiagnosticKind

_LINK = "120000"
_MOST_AT_ONCE = 64 << 20


class _Entry(NamedTuple):
    """A file of a revision: its path below the repository's folder, and its blob.

    That of a submodule is the name of a commit of another repository.
    """

    path: str
    blob: str
    size: int
    is_link: bool
    is_submodule: bool = False


class _GitError(Exception):
    """A command of git failed, with the first line of its error as message."""


class _Repository:
    """The repository of a folder, read by commands of git."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program, self._folder = program, folder
        self._environment = git_environment()
        self.prefix = os.fsdecode(self.run("rev-parse", "--show-prefix")).removesuffix("\n")

    def run(self, *arguments: str, data: bytes = b"") -> bytes:
        """Return the output of a command. Raises _GitError."""
        command = [self._program, "--no-pager", *arguments]
        done = subprocess.run(  # noqa: S603 - constant commands; a revision follows `--end-of-options`
            command,
            cwd=self._folder,
            env=self._environment,
            input=data,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            lines = os.fsdecode(done.stderr).strip().splitlines()
            raise _GitError(lines[0].removeprefix("fatal: ") if lines else "git failed")
        return done.stdout

    def commit(self, revision: str) -> str:
        """Return the name of a revision's commit. Raises _GitError."""
        wanted = f"{revision}^{{commit}}"
        return self.run("rev-parse", "--verify", "--end-of-options", wanted).decode().strip()

    def entries(self, commit: str) -> list[_Entry]:
        """Return the files of a commit, and its submodules. Raises _GitError."""
        listed = self.run("ls-tree", "-r", "-z", "--long", "--full-tree", commit)
        entries: list[_Entry] = []
        for line in filter(None, listed.split(b"\0")):
            about, _, path = line.partition(b"\t")
            mode, kind, blob, size = about.decode().split()
            count = int(size) if size.isdigit() else 0
            name, is_submodule = os.fsdecode(path), kind == "commit"
            entries.append(_Entry(name, blob, count, mode == _LINK, is_submodule))
        return entries

    def contents(self, entries: Iterable[_Entry]) -> Iterator[tuple[_Entry, bytes | None]]:
        """Yield each file with its content, None if the clone lacks it. Raises _GitError."""
        group: list[_Entry] = []
        size = 0
        for entry in entries:
            group.append(entry)
            size += entry.size
            if size > _MOST_AT_ONCE:
                yield from self._read(group)
                group, size = [], 0
        yield from self._read(group)

    def _read(self, entries: list[_Entry]) -> Iterator[tuple[_Entry, bytes | None]]:
        names = "".join(f"{entry.blob}\n" for entry in entries).encode()
        output = self.run("cat-file", "--batch", data=names) if entries else b""
        at = 0
        for entry in entries:
            end = output.index(b"\n", at)
            head = output[at:end].split()
            at = end + 1
            if len(head) != 3:  # noqa: PLR2004 - name, type and size; or `missing`
                yield entry, None
                continue
            size = int(head[2])
            yield entry, output[at : at + size]
            at += size + 1

    def is_shallow(self) -> bool:
        """Return whether the clone lacks a part of the history."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == b"true"


def file_at_revision(revision: str, folder: Path, name: str) -> Checked[str | None]:
    """Return the text of a file in a folder at a revision; None if there was no such file."""
    opened = _opened(revision, folder)
    if opened.value is None:
        return Checked(None, opened.diagnostics)
    repository, commit = opened.value
    path = f"{repository.prefix}{name}"
    try:
        entries = [
            entry
            for entry in repository.entries(commit)
            if entry.path == path and not entry.is_submodule
        ]
        for _, content in repository.contents(entries):
            if content is None:
                missing = kinds.MISSING_OBJECT.at(None, path=path, revision=revision)
                return Checked(None, (missing,))
            return Checked(content.decode("utf-8", "replace"))
    except _GitError as error:
        return Checked(None, (_unreadable(revision, error),))
    return Checked(None)


def _opened(revision: str, folder: Path) -> Checked[tuple[_Repository, str] | None]:
    """Return the repository of a folder, and the commit of a revision."""
    program = which("git")
    if program is None:
        return Checked(None, (kinds.NO_GIT.at(None),))
    try:
        repository = _Repository(program, folder)
    except (_GitError, OSError) as error:
        return Checked(None, (_unreadable(revision, error),))
    try:
        return Checked((repository, repository.commit(revision)))
    except (_GitError, ValueError):
        return Checked(None, (_unknown(repository, revision),))


def _unreadable(revision: str, error: Exception) -> Diagnostic:
    return kinds.NO_REPOSITORY.at(None, revision=revision, reason=str(error))


@contextmanager
def copied_revision(revision: str, folder: Path) -> Iterator[Checked[Path | None]]:
    """Yield the folder of a copy that is to a revision what some folder is to the work tree.

    The copy has the revision's configuration and the files that a compile reads: documents below the
    project and below the paths of `specs`, and templates. It is removed afterwards. The value is None
    if the revision cannot be read.
    """
    opened = _opened(revision, folder)
    if opened.value is None:
        yield Checked(None, opened.diagnostics)
        return
    repository, commit = opened.value
    with TemporaryDirectory(prefix="toolspec-") as temporary:
        # Ends the search for a configuration. The name of the folder is part of messages.
        (Path(temporary) / CONFIGURATIONS[0]).touch()
        top = Path(os.path.realpath(temporary)) / (
            _top_name(folder, repository.prefix) or "project"
        )
        copy = _Copy(repository, top, revision)
        try:
            yield copy.made(repository.entries(commit))
        except _GitError as error:
            yield Checked(None, (_unreadable(revision, error),))


def _top_name(folder: Path, prefix: str) -> str:
    depth = len(PurePosixPath(prefix).parts)
    path = folder.resolve()
    return path.parents[depth - 1].name if depth else path.name


def _unknown(repository: _Repository, revision: str) -> Diagnostic:
    """Return a diagnostic with the command that fetches a revision."""
    remote, slash, name = revision.partition("/")
    fetch = f"git fetch {quote(remote)} {quote(name)}" if slash else "git fetch origin"
    fetch = f"{fetch} {quote(revision)}" if not slash and revision.isalnum() else fetch
    cause = ""
    if repository.is_shallow():
        cause = ": this is a shallow clone"
        fetch = "git fetch --unshallow" if "~" in revision or "^" in revision else fetch
    return kinds.UNKNOWN_REVISION.at(
        None, revision=revision, cause=cause, suggestion=f"correct its name, or fetch it: `{fetch}`"
    )


class _Copy:
    """Writes files of a revision below a folder, and nothing outside it.

    Files that it cannot write are reported if they are configurations or below the paths of `specs`.
    """

    def __init__(self, repository: _Repository, top: Path, revision: str) -> None:
        self._repository, self._top, self._revision = repository, top, revision
        self._diagnostics: list[Diagnostic] = []
        self._reported = {"."}
        self._links: list[Path] = []
        self._copied: set[str] = set()

    def made(self, entries: list[_Entry]) -> Checked[Path | None]:
        """Return the copy of the folder in which the comparison was started. Raises _GitError."""
        submodules = [entry.path for entry in entries if entry.is_submodule]
        entries = [entry for entry in entries if _is_plain(entry.path) and not entry.is_submodule]
        start = self._top / self._repository.prefix
        start.mkdir(parents=True)
        above = {"", *(f"{folder}/" for folder in _parents(self._repository.prefix))}
        self._write(
            entry
            for entry in entries
            for folder, _, name in [entry.path.rpartition("/")]
            if name in CONFIGURATIONS and f"{folder}/".lstrip("/") in above
        )
        project = find_project(start).value
        if not project.root.is_relative_to(self._top):  # it has none
            project = Project(start, Config())
        root = project.root.relative_to(self._top).as_posix()
        config = project.config
        exact = {_inside(root, render.template) for render in config.renders}
        inside = (_inside(root, _plain_start(path)) for path in config.specs)
        self._reported = {folder for folder in inside if folder is not None}
        for path in submodules:
            if any(folder == path or _is_within(folder, (path,)) for folder in self._reported) or (
                "." not in self._reported and _is_within(path, self._reported)
            ):
                at = kinds.SUBMODULE.at(None, path=path, revision=self._revision)
                self._diagnostics.append(at)
        folders = {root, *self._reported}
        self._write(
            entry
            for entry in entries
            if entry.path in exact
            or (
                (entry.is_link or is_document(entry.path) or entry.path.endswith(TEMPLATE_SUFFIX))
                and _is_within(entry.path, folders)
            )
        )
        return Checked(start, tuple(self._diagnostics))

    def _write(self, wanted: Iterable[_Entry]) -> None:
        """Write some files, links last, so that no file is written through one of them."""
        entries = [entry for entry in wanted if entry.path not in self._copied]
        self._copied.update(entry.path for entry in entries)
        links: list[tuple[_Entry, bytes]] = []
        for entry, content in self._repository.contents(entries):
            if content is None:
                self._report(kinds.MISSING_OBJECT, entry.path)
            elif entry.is_link:
                links.append((entry, content))
            elif at := self._free(entry):
                at.write_bytes(content[: MAX_BYTES + 1])
        for entry, content in links:
            target = os.fsdecode(content)
            within = os.path.normpath(f"{PurePosixPath(entry.path).parent}/{target}")
            if Path(target).is_absolute() or within.split("/")[0] == "..":
                self._report(kinds.LINK_OUTSIDE, entry.path)
            elif at := self._free(entry):
                at.symlink_to(target)
                self._links.append(at)
        for link in self._links:  # one can lead out of the copy through others
            if link.is_symlink() and not Path(os.path.realpath(link)).is_relative_to(self._top):
                link.unlink()
                self._report(kinds.LINK_OUTSIDE, link.relative_to(self._top).as_posix())

    def _free(self, entry: _Entry) -> Path | None:
        """Return the path of a new file; None if a link, or another file, is in its way."""
        at = self._top / entry.path
        if os.path.lexists(at) or os.path.realpath(at.parent) != str(at.parent):
            return None
        try:
            at.parent.mkdir(parents=True, exist_ok=True)
        except OSError:  # a name that is too long, or a file in place of a folder
            return None
        return at

    def _report(self, kind: DiagnosticKind, path: str) -> None:
        if (is_document(path) or path.endswith(CONFIGURATIONS)) and _is_within(
            path, self._reported
        ):
            self._diagnostics.append(kind.at(None, path=path, revision=self._revision))


def _is_plain(path: str) -> bool:
    """Return whether a path leads into the folder to which it is relative."""
    parts = path.split("/")
    return not {"", ".", ".."} & set(parts) and ".git" not in map(str.lower, parts)


def _parents(prefix: str) -> Iterator[str]:
    """Yield a folder and those above it, as texts, without the top."""
    path = PurePosixPath(prefix)
    yield from (str(folder) for folder in (path, *path.parents) if str(folder) != ".")


def _is_within(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path of the repository is one of some folders, or below one."""
    return any(folder in (".", path) or path.startswith(f"{folder}/") for folder in folders)


def _plain_start(path: str) -> str:
    """Return the part of a path before its first wildcard."""
    parts = path.split("/")
    plain = next((at for at, part in enumerate(parts) if any(s in part for s in "*?[")), len(parts))
    return "/".join(parts[:plain]) or "."


def _inside(root: str, path: str) -> str | None:
    """Return a path of the project as one of the repository; None for one outside."""
    whole = os.path.normpath(f"{root}/{path}")
    return None if Path(path).is_absolute() or whole.split("/")[0] == ".." else whole
