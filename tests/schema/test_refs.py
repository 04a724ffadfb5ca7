from __future__ import annotations

from posixpath import normpath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_probe import bundle, findings, told
from toolspec.schema.refs import Refusal, Uri, file_of, file_uri, joined, read_reference

SOURCE = "specs/api/github.yaml"


PAGE = joined(file_uri(SOURCE), "https://example.com/s.json")


@pytest.mark.parametrize(
    ("text", "uri", "steps", "anchor"),
    [
        ("#", PAGE, (), ""),
        ("", PAGE, (), ""),
        ("#/$defs/A", PAGE, ("$defs", "A"), ""),
        ("#/%24defs/A%20b", PAGE, ("$defs", "A b"), ""),
        ("#/$defs/a~1b~0c", PAGE, ("$defs", "a/b~c"), ""),
        ("#/", PAGE, ("",), ""),
        ("#node", PAGE, (), "node"),
        ("https://example.com/s.json#/$defs/A", PAGE, ("$defs", "A"), ""),
    ],
)
def test_what_a_reference_means(text: str, uri: Uri, steps: tuple[str, ...], anchor: str) -> None:
    target = read_reference(text, PAGE)
    assert not isinstance(target, Refusal)
    assert (target.uri, target.steps, target.anchor) == (uri, steps, anchor)


# RFC 3986, section 5.4, without what has a fragment.
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("g:h", "g:h"),
        ("g", "http://a/b/c/g"),
        ("./g", "http://a/b/c/g"),
        ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"),
        ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"),
        ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"),
        ("..", "http://a/b/"),
        ("../g", "http://a/b/g"),
        ("../..", "http://a/"),
        ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"),
        ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."),
        ("g/./h", "http://a/b/c/g/h"),
        ("g/../h", "http://a/b/c/h"),
        ("urn:uuid:1", "urn:uuid:1"),
    ],
)
def test_a_relative_reference_is_resolved_against_its_base(text: str, meant: str) -> None:
    base = joined(file_uri("x"), "http://a/b/c/d;p?q")
    assert str(joined(base, text)) == meant


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("common.yaml", "specs/api/common.yaml"),
        ("./common.yaml#/$defs/Money", "specs/api/common.yaml"),
        ("../shared/a b.json#/X", "specs/shared/a b.json"),
        ("../../top.json", "top.json"),
        ("github.yaml#/$defs/A", SOURCE),
    ],
)
def test_a_file_of_the_project_is_followed(text: str, file: str) -> None:
    assert file_of(joined(file_uri(SOURCE), text), SOURCE) == file


@pytest.mark.parametrize(
    "text",
    [
        "http://127.0.0.1:47811/a.json",
        "HTTPS://example.com/a.json",
        "https://example.com/other.json#/$defs/A",
        "file:///etc/passwd",
        "FILE:etc/passwd",
        "data:application/json,{}",
        "C:/secret.json",
        "urn:uuid:1",
        "//example.com/a.json",
        "///etc/passwd",
        "/etc/passwd",
        "\\\\host\\share",
        "..\\..\\secret.json",
        "../../../secret.json",
        "a/../../../../secret.json",
        "%2e%2e/secret.json",
        "a%2f..%2f..",
        "%68ttp://example.com",
        "a.json?x=1",
        "./C:secret.json",
    ],
)
def test_what_is_refused(text: str) -> None:
    assert isinstance(file_of(joined(file_uri(SOURCE), text), SOURCE), Refusal)


@pytest.mark.parametrize("text", ["a\x00.json", "a\n.json"])
def test_control_characters_are_refused(text: str) -> None:
    assert isinstance(read_reference(text, file_uri(SOURCE)), Refusal)


TEXTS = st.text(alphabet="./\\%:?#~aA2eEfF\x00 @", max_size=20)


@settings(derandomize=True, max_examples=1000)
@given(text=TEXTS, base=TEXTS, source=st.sampled_from(["a.yaml", "specs/a.yaml", "specs/b/a.yaml"]))
def test_no_reference_leaves_the_project(text: str, base: str, source: str) -> None:
    file = file_of(joined(joined(file_uri(source), base), text), source)
    if isinstance(file, str):
        assert not file.startswith(("/", "../"))
        assert file == normpath(file)
        assert file != ".."
        assert not {"\\", "%", "?", ":"}.intersection(file)


def test_an_id_that_moves_nothing_is_dropped() -> None:
    schema = {
        "$id": "https://example.com/s.json",
        "$defs": {"A": {"type": "string"}},
        "$ref": "#/$defs/A",
    }
    assert told(schema) == []
    assert bundle(schema).value == {"$defs": {"A": {"type": "string"}}, "$ref": "#/$defs/A"}
    assert told({"properties": {"a": {"$id": "a", "type": "string"}}}) == []


def test_a_schema_may_call_itself_by_its_id() -> None:
    schema = {
        "$id": "https://example.com/s",
        "$defs": {"A": {}},
        "$ref": "https://example.com/s#/$defs/A",
    }
    assert bundle(schema).value == {"$defs": {"A": {}}, "$ref": "#/$defs/A"}


