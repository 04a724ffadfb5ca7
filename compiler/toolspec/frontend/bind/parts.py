"""Binds what services and tools share: icons, permissions, scopes, timeouts, hooks, titles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.ir import Hooks, Icon, Permission, PermissionKind, ScopeRule, Timeout
from toolspec.shared.whitespace import single_spaced

if TYPE_CHECKING:
    from toolspec.frontend.fields import Fields
    from toolspec.syntax.nodes import JsonValue

# A word is an acronym (capitals not followed by a small letter), or an optional capital and small
# letters; digits belong to the preceding word. `URLs` is one word.
_WORD = re.compile(r"[A-Z]+s?(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
# A full stop that ends a sentence is followed by space, and does not end one of these
# abbreviations. The abbreviations are checked last: at every letter it would be slow.
_SENTENCE_END = re.compile(
    r"[.!?](?=\s)(?<!\be\.g.)(?<!\bi\.e.)(?<!\bvs.)(?<!\bcf.)|[。！？]", re.IGNORECASE
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def title(name: str) -> str:
    """Return a name in title case: `listRepositories` is `List Repositories`.

    Acronyms keep their capitals: `getURL` is `Get URL`, `HTTPStatus` is `HTTP Status`.
    """
    words = _WORD.findall(name) or [name]
    return " ".join(word[:1].upper() + word[1:] for word in words)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text on one line; the first paragraph if it has no end."""
    paragraph = _BLANK_LINE.split(text.strip(), maxsplit=1)[0]
    match = _SENTENCE_END.search(paragraph)
    return single_spaced(paragraph[: match.end()] if match else paragraph)


_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def bind_icons(fields: Fields) -> tuple[Icon, ...]:
    """Return the MCP icon objects."""
    return tuple(
        Icon(icon.text("src"), icon.text("mimeType"), icon.texts("sizes"), icon.text("theme"))
        for icon in fields.each("icons")
    )


def bind_permissions(fields: Fields) -> tuple[Permission, ...]:
    """Return the permissions, each of the kind whose key it has."""
    return tuple(
        Permission(kind, entry.text(kind.value), entry.text("op"))
        for entry in fields.each("permissions")
        for kind in PermissionKind
        if kind.value in entry
    )


def bind_scopes(fields: Fields) -> tuple[ScopeRule, ...]:
    """Return the scope rules, all required."""
    rules = []
    for index, value in enumerate(fields.items("scopes")):
        if isinstance(value, str):
            rules.append(ScopeRule((value,)))
            continue
        choice = type(fields).of(value, fields.location.at("scopes", index))
        rules.append(ScopeRule(choice.texts("any")))
    return tuple(rules)


def bind_timeout(fields: Fields) -> Timeout:
    """Return the limits in seconds."""
    limits = fields.within("timeout")
    if limits is None:
        return Timeout()
    return Timeout(seconds(limits.get("idle")), seconds(limits.get("total")))


def seconds(duration: JsonValue) -> float | None:
    """Return a duration in seconds: `500ms`, `30s`, `2m`, `1h` or a number; None for others."""
    match duration:
        case bool():
            return None
        case int() | float():
            return float(duration)
        case str():
            number = duration.rstrip("mhs")
            unit = _SECONDS.get(duration[len(number) :])
            return None if unit is None else float(number) * unit
        case _:
            return None


def bind_hooks(fields: Fields) -> Hooks:
    """Return the names of the requested hooks."""
    return Hooks(
        middleware=fields.texts("middleware"),
        before=fields.texts("before"),
        after=fields.texts("after"),
        after_response=fields.texts("afterResponse"),
    )


def nest(outer: Hooks, inner: Hooks) -> Hooks:
    """Return both in the order in which they run (runtime.md): outer first before, last after.

    A hook in both runs once, in the position of the outer one.
    """
    if not inner.names:
        return outer
    return Hooks(
        middleware=_once(*outer.middleware, *inner.middleware),
        before=_once(*outer.before, *inner.before),
        after=_once(*_without(inner.after, outer.after), *outer.after),
        after_response=_once(
            *_without(inner.after_response, outer.after_response), *outer.after_response
        ),
    )


def _once(*names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _without(names: tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in others)
