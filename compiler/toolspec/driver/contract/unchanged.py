"""Whether the documents of a folder are those of a revision, as their bytes tell.

A comparison without a difference imports this module alone, so it imports only what the interpreter
has loaded already. Git names the blobs of the revision; the files are read and hashed here, since
`git diff` and `git status` run filters, and trust times.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Where the repository is; other variables of git name programs, or files that it writes.
_REPOSITORY = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_CEILING_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM",
        "GIT_OBJECT_DIRECTORY",
        "GIT_WORK_TREE",
    }
)
_OFFLINE = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
CONFIGURATIONS = ("toolspec.toml", "pyproject.toml")
# As in `workspace`, which is too expensive to import here.
_SUFFIXES = (".yaml", ".yml", ".json")
_OF_TOOLS = frozenset({"node_modules", "__pycache__"})
_FILE = b"100"
# A reference inside its own document, as documents are usually written. Any other mention of another
# file, and every escape that could hide one, makes a document one with files of its own.
_OWN_REFERENCES = tuple(
    f"$ref{after}:{space}{quote}#".encode()
    for space in (" ", "")
    for after in ("", '"', "'")
    for quote in ("'", '"')
)
_ESCAPES = (b"\\u", b"\\U", b"\\x")
# Settings that name other documents than the default.
_DEFAULT = b'specs = ["specs"]'
_SETTINGS = (b"specs",)
# Settings that lead out of the repository, or judge changes.
_OUTSIDE = (b"..", b'"/', b"'/", b"contract")


def git_environment() -> dict[str, str]:
    """Return the environment of git: it finds the repository, and neither runs programs nor fetches."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _REPOSITORY
    }
    return {**kept, **_OFFLINE}


def has_files(text: bytes) -> bool:
    """Return whether a document may read other files."""
    if b"include" in text or (b"\\" in text and any(escape in text for escape in _ESCAPES)):
        return True
    others = text.count(b"$ref")
    for own in _OWN_REFERENCES:
        others -= text.count(own) if others else 0
    return others > 0


def is_unchanged(revision: str, folder: str) -> bool:
    """Return whether a folder has the configuration and documents of a revision, byte by byte.

    False also means that this cannot be told here.
    """
    try:
        return _is_unchanged(revision, os.path.realpath(folder))
    except (OSError, ValueError):
        return False


def _is_unchanged(revision: str, folder: str) -> bool:
    if revision.startswith("-") or not hasattr(os, "posix_spawnp"):
        return False
    about = _git(folder, "rev-parse", "--show-toplevel", "--show-prefix")
    top, prefix = os.fsdecode(about).removesuffix("\n").split("\n")
    prefix = prefix.removesuffix("/")
    if os.path.realpath(_joined(top, prefix)) != folder or _is_configured_above(top):
        return False
    tree = _Tree(_git(folder, "ls-tree", "-r", "-z", "--full-tree", f"{revision}^{{commit}}"), top)
    parts = prefix.split("/") if prefix else []
    levels = ["/".join(parts[:depth]) for depth in range(len(parts), -1, -1)]
    names = [_joined(level, name) for level in levels for name in CONFIGURATIONS]
    configured = [name for name in names if name in tree.blobs or os.path.lexists(f"{top}/{name}")]
    settings = b"".join(map(tree.text, configured)).replace(_DEFAULT, b"")
    if not all(map(tree.is_same, configured)) or any(word in settings for word in _OUTSIDE):
        return False
    root = os.path.dirname(configured[0]) if configured else prefix  # noqa: PTH120 - pathlib is not loaded yet
    specs = _joined(prefix, "specs")
    if root != prefix or any(word in settings for word in _SETTINGS) or not tree.has(specs):
        return tree.is_same_in(root)
    documents = tree.documents(specs)
    return tree.is_same_in(specs) and (
        documents == tree.documents(root) | tree.files(root)
        or not any(has_files(tree.text(name)) for name in documents)
        or tree.is_same_in(root)
    )


