from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from files_in_memory import FilesInMemory
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from toolspec.frontend import bind, includes
from toolspec.frontend.resolve.service import resolve
from toolspec.syntax import parse

if TYPE_CHECKING:
    from toolspec.diagnostics import Checked
    from toolspec.ir import Schema, Service
    from toolspec.syntax.nodes import JsonObject, JsonValue

MAIN = "specs/shop.json"


def resolved(files: dict[str, JsonValue]) -> Checked[Service]:
    documents = {}
    for path, value in files.items():
        checked = parse(path, json.dumps(value).encode())
        assert checked.value is not None, checked.diagnostics
        documents[path] = checked.value
    project = FilesInMemory(documents)
    unit = includes.expand(documents[MAIN], project)
    assert unit.ok, unit.diagnostics
    return resolve(bind.bind(unit.value, "_").value, project)


def spec(output: JsonValue, definitions: JsonObject | None = None, **tool: JsonValue) -> JsonObject:
    return {
        "toolspec": 1,
        "service": {"name": "shop", "description": "A shop."},
        "$defs": definitions or {},
        "tools": [
            {
                "name": "get",
                "description": "Get.",
                "mutation": False,
                "outputSchema": output,
                **tool,
            }
        ],
    }


def told(checked: Checked[Service]) -> list[tuple[str, str]]:
    return [(each.code, each.subject.pointer) for each in checked.diagnostics]


def output(checked: Checked[Service]) -> Schema:
    assert checked.diagnostics == ()
    return checked.value.tools[0].output


def test_shared_definitions_are_copied_and_named() -> None:
    schema = {"type": "array", "items": {"$ref": "#/$defs/Money"}}
    made = output(resolved({MAIN: spec(schema, {"Money": {"type": "number"}, "Other": {}})}))
    assert made.value == schema
    assert made.bundle == {**schema, "$defs": {"Money": {"type": "number"}}}
    assert made.shared == (("Money", "Money"),)


def test_what_a_schema_has_itself_comes_first() -> None:
    schema = {"$defs": {"Money": {"type": "string"}}, "items": {"$ref": "#/$defs/Money"}}
    made = output(resolved({MAIN: spec(schema, {"Money": {"type": "number"}})}))
    assert made.bundle is made.value
    assert made.shared == ()


def test_a_name_that_is_taken_gets_a_number() -> None:
    definitions: JsonObject = {
        "Price": {"items": {"$ref": "#/$defs/Money"}},
        "Money": {"type": "number"},
    }
    schema = {
        "$defs": {"Money": {"type": "string"}},
        "prefixItems": [{"$ref": "#/$defs/Money"}, {"$ref": "#/$defs/Price"}],
    }
    made = output(resolved({MAIN: spec(schema, definitions)}))
    assert made.bundle == {
        "$defs": {
            "Money": {"type": "string"},
            "Price": {"items": {"$ref": "#/$defs/Money2"}},
            "Money2": {"type": "number"},
        },
        "prefixItems": [{"$ref": "#/$defs/Money"}, {"$ref": "#/$defs/Price"}],
    }
    assert made.shared == (("Price", "Price"), ("Money2", "Money"))


def test_definitions_may_be_each_others_parts() -> None:
    definitions: JsonObject = {
        "Owner": {"properties": {"repos": {"items": {"$ref": "#/$defs/Repo"}}}},
        "Repo": {"properties": {"owner": {"$ref": "#/$defs/Owner"}, "name": {"type": "string"}}},
    }
    checked = resolved({MAIN: spec({"$ref": "#/$defs/Repo/properties/name"}, definitions)})
    assert output(checked).bundle == {
        "$ref": "#/$defs/Repo/properties/name",
        "$defs": {"Repo": definitions["Repo"], "Owner": definitions["Owner"]},
    }
    owner, repo = checked.value.definitions
    assert owner.schema.bundle == {
        **definitions["Owner"],
        "$defs": {
            "Repo": {"properties": {"owner": {"$ref": "#"}, "name": {"type": "string"}}},
        },
    }
    assert repo.schema.shared == (("Owner", "Owner"),)


