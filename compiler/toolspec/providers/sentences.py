"""Keywords said in English: one sentence each, the same for the same keyword."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.providers.node import Members, Node, Note, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from toolspec.syntax.nodes import JsonValue

    Said: TypeAlias = Callable[[Node, str], str]

# How often models break what a keyword says, most often first; the longer kept the lower.
_RANKS = {
    word: rank
    for rank, words in enumerate(
        (
            ("enum", "const"),
            ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
            ("pattern",),
            ("format", "contentEncoding", "contentMediaType"),
            ("default",),
            ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"),
        )
    )
    for word in words
}
_REST = 6


def rank(word: str) -> int:
    """Return how soon a keyword's sentence is given up where there is no room, the highest first."""
    return _RANKS.get(word, _REST)


def sentence(node: Node, word: str) -> tuple[int, str]:
    """Return the rank of a keyword's sentence, and the sentence."""
    return rank(word), _SAID.get(word, _other)(node, word)


def shown(value: JsonValue) -> str:
    """Return a value as a sentence shows it: a text bare if it is a plain word, else compact JSON."""
    if isinstance(value, str) and value and value.isprintable() and "," not in value:
        return value if value == value.strip() else compact(value)
    return compact(value)


def compact(value: JsonValue) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def spelt(node: Node) -> str:
    """Return a schema as compact JSON."""
    return compact(write(node.without("$defs")))


def _values(node: Node, word: str) -> str:
    values = node.value(word)
    listed = values if isinstance(values, list) else [values]
    return f"Allowed values: {', '.join(map(shown, listed))}."


def _const(node: Node, word: str) -> str:
    return f"Must be {compact(node.value(word))}."


def _plain(text: str) -> Said:
    return lambda node, word: text.replace("{}", compact(node.value(word)))


def _bare(text: str) -> Said:
    return lambda node, word: text.replace("{}", str(node.value(word)))


def _not(node: Node, word: str) -> str:
    refused = node.one(word) or Node()
    values = refused.value("enum")
    if isinstance(values, list) and refused.words.keys() == {"enum"}:
        return f"Must not be one of: {', '.join(map(shown, values))}."
    if refused.words.keys() == {"const"}:
        return f"Must not be {compact(refused.value('const'))}."
    return f"Must not match this schema: {spelt(refused)}."


def _if(node: Node, word: str) -> str:
    if word != "if":
        return ""
    parts = [f"If it matches {spelt(node.one('if') or Node())}"]
    if then := node.one("then"):
        parts.append(f"then it must match {spelt(then)}")
    if other := node.one("else"):
        parts.append(f"{'otherwise' if 'then' in node else 'or else'} it must match {spelt(other)}")
    return f"{', '.join(parts)}."


def _dependent(node: Node, word: str) -> str:
    needed = node.value(word)
    rules = needed.items() if isinstance(needed, dict) else ()
    return " ".join(
        f"If {name} is given, {_and(names)} {'are' if len(names) > 1 else 'is'} required."
        for name, names in rules
        if isinstance(names, list) and names
    )


def _and(names: list[JsonValue]) -> str:
    texts = [str(each) for each in names]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _contains(node: Node, word: str) -> str:
    if word != "contains":
        return ""
    least, most = node.words.get("minContains", 1), node.words.get("maxContains")
    counted = f"At least {least}" if most is None else f"Between {least} and {most}"
    return f"{counted} of the items must match {spelt(node.one(word) or Node())}."


def _unique(node: Node, word: str) -> str:
    return "Items must be unique." if node.value(word) is True else ""


def _examples(node: Node, word: str) -> str:
    values = node.value(word)
    listed = values if isinstance(values, list) else [values]
    return f"Examples: {', '.join(compact(each) for each in listed)}."


def _tuple(node: Node, word: str) -> str:
    return f"The items are, in this order: {', '.join(spelt(each) for each in node.many(word))}."


def _other(node: Node, word: str) -> str:
    held = node.words[word]
    if isinstance(held, (Node, tuple, Members)):
        held = write(Node({word: held}))
        held = held[word] if isinstance(held, dict) else held
    return f"{word}: {compact(held)}."


def _nothing(_: Node, __: str) -> str:
    return ""


_SAID: dict[str, Said] = {
    "const": _const,
    "contains": _contains,
    "contentEncoding": _bare("Encoded as {}."),
    "contentMediaType": _bare("Media type: {}."),
    "default": _plain("Default: {}."),
    "dependentRequired": _dependent,
    "else": _nothing,
    "enum": _values,
    "examples": _examples,
    "exclusiveMaximum": _plain("Less than {}."),
    "exclusiveMinimum": _plain("Greater than {}."),
    "format": _bare("Format: {}."),
    "if": _if,
    "maxContains": _nothing,
    "maxItems": _plain("At most {} items."),
    "maxLength": _plain("At most {} characters."),
    "maxProperties": _plain("At most {} properties."),
    "maximum": _plain("Maximum {}."),
    "minContains": _nothing,
    "minItems": _plain("At least {} items."),
    "minLength": _plain("At least {} characters."),
    "minProperties": _plain("At least {} properties."),
    "minimum": _plain("Minimum {}."),
    "multipleOf": _plain("A multiple of {}."),
    "not": _not,
    "pattern": _bare("Must match the regular expression {}"),
    "prefixItems": _tuple,
    "then": _nothing,
    "uniqueItems": _unique,
}

# Two that are said in one sentence.
_RANGES = (
    ("minimum", "maximum", "Between {} and {}."),
    ("minLength", "maxLength", "Between {} and {} characters."),
    ("minItems", "maxItems", "At least {} and at most {} items."),
    ("minProperties", "maxProperties", "At least {} and at most {} properties."),
)


def notes(node: Node, words: Iterable[str]) -> list[Note]:
    """Return the sentences for keywords of a schema, in one order whatever order they are written in.

    Those that the author's own description says already are left out.
    """
    left = [word for word in _ORDER if word in node and word in set(words)]
    left += [word for word in node.words if word in set(words) and word not in _ORDER]
    author = node.value("description")
    said = author.casefold() if isinstance(author, str) else ""
    made: list[Note] = []
    for low, high, text in _RANGES:
        if low in left and high in left:
            left = [word for word in left if word not in {low, high}]
            values = (compact(node.value(low)), compact(node.value(high)))
            made.append(Note(rank(low), text.format(*values), node.of(low, high), low))
    made += [Note(*sentence(node, word), node.of(word), word) for word in left]
    return [each for each in made if each.text and each.text.rstrip(".").casefold() not in said]


_ORDER = tuple(_SAID)
