"""What descriptions say of keywords that a provider does not take, and what the ledger says of that."""

from __future__ import annotations

from typing import Any

import pytest
from lowered_checks import lowered, tool
from test_steps import draft, limited
from toolspec.providers.ledger import Outcome
from toolspec.providers.lowering import lower
from toolspec.providers.node import read
from toolspec.providers.notes import notes
from toolspec.providers.profile import Options, find_profile
from toolspec.providers.steps import STEPS

TEXT = {"type": "string"}

# A schema, the keywords that are said, the sentences.
SAID: list[tuple[dict[str, Any], list[str]]] = [
    ({"minLength": 1}, ["At least 1 character."]),
    ({"maxLength": 1}, ["At most 1 character."]),
    ({"minLength": 0, "maxLength": 1}, ["Between 0 and 1 character."]),
    ({"minLength": 2, "maxLength": 9}, ["Between 2 and 9 characters."]),
    ({"minProperties": 1}, ["At least 1 property."]),
    ({"minProperties": 1, "maxProperties": 2}, ["At least 1 and at most 2 properties."]),
    ({"minItems": 1.0}, ["At least 1.0 item."]),
    ({"maxItems": 0}, ["At most 0 items."]),
    ({"maximum": 3}, ["Maximum 3."]),
    ({"maximum": 3, "minimum": 1}, ["Between 1 and 3."]),
    (
        {"pattern": "^a", "minLength": 2},
        ["At least 2 characters.", "Must match the regular expression `^a`."],
    ),
    ({"pattern": "a`b\\d"}, ['Must match the regular expression "a`b\\\\d".']),
    (
        {"prefixItems": [TEXT], "items": {"type": "integer"}},
        [
            (
                'The items are, in this order: {"type":"string"}; '
                'each further one is {"type":"integer"}.'
            )
        ],
    ),
    (
        {"prefixItems": [TEXT], "items": False},
        ['The items are, in this order: {"type":"string"}; there are no further ones.'],
    ),
    ({"prefixItems": [TEXT]}, ['The items are, in this order: {"type":"string"}.']),
    ({"uniqueItems": True}, ["Items must be unique."]),
    ({"uniqueItems": False}, []),
    ({"then": TEXT}, []),
    ({"if": TEXT}, []),
    ({"minContains": 2}, []),
    (
        {"contains": TEXT, "minContains": 2, "maxContains": 3},
        ['Between 2 and 3 of the items must match {"type":"string"}.'],
    ),
    ({"not": {"not": {"const": 1}}}, ['Must not match this schema: {"not":{"const":1}}.']),
    (
        {"dependentSchemas": {"a": {"required": ["b"]}}},
        ['If a is given, the whole must match {"required":["b"]}.'],
    ),
    (
        {"propertyNames": {"pattern": "^x"}},
        ['The name of every property must match {"pattern":"^x"}.'],
    ),
    (
        {"patternProperties": {"^x": TEXT}, "additionalProperties": False},
        [
            (
                'A property whose name matches `^x` must match {"type":"string"}. '
                "No further properties are allowed."
            )
        ],
    ),
    (
        {"patternProperties": {"^x": TEXT}, "additionalProperties": {"type": "null"}},
        [
            (
                'A property whose name matches `^x` must match {"type":"string"}. '
                'Every further property must match {"type":"null"}.'
            )
        ],
    ),
]


@pytest.mark.parametrize(("schema", "expected"), SAID, ids=[str(each[0]) for each in SAID])
def test_keywords_are_said_in_english(schema: dict[str, Any], expected: list[str]) -> None:
    made = notes(read(schema), schema)
    assert [each.text for each in made] == expected


