"""Each step by itself: what it makes of a schema, and what it says of that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from lowered_checks import tool
from toolspec.ir import ToolNames
from toolspec.providers.draft import Draft
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import read, write
from toolspec.providers.profile import Limits, Options
from toolspec.providers.steps import LIMIT_STEPS, STEPS

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
CLOSED = {"additionalProperties": False}
NULL = {"type": "null"}
ENUMS = {"kind": {"type": "string", "enum": ["b", "c"]}}
ITEMS = {"type": "array", "items": {"$ref": "#/$defs/N"}}


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def draft(schema: dict[str, Any]) -> Draft:
    made = tool(schema)
    return Draft(made, Outcome.KEPT, made.names.full, made.description, None).having(read(schema))


def limited(step: str, before: Draft, **limits: Any) -> Draft:
    return LIMIT_STEPS[step](before, Options(), Limits(**limits))


Case = tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], dict[str, str]]

CASES: list[Case] = [
    # step, options, source, result, outcomes
    (
        "normalise",
        {},
        obj(a={"enum": ["x", "x", "y"]}, b={"const": 1}, c={"enum": [1, "a"], "nullable": True}),
        obj(
            a={"enum": ["x", "y"], "type": "string"},
            b={"const": 1, "type": "integer"},
            c={"enum": [1, "a"]},
        ),
        {"/properties/c/nullable": "dropped"},
    ),
    (
        "normalise",
        {},
        obj(a={"enum": ["x", "y"], "const": "x"}, b={"enum": ["x"], "const": "y"}),
        obj(a={"const": "x", "type": "string"}, b=False),
        {"/properties/a/enum": "kept", "/properties/b/const": "dropped"},
    ),
    (
        "inline-references",
        {"what": "all"},
        {
            **obj(a={"$ref": "#/$defs/A", "description": "here"}),
            "$defs": {"A": {"description": "there", **TEXT}},
        },
        obj(a={"type": "string", "description": "here"}),
        {"/properties/a/$ref": "kept", "/$defs": "kept"},
    ),
    (
        "inline-references",
        {"what": "all"},
        {**obj(a={"$ref": "#/properties/b"}, b=TEXT)},
        obj(a=TEXT, b=TEXT),
        {"/properties/a/$ref": "kept"},
    ),
    (
        "inline-references",
        {"what": "siblings"},
        {
            **obj(
                a={"$ref": "#/$defs/N", "title": "t"},
                b={"$ref": "#/$defs/T"},
                c={"$ref": "#/$defs/T", "minLength": 1},
            ),
            "$defs": {"N": obj(n={"$ref": "#/$defs/N"}), "T": TEXT},
        },
        {
            **obj(
                a={"title": "t", "anyOf": [{"$ref": "#/$defs/N"}]},
                b={"$ref": "#/$defs/T"},
                c={"allOf": [TEXT, {"minLength": 1}]},
            ),
            "$defs": {"N": obj(n={"$ref": "#/$defs/N"}), "T": TEXT},
        },
        {},
    ),
    (
        "inline-references",
        {"what": "none"},
        {"$ref": "#/$defs/A", "$defs": {"A": obj(a=TEXT)}},
        obj(a=TEXT),
        {"/$ref": "kept"},
    ),
    (
        "inline-references",
        {"what": "none"},
        {
            **obj(a={"$ref": "#/$defs/a%20b"}, c={"$ref": "#/$defs/%C3%A9/properties/x"}),
            "$defs": {"a b": TEXT, "é": obj(x={"$ref": "#/$defs/ok"}), "ok": WHOLE, "unused": TEXT},
        },
        {
            **obj(a={"$ref": "#/$defs/a_b"}, c={"$ref": "#/$defs/x"}),
            "$defs": {"ok": WHOLE, "x": {"$ref": "#/$defs/ok"}, "a_b": TEXT},
        },
        {},
    ),
    (
        "merge-all-of",
        {"where": "root"},
        {"allOf": [{"$ref": "#/$defs/A"}], **obj(b=TEXT), "$defs": {"A": obj(a=TEXT)}},
        obj(b=TEXT, a=TEXT),
        {"/allOf": "kept", "/allOf/0/$ref": "kept"},
    ),
    (
        "conditional-members",
        {},
        {
            **obj(
                a={
                    **obj(k=TEXT),
                    "if": {"required": ["k"], **obj(k=TEXT)},
                    "then": obj(x=TEXT, y=False),
                    "else": {"allOf": [{"$ref": "#/$defs/D"}]},
                    "unevaluatedProperties": False,
                },
                b={
                    "dependentSchemas": {"k": {"additionalProperties": TEXT}},
                    "unevaluatedProperties": False,
                },
                c={"not": {"required": ["x"]}, "unevaluatedProperties": False},
                d={"contains": TEXT, "unevaluatedItems": False},
                e={"anyOf": [obj(x=NULL)], "if": obj(x=TEXT), "unevaluatedProperties": WHOLE},
            ),
            "$defs": {"D": obj(x=WHOLE, z=TEXT)},
        },
        {
            **obj(
                a={
                    **obj(k=TEXT, x={"anyOf": [TEXT, WHOLE]}, z=TEXT),
                    "if": {"required": ["k"], **obj(k=TEXT)},
                    "then": obj(x=TEXT, y=False),
                    "else": {"allOf": [{"$ref": "#/$defs/D"}]},
                    "unevaluatedProperties": False,
                },
                b={"dependentSchemas": {"k": {"additionalProperties": TEXT}}},
                c={"not": {"required": ["x"]}, "unevaluatedProperties": False},
                d={"contains": TEXT},
                e={
                    "anyOf": [obj(x=NULL)],
                    "if": obj(x=TEXT),
                    "unevaluatedProperties": WHOLE,
                    "properties": {"x": {"anyOf": [NULL, TEXT, WHOLE]}},
                },
            ),
            "$defs": {"D": obj(x=WHOLE, z=TEXT)},
        },
        {
            "/properties/b/unevaluatedProperties": "widened",
            "/properties/d/unevaluatedItems": "widened",
        },
    ),
    (
        "cut-recursion",
        {"how": "refuse"},
        {**obj(a={"$ref": "#/$defs/N"}), "$defs": {"N": obj(n={"$ref": "#/$defs/N"})}},
        {**obj(a={"$ref": "#/$defs/N"}), "$defs": {"N": obj(n={"$ref": "#/$defs/N"})}},
        {"/properties/a/$ref": "refused", "/$defs/N/properties/n/$ref": "refused"},
    ),
    (
        "cut-recursion",
        {"how": "optional"},
        {
            **obj(a={"$ref": "#/$defs/N"}, b={"$ref": "#/$defs/M"}),
            "$defs": {
                "N": {**obj(n={"$ref": "#/$defs/N"}), "required": ["n"]},
                "M": obj(m={"$ref": "#/$defs/M"}),
            },
        },
        {**obj(b={"$ref": "#/$defs/M"}), "$defs": {"M": obj(m={"$ref": "#/$defs/M"})}},
        {"/properties": "widened", "/properties/a/$ref": "narrowed"},
    ),
    (
        "cut-recursion",
        {"how": "optional", "times": 1},
        {
            **obj(a={"$ref": "#/$defs/N", "description": "here"}),
            "$defs": {"N": {**obj(n=ITEMS), "required": ["n"]}},
        },
        obj(
            a={
                **obj(n={"type": "array", "maxItems": 0}),
                "required": ["n"],
                "description": "here",
            }
        ),
        {
            "/properties": None,
            "/properties/a/$ref": "narrowed",
            "/$defs/N/properties/n/items/$ref": "narrowed",
        },
    ),
    (
        "cut-recursion",
        {"how": "unroll", "times": 1},
        {
            **obj(a={"$ref": "#/$defs/N", "minProperties": 1, "title": "t"}),
            "$defs": {"N": obj(v=TEXT, n={"anyOf": [{"$ref": "#/$defs/N"}, NULL]})},
        },
        obj(
            a={
                "title": "t",
                "allOf": [obj(v=TEXT, n={"anyOf": [NULL]}), {"minProperties": 1}],
            }
        ),
        {"/properties": None, "/properties/a/title": None},
    ),
    (
        "cut-recursion",
        {"how": "unroll", "times": 1},
        {
            **obj(a={"$ref": "#/$defs/N"}),
            "$defs": {"N": obj(v=TEXT, more={"type": "array", "items": {"$ref": "#/$defs/N"}})},
        },
        obj(a=obj(v=TEXT, more={"type": "array", "maxItems": 0})),
        {"/$defs/N/properties/more/items/$ref": "narrowed"},
    ),
    (
        "merge-all-of",
        {},
        obj(
            a={
                "allOf": [{"type": "number", "minimum": 1}, {"type": "integer", "minimum": 3}],
                "maximum": 9,
            }
        ),
        obj(a={"maximum": 9, "type": "integer", "minimum": 3}),
        {"/properties/a/allOf": "kept"},
    ),
    (
        "merge-all-of",
        {},
        obj(a={"allOf": [obj(x=TEXT), obj(y=TEXT)], "unevaluatedProperties": False}),
        obj(a={**obj(x=TEXT, y=TEXT), "additionalProperties": False}),
        {},
    ),
    (
        "merge-all-of",
        {},
        obj(
            a={
                "allOf": [
                    {**obj(x=TEXT), "additionalProperties": False},
                    {"required": ["x"], **obj(y=TEXT)},
                ]
            }
        ),
        obj(a={**obj(x=TEXT, y=False), "additionalProperties": False, "required": ["x"]}),
        {"/properties/a/allOf/1/properties/y/type": "dropped"},
    ),
    (
        "merge-all-of",
        {},
        obj(a={"allOf": [{"pattern": "a"}, {"pattern": "b"}]}),
        obj(a={"pattern": "a"}),
        {"/properties/a/allOf/1/pattern": "moved"},
    ),
    (
        "merge-all-of",
        {},
        obj(a={"allOf": [{"if": TEXT}, {"if": WHOLE}]}),
        obj(a={"allOf": [{"if": TEXT}, {"if": WHOLE}]}),
        {"/properties/a/allOf": "refused"},
    ),
    (
        "one-of-to-any-of",
        {},
        obj(a={"oneOf": [TEXT, WHOLE]}),
        obj(a={"anyOf": [TEXT, WHOLE]}),
        {"/properties/a/oneOf": "kept"},
    ),
    (
        "one-of-to-any-of",
        {},
        obj(a={"oneOf": [{"type": "number"}, WHOLE]}),
        obj(a={"anyOf": [{"type": "number"}, WHOLE]}),
        {"/properties/a/oneOf": "widened"},
    ),
    (
        "one-of-to-any-of",
        {},
        obj(
            a={
                "oneOf": [
                    {**obj(k={"const": "x"}), "required": ["k"]},
                    {**obj(k={"const": "y"}), "required": ["k"]},
                ]
            }
        ),
        obj(
            a={
                "anyOf": [
                    {**obj(k={"const": "x"}), "required": ["k"]},
                    {**obj(k={"const": "y"}), "required": ["k"]},
                ]
            }
        ),
        {"/properties/a/oneOf": "kept"},
    ),
    (
        "flatten-root",
        {},
        {**obj(a=TEXT, b=TEXT), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        obj(a=TEXT, b=TEXT),
        {"/anyOf": "widened", "/anyOf/0/required": "widened"},
    ),
    (
        "flatten-root",
        {},
        {
            "type": "object",
            "oneOf": [
                {**obj(k={"const": "x"}, v=TEXT), "required": ["k"], "additionalProperties": False},
                {
                    **obj(k={"const": "y"}, v=WHOLE),
                    "required": ["k"],
                    "additionalProperties": False,
                },
            ],
        },
        {
            **obj(k={"enum": ["x", "y"], **TEXT}, v={"anyOf": [TEXT, WHOLE]}),
            "required": ["k"],
            "additionalProperties": False,
        },
        {"/oneOf": "widened"},
    ),
    (
        "flatten-root",
        {},
        {
            "oneOf": [
                {**obj(a=TEXT), "additionalProperties": False},
                {**obj(b=TEXT), "additionalProperties": False, "patternProperties": {"^p": TEXT}},
            ]
        },
        obj(a=TEXT, b=TEXT),
        {"/oneOf/0/additionalProperties": "widened", "/oneOf/1/patternProperties": "widened"},
    ),
    (
        "flatten-root",
        {},
        {"anyOf": [obj(kind={"const": "a"}), {"properties": ENUMS}, obj(kind={"const": 1})]},
        obj(kind={"enum": ["a", "b", "c", 1]}),
        {"/anyOf/1/properties/kind/type": "kept"},
    ),
    (
        "flatten-root",
        {},
        {
            **obj(a=TEXT),
            "anyOf": [obj(b=TEXT), obj(c=TEXT)],
            "if": obj(a=TEXT),
            "unevaluatedProperties": False,
        },
        {
            "type": "object",
            "properties": {"a": TEXT, "b": TEXT, "c": TEXT},
            "if": obj(a=TEXT),
            "unevaluatedProperties": False,
        },
        {"/unevaluatedProperties": None},
    ),
    (
        "const-to-enum",
        {},
        obj(a={"const": True}, b={"const": {"x": 1}}, c={"enum": ["x", "y"], "const": "x"}),
        obj(
            a={"enum": [True], "type": "boolean"},
            b={"const": {"x": 1}},
            c={"enum": ["x"], **TEXT},
        ),
        {},
    ),
    (
        "single-form",
        {},
        {
            **obj(
                a={"anyOf": [{**TEXT, "description": "there"}], "description": "here"},
                b={"type": "object", "oneOf": [obj(x=TEXT)], "minProperties": 1},
                c={"anyOf": [{"$ref": "#/$defs/D"}]},
                d={"anyOf": [{"$ref": "#/$defs/D"}], "title": "t"},
                e={"anyOf": [TEXT, WHOLE]},
                f={"unevaluatedProperties": False, "anyOf": [obj(x=TEXT)]},
            ),
            "$defs": {"D": TEXT},
        },
        {
            **obj(
                f={**obj(x=TEXT), "unevaluatedProperties": False},
                a={**TEXT, "description": "here"},
                b={**obj(x=TEXT), "minProperties": 1},
                c={"$ref": "#/$defs/D"},
                d={"anyOf": [{"$ref": "#/$defs/D"}], "title": "t"},
                e={"anyOf": [TEXT, WHOLE]},
            ),
            "$defs": {"D": TEXT},
        },
        {"/properties/a/anyOf": "kept", "/properties/b/oneOf": "kept"},
    ),
    (
        "spell-null",
        {"as": "type"},
        obj(
            a={"anyOf": [{"type": "string", "enum": ["x"]}, NULL], "title": "t"},
            b={"anyOf": [obj(), obj(), NULL]},
        ),
        obj(
            a={"type": ["string", "null"], "enum": ["x", None], "title": "t"},
            b={"anyOf": [obj(), obj(), NULL]},
        ),
        {"/properties/a/anyOf": "kept"},
    ),
    (
        "spell-null",
        {"as": "nullable"},
        obj(
            a={"anyOf": [TEXT, NULL]},
            b={"anyOf": [TEXT, WHOLE, NULL]},
            c={"type": "string", "enum": ["x", None]},
        ),
        obj(
            a={"type": "string", "nullable": True},
            b={"anyOf": [TEXT, WHOLE], "nullable": True},
            c={"type": "string", "enum": ["x"], "nullable": True},
        ),
        {},
    ),
    *(
        (
            "spell-null",
            {"as": form},
            obj(a={"anyOf": [TEXT, {"const": None, **NULL, "description": "None.", "title": "t"}]}),
            obj(a=result),
            {
                "/properties/a/anyOf/1/const": "kept",
                "/properties/a/anyOf/1/description": "moved",
                "/properties/a/anyOf/1/title": "dropped",
            },
        )
        for form, result in (
            ("type", {"type": ["string", "null"]}),
            ("nullable", {"type": "string", "nullable": True}),
        )
    ),
    (
        "spell-null",
        {"as": "type"},
        obj(a={"anyOf": [NULL, TEXT, NULL]}, b={"anyOf": [TEXT, {**NULL, "enum": [1]}]}),
        obj(a={"type": ["string", "null"]}, b={"anyOf": [TEXT, {**NULL, "enum": [1]}]}),
        {"/properties/a/anyOf": "kept"},
    ),
    (
        "require-nullable",
        {},
        {**obj(a=TEXT), "required": ["a", "b"], **CLOSED},
        {**obj(a=TEXT), "required": ["a"], **CLOSED},
        {"/required": "widened"},
    ),
    (
        "require-nullable",
        {},
        {
            **obj(a=TEXT, b={"type": ["string", "null"]}, c={**WHOLE, "description": "d"}),
            "required": ["a"],
        },
        {
            **obj(
                a=TEXT,
                b={"type": ["string", "null"]},
                c={"description": "d", "anyOf": [WHOLE, NULL]},
            ),
            "required": ["a", "b", "c"],
        },
        {"/required": "encoded"},
    ),
    (
        "note",
        {"keywords": ["minimum", "maximum", "uniqueItems", "not"]},
        obj(a={"type": "integer", "minimum": 1, "maximum": 9, "not": {"enum": [3, 4]}}),
        obj(a={"type": "integer"}),
        {"/properties/a/minimum": "moved", "/properties/a/not/enum": "moved"},
    ),
    (
        "note",
        {"keywords": ["minItems"], "above": 1},
        obj(a={"type": "array", "minItems": 1}, b={"type": "array", "minItems": 2}),
        obj(a={"type": "array", "minItems": 1}, b={"type": "array"}),
        {"/properties/b/minItems": "moved"},
    ),
    (
        "drop",
        {"keywords": ["title", "maximum"], "unknown": True},
        obj(a={"type": "integer", "title": "t", "maximum": 1, "x-own": {"a": 1}}),
        obj(a={"type": "integer"}),
        {
            "/properties/a/title": "dropped",
            "/properties/a/maximum": "widened",
            "/properties/a/x-own": "dropped",
        },
    ),
    (
        "drop-impossible",
        {},
        obj(a=False, b={"type": "array", "items": False}, c={"anyOf": [False, TEXT]}),
        obj(b={"type": "array", "maxItems": 0}, c={"anyOf": [TEXT]}),
        {"/properties": "widened"},
    ),
    (
        "drop-impossible",
        {},
        {
            **obj(a={"$ref": "#/$defs/None"}, b={"$ref": "#/$defs/T"}),
            "$defs": {"None": {"anyOf": [False]}, "T": TEXT},
        },
        {**obj(b={"$ref": "#/$defs/T"}), "$defs": {"T": TEXT}},
        {"/properties": "widened", "/properties/a/$ref": "dropped"},
    ),
    (
        "drop-impossible",
        {},
        obj(a={"anyOf": [TEXT, False]}, b={"allOf": [TEXT, False]}),
        obj(a={"anyOf": [TEXT]}),
        {"/properties": "widened", "/properties/b/allOf/0/type": "dropped"},
    ),
    (
        "drop-impossible",
        {},
        obj(a={"type": "object", "patternProperties": {"^x": False, "^y": TEXT}}),
        obj(a={"type": "object", "patternProperties": {"^y": TEXT}}),
        {"/properties/a/patternProperties": "widened"},
    ),
    (
        "drop-impossible",
        {},
        obj(
            a={"type": "array", "prefixItems": [TEXT, False, WHOLE], "maxItems": 9},
            b={"type": "array", "prefixItems": [False]},
            c={"type": "array", "items": False},
        ),
        obj(
            a={"type": "array", "prefixItems": [TEXT], "maxItems": 1},
            b={"type": "array", "maxItems": 0},
            c={"type": "array", "maxItems": 0},
        ),
        {"/properties/a/prefixItems/2/type": "dropped"},
    ),
    (
        "drop-impossible",
        {},
        obj(a={"type": "array", "prefixItems": [TEXT, False], "minItems": 2}, b=TEXT),
        obj(b=TEXT),
        {"/properties": "widened"},
    ),
    (
        "drop-impossible",
        {},
        {**obj(a=False), "required": ["a"]},
        {**obj(a=False), "required": ["a"]},
        {"": "refused"},
    ),
    (
        "split-types",
        {},
        obj(a={"type": ["integer", "string", "number"], "enum": [1, 2.5, "x"], "title": "t"}),
        obj(
            a={
                "title": "t",
                "anyOf": [{"type": "string", "enum": ["x"]}, {"type": "number", "enum": [1, 2.5]}],
            }
        ),
        {"/properties/a/type": "kept"},
    ),
    (
        "split-types",
        {},
        obj(a={"type": ["string", "null"], "const": "x", "minimum": 1}),
        obj(a={"anyOf": [{"type": "string", "enum": ["x"]}]}),
        {"/properties/a/minimum": "dropped"},
    ),
    (
        "split-types",
        {},
        obj(a={"type": ["string", "integer"], "not": {"minLength": 1}}),
        obj(a={"not": {"minLength": 1}, "anyOf": [TEXT, WHOLE]}),
        {"/properties/a/type": "kept"},
    ),
    (
        "split-types",
        {},
        obj(a={"type": ["string", "integer"], "unevaluatedItems": False, "not": TEXT}),
        obj(a={"not": TEXT, "anyOf": [TEXT, WHOLE]}),
        {"/properties/a/unevaluatedItems": "dropped"},
    ),
    (
        "split-types",
        {},
        obj(a={"type": ["string", "integer"], "minLength": 1, "minimum": 2, "title": "t"}),
        obj(
            a={
                "title": "t",
                "anyOf": [{"minLength": 1, "type": "string"}, {"minimum": 2, "type": "integer"}],
            }
        ),
        {"/properties/a/type": "kept"},
    ),
    (
        "split-types",
        {"keep": "nullable"},
        obj(a={"type": ["string", "null"]}, b={"type": ["integer", "number"]}),
        obj(a={"type": ["string", "null"]}, b={"type": "number"}),
        {},
    ),
    (
        "distribute-any-of",
        {},
        obj(
            a={
                **obj(x=TEXT, y=TEXT),
                "title": "t",
                "anyOf": [{"required": ["x"]}, {"required": ["y"]}],
            }
        ),
        obj(
            a={
                "title": "t",
                "anyOf": [
                    {**obj(x=TEXT, y=TEXT), "required": ["x"]},
                    {**obj(x=TEXT, y=TEXT), "required": ["y"]},
                ],
            }
        ),
        {},
    ),
    (
        "describe-required",
        {},
        obj(a={"type": "object", "required": ["x"], "additionalProperties": TEXT}),
        obj(
            a={
                "type": "object",
                "required": ["x"],
                "additionalProperties": TEXT,
                "properties": {"x": TEXT},
            }
        ),
        {},
    ),
    (
        "form-untyped",
        {"as": "refuse"},
        obj(a={}, b={"minLength": 1}, c={"type": "array"}),
        obj(a={}, b={"minLength": 1, "type": "string"}, c={"type": "array", "items": {}}),
        {
            "/properties/a/type": "refused",
            "/properties/b/type": "narrowed",
            "/properties/c/items/type": "refused",
        },
    ),
    (
        "form-untyped",
        {"as": "string"},
        obj(a={}),
        obj(a=TEXT),
        {"/properties/a/type": "narrowed"},
    ),
    (
        "form-untyped",
        {"as": "any"},
        obj(a={"enum": ["x"]}, b={"enum": ["x", 1]}, c={"const": 2.5}),
        obj(a={"enum": ["x"], **TEXT}, b={"enum": ["x", 1]}, c={"const": 2.5, "type": "number"}),
        {"/properties/a/type": None},
    ),
    (
        "widen-tuple",
        {},
        obj(
            a={"type": "array", "prefixItems": [TEXT, WHOLE], "items": False},
            b={"type": "array", "prefixItems": [TEXT], "items": False},
        ),
        obj(
            a={"type": "array", "items": {"anyOf": [TEXT, WHOLE]}, "maxItems": 2},
            b={"type": "array", "items": TEXT, "maxItems": 1},
        ),
        {"/properties/a/prefixItems": "widened", "/properties/b/prefixItems": "kept"},
    ),
    (
        "map-to-pairs",
        {},
        obj(
            a={
                "type": "object",
                "additionalProperties": WHOLE,
                "propertyNames": {"pattern": "^x"},
                "maxProperties": 3,
            }
        ),
        obj(
            a={
                "type": "array",
                "items": {
                    **obj(key={"type": "string", "pattern": "^x"}, value=WHOLE),
                    "required": ["key", "value"],
                    "additionalProperties": False,
                },
                "maxItems": 3,
            }
        ),
        {"/properties/a/additionalProperties": "encoded"},
    ),
    (
        "map-to-pairs",
        {},
        {"type": "object", "patternProperties": {"^p": WHOLE}, "required": ["p1"], **CLOSED},
        {
            **obj(
                additional={
                    "type": "array",
                    "description": "The members as pairs of key and value.",
                    "items": {
                        **obj(key={"type": "string", "pattern": "^p"}, value=WHOLE),
                        "required": ["key", "value"],
                        **CLOSED,
                    },
                }
            ),
            "required": ["additional"],
            **CLOSED,
        },
        {"/patternProperties": "encoded", "/required": "widened"},
    ),
    (
        "inclusive-bounds",
        {},
        obj(
            a={"type": "integer", "exclusiveMinimum": 1, "minimum": 5},
            b={"type": "number", "exclusiveMaximum": 2},
        ),
        obj(a={"type": "integer", "minimum": 5}, b={"type": "number", "maximum": 2}),
        {"/properties/a/exclusiveMinimum": "kept", "/properties/b/exclusiveMaximum": "widened"},
    ),
    (
        "empty-properties",
        {},
        obj(a=obj(), b={"type": "array", "items": {"properties": {}}}),
        obj(a={"type": "object"}, b={"type": "array", "items": {}}),
        {"/properties": None, "/properties/a/properties": "dropped"},
    ),
    (
        "fit-enums",
        {},
        obj(a={"enum": [1, 2]}, b={"enum": ["x", ""]}, c={"enum": ["x"]}),
        obj(a={}, b={"enum": ["x"]}, c={"enum": ["x"]}),
        {"/properties/a/enum": "moved", "/properties/b/enum": "narrowed"},
    ),
    (
        "filter-formats",
        {"formats": ["date"]},
        obj(a={"format": "date"}, b={"format": "color"}),
        obj(a={"format": "date"}, b={}),
        {"/properties/b/format": "moved"},
    ),
    (
        "filter-patterns",
        {"plain": True},
        obj(
            a={"pattern": "^a$"},
            b={"pattern": "^(?=a)"},
            c={"pattern": r"\p{L}"},
            d={"pattern": r"[(?=]\\1"},
        ),
        obj(a={"pattern": "^a$"}, b={}, c={}, d={"pattern": r"[(?=]\\1"}),
        {"/properties/b/pattern": "moved", "/properties/c/pattern": "moved"},
    ),
    (
        "strip-root",
        {},
        {**obj(a=TEXT), "additionalProperties": False, "title": "t", "minProperties": 1},
        obj(a=TEXT),
        {"/additionalProperties": "widened", "/title": "dropped", "/minProperties": "moved"},
    ),
    (
        "close-objects",
        {},
        obj(a=obj(x=TEXT), b={"type": "object"}, c={**obj(x=TEXT), "additionalProperties": True}),
        {
            **obj(
                a={**obj(x=TEXT), "additionalProperties": False},
                b={"type": "object", "additionalProperties": False},
                c={**obj(x=TEXT), "additionalProperties": False},
            ),
            "additionalProperties": False,
        },
        {
            "/additionalProperties": "narrowed",
            "/properties/b/additionalProperties": "refused",
            "/properties/c/additionalProperties": "narrowed",
        },
    ),
    (
        "no-parameters",
        {"as": "empty"},
        {"type": "object", "additionalProperties": False},
        {"type": "object", "additionalProperties": False, "properties": {}},
        {},
    ),
]


@pytest.mark.parametrize(
    ("step", "options", "source", "result", "outcomes"),
    CASES,
    ids=[f"{each[0]}-{number}" for number, each in enumerate(CASES)],
)
def test_a_step(
    step: str,
    options: dict[str, Any],
    source: dict[str, Any],
    result: dict[str, Any],
    outcomes: dict[str, str],
) -> None:
    before = write(read(source))
    made = STEPS[step](draft(source), Options(options))
    assert made.root is not None
    assert write(made.root) == result
    told = {each.pointer: each.outcome.value for each in made.entries}
    assert {pointer: told.get(pointer) for pointer in outcomes} == outcomes
    assert write(read(source)) == before


def test_every_step_has_a_case() -> None:
    elsewhere = {"describe-output", "write-notes"}
    assert {each[0] for each in CASES} | elsewhere == set(STEPS)
    assert set(LIMIT_STEPS) == {"fit-description", "name-tool", "rename-keys", "within-limits"}


def test_merged_schemas_stand_where_they_are_written() -> None:
    """What one of two leaves open and the other names is none of the root's."""
    array = {"type": "array"}
    source = {
        "allOf": [obj(), {"required": ["a"]}],
        "properties": {
            "a": {"allOf": [obj(x=TEXT), obj(y={})]},
            "b": {"allOf": [{**array, "prefixItems": [TEXT]}, {**array, "items": {}}]},
            "c": {"allOf": [{"required": ["x"]}, {"additionalProperties": {"title": "t"}}]},
        },
    }
    made = STEPS["merge-all-of"](draft(source), Options())
    made = STEPS["form-untyped"](made, Options({"as": "string"}))
    assert {each.pointer for each in made.entries if each.outcome.value == "narrowed"} == {
        "/properties/a/allOf/1/properties/y/type",
        "/properties/b/allOf/1/items/type",
        "/properties/c/type",
        "/properties/c/allOf/1/additionalProperties/type",
    }
    assert made.root is not None
    assert made.root.location == ""
    assert made.root.types == ("object",)


