"""Collects the files of one service: its document and those that `include` names."""

from __future__ import annotations

import re
from posixpath import dirname, normpath, relpath
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label, Subject, has_errors
from toolspec.frontend import shape
from toolspec.frontend.fields import Fields
from toolspec.frontend.includes import kinds
from toolspec.shared.records import dataclass
from toolspec.syntax.limits import MAX_DIAGNOSTICS, too_many

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.frontend.files import Files
    from toolspec.syntax.nodes import Document, Location

_MAGIC = re.compile(r"[*?\[]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FOREIGN = re.compile(r"[\\\x00-\x1f\x7f]")
_PARTIAL_STARS = re.compile(r"[^/]\*\*|\*\*[^/]")


@dataclass(frozen=True, slots=True)
class Unit:
    """One service: its document and its included files, in the order of `include`.

    `is_whole` is false if some included file could not be read.
    """

    document: Document
    fragments: tuple[Document, ...] = ()
    is_whole: bool = True

    @property
    def documents(self) -> tuple[Document, ...]:
        """All documents, the main one first."""
        return (self.document, *self.fragments)


def expand(document: Document, files: Files) -> Checked[Unit]:
    """Return a service document with its validated included files.

    Reports patterns that match nothing, leave the project or are invalid, files included twice, and
    every shape error of an included file. A file that cannot be read is left out; after very many,
    no further one is looked for. The document itself may be of any shape.
    """
    fragments: list[Document] = []
    diagnostics: list[Diagnostic] = []
    included_at: dict[str, Location] = {}
    is_whole, refused = True, 0
    value = document.value if isinstance(document.value, dict) else {}
    root = Fields(value, document.location())
    for index, pattern in enumerate(root.items("include")):
        if not isinstance(pattern, str):
            continue
        location = root.location.at("include", index)
        if refused > MAX_DIAGNOSTICS:
            diagnostics[-1] = too_many(diagnostics[-1]).about(pointer=location.pointer)
            break
        paths = _paths(pattern, location, files)
        diagnostics += paths.diagnostics
        if has_errors(paths.diagnostics):
            is_whole, refused = False, refused + 1
        for path in paths.value:
            if path in included_at:
                diagnostics.append(_twice(path, location, included_at[path]))
                refused += 1
                continue
            included_at[path] = location
            fragment = _fragment(path, location, files)
            diagnostics += fragment.diagnostics
            if fragment.value is None:
                is_whole, refused = False, refused + 1
            else:
                fragments.append(fragment.value)
    return Checked(Unit(document, tuple(fragments), is_whole), tuple(diagnostics))


def _paths(pattern: str, location: Location, files: Files) -> Checked[tuple[str, ...]]:
    """Return the files that one entry of `include` matches, without the including document."""
    own = location.document.source.path
    reason = _refusal(pattern, own)
    if reason:
        return Checked((), (_at(kinds.BAD_INCLUDE, location, pattern=pattern, reason=reason),))
    path = _join(own, pattern)
    if not _MAGIC.search(pattern):
        if path == own:
            return Checked((), (_at(kinds.SELF_INCLUDE, location),))
        return Checked((path,))
    matches = files.glob(path, location)
    paths = tuple(match for match in matches.value if match != own)
    if paths or has_errors(matches.diagnostics):
        return Checked(paths, matches.diagnostics)
    nothing = _at(kinds.INCLUDES_NOTHING, location, pattern=pattern, path=path)
    return Checked((), (*matches.diagnostics, nothing))


def _refusal(pattern: str, own: str) -> str:
    """Return why a pattern is rejected, as a sentence continues after "it"; or an empty text."""
    if pattern.startswith(("/", "~")):
        return "is an absolute path"
    if _SCHEME.match(pattern):
        return "is a URL or names a drive"
    if _FOREIGN.search(pattern):
        return "contains a backslash or a control character"
    # Each further `**` would multiply the steps of the search by the depth of the folders.
    if _PARTIAL_STARS.search(pattern) or pattern.count("**") > 1:
        return "uses `**` twice or inside a name (use it once, in place of folders)"
    joined = _join(own, pattern)
    if joined == ".." or joined.startswith("../"):
        return "leads out of the project"
    return ""


def _join(own: str, pattern: str) -> str:
    return normpath(f"{dirname(own)}/{pattern}" if dirname(own) else pattern)


def _fragment(path: str, location: Location, files: Files) -> Checked[Document | None]:
    parsed = files.read(path, location)
    if parsed.value is None:
        if parsed.diagnostics:
            return Checked(None, parsed.diagnostics)
        if files.is_folder(path):
            inside = f"{relpath(path, dirname(location.document.source.path))}/*.yaml"
            folder = _at(kinds.INCLUDES_FOLDER, location, path=path, files=inside)
            return Checked(None, (folder,))
        return Checked(None, (_at(kinds.INCLUDES_NOTHING, location, pattern=path, path=path),))
    fragment = parsed.value
    if isinstance(fragment.value, dict) and "service" in fragment.value:
        service = Label(fragment.location("service").key_span, "a service of its own")
        diagnostic = kinds.INCLUDES_SERVICE.at(
            location.value_span,
            labels=[service],
            subject=Subject(pointer=location.pointer),
            path=path,
        )
        return Checked(None, (*parsed.diagnostics, diagnostic))
    form = shape.fragment_form(location.document)
    checked = shape.review(fragment, form, parsed.diagnostics)
    return Checked(checked.value, (*parsed.diagnostics, *checked.diagnostics))


def _twice(path: str, location: Location, first: Location) -> Diagnostic:
    labels = [] if location == first else [Label(first.value_span, "included here already")]
    return kinds.INCLUDED_TWICE.at(
        location.value_span, labels=labels, subject=Subject(pointer=location.pointer), path=path
    )


def _at(kind: DiagnosticKind, location: Location, **parameters: object) -> Diagnostic:
    diagnostic = kind.at(location.value_span, **parameters)  # type: ignore[arg-type] # only message parameters
    return diagnostic.about(pointer=location.pointer)