def test_a_file_of_schemas_brings_its_definitions() -> None:
    files: dict[str, JsonValue] = {
        MAIN: spec({"$ref": "../shared/money.json#/$defs/Money"}, {"Money": {"type": "null"}}),
        "shared/money.json": {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$defs": {
                "Money": {"items": [{"$ref": "#/$defs/Currency"}], "title": "Money"},
                "Currency": {"type": "string"},
            },
        },
    }
    checked = resolved(files)
    made = output(checked)
    assert made.bundle == {
        "$ref": "#/$defs/Money2",
        "$defs": {
            "Money2": {"prefixItems": [{"$ref": "#/$defs/Currency"}], "title": "Money"},
            "Currency": {"type": "string"},
        },
    }
    assert [each.name for each in checked.value.definitions] == ["Money", "Money2", "Currency"]
    assert made.shared == (("Money2", "Money2"), ("Currency", "Currency"))


def test_a_whole_file_is_named_by_its_stem() -> None:
    files: dict[str, JsonValue] = {
        MAIN: spec({"items": {"$ref": "Tree.json"}}),
        "specs/Tree.json": {"type": "object", "properties": {"left": {"$ref": "#"}}},
    }
    checked = resolved(files)
    assert output(checked).bundle == {
        "items": {"$ref": "#/$defs/Tree"},
        "$defs": {"Tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}},
    }
    assert [each.name for each in checked.value.definitions] == ["Tree"]


def test_an_included_file_reaches_the_services_definitions() -> None:
    tool: JsonObject = {
        "name": "put",
        "description": "Put.",
        "mutation": True,
        "outputSchema": {"items": {"$ref": "#/$defs/Money"}},
    }
    files: dict[str, JsonValue] = {
        MAIN: {**spec({}, {"Money": {"type": "number"}}), "include": ["tools/put.json"]},
        "specs/tools/put.json": {"tools": [tool]},
    }
    checked = resolved(files)
    assert told(checked) == []
    assert checked.value.tools[1].output.shared == (("Money", "Money"),)


def test_a_reference_elsewhere_in_the_document() -> None:
    spec_value = spec({}, inputSchema={"type": "object", "properties": {"a": {"type": "string"}}})
    spec_value["$defs"] = {"A": {"items": {"$ref": "#/tools/0/inputSchema/properties/a"}}}
    checked = resolved({MAIN: spec_value})
    assert told(checked) == []
    assert [each.name for each in checked.value.definitions] == ["A", "a"]


def test_an_identifier_of_a_definition_is_known_to_other_schemas() -> None:
    money: JsonObject = {
        "$id": "https://shop.example/money",
        "type": "object",
        "properties": {"amount": {"$anchor": "amount", "type": "number"}},
    }
    for reference, meant in {
        "https://shop.example/money": "#/$defs/Money",
        "https://shop.example/money#/properties/amount": "#/$defs/Money/properties/amount",
        "https://shop.example/money#amount": "#/$defs/Money/properties/amount",
    }.items():
        made = output(resolved({MAIN: spec({"items": {"$ref": reference}}, {"Money": money})}))
        assert made.bundle["items"] == {"$ref": meant}  # type: ignore[call-overload,index]
    lost = resolved({MAIN: spec({"$ref": "https://shop.example/money#/nope"}, {"Money": money})})
    assert told(lost) == [("resolve/dangling-reference", "/tools/0/outputSchema/$ref")]
    below: JsonObject = {"$id": "https://shop.example/cart", "items": {"$ref": "money"}}
    made = output(resolved({MAIN: spec(below, {"Money": money})}))
    assert made.bundle["items"] == {"$ref": "#/$defs/Money"}  # type: ignore[call-overload,index]


def test_an_identifier_of_two_definitions_is_an_error_where_it_is_used() -> None:
    both: JsonObject = {"A": {"$id": "urn:x"}, "B": {"$id": "urn:x"}}
    assert told(resolved({MAIN: spec({}, both)})) == []
    checked = resolved({MAIN: spec({"items": {"$ref": "urn:x"}}, both)})
    assert told(checked) == [("schema/repeated-identifier", "/tools/0/outputSchema/items/$ref")]


def test_a_file_is_followed_below_an_identifier_that_it_shares() -> None:
    cart: JsonObject = {"$id": "https://shop.example/cart.json", "items": {"$ref": "money.json"}}
    money: JsonObject = {"$id": "https://shop.example/money.json", "type": "number"}
    made = output(resolved({MAIN: spec(cart), "specs/money.json": money}))
    assert made.bundle == {
        "items": {"$ref": "#/$defs/money"},
        "$defs": {"money": {"type": "number"}},
    }
    other: JsonObject = {"$id": "https://else.example/money.json", "type": "number"}
    for file in (other, {"type": "number"}):
        checked = resolved({MAIN: spec(cart), "specs/money.json": file})
        assert told(checked) == [("schema/refused-reference", "/tools/0/outputSchema/items/$ref")]


def test_a_part_of_a_file_is_read_as_its_document_says() -> None:
    common: JsonObject = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "id": "https://shop.example/common.json",
        "definitions": {
            "types": {
                "Price": {"minimum": 0, "exclusiveMinimum": True},
                "List": {
                    "items": [{"$ref": "common.json#/definitions/types/Price"}, {"$ref": "#b"}]
                },
            },
            "B": {"id": "#b", "type": "boolean"},
        },
    }
    schema: JsonObject = {
        "properties": {
            "a": {"$ref": "common.json#/definitions/types/List"},
            "b": {"$ref": "common.json#b"},
        }
    }
    checked = resolved({MAIN: spec(schema), "specs/common.json": common})
    assert checked.diagnostics == ()
    assert checked.value.tools[0].output.bundle == {
        "properties": {"a": {"$ref": "#/$defs/List"}, "b": {"$ref": "#/$defs/B"}},
        "$defs": {
            "List": {"prefixItems": [{"$ref": "#/$defs/Price"}, {"$ref": "#/$defs/B"}]},
            "B": {"type": "boolean"},
            "Price": {"exclusiveMinimum": 0},
        },
    }