def test_a_tool_without_parameters_can_be_sent_without_a_schema() -> None:
    source = {"type": "object", "additionalProperties": False}
    made = STEPS["no-parameters"](draft(source), Options({"as": "omitted"}))
    assert made.root is None
    assert {each.pointer for each in made.entries} == {"/type", "/additionalProperties"}


def test_notes_stand_behind_descriptions_in_one_order() -> None:
    source = obj(
        a={"type": "integer", "description": "How many.", "default": 3, "maximum": 9, "minimum": 1}
    )
    noted = STEPS["note"](draft(source), Options({"keywords": ["default", "maximum", "minimum"]}))
    made = STEPS["write-notes"](noted, Options())
    assert made.root is not None
    text = made.root.named("properties")["a"].value("description")
    assert text == "How many. Between 1 and 9. Default: 3."


def test_what_the_author_says_is_not_said_again() -> None:
    source = obj(a={"type": "integer", "description": "Maximum 9.", "maximum": 9})
    made = STEPS["note"](draft(source), Options({"keywords": ["maximum"]}))
    made = STEPS["write-notes"](made, Options())
    assert made.root is not None
    assert made.root.named("properties")["a"].value("description") == "Maximum 9."
    assert [each.outcome.value for each in made.entries] == ["moved"]


def test_notes_of_the_root_stand_behind_the_description_of_the_tool() -> None:
    noted = STEPS["note"](
        draft({**obj(a=TEXT), "minProperties": 1}), Options({"keywords": ["minProperties"]})
    )
    made = STEPS["write-notes"](noted, Options())
    assert made.description == "Does a thing. At least 1 property."


