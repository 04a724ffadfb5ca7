"""Explanations of wrong values: exact paths, the branch of a union that was meant, bounded work."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest
from counted_calls import calls
from hypothesis import given
from hypothesis import strategies as st
from schema_probe import bundle
from toolspec.runtime.validation import SchemaCheck
from toolspec.schema import InstanceValidator
from toolspec.shared.explanation import MAX_ERRORS, MAX_STEPS, Explainer, Search
from toolspec.shared.json_values import path_text
from toolspec.shared.validator import compiled

KEYS = st.one_of(
    st.from_regex(r"\A\+?0{0,3}[0-9]{0,2}\Z"), st.sampled_from(["a", "-1", "1_0", "٣", "a.b", '"'])
)
VALUES = st.recursive(
    st.sampled_from([1, "x", "y"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
NUMBERS = {
    "type": ["object", "array", "integer"],
    "items": {"$ref": "#"},
    "additionalProperties": {"$ref": "#"},
}


def texts_in(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths of all texts in a value, by looking at each member."""
    if isinstance(value, str):
        return [path]
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [found for step, each in pairs for found in texts_in(each, (*path, step))]


@given(VALUES)
def test_paths_are_those_of_the_wrong_members_whatever_the_keys_look_like(value: Any) -> None:
    wrong = texts_in(value)
    accepted = jsonschema_rs.Draft202012Validator(NUMBERS).is_valid(value)
    assert accepted == (not wrong)
    if wrong:
        errors = Explainer(NUMBERS).errors(value)
        assert sorted(map(path_text, wrong)) == sorted(path_text(each.path) for each in errors)


def test_a_call_names_the_key_01_and_not_the_index_1() -> None:
    check = SchemaCheck('{"properties": {"months": {"additionalProperties": {"type": "integer"}}}}')
    found = [each.path for each in check.errors({"months": {"1": 5, "01": "x"}})]
    assert found == ['$.months["01"]']


def branch(kind: str, **properties: object) -> dict[str, object]:
    members = {"kind": {"const": kind}, **properties}
    return {"type": "object", "properties": members, "required": list(members)}


RECIPIENT = {
    "oneOf": [
        branch("mail", address={"type": "string"}),
        branch("sms", number={"type": "string"}),
        {"type": "string"},
    ]
}
ISSUE = {
    "oneOf": [
        {"$ref": "#/$defs/Bug"},
        {"allOf": [{"$ref": "#/$defs/Dated"}, branch("feature")]},
        branch("chore"),
    ],
}
DEFINITIONS = {
    "Bug": branch("bug", severity={"type": "integer", "maximum": 5}),
    "Dated": {"properties": {"due": {"type": "string"}}},
}
UNIONS = [
    (RECIPIENT, {"kind": "mail"}, "$.v.address: is missing"),
    (RECIPIENT, {"kind": "sms", "number": 5}, "$.v.number: 5 is not a string"),
    (RECIPIENT, 5, "$.v: 5 is not an object or a string"),
    (RECIPIENT, {"kind": "smz"}, '$.v.kind: "smz" is not one of "mail" or "sms"; did you mean "sms"?'),
    (RECIPIENT, {"number": "5"}, '$.v.kind: is missing; write "mail" or "sms"'),
    (ISSUE, {"kind": "bug", "severity": 9}, "$.v.severity: 9 is greater than the maximum of 5"),
    (ISSUE, {"kind": "feature", "due": 5}, "$.v.due: 5 is not a string"),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "x", '$.v: "x" is not a whole number or null'),
    ({"oneOf": [{"const": "on"}, {"const": "off"}]}, "of", '$.v: "of" is not one of "on" or "off"; did you mean "off"?'),
    ({"oneOf": [{"type": "string"}, {"minLength": 1}]}, "x", '$.v: "x" fits the alternatives 1 and 2; it must fit exactly one'),
]  # fmt: skip