def test_a_pointer_into_a_group_of_a_service_brings_in_that_schema_alone() -> None:
    groups: JsonObject = {"types": {"Aql": {"items": {"$ref": "#/$defs/Name"}}, "Bad": {"type": 5}}}
    schema: JsonObject = {"items": {"$ref": "#/$defs/types/Aql"}}
    definitions: JsonObject = {**groups, "Name": {"type": "string"}}
    made = output(resolved({MAIN: spec(schema, definitions)}))
    assert made.bundle == {
        "items": {"$ref": "#/$defs/Aql"},
        "$defs": {"Aql": {"items": {"$ref": "#/$defs/Name"}}, "Name": {"type": "string"}},
    }


def test_a_dynamic_reference_that_could_lead_back_to_its_user_is_refused() -> None:
    tree: JsonObject = {"$dynamicAnchor": "node", "items": {"$dynamicRef": "#node"}}
    assert (
        told(resolved({MAIN: spec({"items": {"$ref": "tree.json"}}), "specs/tree.json": tree}))
        == []
    )
    strict: JsonObject = {"$dynamicAnchor": "node", "$ref": "tree.json", "minItems": 1}
    checked = resolved({MAIN: spec(strict), "specs/tree.json": tree})
    assert told(checked) == [("schema/dynamic-reference", "/items/$dynamicRef")]


def test_locations_of_an_older_dialect_are_those_of_the_author() -> None:
    schema: JsonObject = {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "items": [{"type": "integer", "default": "x"}],
        "additionalItems": {"$ref": "#/$defs/nowhere"},
    }
    assert told(resolved({MAIN: spec(schema)})) == [
        ("resolve/dangling-reference", "/tools/0/outputSchema/additionalItems/$ref")
    ]
    schema["additionalItems"] = False
    assert told(resolved({MAIN: spec(schema)})) == [
        ("schema/default-mismatch", "/tools/0/outputSchema/items/0/default")
    ]


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        ("#/$defs/Mony", "did you mean `#/$defs/Money`?"),
        ("#/$defs/Inner2", "did you mean `#/$defs/Inner`?"),
        ("#/definitions/Money", "did you mean `#/$defs/Money`?"),
        ("other.json#/$defs/Frein", "did you mean `other.json#/$defs/Foreign`?"),
        ("#money", "write a pointer"),
        ("#/$defs/zzzzzz", "define it below `$defs`"),
    ],
)
def test_a_dangling_reference(reference: str, hint: str) -> None:
    schema = {"$defs": {"Inner": {}}, "items": {"$ref": reference}}
    files: dict[str, JsonValue] = {
        MAIN: spec(schema, {"Money": {"type": "number"}}),
        "specs/other.json": {"$defs": {"Foreign": {}}},
    }
    checked = resolved(files)
    assert told(checked) == [("resolve/dangling-reference", "/tools/0/outputSchema/items/$ref")]
    finding = checked.diagnostics[0]
    assert hint in finding.help
    assert finding.subject.service == "shop"
    assert finding.subject.tool == "shop_get"


