"""Parses references: a URI, resolved against the base of its schema, and a pointer or an anchor."""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import commonprefix, dirname, normpath
from typing import NamedTuple
from urllib.parse import unquote

from toolspec.shared.records import dataclass

_URI = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?", re.DOTALL
)
_FOREIGN = {
    "\\": "a backslash",
    "%": "a percent-encoded path",
    ":": "a colon, which file systems interpret differently",
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Uri(NamedTuple):
    """An identifier without a fragment (RFC 3986); a file of the project has only a path."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None

    def __str__(self) -> str:
        scheme = "" if self.scheme is None else f"{self.scheme}:"
        authority = "" if self.authority is None else f"//{self.authority}"
        query = "" if self.query is None else f"?{self.query}"
        return f"{scheme}{authority}{self.path}{query}"


@dataclass(frozen=True, slots=True)
class Target:
    """A location in a schema: the schema's identifier, and a pointer or an anchor."""

    uri: Uri
    steps: tuple[str, ...] = ()
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Reason for not following a reference, as a sentence continues after "it"."""

    reason: str


@lru_cache(maxsize=1024)
def file_uri(path: str) -> Uri:
    """Return the identifier of a file of the project."""
    return Uri(None, None, path, None)


def read_reference(text: str, base: Uri) -> Target | Refusal:
    """Return the target of a reference in a schema with a base."""
    if _CONTROL.search(text):
        return Refusal("contains a control character")
    fragment = unquote(text.partition("#")[2])
    uri = joined(base, text)
    if fragment and not fragment.startswith("/"):
        return Target(uri, anchor=fragment)
    steps = fragment.split("/")[1:]
    return Target(uri, tuple(step.replace("~1", "/").replace("~0", "~") for step in steps))


def joined(base: Uri, text: str) -> Uri:
    """Return the identifier of a text resolved against a base, without its fragment.

    RFC 3986, section 5.2. Against a file of the project a relative path keeps `..` at its start, so
    that one which leaves the project can be detected.
    """
    text = text.partition("#")[0]
    if not text:
        return base
    match = _URI.match(text)
    assert match is not None, "each part of the expression may be empty"
    scheme, authority, path, query = match.groups()
    if scheme is not None:
        return Uri(scheme.lower(), authority, _without_dots(path, authority), query)
    if authority is not None:
        return Uri(base.scheme, authority, _without_dots(path, authority), query)
    if not path:
        return base._replace(query=base.query if query is None else query)
    if base.scheme is None:
        # An absolute path stays absolute: documents cannot name the project's root.
        beside = f"{dirname(base.path)}/{path}" if dirname(base.path) else path
        return Uri(None, None, path if path.startswith("/") else normpath(beside), query)
    if not path.startswith("/"):
        folder = base.path.rpartition("/")[0]
        path = f"{folder}/{path}" if folder or base.path.startswith("/") or base.authority else path
    return Uri(base.scheme, base.authority, _without_dots(path, base.authority), query)


def file_of(uri: Uri, source: str) -> str | Refusal:
    """Return the file of the project that a reference in another file means, or a refusal.

    Only relative paths inside the project are followed; URIs of any scheme, absolute paths,
    backslashes, queries and percent-encoded paths are not (threats.md, S1). The folders that
    both files share are trusted, whatever their names.
    """
    trusted = commonprefix([dirname(source).split("/"), uri.path.split("/")])
    untrusted = "/".join(uri.path.split("/")[len(trusted) :])
    sign = next((mark for mark in _FOREIGN if mark in untrusted), "")
    reason = ""
    if uri.scheme is not None:
        reason = f"is a URI of the scheme `{uri.scheme}`, and no `$id` declares it"
    elif uri.authority is not None:
        reason = "names another host"
    elif uri.path.startswith("/"):
        reason = "is an absolute path"
    elif uri.query is not None:
        reason = "contains a query"
    elif sign:
        reason = f"contains {_FOREIGN[sign]}"
    elif uri.path == ".." or uri.path.startswith("../"):
        reason = "points outside the project"
    return Refusal(reason) if reason else uri.path


def _without_dots(path: str, authority: str | None) -> str:
    """Return a path without `.` and `..` (RFC 3986, section 5.2.4)."""
    if authority is None and not path.startswith("/"):
        return path  # a path without a hierarchy, such as that of a URN
    steps = path.split("/")
    remaining: list[str] = []
    for number, step in enumerate(steps):
        is_last = number == len(steps) - 1
        if step == "..":
            del remaining[max(len(remaining) - 1, 1) :]
        elif step != ".":
            remaining.append(step)
        if step in {".", ".."} and is_last:
            remaining.append("")
    return "/".join(remaining)