@pytest.mark.parametrize(("union", "value", "text"), UNIONS)
def test_a_union_is_explained_by_its_tag_or_type_at_run_time(
    union: Any, value: Any, text: str
) -> None:
    schema = {"properties": {"v": union}, "$defs": DEFINITIONS}
    found = SchemaCheck(json.dumps(schema)).errors({"v": value})
    assert [f"{each.path}: {each.message}" for each in found] == [text]


@pytest.mark.parametrize(("union", "value", "text"), UNIONS)
def test_a_union_is_explained_in_the_same_words_at_compile_time(
    union: Any, value: Any, text: str
) -> None:
    validator = InstanceValidator(bundle({"properties": {"v": union}, "$defs": DEFINITIONS}))
    (problem,) = validator.problems((), {"v": value})
    path, _, message = text.partition(": ")
    if message.startswith("is missing"):
        path, _, name = path.rpartition(".")
        message = f"`{name}` {message}"
    assert str(problem) == f"{path.removeprefix('$.')}: {message}"


ANCHORED = {"t": {"$anchor": "t", "$dynamicAnchor": "d", "type": "integer"}}
TREE_OF = {"t": {"$dynamicAnchor": "t", "properties": {"a": True}}}
KEYWORDS: list[tuple[Any, Any, list[str]]] = [
    ({"format": "date"}, "soon", ['$: "soon" is not a valid `date`']),
    ({"contentEncoding": "base64"}, "%", ['$: "%" is not valid base64']),
    ({"pattern": f"^{'a' * 400}$"}, "b", [f'$: "b" does not match `^{"a" * 129} … {"a" * 145}$`']),
    ({"enum": [*range(30)]}, 77, ["$: 77 is not one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 18 others"]),
    ({"uniqueItems": True}, [1, {"a": [2]}, {"a": [2]}], ["$: item 2 is the same as item 1"]),
    ({"uniqueItems": True}, [1, True, 1.0], ["$: item 2 is the same as item 0"]),
    ({"additionalProperties": {}, "minProperties": 3}, {"a": 1}, ["$: has 1 member; the minimum is 3"]),
    (
        {"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False},
        {"x-a": "b", "y": 1},
        ['$["x-a"]: "b" is not a whole number', "$.y: is not known"],
    ),
    (
        {"dependentRequired": {"card": ["holder", "zip"]}},
        {"card": 1, "zip": 2},
        ["$.holder: is missing; `card` requires it"],
    ),
    ({"dependentSchemas": {"card": {"required": ["zip"]}}}, {"card": 1}, ["$.zip: is missing"]),
    ({"properties": {"pin": {"writeOnly": True, "type": "integer"}}}, {"pin": "hunter2"}, ["$.pin: the value is not a whole number"]),
    ({"anyOf": [{"allOf": [{"type": "string"}]}, {"type": "integer"}]}, True, ["$: true is not a string or a whole number"]),
    (
        {"oneOf": [branch("a", n={"type": "integer"}), {"properties": {"j": {"const": "b"}}, "required": ["j"]}]},
        {"kind": "z", "j": "y", "n": 1},
        ['$.kind: "z" is not "a"'],
    ),
    ({"patternProperties": {"^x-": True}, "unevaluatedProperties": False}, {"x-a": 1, "b": 2}, ["$.b: is not known"]),
    (
        {"allOf": [{"additionalProperties": True}], "unevaluatedProperties": False, "maxProperties": 1},
        {"a": 1, "b": 2},
        ["$: has 2 members; the maximum is 1"],
    ),
    ({"allOf": [{"items": {"type": "integer"}}], "unevaluatedItems": False, "maxItems": 1}, [1, 2], ["$: has 2 items; the maximum is 1"]),
    ({"contains": {"type": "integer"}, "unevaluatedItems": False}, [1, "x"], ["$[1]: is not allowed here"]),
    (
        {"dependentSchemas": {"a": {"properties": {"b": True}}}, "properties": {"a": True}, "unevaluatedProperties": False},
        {"a": 1, "b": 2, "c": 3},
        ["$.c: is not known"],
    ),
    ({"$dynamicRef": "#t", "$defs": TREE_OF, "unevaluatedProperties": False}, {"a": 1, "b": 2}, ["$.b: is not known"]),
    *(
        ({"$id": base, "$defs": ANCHORED, "items": {keyword: anchor}}, ["x"], ['$[0]: "x" is not a whole number'])
        for base in ("https://a.example/x", "urn:x:y", "urn:x:y#")
        for keyword, anchor in (("$ref", "#t"), ("$ref", f"{base.rstrip('#')}#t"), ("$dynamicRef", "#d"))
    ),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "texts"), KEYWORDS)
