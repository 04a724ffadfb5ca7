"""No change below a break refuses a promised value, for pairs of small schemas of many keywords.

`test_random_edits.py` edits schemas of real tools, in one place each. Here both versions are made of the
forms that real tools rarely have, several keywords of a schema change together, and levels are attacked
in place of proofs.
"""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_edits import nodes
from random_schemas import VALUES
from test_random_edits import opened
from toolspec.changes.catalogue import entry
from toolspec.changes.change import Change, Place
from toolspec.changes.kind import Audience, Level
from toolspec.changes.proof import Prover
from toolspec.changes.schemas import Flow, Readers, SchemaComparison
from toolspec.changes.witness import candidates
from toolspec.shared.validator import compiled

_ATTACKS = 150
_IN_PLACE = ("allOf", "anyOf", "oneOf")
_TYPES = ["integer", "number", "string", "array", "object", "boolean", "null"]
_TEXTS = ["", "a", "ab", "QQ==", "0A"]

small = st.integers(0, 3)
values = st.sampled_from([None, True, 0, 1, 2, 1.5, *_TEXTS])
names = st.sampled_from(["a", "b"])
_OF_NUMBERS = {
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum"), small),
    "multipleOf": st.sampled_from([1, 2, 0.5]),
}
_OF_TEXTS = {
    **dict.fromkeys(("minLength", "maxLength"), small),
    "contentEncoding": st.sampled_from(["base64", "base16", "zip"]),
    "pattern": st.sampled_from(["^a", "b"]),
}


def keywords(schemas: st.SearchStrategy[Any]) -> dict[str, dict[str, st.SearchStrategy[Any]]]:
    """Return strategies for the keywords of each type."""
    return {
        "null": {},
        "boolean": {},
        "integer": _OF_NUMBERS,
        "number": _OF_NUMBERS,
        "string": _OF_TEXTS,
        "array": {
            **dict.fromkeys(("minItems", "maxItems", "minContains", "maxContains"), small),
            "items": schemas,
            "contains": schemas,
            "uniqueItems": st.booleans(),
        },
        "object": {
            **dict.fromkeys(("minProperties", "maxProperties"), small),
            "properties": st.dictionaries(names, schemas, max_size=2),
            "required": st.lists(names, unique=True, min_size=1),
            "additionalProperties": st.one_of(st.booleans(), schemas),
        },
    }


def fitting(types: list[str], schemas: st.SearchStrategy[Any]) -> dict[str, Any]:
    """Return strategies for the keywords that matter for some types, or for all if there are none."""
    of_types = keywords(schemas)
    stated = types or [*of_types]
    return {
        "enum": st.lists(values, unique_by=json.dumps, min_size=1, max_size=3),
        "const": values,
        "not": schemas,
        **dict.fromkeys(_IN_PLACE, st.lists(schemas, min_size=1, max_size=3)),
        **{word: item for name in stated for word, item in of_types[name].items()},
    }


def extended(schemas: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    @st.composite
    def typed(draw: st.DrawFn) -> Any:
        types = draw(st.lists(st.sampled_from(_TYPES), unique=True, max_size=2))
        words = fitting(types, schemas)
        chosen = draw(st.lists(st.sampled_from(sorted(words)), unique=True, max_size=3))
        stated = {"type": types[0] if len(types) == 1 else types} if types else {}
        return stated | {word: draw(words[word]) for word in chosen}

    @st.composite
    def nullable(draw: st.DrawFn) -> Any:
        return {draw(st.sampled_from(["anyOf", "oneOf"])): [draw(schemas), {"type": "null"}]}

    @st.composite
    def of_parts(draw: st.DrawFn) -> Any:
        members = st.dictionaries(names, schemas, max_size=2)
        return {"allOf": [{"properties": draw(members)} for _ in range(2)]}

    return st.one_of(typed(), typed(), nullable(), of_parts())


simple = st.sampled_from(
    [
        *({"type": name} for name in _TYPES),
        {"const": "a"},
        {},
        {"type": "array", "contains": {"type": "integer"}},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {"a": {"type": "integer"}}},
    ]
)
schemas = st.recursive(simple, extended, max_leaves=5)
related = {"integer": "number", "number": "integer", "null": "string"}


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """Draw two schemas: of the second, some keywords are others, and some more or fewer."""
    old = draw(schemas)
    new = json.loads(json.dumps(old))
    for _ in range(draw(st.integers(1, 3))):
        node = draw(st.sampled_from([*nodes(new)]))
        stated = node.get("type", [])
        types = [stated] if isinstance(stated, str) else stated
        words = fitting(types, simple)
        word = draw(st.sampled_from(["type", *sorted({**words, **node})]))
        if word == "type" and types:
            other = related.get(types[0]) or draw(st.sampled_from(_TYPES))
            node["type"] = draw(st.sampled_from([other, [*dict.fromkeys([*types, other])]]))
        elif word in node and draw(st.booleans()):
            del node[word]
        elif word in words:
            node[word] = json.loads(json.dumps(draw(words[word])))
    return old, new


