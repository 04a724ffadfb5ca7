"""Reads members `x-toolspec-allow: [{rule, reason, until}]` of mappings, except maps of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import SuppressionSource, did_you_mean
from toolspec.frontend.allow_syntax import kinds
from toolspec.frontend.allow_syntax.parsed import (
    DocumentSuppression,
    SuppressedCode,
    is_reason,
)
from toolspec.frontend.edits import delete_item, delete_member
from toolspec.shared.days import is_day
from toolspec.shared.keywords import ALLOW, APPLICATORS, Holds
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Location
    from toolspec.syntax.pointer import Path

FORM = f"`{ALLOW}: [{{rule: CODE, reason: …, until: 2027-01-31}}]`"
_KEYS = ("rule", "reason", "until")
# Keys below these are names, and values below any other keyword are the author's data.
_NAMES = frozenset(word for word, holds in APPLICATORS.items() if holds is Holds.MAP)
_DATA = frozenset({"default", "const", "enum", "examples"})


def read(document: Document, diagnostics: list[Diagnostic]) -> Iterator[DocumentSuppression]:
    """Yield the suppressions in the mappings of a document, and report invalid ones.

    One with an invalid reason or date is yielded too, so that nothing else is reported.
    """
    if ALLOW not in document.source.text:
        return
    for path, value in _members(document.value):
        location = document.location(*path)
        if not isinstance(value, list):
            diagnostics.append(_malformed(location / ALLOW, "is not a list"))
            continue
        covers = _whole(location)
        for index, entry in enumerate(value):
            item = location.at(ALLOW, index)
            for allowance in _allowance(item, entry, covers, diagnostics):
                is_alone = len(value) == 1
                removal = delete_member(location / ALLOW) if is_alone else delete_item(item)
                yield replace(allowance, removal=removal)


def _members(value: JsonValue) -> Iterator[tuple[Path, JsonValue]]:
    """Yield each mapping with the member: its path and the member's value; an aliased one once."""
    visited: set[int] = set()
    waiting: list[tuple[Path, JsonValue, bool]] = [((), value, False)]
    while waiting:
        path, node, has_names = waiting.pop()
        if not isinstance(node, (dict, list)) or id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, list):
            waiting += (((*path, at), child, False) for at, child in enumerate(node))
            continue
        if ALLOW in node and not has_names:
            yield path, node[ALLOW]
        waiting += (
            ((*path, key), child, key in _NAMES and not has_names)
            for key, child in node.items()
            if has_names or (key not in _DATA and key != ALLOW)
        )


def _whole(location: Location) -> Span:
    """Return the span of a mapping with its key; of the root, the whole file."""
    source = location.document.source
    if not location.path:
        return source.span(0, len(source.text))
    spans = location.spans
    start = spans.key.start if spans.key and not spans.via else spans.value.start
    return source.span(start, spans.value.end)


def _allowance(
    location: Location, entry: JsonValue, covers: Span, diagnostics: list[Diagnostic]
) -> Iterator[DocumentSuppression]:
    if not isinstance(entry, dict):
        diagnostics.append(_malformed(location, "is not a mapping"))
        return
    diagnostics += _unknown_keys(location, entry)
    texts = {key: text for key in _KEYS if isinstance(text := entry.get(key, ""), str)}
    diagnostics += (
        _malformed(location / key, f"has a `{key}` that is not a text")
        for key in _KEYS
        if key not in texts
    )
    rule, reason, until = (texts.get(key, "") for key in _KEYS)
    if not rule.strip():
        is_reported = "rule" not in texts or not entry.keys() <= {*_KEYS}
        diagnostics += [] if is_reported else [_malformed(location, "names no rule")]
        return
    is_dated = not until or is_day(until)
    if not is_dated:
        problem = f"has the invalid end date `{until}`"
        diagnostics.append(_malformed(location / "until", problem))
    if "reason" in texts and not is_reason(reason):
        span = location.at("reason").span if "reason" in entry else location.at("rule").span
        example = "" if "reason" in entry else ", as `reason`"
        diagnostics.append(kinds.no_reason(span, reason, example))
    code = SuppressedCode(rule.strip().removesuffix("/*"), location.at("rule").value_span)
    last = until if is_dated and "until" in texts else None
    yield DocumentSuppression(
        SuppressionSource.DOCUMENT, (code,), reason.strip(), last, location.value_span, covers
    )


def _unknown_keys(location: Location, entry: JsonObject) -> Iterator[Diagnostic]:
    for key in entry:
        if key not in _KEYS:
            problem = f"has an unknown key `{key}`; {did_you_mean(key, _KEYS)}"
            yield kinds.MALFORMED.at((location / key).key_span, problem=problem, example=FORM)


def _malformed(location: Location, problem: str) -> Diagnostic:
    return kinds.MALFORMED.at(location.span, problem=problem, example=FORM)
