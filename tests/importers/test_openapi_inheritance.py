"""A discriminator in a base that schemas extend with `allOf`, without a union of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from openapi_documents import TEXT, Imported, api, body, imported, operation, result
from toolspec.shared.validator import compiled

PET = {
    "type": "object",
    "description": "A pet.",
    "required": ["kind"],
    "properties": {"kind": TEXT, "name": TEXT},
    "discriminator": {"propertyName": "kind", "mapping": {"meow": "#/components/schemas/Cat"}},
}
REFERENCE = {"$ref": "#/components/schemas/Pet"}
CAT = {
    "allOf": [
        REFERENCE,
        {"type": "object", "required": ["lives"], "properties": {"lives": {"type": "integer"}}},
    ]
}
DOG = {"allOf": [REFERENCE], "type": "object", "properties": {"tricks": {"type": "array"}}}
PUPPY = {
    "allOf": [{"$ref": "#/components/schemas/Dog"}, {"properties": {"weeks": {"type": "integer"}}}]
}
SCHEMAS = {"Pet": PET, "Cat": CAT, "Dog": DOG, "Puppy": PUPPY}


def tag(*values: str) -> dict[str, Any]:
    only: dict[str, Any] = {"const": values[0]} if len(values) == 1 else {"enum": [*values]}
    return {"properties": {"kind": only}, "required": ["kind"]}


def branch(name: str, *values: str) -> dict[str, Any]:
    return {"allOf": [{"$ref": f"#/$defs/{name}"}, tag(*values)]}


def pets(folder: Path, schemas: dict[str, Any], **others: Any) -> Imported:
    paths = {
        "/pets": {
            "get": operation(responses=result({"type": "array", "items": REFERENCE})),
            "put": operation(requestBody=body(REFERENCE), responses={"204": {"description": "."}}),
        }
    }
    return imported(folder, api(paths, components={"schemas": schemas}, **others))


def test_references_to_the_base_become_a_union(tmp_path: Path) -> None:
    done = pets(tmp_path, SCHEMAS)
    definitions = done.document["$defs"]
    assert definitions["Pet"] == {
        "description": "A pet.",
        "anyOf": [
            branch("Cat", "meow"),
            branch("Dog", "Dog"),
            branch("Puppy", "Puppy"),
            {"$ref": "#/$defs/PetBase"},
        ],
    }
    assert definitions["PetBase"] == {key: PET[key] for key in PET if key != "discriminator"}
    assert definitions["Cat"]["allOf"][0] == {"$ref": "#/$defs/PetBase"}
    assert definitions["Puppy"]["allOf"][0] == {"$ref": "#/$defs/Dog"}
    assert done.tools["GET /pets"]["outputSchema"]["items"] == {"$ref": "#/$defs/Pet"}
    assert done.messages("import/discriminator") == [
        "`Pet` is any of `Cat`, `Dog`, `Puppy` by its `kind`, or `Pet` with other members"
    ]


def test_values_of_every_form_are_valid(tmp_path: Path) -> None:
    definitions = pets(tmp_path, SCHEMAS).document["$defs"]
    is_pet = compiled({"$ref": "#/$defs/Pet", "$defs": definitions}, formats=True)
    for value in (
        {"kind": "meow", "lives": 9},
        {"kind": "Dog", "tricks": []},
        {"kind": "Puppy", "weeks": 3},
        {"kind": "fish", "fins": 2},
    ):
        assert is_pet(value), json.dumps(value)
    assert not is_pet({"name": "Momo"})


def test_a_wrapped_reference_has_the_subtypes_too(tmp_path: Path) -> None:
    owner = {"type": "object", "properties": {"pet": {"allOf": [REFERENCE], "description": "His."}}}
    done = pets(tmp_path, {**SCHEMAS, "Pet": {**PET, "properties": {"kind": TEXT, "owner": owner}}})
    inner = done.document["$defs"]["PetBase"]["properties"]["owner"]["properties"]["pet"]
    assert inner["allOf"] == [{"$ref": "#/$defs/Pet"}]


def test_a_base_that_extends_another_one(tmp_path: Path) -> None:
    dog = {**DOG, "discriminator": {"propertyName": "kind"}}
    paths = {"/dogs": {"get": operation(responses=result({"$ref": "#/components/schemas/Dog"}))}}
    document = api(paths, components={"schemas": {**SCHEMAS, "Dog": dog}})
    definitions = imported(tmp_path, document).document["$defs"]
    assert definitions["Dog"]["anyOf"] == [branch("Puppy", "Puppy"), {"$ref": "#/$defs/DogBase"}]
    assert definitions["Puppy"]["allOf"][0] == {"$ref": "#/$defs/DogBase"}
    assert definitions["DogBase"]["allOf"] == [{"$ref": "#/$defs/Pet"}]


def test_values_come_from_the_mapping_an_extension_or_the_schema(tmp_path: Path) -> None:
    mapping = {"a": "#/components/schemas/Cat", "b": "Cat"}
    pet = {**PET, "discriminator": {"propertyName": "kind", "mapping": mapping}}
    fixed = {"allOf": [REFERENCE, {"properties": {"kind": {"enum": ["puppy"]}}}]}
    schemas = {
        "Pet": pet,
        "Cat": CAT,
        "Dog": {**DOG, "x-ms-discriminator-value": "#Dog"},
        "Puppy": fixed,
    }
    assert pets(tmp_path, schemas).document["$defs"]["Pet"]["anyOf"] == [
        branch("Cat", "a", "b"),
        branch("Dog", "#Dog"),
        {"$ref": "#/$defs/Puppy"},
        {"$ref": "#/$defs/PetBase"},
    ]


def test_read_only_members_of_a_subtype_leave_arguments(tmp_path: Path) -> None:
    chip = {"properties": {"chip": {"type": "string", "readOnly": True}}}
    done = pets(tmp_path, {"Pet": PET, "Cat": {"allOf": [REFERENCE, chip]}})
    definitions = done.document["$defs"]
    assert definitions["Cat"]["allOf"][1] == {"properties": {"chip": TEXT}}
    assert definitions["PetInput"]["anyOf"][0] == branch("CatInput", "meow")
    assert definitions["CatInput"]["allOf"] == [
        {"$ref": "#/$defs/PetBaseInput"},
        {"properties": {}},
    ]


def test_subtypes_in_other_files(tmp_path: Path) -> None:
    (tmp_path / "cat.json").write_text(
        json.dumps({"Cat": {"allOf": [{"$ref": "shop.json#/components/schemas/Pet"}]}})
    )
    mapping = {"cat": "cat.json#/Cat"}
    pet = {**PET, "discriminator": {"propertyName": "kind", "mapping": mapping}}
    definitions = pets(tmp_path, {"Pet": pet}).document["$defs"]
    assert definitions["Pet"]["anyOf"] == [branch("Cat", "cat"), {"$ref": "#/$defs/PetBase"}]


def test_a_discriminator_that_selects_nothing_is_reported(tmp_path: Path) -> None:
    done = pets(tmp_path, {"Pet": {**PET, "discriminator": {"propertyName": "kind"}}})
    assert done.document["$defs"]["Pet"]["properties"] == PET["properties"]
    (message,) = done.messages("import/not-imported")
    assert message.startswith(
        "the discriminator `kind` of `Pet`: no schema of `components` extends"
    )


def test_a_circle_of_bases_ends(tmp_path: Path) -> None:
    cat = {**CAT, "discriminator": {"propertyName": "kind"}}
    pet = {**PET, "allOf": [{"$ref": "#/components/schemas/Cat"}]}
    done = pets(tmp_path, {"Pet": pet, "Cat": cat})
    assert done.texts