def is_promised(schemas: list[Any], value: Any) -> bool:
    """Return whether a value has no member that is left to chance by the schemas of its object."""
    parts = [schema for schema in schemas if isinstance(schema, dict)]
    for part in parts:
        parts += [each for word in _IN_PLACE for each in part.get(word, ()) if each not in parts]
    if isinstance(value, list):
        items = [part["items"] for part in parts if "items" in part]
        return all(is_promised(items, item) for item in value)
    if not isinstance(value, dict):
        return True
    properties = [part.get("properties", {}) for part in parts]
    declared = {
        name for each in (*properties, *(p.get("required", ()) for p in parts)) for name in each
    }
    words = {word for part in parts for word in part}
    is_silent = "properties" in words and "additionalProperties" not in words
    if is_silent and value.keys() - declared:
        return False
    rest = [part["additionalProperties"] for part in parts if "additionalProperties" in part]
    return all(
        is_promised([each[name] for each in properties if name in each] or rest, item)
        for name, item in value.items()
    )


def level(old: Any, new: Any, flow: Flow, readers: Readers, prover: Prover) -> Level:
    """Return the gravest level for callers."""
    edits = SchemaComparison(old, new, flow, prover, readers=readers).edits()
    found = [
        Change(entry(f"{flow}/{edit.slug}").kind, None, Place(), edit.values, edit.proof)
        for edit in edits
    ]
    levels = [change.levels[Audience.CALLERS] for change in found]
    return Level.BREAK if Level.BREAK in levels else Level.NOTE


def check(word: tuple[Any, Any], prover: Prover) -> None:
    """Attack the levels of a pair of schemas of one argument, and of one member of a result."""
    old, new = ({"type": "object", "properties": {"word": each}} for each in word)
    for flow, readers in ((Flow.ARGUMENT, Readers.TOLERANT), *((Flow.RESULT, r) for r in Readers)):
        if level(old, new, flow, readers, prover) is Level.BREAK:
            continue
        sender: Any = old if flow is Flow.ARGUMENT else new
        receiver: Any = new if flow is Flow.ARGUMENT else old
        accepts, receives = (compiled(each, formats=True) for each in (sender, receiver))
        is_tolerant = flow is Flow.RESULT and readers is Readers.TOLERANT
        ignores = compiled(opened(receiver) if is_tolerant else receiver, formats=True)
        near = (
            value
            for value, _ in zip(candidates(sender, receiver, 0), range(_ATTACKS), strict=False)
        )
        for value in (*({"word": each} for each in VALUES), *near):
            # Below `not`, an object that is opened refuses more.
            if accepts(value) and not receives(value) and not ignores(value):
                assert not is_promised([sender], value), (flow, readers, value, *word)


@settings(
    max_examples=600, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
@given(pairs())
def test_what_is_below_a_break_refuses_no_promised_value(pair: tuple[Any, Any]) -> None:
    with closing(Prover(is_timed=False)) as prover:
        check(pair, prover)


@pytest.mark.prove
@settings(
    max_examples=5_000,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(pairs())
def test_what_is_below_a_break_refuses_no_promised_value_of_many(pair: tuple[Any, Any]) -> None:
    with closing(Prover(is_timed=False)) as prover:
        check(pair, prover)