def _is_configured_above(folder: str) -> bool:
    """Return whether a folder above has a configuration, which no revision has."""
    above = os.path.dirname(folder)  # noqa: PTH120 - as above
    return above != folder and (
        any(os.path.lexists(_joined(above, name)) for name in CONFIGURATIONS)
        or _is_configured_above(above)
    )


class _Tree:
    """The files of a commit, and of the work tree at `top`, by their paths below it."""

    def __init__(self, listing: bytes, top: str) -> None:
        self._top = top
        self._same: set[str] = set()
        self.blobs: dict[str, tuple[bytes, bytes]] = {}
        for line in listing.split(b"\0")[:-1]:
            about, _, path = line.partition(b"\t")
            mode, _, blob = about.split(b" ")
            self.blobs[os.fsdecode(path)] = mode, blob

    def text(self, name: str) -> bytes:
        """Return the bytes of a file in the work tree. Raises OSError."""
        with open(f"{self._top}/{name}", "rb") as file:  # noqa: PTH123 - as above
            return file.read()

    def has(self, folder: str) -> bool:
        """Return whether the work tree has a folder."""
        return os.path.isdir(f"{self._top}/{folder}")  # noqa: PTH112 - as above

    def is_same(self, name: str) -> bool:
        """Return whether a file has the same bytes in both."""
        mode, blob = self.blobs.get(name, (b"", b""))
        is_file = mode.startswith(_FILE) and not os.path.islink(f"{self._top}/{name}")  # noqa: PTH114 - as above
        if name not in self._same and is_file and _hash(self.text(name), len(blob)) == blob:
            self._same.add(name)
        return name in self._same

    def is_same_in(self, folder: str) -> bool:
        """Return whether a folder has the same documents in both, without a link or a submodule."""
        documents = self.documents(folder)
        return documents == self.files(folder) and all(map(self.is_same, documents))

    def documents(self, folder: str) -> set[str]:
        """Return the documents of the commit in a folder. Raises ValueError for what is no file."""
        start = f"{folder}/" if folder else ""
        inside = [name for name in self.blobs if name.startswith(start)]
        if any(not self.blobs[name][0].startswith(_FILE) for name in inside):
            raise ValueError(folder)
        return {name for name in inside if name.lower().endswith(_SUFFIXES)}

    def files(self, folder: str) -> set[str]:
        """Return the documents of the work tree in a folder. Raises ValueError for a link."""
        tracked = {os.path.dirname(name) for name in self.documents(folder)}  # noqa: PTH120 - as above
        return set(self._files(folder, tracked))

    def _files(self, folder: str, tracked: set[str]) -> Iterator[str]:
        with os.scandir(f"{self._top}/{folder}") as listing:
            entries = [*listing]
        for entry in entries:
            name = _joined(folder, entry.name)
            if entry.is_symlink():
                raise ValueError(name)
            if entry.is_dir():
                is_left_out = entry.name.startswith(".") or entry.name in _OF_TOOLS
                if not is_left_out or any(f"{at}/".startswith(f"{name}/") for at in tracked):
                    yield from self._files(name, tracked)
            elif name.lower().endswith(_SUFFIXES):
                yield name


def _joined(folder: str, name: str) -> str:
    return os.path.join(folder, name)  # noqa: PTH118 - as above


def _hash(text: bytes, length: int) -> bytes:
    """Return the name of a blob with some bytes, of 40 or 64 digits."""
    from hashlib import sha1, sha256

    made = sha1(usedforsecurity=False) if length == 40 else sha256()  # noqa: PLR2004 - digits of SHA-1
    made.update(b"blob %d\0" % len(text))
    made.update(text)
    return made.hexdigest().encode()


def _git(folder: str, *arguments: str) -> bytes:
    """Return the output of a command of git, as `revisions` runs it. Raises OSError if it fails."""
    reading, writing = os.pipe()
    with open(reading, "rb") as output:  # noqa: PTH123 - a pipe
        try:
            process = os.posix_spawnp(
                "git",
                ["git", "-C", folder, "--no-pager", *arguments],
                git_environment(),
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_DUP2, writing, 1),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                ],
            )
        finally:
            os.close(writing)
        text = output.read()
        _, status = os.waitpid(process, 0)
    if status:
        raise OSError(status)
    return text
