"""A change that refuses values which were promised is a break; one that refuses none is not."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from change_pairs import compared
from toolspec.changes.change import Change, Place, Proof, Verdict
from toolspec.changes.compare import compare
from toolspec.changes.kind import Audience, ChangeKind, Level
from toolspec.changes.listed import listed_side
from toolspec.changes.schemas import Flow, Readers
from toolspec.shared.containment import Answer, Engine, covers
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from toolspec.changes.side import Side

INTEGER: Any = {"type": "integer"}
NUMBER: Any = {"type": "number"}
STRING: Any = {"type": "string"}
NULL: Any = {"type": "null"}


def whole(schema: Any) -> Any:
    return {"type": "object", "properties": {"word": schema}, "required": ["word"]}


def side(schema: Any, flow: Flow) -> Side:
    key = "inputSchema" if flow is Flow.ARGUMENT else "outputSchema"
    tool = {"name": "search", "inputSchema": {"type": "object"}, key: schema}
    return listed_side([tool], "list")


def changes(
    old: Any, new: Any, flow: Flow, readers: Readers = Readers.TOLERANT
) -> dict[str, Change]:
    """Return the changes of a schema by their slugs; the witnesses are checked."""
    found = {
        change.kind.code.partition("/")[2]: change
        for change in compare(side(old, flow), side(new, flow), readers=readers).changes
        if change.kind.family == flow
    }
    for change in found.values():
        if change.proof and change.proof.verdict is Verdict.BREAKING:
            value = json.loads(change.proof.witness)
            accepted = [compiled(schema, formats=True)(value) for schema in (old, new)]
            assert accepted == [flow is Flow.ARGUMENT, flow is Flow.RESULT]
        if change.proof and change.proof.verdict is not Verdict.SAFE:
            assert change.levels[Audience.CALLERS] is Level.BREAK
    return found


def breaks(old: Any, new: Any, flow: Flow) -> set[str]:
    """Return the slugs of the breaks, each of them with a witness."""
    found = changes(whole(old), whole(new), flow)
    broken = {slug: each for slug, each in found.items() if each.level() is Level.BREAK}
    assert all(each.proof and each.proof.witness for each in broken.values()), broken
    return set(broken)


# A number that was an integer


@pytest.mark.parametrize(
    ("old", "new", "slug"),
    [
        ({**INTEGER, "minimum": 0}, {**NUMBER, "minimum": 5}, "bound-tightened"),
        (INTEGER, {**NUMBER, "maximum": 5}, "bound-tightened"),
        (INTEGER, {"type": ["number", "string"], "maximum": 5}, "bound-tightened"),
        ({**INTEGER, "enum": [1, 2, 3]}, {**NUMBER, "enum": [1, 2]}, "value-removed"),
        ({**INTEGER, "enum": [1, 2, 3]}, {**NUMBER, "const": 2}, "value-removed"),
        (INTEGER, {**NUMBER, "multipleOf": 2}, "constraint-added"),
        (INTEGER, {**NUMBER, "not": {"const": 3}}, "condition-added"),
        ({"type": ["integer", "null"]}, {"type": ["number", "null"], "maximum": 3}, "bound-tightened"),
        ({"type": "array", "items": INTEGER}, {"type": "array", "items": {**NUMBER, "maximum": 3}}, "bound-tightened"),
        (
            {"type": "object", "additionalProperties": INTEGER},
            {"type": "object", "additionalProperties": {**NUMBER, "maximum": 3}},
            "bound-tightened",
        ),
        ({"anyOf": [INTEGER, NULL]}, {"anyOf": [{**NUMBER, "maximum": 3}, NULL]}, "bound-tightened"),
    ],
)  # fmt: skip
def test_an_integer_that_becomes_a_number_is_compared_whole(old: Any, new: Any, slug: str) -> None:
    assert breaks(old, new, Flow.ARGUMENT) == {slug}


@pytest.mark.parametrize("flow", Flow)
def test_bounds_of_an_integer_that_becomes_a_number_may_be_written_otherwise(flow: Flow) -> None:
    pair = {**INTEGER, "exclusiveMinimum": 0}, {**NUMBER, "minimum": 1}
    old, new = pair if flow is Flow.ARGUMENT else reversed(pair)
    assert breaks(old, new, flow) == set()


def test_a_result_that_becomes_an_integer_is_compared_whole() -> None:
    old, new = {**NUMBER, "minimum": 5}, {**INTEGER, "minimum": 0}
    assert breaks(old, new, Flow.RESULT) == {"bound-relaxed"}
    assert breaks({**NUMBER, "enum": [1]}, {**INTEGER, "enum": [1, 2]}, Flow.RESULT) == {
        "value-added"
    }


# A constant beside null


@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
@pytest.mark.parametrize(
    ("old", "new", "slugs"),
    [
        ({**STRING, "const": "newest"}, {**STRING, "const": "best"}, {"constant-changed"}),
        ({"const": "newest"}, {"const": "best"}, {"constant-changed"}),
        ({**STRING, "enum": ["a", "b"]}, {**STRING, "const": "a"}, {"value-removed"}),
        ({"const": "a"}, {"enum": ["b", None]}, {"constant-changed"}),
        (STRING, {**STRING, "const": "a"}, {"values-restricted"}),
    ],
)
def test_a_constant_beside_null_is_compared(word: str, old: Any, new: Any, slugs: set[str]) -> None:
    pair = {word: [old, NULL]}, {word: [NULL, new] if word == "anyOf" else [new, NULL]}
    if "oneOf" in pair[1] and "enum" in new and None in new["enum"]:
        new["enum"] = new["enum"][:-1]
    assert breaks(*pair, Flow.ARGUMENT) == slugs
    assert breaks(pair[1], pair[0], Flow.RESULT) == {REVERSED.get(each, each) for each in slugs}


REVERSED = {"value-removed": "value-added", "values-restricted": "values-freed"}


@pytest.mark.parametrize("old", [STRING, INTEGER, {"type": "array"}])
@pytest.mark.parametrize("word", ["anyOf", "oneOf"])
def test_a_type_that_becomes_a_constant_or_null_breaks(old: Any, word: str) -> None:
    assert breaks(old, {word: [{"const": "a"}, NULL]}, Flow.ARGUMENT) == {"values-restricted"}


def test_an_equal_constant_beside_null_is_no_change() -> None:
    old = {"anyOf": [{"const": "a"}, NULL]}
    new = {"anyOf": [{"enum": ["a"]}, NULL]}
    assert changes(whole(old), whole(new), Flow.ARGUMENT) == {}


def test_null_that_is_the_only_value_of_two_types_is_no_break() -> None:
    old = {"type": ["string", "null"], "const": None}
    assert breaks(old, {"type": ["string", "null"]}, Flow.ARGUMENT) == set()
    assert breaks(old, STRING, Flow.ARGUMENT) != set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"type": ["string", "null"]}, {"type": ["string", "null"], "not": NULL}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"], "allOf": [STRING]}),
        ({"oneOf": [STRING, NULL]}, {"oneOf": [{"type": ["string", "null"]}, NULL]}),
        ({"oneOf": [STRING, NULL]}, {"oneOf": [{"maxLength": 300}, NULL]}),
        (
            {"oneOf": [STRING, INTEGER, NULL]},
            {"oneOf": [STRING, {"type": ["integer", "null"]}, NULL]},
        ),
    ],
)
def test_null_that_another_keyword_refuses_is_removed(old: Any, new: Any) -> None:
    assert "null-removed" in breaks(old, new, Flow.ARGUMENT)
    assert "null-added" in breaks(new, old, Flow.RESULT)


# Encodings, which are validated together with formats

BASE64: Any = {**STRING, "contentEncoding": "base64"}


@pytest.mark.parametrize(
    ("old", "new", "slug", "mirror"),
    [
        (STRING, BASE64, "constraint-added", "constraint-removed"),
        ({**STRING, "contentEncoding": "base16"}, BASE64, "constraint-changed", "constraint-changed"),
        ({"type": "array", "items": STRING}, {"type": "array", "items": BASE64}, "constraint-added", "constraint-removed"),
        (STRING, {"anyOf": [BASE64, NULL]}, "constraint-added", "constraint-removed"),
        (STRING, {**STRING, "not": BASE64}, "condition-added", "condition-removed"),
    ],
)  # fmt: skip
def test_an_encoding_is_a_constraint(old: Any, new: Any, slug: str, mirror: str) -> None:
    assert breaks(old, new, Flow.ARGUMENT) == {slug}
    assert breaks(new, old, Flow.RESULT) == {mirror}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (BASE64, STRING),
        (BASE64, {**BASE64, "description": "An image."}),
        ({**BASE64, "maxLength": 4}, {**BASE64, "maxLength": 8}),
        (STRING, {**STRING, "contentEncoding": "zip"}),
        ({**STRING, "contentEncoding": "zip"}, {**STRING, "contentEncoding": "gzip"}),
    ],
)
def test_an_encoding_that_refuses_nothing_new_is_no_break(old: Any, new: Any) -> None:
    assert breaks(old, new, Flow.ARGUMENT) == set()


def test_an_encoding_that_is_only_an_annotation_is_no_break() -> None:
    sides = (whole(STRING), whole(BASE64))
    tools = [{"name": "search", "formats": "annotate", "inputSchema": each} for each in sides]
    (change,) = compared({"tools": tools[:1]}, {"tools": tools[1:]}).changes
    assert (change.code, change.level()) == ("argument/constraint-added", Level.NOTE)


@pytest.mark.parametrize("is_child", [False, True])
def test_the_engine_has_no_answer_about_encodings(is_child: bool) -> None:
    with closing(Engine(1)) as engine:
        ask = engine.covers if is_child else covers
        assert ask(BASE64, STRING, formats=True) is Answer.UNKNOWN
        assert ask({"not": STRING}, {"not": BASE64}, formats=True) is Answer.UNKNOWN
        assert ask(BASE64, STRING, formats=False) is Answer.YES
        assert ask({**STRING, "contentEncoding": "zip"}, STRING, formats=True) is Answer.YES


# A break that is proved, of a kind that usually is none

TYPED_MAP = {"type": "object", "additionalProperties": STRING}
OPEN = {"type": "object", "properties": {"a": INTEGER, "b": INTEGER}, "additionalProperties": True}


def without(schema: Any, name: str, **more: Any) -> Any:
    members = {key: item for key, item in schema["properties"].items() if key != name}
    return {**schema, "properties": members, **more}


@pytest.mark.parametrize("flow", Flow)
def test_a_member_that_conflicts_with_a_typed_map_breaks(flow: Flow) -> None:
    new = {**TYPED_MAP, "properties": {"a": INTEGER}}
    assert breaks(TYPED_MAP, new, flow) == {"property-added"}
    assert breaks(TYPED_MAP, {**TYPED_MAP, "properties": {"a": STRING}}, flow) == set()


def test_a_member_of_an_object_that_states_to_be_open_breaks() -> None:
    assert breaks(without(OPEN, "a"), OPEN, Flow.ARGUMENT) == {"property-added"}
    assert breaks(OPEN, without(OPEN, "a"), Flow.ARGUMENT) == set()


def test_a_removed_member_whose_values_are_refused_breaks() -> None:
    old = {"type": "object", "properties": {"a": INTEGER, "b": STRING}}
    new = without(old, "a", additionalProperties=STRING)
    assert breaks(old, new, Flow.ARGUMENT) == {"property-ignored"}
    assert breaks(old, without(old, "a", additionalProperties=INTEGER), Flow.ARGUMENT) == set()


def test_a_removed_member_of_a_result_that_states_to_be_open_breaks() -> None:
    old = {"type": "object", "properties": {"a": INTEGER, "b": INTEGER}}
    assert breaks(old, without(OPEN, "a"), Flow.RESULT) == {"optional-property-removed"}
    assert breaks(old, without(old, "a"), Flow.RESULT) == set()


def test_an_undeclared_member_is_no_promise_and_has_no_proof_of_a_break() -> None:
    old = {"type": "object", "properties": {"b": INTEGER}}
    added = changes(
        whole(old),
        whole({**old, "properties": {"a": INTEGER, "b": INTEGER}}),
        Flow.ARGUMENT,
    )["property-added"]
    assert added.proof
    assert (added.proof.verdict, added.level()) == (Verdict.SAFE, Level.NOTE)


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("level", Level)
def test_what_is_not_proved_safe_breaks_callers(verdict: Verdict, level: Level) -> None:
    kind = ChangeKind("argument/kind", "", "", dict.fromkeys(Audience, level))
    levels = Change(kind, None, Place(), proof=Proof(verdict)).levels
    is_safe = verdict is Verdict.SAFE
    expected = Level.BREAK if not is_safe else Level.NONE if level is Level.BREAK else level
    assert levels == {**dict.fromkeys(Audience, level), Audience.CALLERS: expected}


# Objects that declare no members take any

FREE = {"type": "object"}
CLOSED = {"type": "object", "additionalProperties": False}
MAP = {"type": "object", "additionalProperties": INTEGER}


@pytest.mark.parametrize(
    ("old", "new", "slugs"),
    [
        (FREE, CLOSED, {"closed"}),
        (FREE, MAP, {"closed"}),
        (FREE, {**FREE, "properties": {"a": INTEGER}}, {"property-added"}),
        (FREE, {**CLOSED, "properties": {"a": INTEGER}}, {"closed", "property-added"}),
        ({"type": "array", "items": FREE}, {"type": "array", "items": MAP}, {"closed"}),
        ({**FREE, "minProperties": 1}, {**CLOSED, "minProperties": 1}, {"closed"}),
    ],
)
def test_a_free_object_promises_all_members(old: Any, new: Any, slugs: set[str]) -> None:
    assert breaks(old, new, Flow.ARGUMENT) == slugs


@pytest.mark.parametrize(
    ("old", "new", "slugs"),
    [
        (MAP, FREE, {"opened"}),
        ({**FREE, "properties": {"a": INTEGER}}, FREE, {"optional-property-removed"}),
    ],
)
def test_a_free_result_can_have_any_member(old: Any, new: Any, slugs: set[str]) -> None:
    assert breaks(old, new, Flow.RESULT) == slugs


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({**FREE, "properties": {}}, CLOSED),
        ({**FREE, "properties": {}}, {**FREE, "properties": {"a": INTEGER}}),
        ({**FREE, "properties": {"a": INTEGER}}, {**CLOSED, "properties": {"a": INTEGER}}),
        (FREE, {**FREE, "properties": {"a": True}}),
        (FREE, {**FREE, "additionalProperties": True}),
        (CLOSED, FREE),
    ],
)
def test_an_object_that_declares_its_members_promises_no_others(old: Any, new: Any) -> None:
    assert breaks(old, new, Flow.ARGUMENT) == set()


@pytest.mark.parametrize("new", [CLOSED, {**FREE, "properties": {"a": INTEGER}}])
def test_a_tool_that_declares_no_arguments_has_none(new: Any) -> None:
    found = changes(FREE, new, Flow.ARGUMENT)
    assert {change.level() for change in found.values()} == {Level.NOTE}


def test_an_optional_property_of_a_composed_object_breaks_nobody() -> None:
    parts = [{"properties": {"a": INTEGER}}, {"properties": {"b": INTEGER}}]
    more = [parts[0], {"properties": {"b": INTEGER, "c": INTEGER}}]
    assert breaks({**FREE, "allOf": parts}, {**FREE, "allOf": more}, Flow.ARGUMENT) == set()


LOOSE: Any = {"type": ["integer", "string"]}
OF_B: Any = {"properties": {"b": INTEGER}}
OF_BOTH: Any = {"properties": {"b": INTEGER, "a": STRING}}


@pytest.mark.parametrize(
    "other",
    [
        {"properties": {"a": LOOSE}},
        {"required": ["a"]},
        {"additionalProperties": LOOSE},
        {"anyOf": [{"properties": {"a": LOOSE}}, {"required": ["c"]}]},
    ],
)
def test_a_property_that_another_part_declares_was_promised(other: Any) -> None:
    """The part that gets it narrows it; that it is new there says nothing."""
    for old, new in (
        ({**FREE, "allOf": [other, OF_B]}, {**FREE, "allOf": [other, OF_BOTH]}),
        ({**FREE, **OF_B, "allOf": [other, {}]}, {**FREE, **OF_BOTH, "allOf": [other, {}]}),
    ):
        assert breaks(old, new, Flow.ARGUMENT) == {"property-added"}
        assert breaks(new, old, Flow.RESULT) == {"optional-property-removed"}
        assert breaks(new, old, Flow.ARGUMENT) == set()


def test_a_property_that_another_part_declares_alike_breaks_nobody() -> None:
    old, new = (
        {**FREE, "allOf": [{"properties": {"a": STRING}}, each]} for each in (OF_B, OF_BOTH)
    )
    assert breaks(old, new, Flow.ARGUMENT) == set()
    assert breaks(new, old, Flow.RESULT) == set()


def test_a_property_of_another_branch_was_not_promised() -> None:
    old, new = (
        {
            **FREE,
            "properties": {"kind": STRING},
            "oneOf": [tagged("a", b=LOOSE), tagged("b", **more)],
        }
        for more in ({}, {"b": STRING})
    )
    assert breaks(old, new, Flow.ARGUMENT) == set()
    assert breaks(new, old, Flow.RESULT) == set()


OF_A: Any = {"properties": {"a": INTEGER}}


@pytest.mark.parametrize(
    ("old", "new", "slugs"),
    [
        ({**OF_A, "allOf": [{}]}, {**OF_A, "allOf": [CLOSED]}, {"part-added"}),
        ({**CLOSED, "allOf": [{}]}, {**CLOSED, "allOf": [OF_A]}, set()),
        (
            {**CLOSED, **OF_A, "allOf": [{}]},
            {**CLOSED, "allOf": [OF_A]},
            {"property-removed", "part-added"},
        ),
    ],
)
def test_an_only_part_closes_what_it_declares_itself(old: Any, new: Any, slugs: set[str]) -> None:
    assert breaks(old, new, Flow.ARGUMENT) == slugs


def test_members_around_an_only_part_have_their_place() -> None:
    old, new = (
        {**FREE, "properties": {name: INTEGER}, "allOf": [{"minProperties": 1}]} for name in "ab"
    )
    found = changes(old, new, Flow.ARGUMENT)
    assert found["property-ignored"].place.path == ("input", "properties", "a")
    assert found["property-added"].place.path == ("input", "properties", "b")


# Conditions


@pytest.mark.parametrize(
    "condition",
    [
        {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}},
        {"not": {"required": ["a", "b"]}},
        {"dependentRequired": {"a": ["b"]}},
        {"dependentSchemas": {"a": {"required": ["b"]}}},
    ],
)
def test_what_stands_beside_a_condition_that_stays_is_compared(condition: Any) -> None:
    def object_of(**members: Any) -> Any:
        return {**FREE, "properties": {"a": INTEGER, "b": LOOSE, **members}, **condition}

    old, new = object_of(), object_of(c=STRING)
    assert changes(old, new, Flow.ARGUMENT)["property-added"].level() is Level.NOTE
    assert breaks(old, object_of(b=STRING), Flow.ARGUMENT) == {"type-narrowed"}
    told = changes(old, object_of(b={**LOOSE, "description": "More."}), Flow.ARGUMENT)
    assert set(told) == {"description-changed"}


def test_a_condition_declares_no_members() -> None:
    free: Any = {**FREE, "if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}
    assert breaks(free, {**free, "properties": {"c": STRING}}, Flow.ARGUMENT)


# The number of items that an array contains


def containing(**limits: int) -> Any:
    return {"type": "array", "contains": {"type": "integer", "minimum": 3}, **limits}


@pytest.mark.parametrize(
    ("old", "new", "slug", "mirror"),
    [
        (containing(minContains=0), containing(minContains=1), "bound-tightened", "bound-relaxed"),
        (containing(minContains=0), containing(), "bound-tightened", "bound-relaxed"),
        (containing(), containing(minContains=2), "bound-tightened", "bound-relaxed"),
        (containing(maxContains=3), containing(maxContains=2), "bound-tightened", "bound-relaxed"),
        (containing(), containing(maxContains=9), "bound-tightened", "bound-relaxed"),
    ],
)
def test_a_tighter_number_of_contained_items_breaks(
    old: Any, new: Any, slug: str, mirror: str
) -> None:
    assert breaks(old, new, Flow.ARGUMENT) == {slug}
    assert breaks(new, old, Flow.RESULT) == {mirror}
    assert breaks(new, old, Flow.ARGUMENT) == set()
    assert breaks(old, new, Flow.RESULT) == set()


def test_what_is_contained_counts_with_its_limits() -> None:
    old: Any = {"type": "array"}
    assert breaks(old, containing(minContains=0), Flow.ARGUMENT) == set()
    assert breaks(old, {**old, "minContains": 2}, Flow.ARGUMENT) == set()
    assert breaks(old, containing(maxContains=1), Flow.ARGUMENT) == {
        "constraint-added",
        "bound-tightened",
    }
    assert breaks(containing(minContains=2), {**old, "minContains": 3}, Flow.ARGUMENT) == set()


def test_the_least_number_of_contained_items_has_a_default() -> None:
    old, new = whole(containing()), whole(containing(minContains=1))
    assert changes(old, new, Flow.ARGUMENT) == {}


# Branches of which a value matches only one


def tagged(value: str, **more: Any) -> Any:
    return {"properties": {"kind": {"const": value}, **more}, "required": ["kind"]}


def nullable(name: str) -> Any:
    return {"type": [name, "null"]}


@pytest.mark.parametrize(
    ("old", "new", "slugs"),
    [
        ([NUMBER, {**INTEGER, "maximum": 5}], [NUMBER, {**INTEGER, "maximum": 6}], {"schema-changed"}),
        ([tagged("a")], [tagged("a"), tagged("b")], {"schema-changed"}),
        ([nullable("string"), INTEGER], [nullable("string"), nullable("integer")], {"schema-changed"}),
        ([nullable("string"), {**NULL, "not": {}}], [nullable("string"), {**NULL, "not": STRING}], {"schema-changed"}),
    ],
)  # fmt: skip
def test_a_value_that_matches_two_branches_breaks(old: Any, new: Any, slugs: set[str]) -> None:
    assert breaks({"oneOf": old}, {"oneOf": new}, Flow.ARGUMENT) == slugs
    assert breaks({"oneOf": new}, {"oneOf": old}, Flow.RESULT) == slugs


@pytest.mark.parametrize(
    "whole_or_branches", [({"type": "object"}, {}), ({}, {"type": "object"})], ids=["whole", "each"]
)
def test_tags_tell_objects_apart(whole_or_branches: tuple[Any, Any]) -> None:
    of_whole, of_branch = whole_or_branches
    branches = [{**tagged(kind, size=INTEGER), **of_branch} for kind in "abc"]
    old, new = ({**of_whole, "oneOf": part} for part in (branches[:2], branches))
    found = changes(whole(old), whole(new), Flow.ARGUMENT)
    assert found.keys() == {"branch-added"}
    assert found["branch-added"].level() is Level.NOTE


def test_a_branch_of_integers_that_become_numbers_is_the_same_branch() -> None:
    old, new = ({"anyOf": [STRING, each, {"type": "boolean"}]} for each in (INTEGER, NUMBER))
    assert changes(whole(old), whole(new), Flow.ARGUMENT).keys() == {"number-widened"}


# Members that are required and not declared

DECLARED = {"type": "object", "properties": {"x": True, "y": INTEGER}}
UNDECLARED = {"type": "object", "properties": {"x": True}}


def requiring(schema: Any, *names: str) -> Any:
    return {**schema, "required": [*names]}


def test_a_required_member_is_promised_though_undeclared() -> None:
    old = requiring(UNDECLARED, "y")
    assert breaks(old, requiring(DECLARED, "y"), Flow.ARGUMENT) == {"property-added"}
    assert breaks(old, DECLARED, Flow.ARGUMENT) == {"property-added"}
    assert breaks(old, {**UNDECLARED, "additionalProperties": False}, Flow.ARGUMENT) == {"closed"}
    assert breaks(old, {**old, "additionalProperties": INTEGER}, Flow.ARGUMENT) == {"closed"}
    assert breaks(old, UNDECLARED, Flow.ARGUMENT) == set()
    assert breaks(UNDECLARED, requiring(DECLARED, "y"), Flow.ARGUMENT) == {
        "required-property-added"
    }


def test_a_member_of_a_result_that_is_no_longer_declared_can_have_any_value() -> None:
    new = requiring(UNDECLARED, "y")
    assert breaks(requiring(DECLARED, "y"), new, Flow.RESULT) == {"property-removed"}
    assert breaks(DECLARED, new, Flow.RESULT) == {"optional-property-removed"}


# Types that are others


@pytest.mark.parametrize(
    "new",
    [
        {"enum": ["a", "b"]},
        {"allOf": [STRING, {"type": ["number", "null"]}]},
        {"not": NULL},
        STRING,
    ],
)
def test_another_type_is_compared_with_all_keywords(new: Any) -> None:
    assert breaks(NULL, new, Flow.ARGUMENT) == {"type-changed"}


def test_values_that_both_of_two_lists_of_types_have_are_compared_with_all_keywords() -> None:
    old = {"type": ["string", "integer"], "enum": ["a", "b"]}
    new = {"type": ["string", "boolean"], "maxLength": 0}
    assert breaks(old, new, Flow.ARGUMENT) == {"type-changed"}
    assert breaks(old, {**new, "maxLength": 1}, Flow.ARGUMENT) == set()


# Objects that are composed of parts


def composed(form: str, member: Any) -> Any:
    """Return the schema of a pair whose first item is an object with a member, and another."""
    part, other = ({"type": "object", "properties": each} for each in ({"a": member}, {"b": True}))
    forms: dict[str, Any] = {
        "allOf": {"allOf": [part, other]},
        "definition": {"allOf": [{"$ref": "#/$defs/Part"}, other]},
        "reference": {**other, "$ref": "#/$defs/Part"},
        "anyOf": {**other, "anyOf": [part, {"type": "object", "required": ["c"]}]},
    }
    items = {"type": "array", "prefixItems": [forms[form]]}
    return {**whole(items), "$defs": {"Part": part}}


@pytest.mark.parametrize("form", ["allOf", "definition", "reference", "anyOf"])
def test_a_part_of_an_object_is_not_read_as_closed(form: str) -> None:
    old, new = composed(form, INTEGER), composed(form, {**INTEGER, "minimum": 5})
    (change,) = changes(old, new, Flow.ARGUMENT).values()
    assert change.level() is Level.BREAK


@pytest.mark.parametrize("word", ["anyOf", "oneOf", "allOf"])
def test_a_composed_object_without_any_properties_promises_all_members(word: str) -> None:
    old = {**FREE, word: [{"minProperties": 1}]}
    assert breaks(old, {**old, "properties": {"a": INTEGER}}, Flow.ARGUMENT) == {"property-added"}
