"""Check of `x-mcp-header` (MCP 2026-07-28): an argument that is repeated as an HTTP header."""

from __future__ import annotations

from re import compile as compile_pattern
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject
from toolspec.schema.walk import subschemas
from toolspec.shared.validator import text_finder
from toolspec.targets.mcp.kinds import BAD_HEADER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Schema, Service
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

KEYWORD = "x-mcp-header"
MIRRORED = ("string", "integer", "boolean")
# A field name of HTTP is a token (RFC 9110 section 5.6.2).
_TOKEN = compile_pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def check_headers(service: Service) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each invalid header annotation of a tool."""
    uses = _Uses()
    for tool in service.tools:
        for diagnostic in check_schema(tool.input) if uses.are_in(tool.input.bundle) else ():
            yield diagnostic.about(service=service.name, tool=tool.names.full)


class _Uses:
    """Search for the annotation in bundles, once in each definition: bundles share their copies."""

    def __init__(self) -> None:
        self._find = text_finder(f"^{KEYWORD}$")
        self._known: dict[int, tuple[JsonValue, bool]] = {}

    def are_in(self, bundle: JsonValue) -> bool:
        """Return whether a bundle may have the annotation: whether any key or text is its name."""
        if not isinstance(bundle, dict):
            return False
        named = bundle.get("$defs")
        own = {key: value for key, value in bundle.items() if key != "$defs"}
        definitions = named.values() if isinstance(named, dict) else ()
        return self._find(own) or any(map(self._is_in, definitions))

    def _is_in(self, definition: JsonValue) -> bool:
        if id(definition) not in self._known:
            self._known[id(definition)] = definition, self._find(definition)
        return self._known[id(definition)][1]


def check_schema(schema: Schema) -> list[Diagnostic]:
    """Return a diagnostic for every annotation that makes clients hide the tool."""
    diagnostics: list[Diagnostic] = []
    header_paths: dict[str, Path] = {}
    for path, annotated in subschemas(schema.bundle):
        if isinstance(annotated, bool) or KEYWORD not in annotated:
            continue
        problem = _problem(annotated, path)
        first = path if problem else header_paths.setdefault(str(annotated[KEYWORD]).lower(), path)
        if first != path:
            problem = "names a header that another property has"
        if problem:
            diagnostics.append(_finding(schema, path, problem, first))
    return diagnostics


def _problem(annotated: JsonObject, path: Path) -> str:
    """Return the problem of a single annotation; empty if it is valid."""
    # A path through `properties` alone alternates that keyword with names.
    if not path or any(step != "properties" for step in path[::2]):
        return "is not on a single argument"
    header = annotated[KEYWORD]
    if not isinstance(header, str) or not _TOKEN.fullmatch(header):
        return "is not a header name"
    kind = annotated.get("type")
    if kind not in MIRRORED:
        return "is on a property that is not a string, integer or boolean"
    return ""


def _finding(schema: Schema, path: Path, problem: str, first: Path) -> Diagnostic:
    if schema.location is None:
        return BAD_HEADER.at(None, problem=problem)
    location = schema.location.at(*path, KEYWORD)
    other = schema.location.at(*first, KEYWORD)
    return BAD_HEADER.at(
        location.span,
        labels=[] if first == path else [Label(other.span, "first here")],
        subject=Subject(pointer=location.pointer),
        problem=problem,
    )