def test_an_embedded_identifier_is_resolved() -> None:
    schema = {
        "$id": "https://example.com/a/",
        "properties": {"x": {"$ref": "item"}, "y": {"$ref": "https://example.com/a/item#/$defs/B"}},
        "$defs": {"A": {"$id": "item", "$ref": "#/$defs/B", "$defs": {"B": {"type": "string"}}}},
    }
    assert bundle(schema).value == {
        "properties": {"x": {"$ref": "#/$defs/A"}, "y": {"$ref": "#/$defs/A/$defs/B"}},
        "$defs": {"A": {"$ref": "#/$defs/A/$defs/B", "$defs": {"B": {"type": "string"}}}},
    }


def test_anchors_become_pointers() -> None:
    schema = {"$defs": {"A": {"$anchor": "a", "type": "string"}}, "items": {"$ref": "#a"}}
    assert bundle(schema).value == {
        "$defs": {"A": {"type": "string"}},
        "items": {"$ref": "#/$defs/A"},
    }


def test_of_many_repeated_anchors_some_are_reported() -> None:
    schema = {"$defs": {f"A{number}": {"$anchor": "a"} for number in range(300)}}
    codes = [code for code, _ in told(schema)]
    assert codes == ["schema/repeated-identifier"] * 200 + ["syntax/too-many"]


def test_two_anchors_of_one_name_are_an_error_with_both_locations() -> None:
    schema = {
        "$ref": "#s",
        "$defs": {"a": {"$anchor": "s", "type": "string"}, "b": {"$anchor": "s"}},
    }
    (repeated,) = findings(schema)
    assert repeated.code == "schema/repeated-identifier"
    assert [repeated.subject.pointer] == ["/$defs/b"]
    assert [each.span.text for each in repeated.labels] == ['"a"']


def test_an_anchor_may_be_repeated_below_another_identifier() -> None:
    schema = {
        "$ref": "#s",
        "$defs": {
            "a": {"$anchor": "s", "type": "string"},
            "b": {"$id": "b", "$anchor": "s", "items": {"$ref": "#s"}},
            "c": {"$ref": "b#s"},
        },
    }
    assert bundle(schema).value == {
        "$ref": "#/$defs/a",
        "$defs": {
            "a": {"type": "string"},
            "b": {"items": {"$ref": "#/$defs/b"}},
            "c": {"$ref": "#/$defs/b"},
        },
    }


def test_two_schemas_of_one_identifier_are_an_error_where_it_is_used() -> None:
    twice = {"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}}
    assert told(twice) == []
    assert told({**twice, "$ref": "x"}) == [("schema/repeated-identifier", "/$defs/b")]


def test_a_schema_where_no_subschema_belongs_becomes_a_definition() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {
            "a": {"$ref": "#/definitions/types/Aql"},
            "b": {"$ref": "#/x-shared/0"},
            "c": {"$ref": "#/definitions/types/Aql/properties/n"},
        },
        "definitions": {
            "types": {"Aql": {"properties": {"n": {"$ref": "#/$defs/Name"}}, "$defs": 5}},
            "Aql": {"type": "null"},
        },
        "x-shared": [{"items": [{"type": "string"}]}],
        "$defs": {"Name": {"type": "string"}, "unused": 5},
    }
    assert bundle(schema).value == {
        "properties": {
            "a": {"$ref": "#/$defs/Aql2"},
            "b": {"$ref": "#/$defs/0"},
            "c": {"$ref": "#/$defs/Aql2/properties/n"},
        },
        "$defs": {
            "types": {},
            "Aql": {"type": "null"},
            "Aql2": {"properties": {"n": {"$ref": "#/$defs/Name"}}},
            "0": {"prefixItems": [{"type": "string"}]},
            "Name": {"type": "string"},
        },
    }
    assert bundle(schema).locations(("$defs", "Aql2", "properties", "n")).path == (
        "definitions",
        "types",
        "Aql",
        "properties",
        "n",
    )


def test_what_is_wrong_in_such_a_schema_is_an_error() -> None:
    schema = {"x-shared": {"A": {"type": "sting"}}, "items": {"$ref": "#/x-shared/A"}}
    assert told(schema) == [("schema/unknown-type", "/x-shared/A/type")]
    assert told({"x-shared": {"A": {"type": "sting"}}}) == []


def test_a_reference_to_a_value_is_refused() -> None:
    schema = {"x-shared": {"A": ["string"]}, "items": {"$ref": "#/x-shared/A"}}
    assert told(schema) == [("schema/reference-to-no-schema", "/items/$ref")]


def test_a_dynamic_reference_with_one_meaning_is_a_reference() -> None:
    schema = {"$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}
    assert bundle(schema).value == {"items": {"$ref": "#"}}
    recursive = {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "$recursiveAnchor": True,
        "items": {"$recursiveRef": "#"},
    }
    assert bundle(recursive).value == {"items": {"$ref": "#"}}


def test_a_dynamic_reference_with_several_meanings_is_refused() -> None:
    inner = {"$id": "list", "$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}
    schema = {"$dynamicAnchor": "n", "$defs": {"list": inner}, "$ref": "list"}
    assert told(schema) == [("schema/dynamic-reference", "/$defs/list/items/$dynamicRef")]
