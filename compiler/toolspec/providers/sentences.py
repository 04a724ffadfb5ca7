"""English sentences for keywords, one each, identical for identical keywords."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.providers.node import Members, Node, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from toolspec.syntax.nodes import JsonValue

    WriteSentence: TypeAlias = Callable[[Node, str], str]

# Ranks by how often models violate a keyword, most often first; a lower rank is kept longer.
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
    """Return the rank of a keyword's sentence; the highest are cut first where space is short."""
    return _RANKS.get(word, _REST)


def sentence(node: Node, word: str) -> str:
    """Return the sentence for a keyword and the keywords joined to it; empty without one."""
    return _SENTENCES.get(word, _other)(node, word)


def shown(value: JsonValue) -> str:
    """Return a value for a sentence: a printable text without commas bare, else compact JSON."""
    if isinstance(value, str) and value and value.isprintable() and "," not in value:
        return value if value == value.strip() else compact(value)
    return compact(value)


def compact(value: JsonValue) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def schema_text(node: Node) -> str:
    """Return a schema as compact JSON."""
    return compact(write(node.without("$defs")))


def _values(node: Node, word: str) -> str:
    values = node.value(word)
    listed = values if isinstance(values, list) else [values]
    return f"Allowed values: {', '.join(map(shown, listed))}."


def _const(node: Node, word: str) -> str:
    return f"Must be {compact(node.value(word))}."


def _plain(text: str) -> WriteSentence:
    return lambda node, word: text.replace("{}", compact(node.value(word)))


def _minimum(node: Node, word: str) -> str:
    low = compact(node.value(word))
    if "maximum" in node:
        return f"Between {low} and {compact(node.value('maximum'))}."
    return f"Minimum {low}."


def _at_most(node: Node, word: str) -> str:
    return f"At most {_count(node, word)}."


def _at_least(node: Node, word: str) -> str:
    most = word.replace("min", "max")
    if most not in node:
        return f"At least {_count(node, word)}."
    both = "Between {} and {}." if word == "minLength" else "At least {} and at most {}."
    return both.format(compact(node.value(word)), _count(node, most))


def _count(node: Node, word: str) -> str:
    count = node.value(word)
    one, several = _COUNTED[word.removeprefix("min").removeprefix("max")]
    return f"{compact(count)} {one if count == 1 else several}"


_COUNTED = {
    "Items": ("item", "items"),
    "Length": ("character", "characters"),
    "Properties": ("property", "properties"),
}


def _bare(text: str) -> WriteSentence:
    return lambda node, word: text.replace("{}", str(node.value(word)))


def _pattern(node: Node, word: str) -> str:
    return f"Must match the regular expression {_set_off(str(node.value(word)))}."


def _set_off(pattern: str) -> str:
    """Return a pattern in backticks, or quoted if it contains one."""
    return compact(pattern) if "`" in pattern else f"`{pattern}`"


def _not(node: Node, word: str) -> str:
    refused = node.one(word) or Node()
    values = refused.value("enum")
    if isinstance(values, list) and refused.words.keys() == {"enum"}:
        return f"Must not be one of: {', '.join(map(shown, values))}."
    if refused.words.keys() == {"const"}:
        return f"Must not be {compact(refused.value('const'))}."
    return f"Must not match this schema: {schema_text(refused)}."


def _if(node: Node, word: str) -> str:
    parts = [f"If it matches {schema_text(node.one(word) or Node())}"]
    if then := node.one("then"):
        parts.append(f"then it must match {schema_text(then)}")
    if other := node.one("else"):
        parts.append(
            f"{'otherwise' if 'then' in node else 'or else'} it must match {schema_text(other)}"
        )
    return f"{', '.join(parts)}." if len(parts) > 1 else ""


def _dependent(node: Node, word: str) -> str:
    dependencies = node.value(word)
    rules = dependencies.items() if isinstance(dependencies, dict) else ()
    return " ".join(
        f"If {name} is given, {_and(names)} {'are' if len(names) > 1 else 'is'} required."
        for name, names in rules
        if isinstance(names, list) and names
    )


