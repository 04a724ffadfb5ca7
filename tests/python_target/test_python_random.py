from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, get_type_hints

from built import is_refused, rendered, service, tool, types_text
from formatting import ruff_format
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from toolspec.targets.python.gate import is_safe
from toolspec.targets.python.service_types import service_types

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

KEYS = st.one_of(
    st.sampled_from(["a", "b", "class", "a-b", "a_b", "str", "__x", "None", "Literal", "1", "é"]),
    st.text(max_size=4),
)
TYPES = st.sampled_from(["object", "array", "string", "integer", "number", "boolean", "null"])
POINTERS = st.sampled_from(
    ["#", "#/$defs/A", "#/$defs/b", "#/properties/a", "#/$defs/A/items", "#/x"]
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 9), st.floats(-1, 1), st.text(max_size=9)
)


def _schemas(inner: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    some = st.lists(inner, max_size=3)
    named = st.dictionaries(KEYS, inner, max_size=4)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
            "properties": named,
            "required": st.lists(KEYS, max_size=2, unique=True),
            "additionalProperties": inner,
            "patternProperties": named,
            "items": inner,
            "prefixItems": some,
            "minItems": st.integers(0, 3),
            "maxItems": st.integers(0, 3),
            "anyOf": some,
            "oneOf": some,
            "allOf": some,
            "enum": st.lists(SCALARS, max_size=4),
            "const": SCALARS,
            "default": SCALARS,
            "description": st.text(max_size=120),
            "not": inner,
            "$ref": POINTERS,
            "minimum": st.integers(0, 5),
        },
    )


SCHEMAS = st.recursive(st.booleans(), _schemas, max_leaves=12)
ROOTS = st.builds(
    lambda schema, first, second: {**(schema or {}), "$defs": {"A": first, "b": second}},
    st.one_of(st.none(), SCHEMAS.filter(lambda each: isinstance(each, dict))),
    SCHEMAS,
    SCHEMAS,
)


@given(ROOTS, ROOTS)
@settings(derandomize=True, max_examples=80, deadline=None)
def test_any_schema_becomes_types_that_load(taken: JsonValue, given_back: JsonValue) -> None:
    if is_refused(taken) or is_refused(given_back):
        reject()
    made = service("demo", tool("doIt", input=taken, output=given_back))
    found = service_types(made)
    written = rendered("types.py", made)
    text = written.text
    assert is_safe(written)
    assert ruff_format(text) == text
    module = ModuleType("made_at_random")
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, "types.py", "exec"), module.__dict__)  # noqa: S102 - what is under test
        for name in found.declared:
            value = getattr(module, name)
            if isinstance(value, type) and value.__module__ == module.__name__:
                get_type_hints(value, include_extras=True)
        holder = type("Holder", (), {"__module__": module.__name__})
        holder.__annotations__ = {name: name for name in found.declared}
        get_type_hints(holder)
    finally:
        del sys.modules[module.__name__]


@given(ROOTS)
@settings(derandomize=True, max_examples=40, deadline=None)
def test_the_same_schema_gives_the_same_text(schema: JsonValue) -> None:
    if is_refused(schema):
        reject()
    made = service("demo", tool("doIt", output=schema), definitions={"A": schema})
    assert types_text(made) == types_text(made)