def test_a_missing_file() -> None:
    checked = resolved({MAIN: spec({"$ref": "nowhere.json#/A"})})
    assert told(checked) == [("resolve/missing-file", "/tools/0/outputSchema/$ref")]
    assert "`specs/nowhere.json`" in checked.diagnostics[0].message


def test_a_reference_may_name_its_own_file() -> None:
    document = spec({"$ref": "shop.json#/$defs/Item"}, {"Item": {"type": "string"}})
    checked = resolved({MAIN: document})
    assert told(checked) == []
    assert output(checked).shared == (("Item", "Item"),)


def test_of_many_references_to_nothing_some_are_reported() -> None:
    names = [f"p{number}" for number in range(300)]
    lost: JsonObject = {each: {"$ref": f"#/$defs/{each}"} for each in names}
    codes = [code for code, _ in told(resolved({MAIN: spec({"properties": lost})}))]
    assert codes == ["resolve/dangling-reference"] * 200 + ["resolve/too-many-lost-references"]


def test_of_many_wrong_defaults_and_examples_of_a_service_some_are_reported() -> None:
    definitions: JsonObject = {f"D{n}": {"type": "integer", "default": "x"} for n in range(150)}
    example: JsonValue = {"title": "One", "input": {"x": 1}, "output": None}
    document = spec(
        {"type": "null"},
        definitions,
        inputSchema={"type": "object", "properties": {"x": {"type": "string"}}},
        examples=[example] * 150,
    )
    codes = [code for code, _ in told(resolved({MAIN: document}))]
    wrong = ["schema/default-mismatch"] * 150 + ["schema/example-mismatch"] * 50
    assert codes == [*wrong, "syntax/too-many"]


def test_too_many_patterns_of_a_service_are_reported_once() -> None:
    pattern = r"^\p{L}{1,190}$"
    definitions: JsonObject = {f"D{n}": {"pattern": f"{pattern}|{n}"} for n in range(10)}
    checked = resolved({MAIN: spec({"$ref": "#/$defs/D8"}, definitions)})
    assert told(checked) == [("schema/too-complex", "/$defs/D1")]
    assert checked.value.tools[0].output.broken is None


def test_of_many_invalid_schemas_of_a_service_some_are_reported() -> None:
    definitions: JsonObject = {f"D{n}": {"type": "strin"} for n in range(300)}
    checked = resolved({MAIN: spec({"$ref": "#/$defs/D299"}, definitions)})
    codes = [code for code, _ in told(checked)]
    assert codes == ["schema/unknown-type"] * 200 + ["syntax/too-many"]
    assert all(each.schema.broken is None for each in checked.value.definitions)


def test_an_invalid_schema_after_the_last_reported_one_is_not_converted() -> None:
    """A bound of draft-04 that is exclusive, and is none, has no value to convert."""
    definitions: JsonObject = {f"D{n}": {"type": "strin"} for n in range(201)}
    draft = "http://json-schema.org/draft-04/schema#"
    definitions["Bound"] = {"$schema": draft, "exclusiveMaximum": True}
    checked = resolved({MAIN: spec({"$ref": "#/$defs/Bound"}, definitions)})
    codes = [code for code, _ in told(checked)]
    assert codes == ["schema/unknown-type"] * 200 + ["syntax/too-many"]
    assert checked.value.definitions[-1].schema.broken is None


def circles(levels: int, below: str) -> JsonObject:
    """Return pairs of definitions that refer to each other, and twice to the next pair."""
    definitions: JsonObject = {f"A{levels}": {"type": "string"}}
    for level in range(levels):
        deeper: JsonValue = {below: [{"$ref": f"#/$defs/A{level + 1}"}] * 2}
        back: JsonValue = {"properties": {"back": {"$ref": f"#/$defs/A{level}"}}}
        there: JsonValue = {"there": {"$ref": f"#/$defs/B{level}"}, "deeper": deeper}
        definitions |= {f"A{level}": {"properties": there}, f"B{level}": back}
    return definitions