# Where the sentence for one stands, what the schema there is, and what is said of it.
NESTED: list[tuple[dict[str, Any], str]] = [
    (
        {
            "if": {"not": {"required": ["a"]}},
            "then": {"required": ["b"]},
            "else": {"if": {"required": ["c"]}, "then": {"required": ["b"]}},
        },
        (
            'If it matches {"not":{"required":["a"]}}, then it must match {"required":["b"]}, '
            'otherwise it must match {"if":{"required":["c"]},"then":{"required":["b"]}}.'
        ),
    ),
    (
        {"type": "string", "not": {"not": {"enum": ["p", "q"]}}},
        'Must not match this schema: {"not":{"enum":["p","q"]}}.',
    ),
    ({"type": "string", "not": {"enum": ["p", "q"]}}, "Must not be one of: p, q."),
    (
        {"type": "array", "items": TEXT, "contains": {"type": "string", "not": {"const": "q"}}},
        'At least 1 of the items must match {"type":"string","not":{"const":"q"}}.',
    ),
    (
        {"type": "string", "not": {"$ref": "#/$defs/D"}},
        (
            'Must not match this schema: {"$ref":"#/$defs/D"}, '
            'where #/$defs/D is {"type":"string","not":{"const":"q"}}.'
        ),
    ),
]
IN_WORDS = ["openai-chat-strict", "anthropic-strict", "bedrock-strict", "gemini", "gemini-openapi"]
MAPS: list[tuple[dict[str, Any], str]] = [
    (
        {"type": "object", "propertyNames": {"pattern": "^x", "not": {"const": "xx"}}},
        'The name of every property must match {"pattern":"^x","not":{"const":"xx"}}.',
    ),
    (
        {
            "type": "object",
            "patternProperties": {
                "^x": {"type": "string", "minLength": 3, "pattern": "z$", "not": {"const": "xz"}}
            },
        },
        (
            "A property whose name matches `^x` must match "
            '{"type":"string","minLength":3,"pattern":"z$","not":{"const":"xz"}}.'
        ),
    ),
]


@pytest.mark.parametrize(
    ("name", "schema", "expected"),
    [
        *((name, *each) for name in IN_WORDS for each in NESTED),
        *(("gemini", *each) for each in MAPS),
    ],
)
def test_a_schema_in_a_sentence_is_whole(name: str, schema: dict[str, Any], expected: str) -> None:
    source = {
        "type": "object",
        "properties": {"a": schema},
        "additionalProperties": False,
        "$defs": {"D": {"type": "string", "not": {"const": "q"}}},
    }
    profile = find_profile(name)
    assert profile is not None
    if "if" in schema:
        named = dict.fromkeys("abc", TEXT)
        source["properties"] = {"a": {"type": "object", "properties": named, **schema}}
        source["properties"]["a"]["additionalProperties"] = False
    made = lowered(source, profile)
    assert isinstance(made.schema, dict)
    said = made.schema["properties"]["a"]["description"]  # type: ignore[index,call-overload]  # plain JSON
    if name == "gemini-openapi" and "$ref" in expected:
        expected = 'Must not match this schema: {"type":"string","not":{"const":"q"}}.'
    assert said == expected


def test_a_pattern_does_not_close_a_map_silently() -> None:
    for others in (False, {"type": "integer"}):
        source = {
            "type": "object",
            "patternProperties": {"^x": TEXT},
            "additionalProperties": others,
            "required": ["xa"],
            "minProperties": 1,
        }
        profile = find_profile("gemini")
        assert profile is not None
        for schema in (source, {"type": "object", "properties": {"a": source}}):
            made = lowered(schema, profile)
            assert isinstance(made.schema, dict)
            sent: Any = made.schema if schema is source else made.schema["properties"]["a"]  # type: ignore[index,call-overload]  # plain JSON
            assert "additionalProperties" not in sent
            assert sent["properties"] == {"xa": {}}
            told = {each.keyword: each.outcome for each in made.ledger}
            assert told["additionalProperties"] is Outcome.WIDENED
            assert told["patternProperties"] is Outcome.MOVED
            said = made.description if schema is source else sent["description"]
            assert "A property whose name matches `^x` must match" in said


def test_what_is_said_of_arguments_that_are_not_sent_is_said_of_the_tool() -> None:
    profile = find_profile("gemini-openapi")
    assert profile is not None
    source = {
        "type": "object",
        "not": {"required": ["x"]},
        "description": "The arguments of all.",
        "examples": [{"y": 1}],
        "maxProperties": 3,
    }
    made = lower(tool(source), profile)
    assert made.schema is None
    assert made.description == (
        'Does a thing. The arguments of all. Examples: {"y":1}. '
        'Must not match this schema: {"required":["x"]}.'
    )
    assert {each.pointer: each.outcome.value for each in made.ledger} == {
        "/additionalProperties": "narrowed",
        "/description": "moved",
        "/examples": "moved",
        "/maxProperties": "kept",
        "/not": "moved",
        "/not/required": "moved",
        "/type": "kept",
    }