def test_the_error_of_each_keyword_names_its_part_and_its_reason(
    schema: Any, value: Any, texts: list[str]
) -> None:
    assert not compiled(schema, formats=True)(value)
    assert [error.located for error in Explainer(schema, formats=True).errors(value)] == texts


def test_a_masked_explanation_shows_no_part_of_the_value() -> None:
    schema = {"properties": {"v": {"oneOf": [{"const": "hunter3"}, {"type": "integer"}]}}}
    (error,) = SchemaCheck(json.dumps(schema)).errors({"v": "hunter2"}, shown=False)
    assert error.message == 'the value is not "hunter3" or a whole number'


UNION = {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {**branch("a"), "additionalProperties": False}]}  # fmt: skip
LISTS = {"anyOf": [{"items": {"type": "integer"}}, {"items": {"type": "boolean"}}]}
TREE = {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}]}
LARGE: dict[str, tuple[Any, Any]] = {
    "objects of a union": ({"items": UNION}, [{"z": 1}] * 330_000),
    "the last object of a union": ({"items": UNION}, [{"kind": "a"}] * 330_000 + [{"z": 1}]),
    "wrong integers": ({"items": {"type": "integer"}}, ["x"] * 950_000),
    "the last integer": ({"items": {"type": "integer"}}, [1] * 200_000 + ["x"]),
    "a union of lists": (LISTS, ["x"] * 950_000),
    "unknown keys": ({"additionalProperties": False}, {f"k{n}": 1 for n in range(200_000)}),
    "members of one schema": (
        {"additionalProperties": {"type": "integer"}},
        {**{f"k{n}": 1 for n in range(200_000)}, "last": "x"},
    ),
    "long keys": ({"additionalProperties": False}, {f"{n}" * 20_000: 1 for n in range(10)}),
    "a tree": (TREE, [[[1] * 50 for _ in range(200)] for _ in range(90)] + [[["x"]]]),
    "a deep list": (TREE, json.loads("[" * 190 + "1,2,true" + "]" * 190)),
    "repeated items": ({"uniqueItems": True}, [*range(300_000), 0]),
    "patterns": ({"items": {"pattern": "^(?:(?=a)a|a)+$"}}, ["a" * 40 + "!"] * 1_000),
}


@pytest.mark.parametrize("name", LARGE)
def test_explaining_is_bounded_in_work_and_in_size(name: str) -> None:
    schema, value = LARGE[name]
    check = SchemaCheck(json.dumps(schema))
    assert not check.accepts(value)
    search = Search(Explainer(schema), value, MAX_ERRORS, MAX_STEPS)
    search.run()
    assert search.spent <= MAX_STEPS
    errors = check.errors(value)
    assert 1 <= len(errors) <= MAX_ERRORS
    assert all(len(each.message) <= 310 and len(each.path) <= 310 for each in errors)
    if name.startswith("the last") or name in {"a tree", "members of one schema"}:
        assert errors[0].path not in {"$", "$[0]"}  # found, though it is the last


def test_one_object_names_twenty_unknown_keys_and_counts_the_others() -> None:
    check = SchemaCheck('{"properties": {"key": {}}, "additionalProperties": false}')
    errors = check.errors({f"key{number}": 1 for number in range(200_000)})
    assert len(errors) == 21
    assert errors[0].message == "is not known; did you mean `key`?"
    assert errors[-1].message == "has 199,980 more members that are not known"


@pytest.mark.parametrize("name", LARGE)
def test_explaining_takes_few_calls(name: str) -> None:
    schema, value = LARGE[name]
    check = SchemaCheck(json.dumps(schema))
    assert calls(lambda: check.errors(value)) < 15 * MAX_STEPS
