from __future__ import annotations

from toolspec.schema.walk import applied, find, split, subschemas


def test_subschemas_come_in_the_order_of_the_document() -> None:
    schema = {
        "properties": {"b": {"items": True}, "a": {"type": "string"}},
        "anyOf": [{"not": False}, {}],
    }
    assert [path for path, _ in subschemas(schema)] == [
        (),
        ("properties", "b"),
        ("properties", "b", "items"),
        ("properties", "a"),
        ("anyOf", 0),
        ("anyOf", 0, "not"),
        ("anyOf", 1),
    ]


def test_values_are_no_schemas() -> None:
    schema = {"enum": [{"type": "x"}], "default": {"items": {}}, "x-own": {"properties": {}}}
    assert [path for path, _ in subschemas(schema)] == [()]


def test_a_property_named_like_a_keyword_is_a_property() -> None:
    schema = {"properties": {"items": {"type": "string"}, "properties": {"not": {}}}}
    assert [path for path, _ in subschemas(schema)] == [
        (),
        ("properties", "items"),
        ("properties", "properties"),
        ("properties", "properties", "not"),
    ]


def test_what_is_malformed_is_passed_over() -> None:
    schema = {"properties": [1], "items": 3, "allOf": {"a": {}}, "not": None, "$defs": {"a": "b"}}
    assert [path for path, _ in subschemas(schema)] == [()]


def test_depth_has_no_limit_of_its_own() -> None:
    schema: dict[str, object] = {}
    for _ in range(5_000):
        schema = {"items": schema}
    assert sum(1 for _ in subschemas(schema)) == 5_001


def test_a_path_is_split_into_its_schema_and_its_keyword() -> None:
    assert split(("properties", "a", "type")) == (("properties", "a"), ("type",))
    assert split(("properties", "a")) == (("properties", "a"), ())
    assert split(("items", "required", 0)) == (("items",), ("required", 0))
    assert split(("properties",)) == ((), ("properties",))
    assert split(("allOf", 0, "allOf")) == (("allOf", 0), ("allOf",))


def test_the_keywords_along_a_path() -> None:
    assert applied(("properties", "not", "items", "anyOf", 0)) == ("properties", "items", "anyOf")


def test_a_pointer_counts_lists_in_decimal() -> None:
    value = {"a": [{"b": 1}], "0": 2}
    assert find(value, ("a", "0", "b")) == ("a", 0, "b")
    assert find(value, ("0",)) == ("0",)
    assert find(value, ("a", "1")) is None
    assert find(value, ("a", "-1")) is None
    assert find(value, ("a", "²")) is None