def test_keys_are_renamed_where_the_profile_looks() -> None:
    source = {
        **obj(**{"$top": TEXT, "_top": TEXT, "ok": obj(**{"a b": TEXT})}),
        "required": ["$top"],
    }
    pattern = r"^[A-Za-z_][A-Za-z0-9_]{0,63}$"
    made = limited("rename-keys", draft(source), property_pattern=pattern)
    assert made.root is not None
    names = list(made.root.named("properties"))
    assert names[0].startswith("_top_")
    assert names[1:] == ["_top", "ok"]
    assert made.root.required == (names[0],)
    assert made.root.coding == ({"op": "rename", "keys": {names[0]: "$top"}},)
    assert list(made.root.named("properties")["ok"].named("properties")) == ["a b"]
    every = limited("rename-keys", draft(source), property_pattern=pattern, property_scope="all")
    assert every.root is not None
    assert list(every.root.named("properties")["ok"].named("properties")) == ["a_b"]


def test_names_are_made_to_fit() -> None:
    def named(full: str, **limits: Any) -> str:
        made = draft(obj())
        given = replace(made.tool, names=ToolNames(full, "thing", "Thing"))
        return limited("name-tool", replace(made, tool=given), **limits).name

    assert named("svc_thing", name_pattern="^[a-z_]{1,64}$", name_length=64) == "svc_thing"
    assert named("svc_thing-x", name_pattern="^[a-z_]{1,64}$", name_length=64) == "svc_thing_x"
    cut = named("svc_" + "long" * 20, name_length=64)
    assert cut.startswith("svc_longlong")
    assert len(cut) == 64
    assert cut != named("svc_" + "long" * 21, name_length=64)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"description_length": 13}, "Does a thing."),
        ({"description_length": 12}, "Does a thin…"),
        ({"description_bytes": 10}, "Does a …"),
    ],
)
def test_descriptions_are_cut(limits: dict[str, int], expected: str) -> None:
    made = limited("fit-description", draft(obj()), **limits)
    assert made.description == expected
    assert bool(made.entries) == (expected != "Does a thing.")


