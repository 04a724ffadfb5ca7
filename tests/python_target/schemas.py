"""Schemas of every sort that tools have, each with the type that its values get.

The expected text is what follows `DoItOutput: TypeAlias = `, or the declarations that it needs
where there are any. `definitions` are the service's shared ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue


class Case(NamedTuple):
    """A schema, the type it should have, and how many places fell back to `object`."""

    schema: JsonValue
    type: str
    fallbacks: int = 0


TEXT: JsonValue = {"type": "string"}
WHOLE: JsonValue = {"type": "integer"}
OPEN = "dict[str, object]"

SIMPLE: dict[str, Case] = {
    "anything": Case(schema=True, type="object"),
    "nothing": Case(schema=False, type="Never"),
    "empty": Case({}, "object"),
    "described-only": Case({"description": "Whatever."}, "object"),
    "string": Case(TEXT, "str"),
    "integer": Case(WHOLE, "int"),
    "number": Case({"type": "number", "minimum": 0}, "float"),
    "boolean": Case({"type": "boolean"}, "bool"),
    "null": Case({"type": "null"}, "None"),
    "nullable-list": Case({"type": ["string", "null"]}, "str | None"),
    "nullable-first": Case({"type": ["null", "string"]}, "str | None"),
    "nullable-any-of": Case({"anyOf": [TEXT, {"type": "null"}]}, "str | None"),
    "type-list": Case({"type": ["string", "integer"]}, "str | int"),
    "one-of": Case({"oneOf": [TEXT, {"type": "boolean"}]}, "str | bool"),
    "same-twice": Case({"anyOf": [TEXT, {"type": "string", "format": "uri"}]}, "str"),
    "any-of-with-everything": Case({"anyOf": [TEXT, {}]}, "object"),
    "any-of-with-nothing": Case({"anyOf": [TEXT, False]}, "str"),
    "nested-unions": Case(
        {"anyOf": [{"anyOf": [TEXT, WHOLE]}, {"type": ["integer", "null"]}]}, "str | int | None"
    ),
    "enum": Case({"enum": ["a", "b"]}, 'Literal["a", "b"]'),
    "enum-typed": Case({"type": "string", "enum": ["a"]}, 'Literal["a"]'),
    "enum-of-all": Case({"enum": ["a", 1, True, None]}, 'Literal["a", 1, True] | None'),
    "enum-narrowed": Case(
        {"type": ["string", "null"], "enum": ["a", 1, None]}, 'Literal["a"] | None'
    ),
    "enum-of-floats": Case({"enum": [0.5, 1]}, "float | Literal[1]"),
    "enum-of-objects": Case({"enum": [{"a": 1}]}, OPEN, 1),
    "enum-of-arrays": Case({"enum": [[1], "a"]}, 'Literal["a"] | list[object]', 1),
    "enum-empty": Case({"enum": []}, "Never"),
    "enum-repeated": Case({"anyOf": [{"const": "a"}, {"enum": ["a", "b"]}]}, 'Literal["a", "b"]'),
    "enum-true-and-one": Case({"enum": [True, 1]}, "Literal[True, 1]"),
    "const": Case({"const": "fixed"}, 'Literal["fixed"]'),
    "const-null": Case({"const": None}, "None"),
    "const-contradicted": Case({"type": "string", "const": 1}, "Never"),
    "described-constants": Case(
        {"type": "string", "oneOf": [{"const": "a", "description": "A."}, {"const": "b"}]},
        'Literal["a", "b"]',
    ),
    "formats-only": Case(
        {"type": "string", "anyOf": [{"format": "uri"}, {"format": "uuid"}]}, "str"
    ),
    "required-only": Case(
        {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, OPEN
    ),
    "untyped-pattern": Case({"pattern": "^a"}, "object"),
    "untyped-bound": Case({"minimum": 3}, "object"),
    "untyped-mixed": Case({"minimum": 3, "pattern": "a"}, "object"),
    "array": Case({"type": "array", "items": TEXT}, "list[str]"),
    "array-bare": Case({"type": "array"}, "list[object]"),
    "array-untyped": Case({"items": WHOLE}, "object"),
    "array-empty": Case({"type": "array", "items": False}, "list[Never]"),
    "array-nested": Case(
        {"type": "array", "items": {"type": "array", "items": TEXT}}, "list[list[str]]"
    ),
    "array-nullable": Case({"type": ["array", "null"], "items": TEXT}, "list[str] | None"),
    "tuple": Case(
        {"type": "array", "prefixItems": [TEXT, WHOLE], "items": False}, "list[str | int]"
    ),
    "tuple-by-bound": Case(
        {"type": "array", "prefixItems": [TEXT, WHOLE], "maxItems": 2}, "list[str | int]"
    ),
    "tuple-optional": Case(
        {"type": "array", "prefixItems": [TEXT, WHOLE], "items": False, "minItems": 1},
        "list[str | int]",
    ),
    "tuple-empty-too": Case(
        {"type": "array", "prefixItems": [TEXT], "items": False, "minItems": 0}, "list[str]"
    ),
    "tuple-long": Case(
        {"type": "array", "prefixItems": [TEXT] * 9, "items": False, "minItems": 1}, "list[str]"
    ),
    "tuple-open": Case({"type": "array", "prefixItems": [TEXT]}, "list[object]"),
    "tuple-typed-rest": Case(
        {"type": "array", "prefixItems": [TEXT], "items": WHOLE}, "list[str | int]"
    ),
    "object-bare": Case({"type": "object"}, OPEN),
    "map": Case({"type": "object", "additionalProperties": WHOLE}, "dict[str, int]"),
    "map-untyped": Case({"type": "object", "additionalProperties": TEXT}, "dict[str, str]"),
    "map-of-anything": Case({"type": "object", "additionalProperties": True}, OPEN),
    "map-by-pattern": Case(
        {
            "type": "object",
            "patternProperties": {"^x": TEXT, "^y": WHOLE},
            "additionalProperties": False,
        },
        "dict[str, str | int]",
    ),
    "map-by-open-pattern": Case({"type": "object", "patternProperties": {"^x": TEXT}}, OPEN),
    "map-of-maps": Case(
        {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": TEXT},
        },
        "dict[str, dict[str, str]]",
    ),
    "key-without-a-name": Case(
        {"type": "object", "properties": {"": TEXT, "a": WHOLE}, "additionalProperties": False},
        "dict[str, str | int]",
    ),
    "all-of-one": Case({"allOf": [TEXT], "description": "A text."}, "str"),
    "all-of-narrowing": Case({"allOf": [{"type": ["string", "null"]}, TEXT]}, "str"),
    "all-of-integer-number": Case({"allOf": [{"type": "number"}, WHOLE]}, "int"),
    "all-of-contradiction": Case({"allOf": [TEXT, WHOLE]}, "Never"),
    "all-of-bounds": Case({"type": "integer", "allOf": [{"minimum": 1}, {"maximum": 3}]}, "int"),
    "not": Case({"not": {"type": "string"}}, "object", 1),
    "condition": Case({"if": TEXT, "then": {"minLength": 1}}, "object", 1),
    "condition-typed": Case(
        {"type": "string", "if": {"minLength": 2}, "then": {"pattern": "a"}}, "str"
    ),
    "dangling": Case({"$ref": "#/$defs/Missing"}, "object", 1),
    "remote": Case({"$ref": "https://example.com/a.json"}, "object", 1),
    "loop": Case({"$ref": "#"}, "object", 1),
    "loop-in-union": Case({"anyOf": [TEXT, {"$ref": "#"}]}, "object", 1),
    "no-such-type": Case({"type": "decimal"}, "object"),
}

DECLARED: dict[str, Case] = {
    "typed-dict": Case(
        {"type": "object", "properties": {"a": TEXT, "b": WHOLE}, "required": ["a"]},
        "class DoItOutput(TypedDict):\n    a: str\n    b: NotRequired[int]",
    ),
    "closed": Case(
        {"type": "object", "additionalProperties": False}, "class DoItOutput(TypedDict):"
    ),
    "required-unlisted": Case(
        {"type": "object", "properties": {"a": TEXT}, "required": ["b"]},
        "class DoItOutput(TypedDict):\n    a: NotRequired[str]\n    b: object",
    ),
    "nested": Case(
        {
            "type": "object",
            "properties": {"where": {"type": "object", "properties": {"city": TEXT}}},
        },
        "class DoItOutputWhere(TypedDict):\n    city: NotRequired[str]\n"
        "class DoItOutput(TypedDict):\n    where: NotRequired[DoItOutputWhere]",
    ),
    "items": Case(
        {"type": "array", "items": {"type": "object", "properties": {"a": TEXT}}},
        "class DoItOutputItem(TypedDict):\n    a: NotRequired[str]\n"
        "DoItOutput: TypeAlias = list[DoItOutputItem]",
    ),
    "values": Case(
        {"type": "object", "additionalProperties": {"type": "object", "properties": {"a": TEXT}}},
        "class DoItOutputValue(TypedDict):\n    a: NotRequired[str]\n"
        "DoItOutput: TypeAlias = dict[str, DoItOutputValue]",
    ),
    "nullable-object": Case(
        {"type": ["object", "null"], "properties": {"a": TEXT}},
        "class DoItOutputObject(TypedDict):\n    a: NotRequired[str]\n"
        "DoItOutput: TypeAlias = DoItOutputObject | None",
    ),
    "tagged": Case(
        {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}},
                },
                {
                    "type": "object",
                    "properties": {"kind": {"const": "square"}},
                    "required": ["kind"],
                },
            ]
        },
        'class DoItOutputCircle(TypedDict):\n    kind: NotRequired[Literal["circle"]]\n'
        "    r: NotRequired[float]\n"
        'class DoItOutputSquare(TypedDict):\n    kind: Literal["square"]\n'
        "DoItOutput: TypeAlias = DoItOutputCircle | DoItOutputSquare",
    ),
    "untagged": Case(
        {
            "anyOf": [
                {"type": "object", "properties": {"a": TEXT}},
                {"type": "object", "properties": {"b": TEXT}},
                {"type": "null"},
            ]
        },
        "class DoItOutputOption1(TypedDict):\n    a: NotRequired[str]\n"
        "class DoItOutputOption2(TypedDict):\n    b: NotRequired[str]\n"
        "DoItOutput: TypeAlias = DoItOutputOption1 | DoItOutputOption2 | None",
    ),
    "common-part": Case(
        {
            "type": "object",
            "properties": {"id": TEXT},
            "required": ["id"],
            "anyOf": [
                {"type": "object", "properties": {"a": TEXT}},
                {"type": "object", "properties": {"b": TEXT}, "required": ["b"]},
            ],
        },
        "class DoItOutputOption1(TypedDict):\n    id: str\n    a: NotRequired[str]\n"
        "class DoItOutputOption2(TypedDict):\n    id: str\n    b: str\n"
        "DoItOutput: TypeAlias = DoItOutputOption1 | DoItOutputOption2",
    ),
    "one-of-required": Case(
        {
            "type": "object",
            "properties": {"a": TEXT, "b": TEXT},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        "class DoItOutput(TypedDict):\n    a: NotRequired[str]\n    b: NotRequired[str]",
    ),
    "merged": Case(
        {
            "allOf": [
                {"type": "object", "properties": {"a": TEXT}, "required": ["a"]},
                {"type": "object", "properties": {"b": WHOLE, "a": {"enum": ["x"]}}},
            ]
        },
        'class DoItOutput(TypedDict):\n    a: Literal["x"]\n    b: NotRequired[int]',
    ),
    "recursive": Case(
        {"type": "object", "properties": {"next": {"$ref": "#"}}},
        "class DoItOutput(TypedDict):\n    next: NotRequired[DoItOutput]",
    ),
    "recursive-list": Case(
        {"type": "array", "items": {"$ref": "#"}},
        'DoItOutput: TypeAlias = list["DoItOutput"]',
    ),
    "recursive-union": Case(
        {"anyOf": [TEXT, {"type": "array", "items": {"$ref": "#"}}]},
        'DoItOutput: TypeAlias = str | list["DoItOutput"]',
    ),
    "recursive-in-union-of-items": Case(
        {"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
        'DoItOutput: TypeAlias = list[Union["DoItOutput", None]]',
    ),
    "mutual": Case(
        {
            "$ref": "#/$defs/A",
            "$defs": {
                "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}},
                "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
            },
        },
        "class DoItOutputB(TypedDict):\n    a: NotRequired[DoItOutputA]\n"
        "class DoItOutputA(TypedDict):\n    b: NotRequired[DoItOutputB]\n"
        "DoItOutput: TypeAlias = DoItOutputA",
    ),
    "second-name-inside": Case(
        {
            "$ref": "#/$defs/Node",
            "$defs": {
                "Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Link"}}},
                "Link": {"$ref": "#/$defs/Node"},
            },
        },
        "class DoItOutputNode(TypedDict):\n    next: NotRequired[DoItOutputNode]\n"
        "DoItOutput: TypeAlias = DoItOutputNode",
    ),
    "extended-in-itself": Case(
        {
            "type": "object",
            "properties": {"child": {"$ref": "#", "required": ["name"]}, "name": TEXT},
        },
        "class DoItOutputChild(TypedDict):\n    child: NotRequired[DoItOutputChild]\n    name: str\n"
        "class DoItOutput(TypedDict):\n    child: NotRequired[DoItOutputChild]\n"
        "    name: NotRequired[str]",
    ),
    "reference-to-a-property": Case(
        {
            "type": "object",
            "properties": {
                "a": {"type": "object", "properties": {"x": TEXT}},
                "b": {"$ref": "#/properties/a"},
            },
        },
        "class DoItOutputA(TypedDict):\n    x: NotRequired[str]\n"
        "class DoItOutput(TypedDict):\n    a: NotRequired[DoItOutputA]\n"
        "    b: NotRequired[DoItOutputA]",
    ),
    "keyword": Case(
        {"type": "object", "properties": {"from": TEXT, "to": TEXT}, "required": ["from"]},
        'DoItOutput = TypedDict("DoItOutput", {"from": str, "to": NotRequired[str]})',
    ),
    "keyword-recursive": Case(
        {"type": "object", "properties": {"class": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}},
        'DoItOutput = TypedDict("DoItOutput", {"class": NotRequired[Union["DoItOutput", None]]})',
    ),
    "odd-keys": Case(
        {
            "type": "object",
            "properties": {"a-b": TEXT, "é": TEXT, "an even longer one": TEXT, "1": TEXT},
        },
        "DoItOutput = TypedDict(\n"
        '    "DoItOutput",\n'
        "    {\n"
        '        "a-b": NotRequired[str],\n'
        '        "é": NotRequired[str],\n'
        '        "an even longer one": NotRequired[str],\n'
        '        "1": NotRequired[str],\n'
        "    },\n)",
    ),
    "mangled": Case(
        {"type": "object", "properties": {"__private": TEXT}},
        'DoItOutput = TypedDict("DoItOutput", {"__private": NotRequired[str]})',
    ),
    "hides-its-own-types": Case(
        {"type": "object", "properties": {"str": TEXT, "list": {"type": "array", "items": TEXT}}},
        "DoItOutput = TypedDict(\n"
        '    "DoItOutput",\n'
        '    {"str": NotRequired[str], "list": NotRequired[list[str]]},\n)',
    ),
    "methods-of-dict": Case(
        {
            "type": "object",
            "properties": {"keys": TEXT, "items": WHOLE, "get": TEXT, "update": TEXT},
        },
        "class DoItOutput(TypedDict):\n    keys: NotRequired[str]\n    items: NotRequired[int]\n"
        "    get: NotRequired[str]\n    update: NotRequired[str]",
    ),
    "names-that-meet": Case(
        {
            "type": "object",
            "properties": {
                "a_b": {"type": "object", "properties": {"x": TEXT}},
                "a-b": {"type": "object", "properties": {"y": TEXT}},
            },
        },
        "class DoItOutputAB(TypedDict):\n    x: NotRequired[str]\n"
        "class DoItOutputAB2(TypedDict):\n    y: NotRequired[str]\n"
        "DoItOutput = TypedDict(\n"
        '    "DoItOutput",\n'
        '    {"a_b": NotRequired[DoItOutputAB], "a-b": NotRequired[DoItOutputAB2]},\n)',
    ),
    "with-and-beside-map": Case(
        {"type": "object", "properties": {"a": TEXT}, "additionalProperties": WHOLE},
        "class DoItOutput(TypedDict):\n    a: NotRequired[str]",
    ),
    "forbidden-property": Case(
        {"type": "object", "properties": {"a": False}},
        "class DoItOutput(TypedDict):\n    a: NotRequired[Never]",
    ),
}
