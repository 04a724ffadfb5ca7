"""Chunks of a streamed result, derived from the whole or stated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label, Subject
from toolspec.frontend.bind import kinds
from toolspec.frontend.edits import member_span
from toolspec.frontend.normalise.roots import rerooted, root_of
from toolspec.ir import Reduction, Schema
from toolspec.shared.media_types import is_json
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool
    from toolspec.syntax.nodes import JsonObject


def with_chunk(tool: Tool) -> Checked[Tool]:
    """Return the tool with the chunk of its stream (language.md, `streaming`).

    Reports a stream whose chunk is neither stated nor derivable, and a media type other than JSON
    on a result that is not text.
    """
    is_broken = "output" in tool.broken or tool.output.broken is None
    root = None if is_broken else root_of(tool.output.bundle)
    if root is None:
        return Checked(replace(tool, chunk=tool.chunk or tool.output) if tool.streaming else tool)
    diagnostics = tuple(_content_type(tool, root))
    if "chunk" in tool.broken or not tool.streaming:
        is_dropped = tool.chunk and "chunk" not in tool.broken
        return Checked(replace(tool, chunk=None) if is_dropped else tool, diagnostics)
    if tool.chunk is not None:
        return Checked(replace(tool, reduction=Reduction.LAST), diagnostics)
    match root.get("type"):
        case "string":
            chunk = Schema.of({"type": "string"}, tool.output.location)
            return Checked(replace(tool, chunk=chunk, reduction=Reduction.JOIN), diagnostics)
        case "array" if "prefixItems" not in root:
            chunk = _items(tool.output, root)
            return Checked(replace(tool, chunk=chunk, reduction=Reduction.LIST), diagnostics)
        case _:
            return Checked(replace(tool, chunk=tool.output), (*diagnostics, *_missing(tool)))


def _items(output: Schema, root: JsonObject) -> Schema:
    """Return the self-contained schema of an array's items; with a location if written there."""
    items = root.get("items", True)
    whole, bundle = output.value, output.bundle
    value, location = items, output.location
    if root is bundle and isinstance(whole, dict) and "items" in whole:
        value, location = whole["items"], location and location / "items"
    if isinstance(items, dict) and isinstance(bundle, dict):
        return Schema(value, rerooted(bundle, items), output.shared, location)
    return Schema(value, items, (), location)


def _missing(tool: Tool) -> Iterator[Diagnostic]:
    if tool.location is None or tool.output.location is None:
        return
    location = tool.output.location
    yield kinds.MISSING_CHUNK.at(
        location.key_span,
        "neither a string nor an array",
        labels=[Label(member_span(tool.location / "streaming"), "streams")],
        subject=Subject(pointer=location.pointer),
    )


def _content_type(tool: Tool, root: JsonObject) -> Iterator[Diagnostic]:
    media_type = tool.output_content_type
    if (
        is_json(media_type)
        or root.get("type") == "string"
        or tool.location is None
        or tool.output.location is None
    ):
        return
    location = tool.output.location
    yield kinds.CONTENT_TYPE_NOT_TEXT.at(
        location.key_span,
        "not a string",
        labels=[Label(member_span(tool.location / "outputContentType"), "not JSON")],
        subject=Subject(pointer=location.pointer),
        media_type=media_type,
    )