_ISSUE = {
    "type": "object",
    "properties": {
        "id": {"$ref": "#/$defs/IssueId"},
        "labels": {"type": "array", "items": {"$ref": "#/$defs/Label"}},
        "parent": {"anyOf": [{"$ref": "#/$defs/Issue"}, {"type": "null"}]},
        "kind": {"enum": ["bug", "chore"]},
    },
    "required": ["id", "labels"],
}
_DEFINITIONS = {
    "IssueId": {"type": "string"},
    "Label": {"$ref": "#/$defs/Word"},
    "Word": {"type": "string"},
    "Issue": _ISSUE,
    "caf\u00e9": {"type": "integer"},
    "Wide": {"type": "object", "properties": {f"property_{n}": {} for n in range(40)}},
    "Extended": {"allOf": [{"$ref": "#/$defs/Issue"}], "properties": {"more": {"type": "number"}}},
    "Ring": {"$ref": "#/$defs/Ring"},
}
_WRITTEN_OUT = '{id: string, labels: string[], parent?: Issue | null, kind?: "bug" | "chore"}'


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (
            obj(ids={"type": "array", "items": TEXT}, next={"type": ["string", "null"]}),
            "{ids?: string[], next?: string | null}",
        ),
        ({"$ref": "#/$defs/Issue"}, _WRITTEN_OUT),
        ({"type": "array", "items": {"$ref": "#/$defs/Issue"}}, f"{_WRITTEN_OUT}[]"),
        (
            obj(items={"type": "array", "items": {"$ref": "#/$defs/Issue"}}),
            f"{{items?: {_WRITTEN_OUT}[]}}",
        ),
        (
            obj(
                items={"type": "array", "items": {"$ref": "#/$defs/Wide"}},
                total={"type": "integer"},
            ),
            "{items?: Wide[], total?: integer}",
        ),
        ({"type": "array", "items": {"$ref": "#/$defs/Wide"}}, "Wide[]"),
        ({"type": "array", "items": {"anyOf": [TEXT, {"const": 1}]}}, "(string | 1)[]"),
        (obj(n={"$ref": "#/$defs/caf%C3%A9"}), "{n?: integer}"),
        (
            {"$ref": "#/$defs/Extended"},
            _WRITTEN_OUT.replace("Issue", _WRITTEN_OUT).removesuffix("}") + ", more?: number}",
        ),
        ({"$ref": "#/$defs/Wide"}, ""),
        ({"type": "array"}, "any[]"),
        ({"$ref": "#/$defs/Ring"}, ""),
        (True, ""),
    ],
)
def test_the_description_says_what_a_tool_returns(output: Any, line: str) -> None:
    if isinstance(output, dict):
        output = {**output, "$defs": _DEFINITIONS}
    made = tool(obj(), output=output)
    described = STEPS["describe-output"](
        Draft(made, Outcome.HINT, "n", "Does.", None).having(read(obj())), Options()
    )
    assert described.description == ("Does." + (f"\n\nReturns: {line}." if line else ""))