def _dependent_schemas(node: Node, word: str) -> str:
    return " ".join(
        f"If {name} is given, the whole must match {schema_text(schema)}."
        for name, schema in node.named(word).items()
    )


def _named(node: Node, word: str) -> str:
    return f"The name of every property must match {schema_text(node.one(word) or Node())}."


def _patterned(node: Node, word: str) -> str:
    """Return the sentences for properties that match patterns, and for those that match none."""
    texts = [
        f"A property whose name matches {_set_off(name)} must match {schema_text(schema)}."
        for name, schema in node.named(word).items()
    ]
    others = node.additional
    if others.is_never:
        texts.append("No further properties are allowed.")
    elif not others.is_empty:
        texts.append(f"Every further property must match {schema_text(others)}.")
    return " ".join(texts)


def _and(names: list[JsonValue]) -> str:
    texts = [str(name) for name in names]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _contains(node: Node, word: str) -> str:
    least, most = node.words.get("minContains", 1), node.words.get("maxContains")
    counted = f"At least {least}" if most is None else f"Between {least} and {most}"
    return f"{counted} of the items must match {schema_text(node.one(word) or Node())}."


def _unique(node: Node, word: str) -> str:
    return "Items must be unique." if node.value(word) is True else ""


def _examples(node: Node, word: str) -> str:
    values = node.value(word)
    listed = values if isinstance(values, list) else [values]
    return f"Examples: {', '.join(compact(item) for item in listed)}."


def _tuple(node: Node, word: str) -> str:
    listed = ", ".join(map(schema_text, node.many(word)))
    rest = node.one("items") or Node()
    more = (
        "; there are no further ones"
        if rest.is_never
        else f"; each further one is {schema_text(rest)}"
    )
    return f"The items are, in this order: {listed}{'' if rest.is_empty else more}."


def _other(node: Node, word: str) -> str:
    value = node.words[word]
    if isinstance(value, (Node, tuple, Members)):
        value = write(Node({word: value}))
        value = value[word] if isinstance(value, dict) else value
    return f"{word}: {compact(value)}."


def _nothing(_: Node, __: str) -> str:
    return ""


_SENTENCES: dict[str, WriteSentence] = {
    "const": _const,
    "contains": _contains,
    "contentEncoding": _bare("Encoded as {}."),
    "contentMediaType": _bare("Media type: {}."),
    "default": _plain("Default: {}."),
    "dependentRequired": _dependent,
    "dependentSchemas": _dependent_schemas,
    "else": _nothing,
    "enum": _values,
    "examples": _examples,
    "exclusiveMaximum": _plain("Less than {}."),
    "exclusiveMinimum": _plain("Greater than {}."),
    "format": _bare("Format: {}."),
    "if": _if,
    "maxContains": _nothing,
    "maxItems": _at_most,
    "maxLength": _at_most,
    "maxProperties": _at_most,
    "maximum": _plain("Maximum {}."),
    "minContains": _nothing,
    "minItems": _at_least,
    "minLength": _at_least,
    "minProperties": _at_least,
    "minimum": _minimum,
    "multipleOf": _plain("A multiple of {}."),
    "not": _not,
    "pattern": _pattern,
    "patternProperties": _patterned,
    "prefixItems": _tuple,
    "propertyNames": _named,
    "then": _nothing,
    "uniqueItems": _unique,
}

# Sentences are in this order, whatever the order of the keywords; other keywords follow.
ORDER = tuple(_SENTENCES)

# Keywords that are part of another keyword's sentence.
WITH = {
    "contains": ("minContains", "maxContains"),
    "if": ("then", "else"),
    "patternProperties": ("additionalProperties",),
    "prefixItems": ("items",),
    "minItems": ("maxItems",),
    "minLength": ("maxLength",),
    "minProperties": ("maxProperties",),
    "minimum": ("maximum",),
}
