"""What a `$ref` says: a pointer, an anchor, a file of the project, or something never followed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from posixpath import dirname, normpath
from typing import TypeAlias
from urllib.parse import unquote

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FOREIGN = {
    "\\": "a backslash",
    "%": "a percent-encoded path",
    "?": "a query",
    ":": "a colon, which file systems read in their own ways",
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference leads: a file (empty: the one it stands in), then a pointer or an anchor."""

    file: str = ""
    steps: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reference is not followed, as a sentence goes on after "it"."""

    reason: str


Reading: TypeAlias = "Target | Refusal"


def read_reference(text: str, source: str, base: str = "") -> Reading:
    """Return where a reference leads that stands in a file, or why it is not followed.

    `source` is that file's path in the project, `base` the `$id` of the schema it stands in, by
    which a schema may call itself. A file comes back as a normalised path relative to the project's
    root. Only `#…` and relative paths inside the project are followed; URIs of any scheme, absolute
    paths, backslashes, queries and percent-encoded paths are not (threats.md, S1).
    """
    if _CONTROL.search(text):
        return Refusal("contains a control character")
    path, _, fragment = text.partition("#")
    if base and path == base.partition("#")[0]:
        path = ""
    file = _file(path, source) if path else ""
    if isinstance(file, Refusal):
        return file
    fragment = unquote(fragment)
    if fragment and not fragment.startswith("/"):
        return Target(file, anchor=fragment)
    steps = fragment.split("/")[1:]
    return Target(file, tuple(each.replace("~1", "/").replace("~0", "~") for each in steps))


def _file(path: str, source: str) -> str | Refusal:
    if path.startswith("//"):
        return Refusal("leads to another host")
    if _SCHEME.match(path):
        return Refusal(f"is a URI of the scheme `{path.partition(':')[0].lower()}`")
    if path.startswith("/"):
        return Refusal("is an absolute path")
    for sign, name in _FOREIGN.items():
        if sign in path:
            return Refusal(f"contains {name}")
    joined = normpath(f"{dirname(source)}/{path}" if dirname(source) else path)
    if joined == ".." or joined.startswith("../"):
        return Refusal("leads out of the project")
    return "" if joined == source else joined
