from __future__ import annotations

from posixpath import normpath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_probe import bundle, told
from toolspec.schema.refs import Refusal, Target, read_reference

SOURCE = "specs/api/github.yaml"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("#", Target()),
        ("", Target()),
        ("#/$defs/A", Target(steps=("$defs", "A"))),
        ("#/%24defs/A%20b", Target(steps=("$defs", "A b"))),
        ("#/$defs/a~1b~0c", Target(steps=("$defs", "a/b~c"))),
        ("#/", Target(steps=("",))),
        ("#node", Target(anchor="node")),
        ("common.yaml", Target("specs/api/common.yaml")),
        ("./common.yaml#/$defs/Money", Target("specs/api/common.yaml", ("$defs", "Money"))),
        ("../shared/a b.json#/X", Target("specs/shared/a b.json", ("X",))),
        ("../../top.json", Target("top.json")),
        ("github.yaml#/$defs/A", Target(steps=("$defs", "A"))),
        ("https://example.com/s.json#/$defs/A", Target(steps=("$defs", "A"))),
    ],
)
def test_what_is_followed(text: str, target: Target) -> None:
    assert read_reference(text, SOURCE, "https://example.com/s.json") == target


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
        "a\x00.json",
        "a\n.json",
    ],
)
def test_what_is_refused(text: str) -> None:
    assert isinstance(read_reference(text, SOURCE, "https://example.com/s.json"), Refusal)


@settings(derandomize=True, max_examples=500)
@given(
    text=st.text(alphabet="./\\%:?#~aA2eEfF\x00 @", max_size=20),
    source=st.sampled_from(["a.yaml", "specs/a.yaml", "specs/b/a.yaml"]),
)
def test_no_reference_leaves_the_project(text: str, source: str) -> None:
    reading = read_reference(text, source)
    if isinstance(reading, Target):
        file = reading.file
        assert not file.startswith(("/", "../"))
        assert file in {"", normpath(file)}
        assert file != ".."
        assert not {"\\", "%", "?", ":", "\x00"}.intersection(file)


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


def test_an_id_that_moves_a_reference_is_refused() -> None:
    at_root = {"$id": "https://example.com/a/", "properties": {"x": {"$ref": "other.json"}}}
    assert told(at_root) == [("schema/rebased-reference", "/properties/x/$ref")]
    nested = {"$defs": {"A": {}}, "items": {"$id": "b", "items": {"$ref": "#/$defs/A"}}}
    assert told(nested) == [("schema/rebased-reference", "/items/items/$ref")]


def test_anchors_become_pointers() -> None:
    schema = {"$defs": {"A": {"$anchor": "a", "type": "string"}}, "items": {"$ref": "#a"}}
    assert bundle(schema).value == {
        "$defs": {"A": {"type": "string"}},
        "items": {"$ref": "#/$defs/A"},
    }


def test_a_reference_to_a_value_is_refused() -> None:
    schema = {"x-shared": {"A": {"type": "string"}}, "items": {"$ref": "#/x-shared/A"}}
    assert told(schema) == [("schema/reference-to-no-schema", "/items/$ref")]
    smuggled = {"default": {"$ref": "http://127.0.0.1/"}, "$ref": "#/default"}
    assert told(smuggled) == [("schema/reference-to-no-schema", "/$ref")]


def test_dynamic_references_are_refused() -> None:
    schema = {"$dynamicAnchor": "n", "items": {"$dynamicRef": "#n"}}
    assert told(schema) == [("schema/dynamic-reference", "/items/$dynamicRef")]