@pytest.mark.parametrize("below", ["prefixItems", "allOf"])
def test_what_circles_lead_to_adds_up(below: str) -> None:
    """References for parts of a value count once in a circle, and in full where they leave it."""
    few, many = (spec({"$ref": "#/$defs/A0"}, circles(levels, below)) for levels in (6, 30))
    assert told(resolved({MAIN: few})) == []
    assert {code for code, _ in told(resolved({MAIN: many}))} == {"schema/too-complex"}


def test_a_large_circle_of_parts_is_light() -> None:
    definitions: JsonObject = {
        f"T{n}": {
            "properties": {f"p{k}": {"$ref": f"#/$defs/T{(n * 7 + k) % 900}"} for k in (1, 2)}
        }
        for n in range(900)
    }
    assert told(resolved({MAIN: spec({"$ref": "#/$defs/T0"}, definitions)})) == []


def test_copies_are_shared_by_schemas_that_refer_to_the_same() -> None:
    taken: JsonObject = {"properties": {"a": {"$ref": "#/$defs/A"}}}
    definitions: JsonObject = {"A": {"$ref": "#/$defs/B"}, "B": {}}
    document = spec({"$ref": "#/$defs/A"}, definitions, inputSchema=taken)
    tool = resolved({MAIN: document}).value.tools[0]
    assert isinstance(tool.input.bundle, dict)
    assert isinstance(tool.output.bundle, dict)
    assert tool.input.bundle["$defs"] is tool.output.bundle["$defs"]


def test_a_foreign_schema_is_checked_where_it_stands() -> None:
    files: dict[str, JsonValue] = {
        MAIN: spec({"items": {"$ref": "a.json#/$defs/A"}}),
        "specs/a.json": {"$defs": {"A": {"type": "intger"}}},
    }
    checked = resolved(files)
    assert told(checked) == [("schema/unknown-type", "/$defs/A/type")]
    assert checked.diagnostics[0].span is not None
    assert checked.diagnostics[0].span.source.path == "specs/a.json"


def test_a_fault_is_reported_once_however_many_use_it() -> None:
    definitions: JsonObject = {
        "User": {
            "type": "object",
            "required": ["bad"],
            "properties": {"bad": {"$ref": "#/$defs/Bad"}},
        },
        "Bad": {"type": "string", "enum": [1]},
        "A": {"anyOf": [{"$ref": "#/$defs/B"}]},
        "B": {"$ref": "#/$defs/A"},
    }
    schema = {"prefixItems": [{"$ref": "#/$defs/User"}, {"$ref": "#/$defs/A"}], "default": 3}
    assert sorted(told(resolved({MAIN: spec(schema, definitions)}))) == [
        ("schema/endless-reference", "/$defs/A/anyOf/0/$ref"),
        ("schema/unsatisfiable", "/$defs/Bad/enum"),
    ]


def test_settings_and_tools_alike_are_checked() -> None:
    value = spec(
        {"type": "sting"}, inputSchema={"type": "object", "properties": {"a": {"pattern": "["}}}
    )
    value["service"] = {**value["service"], "settings": {"type": "object", "minProperties": -1}}
    assert sorted(told(resolved({MAIN: value}))) == [
        ("schema/bad-pattern", "/tools/0/inputSchema/properties/a/pattern"),
        ("schema/unknown-type", "/tools/0/outputSchema/type"),
        ("schema/wrong-keyword-value", "/service/settings/minProperties"),
    ]


def test_examples_are_tried() -> None:
    value = spec(
        {"$ref": "#/$defs/Money"},
        {"Money": {"type": "number"}},
        inputSchema={
            "type": "object",
            "properties": {"id": {"type": "string"}, "n": {"type": "integer"}},
            "required": ["id"],
            "additionalProperties": False,
        },
        errors=[{"code": "gone", "description": "It is gone."}],
        examples=[
            {"title": "right", "input": {"id": "a"}, "output": 1},
            {"title": "one fault", "input": {"id": 3}, "output": "x"},
            {"title": "three faults", "input": {"n": "x", "m": 1}, "output": None},
            {"title": "an error", "input": {"id": "a"}, "error": "gone"},
        ],
    )
    checked = resolved({MAIN: value})
    assert told(checked) == [
        ("schema/example-mismatch", "/tools/0/examples/1/input/id"),
        ("schema/example-mismatch", "/tools/0/examples/1/output"),
        ("schema/example-mismatch", "/tools/0/examples/2/input"),
        ("schema/example-mismatch", "/tools/0/examples/2/output"),
    ]
    folded = checked.diagnostics[2]
    assert len(folded.labels) == 3
    assert all(part in folded.message for part in ("`id` is missing", "`m`", 'n: "x"'))


