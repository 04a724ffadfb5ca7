"""Schemas and references of OpenAPI documents as schemas of the language."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from counted_calls import calls
from openapi_documents import TEXT, api, body, imported, operation, result
from toolspec.diagnostics import Checked, Severity
from toolspec.importers.openapi.services import OpenApiOptions, import_openapi
from toolspec.syntax import parse

NUMBER = {"type": "integer"}
SCHEMAS: dict[str, tuple[str, Any, Any]] = {
    "nullable": ("3.0.3", {"type": "string", "nullable": True}, {"type": ["string", "null"]}),
    "nullable enum": (
        "3.0.3",
        {"type": "string", "enum": ["a"], "nullable": True},
        {"type": ["string", "null"], "enum": ["a", None]},
    ),
    "nullable union": (
        "3.0.3",
        {"nullable": True, "description": "D.", "anyOf": [TEXT, NUMBER]},
        {"description": "D.", "anyOf": [{"anyOf": [TEXT, NUMBER]}, {"type": "null"}]},
    ),
    "bounds": (
        "3.0.3",
        {
            "type": "integer",
            "minimum": 1,
            "exclusiveMinimum": True,
            "maximum": 9,
            "exclusiveMaximum": False,
        },
        {"type": "integer", "exclusiveMinimum": 1, "maximum": 9},
    ),
    "example": ("3.0.3", {"type": "string", "example": "a"}, {"type": "string", "examples": ["a"]}),
    "wrong example": ("3.0.3", {"type": "string", "example": 1}, TEXT),
    "wrong format": (
        "3.1.0",
        {"type": "string", "format": "date", "examples": ["soon"]},
        {"type": "string", "format": "date"},
    ),
    "wrong default": ("3.1.0", {"type": "integer", "default": "many"}, NUMBER),
    "bytes": (
        "3.0.3",
        {"type": "string", "format": "byte"},
        {"type": "string", "contentEncoding": "base64"},
    ),
    "noise": (
        "3.0.3",
        {
            "type": "string",
            "xml": {},
            "externalDocs": {},
            "x-note": 1,
            "pattern": "^a$",
            "readOnly": False,
        },
        {"type": "string", "pattern": "^a$"},
    ),
    "image": (
        "3.1.0",
        {"type": "string", "contentMediaType": "image/png"},
        {"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"},
    ),
    "titles": (
        "3.1.0",
        {"type": "object", "properties": {"item_id": {"type": "integer", "title": "Item Id"}}},
        {"type": "object", "properties": {"item_id": NUMBER}},
    ),
    "unknown type": ("3.0.3", {"type": "any", "description": "D."}, {"description": "D."}),
    "dialect": (
        "3.1.0",
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"},
        TEXT,
    ),
    "boolean": (
        "3.1.0",
        {"type": "object", "properties": {"a": True}},
        {"type": "object", "properties": {"a": True}},
    ),
    "draft-3 required": ("3.0.3", {"type": "string", "required": True}, TEXT),
    "empty union": ("3.1.0", {"type": "string", "oneOf": []}, TEXT),
    "bad pattern": ("3.1.0", {"type": "string", "pattern": "("}, TEXT),
    "bad number": ("3.1.0", {"type": "string", "maxLength": "9"}, TEXT),
}


@pytest.mark.parametrize("case", SCHEMAS)
def test_schemas_are_converted(tmp_path: Path, case: str) -> None:
    version, schema, expected = SCHEMAS[case]
    document = api({"/a": {"get": operation(responses=result(schema))}}, version)
    assert imported(tmp_path, document).tool["outputSchema"] == expected


DEFAULTS: dict[str, tuple[Any, Any]] = {
    "number": (
        {"type": "integer", "default": 20},
        {"type": "integer", "description": "Default: 20."},
    ),
    "sentence": (
        {"type": "string", "default": "a", "description": "Order"},
        {"type": "string", "description": 'Order. Default: "a".'},
    ),
    "stated already": (
        {"type": "integer", "default": 20, "description": "Defaults to 20."},
        {"type": "integer", "description": "Defaults to 20."},
    ),
    "null": ({"type": ["string", "null"], "default": None}, {"type": ["string", "null"]}),
    "wrong": ({"type": "integer", "default": "many"}, NUMBER),
    "long": ({"type": "string", "default": "a" * 200}, TEXT),
    "hidden characters": (
        {"type": "string", "default": "\u202e`\n"},
        {"type": "string", "description": 'Default: "\\u202e`\\n".'},
    ),
    "inside": (
        {"type": "object", "properties": {"default": {"type": "boolean", "default": True}}},
        {
            "type": "object",
            "properties": {"default": {"type": "boolean", "description": "Default: true."}},
        },
    ),
}


@pytest.mark.parametrize("case", DEFAULTS)
def test_defaults_of_arguments_are_described(tmp_path: Path, case: str) -> None:
    schema, expected = DEFAULTS[case]
    whole = {
        "type": "object",
        "properties": {"own": schema, "named": {"$ref": "#/components/schemas/Named"}},
    }
    document = api(
        {"/a": {"patch": operation(requestBody=body(whole))}},
        components={"schemas": {"Named": {"type": "object", "properties": {"member": schema}}}},
    )
    done = imported(tmp_path, document)
    assert done.tool["inputSchema"]["properties"]["own"] == expected
    assert done.document["$defs"]["Named"]["properties"]["member"] == expected


def test_read_only_members_leave_arguments_and_write_only_ones_results(tmp_path: Path) -> None:
    user = {
        "type": "object",
        "required": ["id", "name", "password"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "name": TEXT,
            "password": {"type": "string", "writeOnly": True},
            "friends": {"type": "array", "items": {"$ref": "#/components/schemas/User"}},
            "pet": {"$ref": "#/components/schemas/Pet"},
        },
    }
    reference = {"$ref": "#/components/schemas/User"}
    post = operation(
        requestBody=body({"type": "array", "items": reference}), responses=result(reference)
    )
    schemas = {"User": user, "Pet": {"type": "object", "properties": {"kind": TEXT}}}
    document = imported(
        tmp_path, api({"/a": {"post": post}}, components={"schemas": schemas})
    ).document
    definitions = document["$defs"]
    assert definitions.keys() == {"User", "UserInput", "Pet"}
    assert definitions["User"]["required"] == ["id", "name"]
    assert definitions["User"]["properties"].keys() == {"id", "name", "friends", "pet"}
    assert definitions["UserInput"]["required"] == ["name", "password"]
    assert definitions["UserInput"]["properties"].keys() == {"name", "password", "friends", "pet"}
    assert definitions["UserInput"]["properties"]["friends"]["items"] == {
        "$ref": "#/$defs/UserInput"
    }
    assert document["tools"][0]["outputSchema"] == {"$ref": "#/$defs/User"}


def test_a_discriminator_becomes_a_tag_of_each_branch(tmp_path: Path) -> None:
    pet = {"type": "object", "required": ["kind"], "properties": {"kind": TEXT}}
    fish = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "fish"}}}
    union = {
        "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("Cat", "Dog", "Fish")],
        "discriminator": {"propertyName": "kind", "mapping": {"meow": "#/components/schemas/Cat"}},
    }
    schemas = {"Cat": pet, "Dog": {**pet, "title": "A dog"}, "Fish": fish}
    document = api(
        {"/a": {"get": operation(responses=result(union))}}, components={"schemas": schemas}
    )
    cat, dog, other = imported(tmp_path, document).tool["outputSchema"]["oneOf"]
    assert cat["allOf"] == [
        {"$ref": "#/$defs/Cat"},
        {"properties": {"kind": {"const": "meow"}}, "required": ["kind"]},
    ]
    assert dog["allOf"][1]["properties"] == {"kind": {"const": "Dog"}}
    assert other == {"$ref": "#/$defs/Fish"}


def test_beside_a_reference_3_0_ignores_keywords_and_3_1_applies_them(tmp_path: Path) -> None:
    schemas = {"Name": TEXT}
    schema = {"$ref": "#/components/schemas/Name", "maxLength": 9, "description": "D."}
    outputs = []
    for version in ("3.0.3", "3.1.0"):
        get = operation(responses=result(schema))
        document = api({"/a": {"get": get}}, version, components={"schemas": schemas})
        outputs.append(imported(tmp_path, document).tool["outputSchema"])
    assert outputs == [
        {"$ref": "#/$defs/Name", "description": "D."},
        {"$ref": "#/$defs/Name", "description": "D.", "maxLength": 9},
    ]


def test_parts_are_shared_by_references(tmp_path: Path) -> None:
    components = {
        "parameters": {"page": {"name": "page", "in": "query", "schema": NUMBER}},
        "requestBodies": {"name": body({"type": "object", "properties": {"name": TEXT}})},
        "responses": {"name": result(TEXT)["200"]},
        "pathItems": {
            "names": {
                "parameters": [{"$ref": "#/components/parameters/page"}],
                "post": operation(
                    requestBody={"$ref": "#/components/requestBodies/name"},
                    responses={"200": {"$ref": "#/components/responses/name"}},
                ),
            }
        },
    }
    document = api({"/a": {"$ref": "#/components/pathItems/names"}}, components=components)
    tool = imported(tmp_path, document).tool
    assert tool["inputSchema"]["properties"] == {"page": NUMBER, "name": TEXT}
    assert tool["outputSchema"] == TEXT


def test_other_files_of_the_project_are_read(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    pet = {"type": "object", "properties": {"owner": {"$ref": "common.yaml#/Owner"}}}
    (tmp_path / "schemas" / "pet.json").write_text(json.dumps(pet))
    (tmp_path / "schemas" / "common.yaml").write_text(
        "Owner: {type: object, properties: {pet: {$ref: pet.json}}}\n"
    )
    get = operation(responses=result({"$ref": "schemas/pet.json"}))
    document = imported(tmp_path, api({"/a": {"get": get}})).document
    assert document["$defs"] == {
        "Owner": {"type": "object", "properties": {"pet": {"$ref": "#/$defs/pet"}}},
        "pet": {"type": "object", "properties": {"owner": {"$ref": "#/$defs/Owner"}}},
    }


def test_self_and_identifiers_are_bases(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "name.json").write_text(json.dumps({"type": "string", "title": "Name"}))
    schemas = {
        "Local": {
            "$id": "https://example.com/schemas/local",
            "$anchor": "here",
            "type": "string",
            "title": "Local",
        },
        "Nested": {
            "$id": "https://other.example/",
            "$defs": {"a": {"type": "string", "title": "A"}},
            "$ref": "#/$defs/a",
        },
    }
    union = {
        "anyOf": [
            {"$ref": "parts/name.json"},
            {"$ref": "https://example.com/schemas/local"},
            {"$ref": "https://example.com/schemas/local#here"},
            {"$ref": "/schemas/local"},
            {"$ref": "#/components/schemas/Nested"},
        ]
    }
    get = operation(responses=result(union))
    document = api({"/a": {"get": get}}, "3.2.0", components={"schemas": schemas})
    document["$self"] = "https://example.com/api/shop.json"
    done = imported(tmp_path, document)
    names = [each["$ref"].rpartition("/")[2] for each in done.tool["outputSchema"]["anyOf"]]
    assert names == ["name", "Local", "Local", "Local", "Nested"]
    assert done.document["$defs"]["Nested"] == {"$ref": "#/$defs/a"}
    assert not [each for each in done.diagnostics if each.severity is not Severity.NOTE]


OUTSIDE = {
    "parent": "../secret.json",
    "absolute": "/etc/passwd",
    "scheme": "https://example.com/schema.json",
    "file": "file:///etc/passwd",
    "encoded": "%2e%2e/secret.json",
    "backslash": "..\\secret.json",
}


@pytest.mark.parametrize("case", OUTSIDE)
def test_references_out_of_the_project_are_refused(tmp_path: Path, case: str) -> None:
    (tmp_path / "secret.json").write_text('{"type": "string", "title": "SECRET"}')
    (tmp_path / "project").mkdir()
    get = operation(responses=result({"$ref": OUTSIDE[case]}))
    done = imported(tmp_path / "project", api({"/a": {"get": get}}))
    assert done.tool["outputSchema"] is True
    assert "SECRET" not in str(done.texts)
    (problem,) = [each for each in done.diagnostics if each.severity is Severity.ERROR]
    assert problem.code == "import/reference-refused"
    assert problem.span is not None


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text('{"type": "string", "title": "SECRET"}')
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "link.json").symlink_to(tmp_path / "secret.json")
    get = operation(responses=result({"$ref": "link.json"}))
    done = imported(tmp_path / "project", api({"/a": {"get": get}}))
    assert "SECRET" not in str(done.texts)
    assert "project/outside-reference" in done.codes


def test_a_missing_target_accepts_anything(tmp_path: Path) -> None:
    get = operation(
        responses=result({"type": "array", "items": {"$ref": "#/components/schemas/Gone"}})
    )
    done = imported(tmp_path, api({"/a": {"get": get}}))
    assert done.tool["outputSchema"] == {"type": "array", "items": {}}
    assert done.messages("import/missing-target") == [
        "the reference `#/components/schemas/Gone` leads to nothing"
    ]


def test_recursion_stays_and_a_cycle_of_references_is_refused(tmp_path: Path) -> None:
    schemas = {
        "Tree": {
            "type": "object",
            "properties": {
                "kids": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}
            },
        },
        "A": {"$ref": "#/components/schemas/B"},
        "B": {"$ref": "#/components/schemas/A"},
    }
    paths = {
        "/tree": {"get": operation(responses=result({"$ref": "#/components/schemas/Tree"}))},
        "/cycle": {"get": operation(responses=result({"$ref": "#/components/schemas/A"}))},
    }
    done = imported(tmp_path, api(paths, components={"schemas": schemas}))
    tree = done.document["$defs"]["Tree"]
    assert tree["properties"]["kids"]["items"] == {"$ref": "#/$defs/Tree"}
    assert done.tools["GET /cycle"]["outputSchema"] is True
    assert len(done.messages("import/reference-cycle")) == 1


def chained(count: int) -> bytes:
    """A document with a chain of references, at whose end is a read-only member."""
    schemas: dict[str, Any] = {
        f"S{number}": {"$ref": f"#/components/schemas/S{number + 1}"} for number in range(count)
    }
    schemas[f"S{count}"] = {
        "type": "object",
        "properties": {"id": {"type": "integer", "readOnly": True}},
    }
    get = operation(responses=result({"$ref": "#/components/schemas/S0"}))
    return json.dumps(api({"/a": {"get": get}}, components={"schemas": schemas})).encode()


def work(data: bytes) -> int:
    document = parse("shop.json", data, limit=16 << 20).value
    assert document is not None

    def import_it() -> None:
        done = import_openapi(document, lambda *_: Checked(None), OpenApiOptions())
        (service,) = done.value
        assert len(service.definitions) > 100
        service.files()

    return calls(import_it)


def test_the_work_grows_with_the_references() -> None:
    small, large = work(chained(500)), work(chained(2000))
    assert large < 6 * small


@pytest.mark.prove
def test_a_mebibyte_of_references_is_read() -> None:
    data = chained(22_000)
    assert len(data) > 1 << 20
    document = parse("shop.json", data, limit=16 << 20).value
    assert document is not None
    done = import_openapi(document, lambda *_: Checked(None), OpenApiOptions())
    assert len(done.value[0].definitions) == 22_001