@pytest.mark.parametrize(
    ("schema", "limits", "detail"),
    [
        (obj(a=TEXT, b=TEXT), {"properties": 1}, "2 properties; the provider takes 1"),
        (
            obj(a=obj(b={"type": "array", "items": TEXT})),
            {"depth": 2},
            "3 levels; the provider takes 2",
        ),
        (obj(a={"anyOf": [TEXT, obj()]}), {"depth": 2}, ""),
        (obj(a={"enum": ["x", "y"]}), {"enum_values": 1}, "2 enum values; the provider takes 1"),
        (obj(abc=TEXT), {"text": 2}, "3 characters of names and values; the provider takes 2"),
        (
            obj(a={"enum": ["xx", "yy"]}),
            {"long_enum_values": 1, "long_enum_text": 3},
            "4 characters of one long enum; the provider takes 3",
        ),
        (obj(a={"enum": ["xx", "yy"]}), {"long_enum_values": 2, "long_enum_text": 3}, ""),
    ],
)
def test_limits_on_one_schema_refuse_it_as_a_whole(
    schema: dict[str, Any], limits: dict[str, int], detail: str
) -> None:
    made = limited("within-limits", draft(schema), **limits)
    assert [each.detail for each in made.entries] == ([detail] if detail else [])


def test_inlining_ends_at_its_budget() -> None:
    levels = {
        f"L{n}": obj(a={"$ref": f"#/$defs/L{n + 1}"}, b={"$ref": f"#/$defs/L{n + 1}"})
        for n in range(20)
    }
    source = {**obj(x={"$ref": "#/$defs/L0"}), "$defs": {**levels, "L20": TEXT}}
    made = STEPS["inline-references"](draft(source), Options({"what": "all"}))
    assert any(each.outcome.value == "refused" for each in made.entries)