def test_too_many_definitions_end_quickly_and_once() -> None:
    chain: JsonObject = {
        f"D{number}": {"items": {"$ref": f"#/$defs/D{number + 1}"}} for number in range(2_500)
    }
    chain["D2500"] = {"type": "string"}
    assert [code for code, _ in told(resolved({MAIN: spec({"$ref": "#/$defs/D0"}, chain)}))] == [
        "schema/too-complex"
    ]


def test_of_too_many_definitions_none_is_read() -> None:
    definitions: JsonObject = {f"D{number}": {"type": "strin"} for number in range(5_001)}
    document = spec({"$ref": "#/$defs/D7"}, definitions)
    assert told(resolved({MAIN: document})) == [("resolve/too-many-definitions", "/$defs/D5000")]


def test_many_values_are_tried_together_as_they_are_one_by_one() -> None:
    definitions: JsonObject = {
        "Kind": {"oneOf": [{"type": "string", "pattern": f"^k{n}$"} for n in range(40)]},
        "Kinds": {
            "properties": {
                f"p{n}": {"allOf": [{"$ref": "#/$defs/Kind"}], "default": f"k{n}"}
                for n in range(60)
            }
        },
    }
    pointers = [f"/$defs/Kinds/properties/p{n}/default" for n in range(40, 60)]
    checked = resolved({MAIN: spec({"$ref": "#/$defs/Kinds"}, definitions)})
    assert told(checked) == [("schema/default-mismatch", each) for each in pointers]


NAMES = ["A", "B", "C"]
REFERENCES = st.sampled_from(
    ["#/$defs/A", "#/$defs/B", "#/$defs/C/properties/p", "other.json#/$defs/A", "other.json"]
).map(lambda reference: {"$ref": reference})
LEAVES = st.sampled_from([True, {"type": "string"}, {"minimum": 1}, {"type": ["null", "integer"]}])


def _consuming(inner: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from(["p", "q"]), inner, max_size=2),
            "items": inner,
            "additionalProperties": inner,
        },
    )


PARTS = st.recursive(LEAVES | REFERENCES, _consuming, max_leaves=4)
SCHEMAS = _consuming(PARTS)
WITH_P = st.builds(lambda part: {"properties": {"p": part}}, _consuming(PARTS) | LEAVES)
VALUES = st.recursive(
    st.sampled_from(["a", 0, 1, None, 1.5]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["p", "q", "r"]), inner, max_size=2)
    ),
    max_leaves=5,
)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    schema=SCHEMAS,
    shared=st.fixed_dictionaries({"A": SCHEMAS, "B": SCHEMAS, "C": WITH_P}),
    foreign=SCHEMAS,
    values=st.lists(VALUES, min_size=1, max_size=6),
)
def test_a_bundle_accepts_what_the_schema_accepts(
    schema: JsonObject, shared: JsonObject, foreign: JsonObject, values: list[JsonValue]
) -> None:
    """The reference resolves each part as a document of its own, with the service's `$defs` inside."""
    other: JsonObject = {
        "$defs": {"A": {"minimum": 2}, "B": {"type": "string"}, "C": foreign},
        **foreign,
    }
    other["$defs"]["C"] = {"properties": {"p": {"type": "null"}}}
    checked = resolved({MAIN: spec(schema, shared), "specs/other.json": other})
    whole = {**schema, "$defs": shared}
    registry: Registry[object] = Registry().with_resources(
        (uri, Resource(contents, DRAFT202012))
        for uri, contents in (
            ("http://x.test/shop.json", whole),
            ("http://x.test/other.json", other),
        )
    )
    reference = Draft202012Validator({"$ref": "http://x.test/shop.json"}, registry=registry)
    assert told(checked) == []
    Draft202012Validator.check_schema(checked.value.tools[0].output.bundle)
    made = Draft202012Validator(checked.value.tools[0].output.bundle, registry=Registry())
    assert [made.is_valid(each) for each in values] == [reference.is_valid(each) for each in values]