def test_a_tool_that_needs_arguments_is_not_sent_without() -> None:
    profile = find_profile("gemini-openapi")
    assert profile is not None
    made = lower(tool({"type": "object", "minProperties": 1}), profile)
    assert [each.pointer for each in made.refusals] == ["/minProperties"]


def test_what_there_is_no_room_for_is_not_moved() -> None:
    source = {"type": "object", "minProperties": 1, "examples": [{"a": 1}]}
    noted = STEPS["note"](draft(source), Options({"keywords": ["minProperties", "examples"]}))
    written = STEPS["write-notes"](noted, Options())
    made = limited("fit-description", written, description_length=40)
    assert made.description == "Does a thing. At least 1 property.…"
    told = {each.pointer: each.outcome.value for each in made.entries if each.pointer}
    assert told == {"/minProperties": "moved", "/examples": "dropped"}


@pytest.mark.parametrize(
    ("description", "is_said"),
    [("Maximum 1.", True), ("At most: maximum 1, or so.", True), ("Maximum 10.", False)],
)
def test_a_number_is_said_only_if_it_is_that_number(description: str, is_said: bool) -> None:
    source = {"type": "object", "properties": {"a": {"maximum": 1, "description": description}}}
    noted = STEPS["note"](draft(source), Options({"keywords": ["maximum"]}))
    made = STEPS["write-notes"](noted, Options())
    assert made.root is not None
    text = made.root.named("properties")["a"].value("description")
    assert text == (description if is_said else f"{description} Maximum 1.")


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"not": {"type": "string"}}, "number"),
        ({"not": {"type": ["string", "number"]}}, "array"),
        ({"not": {"anyOf": [TEXT, {"type": "number"}, {"type": "array"}]}}, "object"),
        ({"not": {"type": "null"}}, "string"),
        ({"not": {"type": "string", "maxLength": 2}}, "string"),
        ({"not": {"type": "array"}, "minLength": 2}, "string"),
        ({"contains": TEXT}, "array"),
    ],
    ids=str,
)
def test_a_type_is_none_that_is_refused(schema: dict[str, Any], expected: str) -> None:
    source = {"type": "object", "properties": {"a": schema}}
    noted = STEPS["note"](draft(source), Options({"keywords": ["not", "contains"]}))
    made = STEPS["form-untyped"](noted, Options({"as": "string"}))
    assert made.root is not None
    assert made.root.named("properties")["a"].types == (expected,)
    assert {each.pointer: each.outcome for each in made.entries}[
        "/properties/a/type"
    ] is Outcome.NARROWED


def test_what_is_refused_whole_has_no_type() -> None:
    source = {"type": "object", "properties": {"a": {"not": {"description": "Nothing."}}}}
    noted = STEPS["note"](draft(source), Options({"keywords": ["not"]}))
    made = STEPS["form-untyped"](noted, Options({"as": "string"}))
    assert {each.pointer: each.outcome for each in made.entries}[
        "/properties/a/type"
    ] is Outcome.REFUSED


def test_what_no_sentence_says_is_not_moved() -> None:
    """A form of the root has no description of its own, and what nothing satisfies has none at all."""
    closed = {"additionalProperties": False}
    never = {"allOf": [TEXT, {"type": "null"}], "not": {"const": "a"}}
    source = {
        "anyOf": [
            {"properties": {"a": TEXT}, "required": ["a"], "not": {"required": ["b"]}, **closed},
            {"properties": {"b": TEXT, "c": never}, "required": ["b"], **closed},
        ]
    }
    profile = find_profile("gemini")
    assert profile is not None
    told = {each.pointer: each.outcome.value for each in lowered(source, profile).ledger}
    assert told["/anyOf/0/not"] == told["/anyOf/0/not/required"] == "widened"
    assert told["/anyOf/1/properties/c/not/const"] == "dropped"
