"""`import openapi --update`: changes of the API arrive, and edits of people survive."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_documents import TEXT, api, body, errors_of, imported, operation, result, to_json
from sampling import sampled
from toolspec.cli.app import app
from toolspec.diagnostics import Severity
from toolspec.driver.openapi_imports import Writing, import_openapi_files
from toolspec.importers.openapi.selection import Selection
from toolspec.importers.openapi.services import OpenApiOptions
from typer.testing import CliRunner

ID = {"name": "id", "in": "path", "required": True, "schema": TEXT}
PET = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": TEXT, "kind": {"type": "string", "enum": ["cat", "dog"]}, "note": TEXT},
}
REFERENCE = {"$ref": "#/components/schemas/Pet"}
BEFORE = api(
    {
        "/pets": {
            "get": operation(
                operationId="listPets",
                parameters=[
                    {"name": "limit", "in": "query", "schema": {"type": "integer"}},
                    {"name": "cursor", "in": "query", "schema": TEXT},
                ],
                responses=result({"type": "array", "items": REFERENCE}),
            ),
            "post": operation(
                operationId="addPet", requestBody=body(REFERENCE), responses=result(REFERENCE)
            ),
        },
        "/pets/{id}": {
            "parameters": [ID],
            "get": operation(
                operationId="getPet",
                responses={**result(REFERENCE), "404": {"description": "Gone."}},
            ),
            "put": operation(
                operationId="replacePet", requestBody=body(REFERENCE), responses=result(REFERENCE)
            ),
            "delete": operation(operationId="deletePet", responses={"204": {"description": ""}}),
        },
        "/notes": {
            "get": operation(
                operationId="listNotes", responses=result({"type": "array", "items": TEXT})
            )
        },
    },
    components={"schemas": {"Pet": PET}},
)


def after() -> dict[str, Any]:
    """The API some time later: something of every kind changed, nothing that the edits touch."""
    document = copy.deepcopy(BEFORE)
    pets, pet = document["paths"]["/pets"], document["paths"]["/pets/{id}"]
    pets["get"]["parameters"].append(
        {"name": "sort", "in": "query", "required": True, "schema": TEXT}
    )
    pets["get"]["parameters"][1]["schema"] = {"type": "string", "minLength": 1}
    pets["post"]["summary"] = "Add one"
    pet["get"]["responses"]["410"] = {"description": "Gone for good."}
    pet["patch"] = operation(
        operationId="changePet", responses=result({"$ref": "#/components/schemas/Change"})
    )
    del document["paths"]["/notes"]
    schemas = document["components"]["schemas"]
    schemas["Pet"]["properties"]["born"] = {"type": "string", "format": "date"}
    schemas["Pet"]["properties"]["kind"]["enum"] = ["cat", "dog", "fish"]
    schemas["Change"] = {"type": "object", "properties": {"at": TEXT}}
    document["servers"] = [{"url": "https://shop.example.com/v2"}]
    return document


EDITS: list[tuple[str, str]] = [
    ("  title: Shop\n", "  title: The pet shop\n"),
    ("  description: Things to buy.\n", "  description: Things to buy, for agents. # as marketing wants\n  category: retail\n"),
    ("toolspec: 1\n", "# Owned by the shop team.\ntoolspec: 1\n"),
    ("  - name: list_pets\n    description: Do something useful.", "  # The one that models need.\n  - name: find_pets\n    description: List the pets."),
    ("      properties: {limit: {type: integer}, cursor: {type: string}}\n", "      properties:\n        limit: {type: integer, description: How many., maximum: 50} # we never want more\n        cursor: {type: string}\n"),
    ("    http: {method: GET, path: /pets}", "    http: {method: GET, path: /pets, accept: application/vnd.pets+json}\n    timeout: {total: 5s}"),
    ("  - name: add_pet\n    description: Do something useful.", "  - name: add_pet\n    description: Add a pet. # short"),
    (
        "    mutation: true # review: a POST, taken to be destructive; see `annotations.destructiveHint`\n",
        "    mutation: true # it only adds\n    annotations: {destructiveHint: false}\n",
    ),
    ("        note: {type: string}\n      required: [name]", "        note: {type: string, maxLength: 100}\n      required: [name, note]"),
    ("  - name: get_pet\n", "  - name: get_pet\n    title: A pet\n    aliases: [shop_readPet]\n"),
    ("    errors: [{code: not_found, description: Gone.}]", "    errors:\n      - {code: not_found, description: No such pet.}\n      - {code: asleep, description: The pet sleeps.}"),
    ("  - name: delete_pet\n", "  - name: delete_pet\n    effects: [delete]\n    x-team: cats\n"),
    ("    annotations: {idempotentHint: true}\n    http: {method: DELETE", "    annotations: {idempotentHint: false}\n    http: {method: DELETE"),
    ("  Pet:\n    type: object\n", "  # What we sell.\n  Pet:\n    type: object\n    description: A pet.\n"),
    ("      note: {type: string}\n    required: [name]", "      note: {type: string, description: Free text.}\n    required: [name]"),
]  # fmt: skip


def edited(text: str) -> str:
    for old, new in EDITS:
        assert old in text, old
        text = text.replace(old, new, 1)
    own = (
        "\n  - name: count_pets\n    description: Count the pets of the shop. # ours\n"
        "    outputSchema: {type: integer}\n    mutation: false\n"
    )
    head, record = text.split("x-toolspec-import:")
    return f"{head.rstrip()}\n{own}x-shop: {{since: 2026}}\nx-toolspec-import:{record}"


def update(folder: Path, document: dict[str, Any], options: OpenApiOptions | None = None) -> Any:
    return imported(folder, document, options, Writing.UPDATE)


def test_twenty_edits_survive_an_upstream_change(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    file = tmp_path / "specs" / "shop.yaml"
    imported(tmp_path, BEFORE)
    text = edited(file.read_text())
    file.write_text(text)
    assert errors_of(tmp_path) == []
    done = update(tmp_path, after())
    assert [each.message for each in done.diagnostics if each.severity is Severity.ERROR] == []
    document, tools = done.document, {tool["name"]: tool for tool in done.document["tools"]}
    # Of people.
    service = document["service"]
    assert (service["title"], service["category"]) == ("The pet shop", "retail")
    assert service["description"] == "Things to buy, for agents."
    assert document["x-shop"] == {"since": 2026}
    assert tools["find_pets"]["description"] == "List the pets."
    assert tools["find_pets"]["inputSchema"]["properties"]["limit"]["maximum"] == 50
    assert tools["find_pets"]["http"]["accept"] == "application/vnd.pets+json"
    assert tools["find_pets"]["timeout"] == {"total": "5s"}
    assert tools["add_pet"]["description"] == "Add a pet."
    assert tools["add_pet"]["annotations"] == {"destructiveHint": False}
    assert tools["add_pet"]["inputSchema"]["properties"]["note"] == {
        "type": "string",
        "maxLength": 100,
    }
    assert tools["add_pet"]["inputSchema"]["required"] == ["name", "note"]
    assert (tools["get_pet"]["title"], tools["get_pet"]["aliases"]) == ("A pet", ["shop_readPet"])
    assert {error["code"]: error["description"] for error in tools["get_pet"]["errors"]} == {
        "not_found": "No such pet.", "asleep": "The pet sleeps.", "gone": "Gone for good.",
    }  # fmt: skip
    assert (tools["delete_pet"]["effects"], tools["delete_pet"]["x-team"]) == (["delete"], "cats")
    assert tools["delete_pet"]["annotations"] == {"idempotentHint": False}
    assert tools["count_pets"]["outputSchema"] == {"type": "integer"}
    pet = document["$defs"]["Pet"]
    assert pet["description"] == "A pet."
    assert pet["properties"]["note"]["description"] == "Free text."
    new = file.read_text()
    for comment in (
        "# Owned by the shop team.", "# as marketing wants", "# The one that models need.", "# What we sell.",
        "# we never want more", "# short", "# it only adds", "# ours",
    ):  # fmt: skip
        assert comment in new
    # From upstream.
    assert tools["find_pets"]["inputSchema"]["properties"]["sort"] == TEXT
    assert tools["find_pets"]["inputSchema"]["required"] == ["sort"]
    assert tools["find_pets"]["inputSchema"]["properties"]["cursor"]["minLength"] == 1
    assert tools["add_pet"]["summary"] == "Add one"
    assert "list_notes" not in tools
    assert tools["change_pet"]["outputSchema"] == {"$ref": "#/$defs/Change"}
    assert document["$defs"]["Change"]["properties"] == {"at": TEXT}
    assert pet["properties"]["born"] == {"type": "string", "format": "date"}
    assert pet["properties"]["kind"]["enum"] == ["cat", "dog", "fish"]
    assert service["settings"]["properties"]["baseUrl"]["default"] == "https://shop.example.com/v2"


def test_an_update_without_changes_writes_nothing(tmp_path: Path) -> None:
    imported(tmp_path, BEFORE)
    file = tmp_path / "specs" / "shop.yaml"
    text = edited(file.read_text())
    file.write_text(text)
    update(tmp_path, BEFORE)
    first = file.read_bytes()
    update(tmp_path, BEFORE)
    assert file.read_bytes() == first
    assert yaml.safe_load(first) == yaml.safe_load(text)


Change = Callable[[dict[str, Any]], None]


def describe(document: dict[str, Any]) -> None:
    document["paths"]["/pets"]["get"]["description"] = "List pets, upstream."


def narrow(document: dict[str, Any]) -> None:
    document["paths"]["/pets"]["get"]["parameters"][0]["schema"]["maximum"] = 10


def remove(document: dict[str, Any]) -> None:
    del document["paths"]["/pets"]["get"]


def retype(document: dict[str, Any]) -> None:
    document["components"]["schemas"]["Pet"]["properties"]["note"] = {"type": "integer"}


CONFLICTS: dict[str, tuple[Change, str, str, str]] = {
    "text": (
        describe,
        "    description: Do something useful.\n",
        "    description: List the pets.\n",
        "description",
    ),
    "argument": (narrow, "limit: {type: integer}", "limit: {type: integer, maximum: 50}", "limit"),
    "deleted argument": (narrow, "limit: {type: integer}, ", "", "limit"),
    "removed tool": (
        remove,
        "    description: Do something useful.\n",
        "    description: List the pets.\n",
        "everything",
    ),
    "definition": (
        retype,
        "      note: {type: string}\n",
        "      note: {type: string, maxLength: 9}\n",
        "note",
    ),
}


@pytest.mark.parametrize("case", sampled(CONFLICTS, 2))
def test_a_part_that_both_changed_is_reported_and_stays(tmp_path: Path, case: str) -> None:
    change, old, new, what = CONFLICTS[case]
    imported(tmp_path, BEFORE)
    file = tmp_path / "specs" / "shop.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    document = copy.deepcopy(BEFORE)
    change(document)
    before = yaml.safe_load(file.read_text())
    done = update(tmp_path, document)
    (conflict,) = [each for each in done.diagnostics if each.code == "import/conflict"]
    assert conflict.severity is Severity.ERROR
    assert what in conflict.message
    assert conflict.span is not None
    assert conflict.span.source.path.endswith("specs/shop.yaml")
    (upstream,) = conflict.labels
    assert upstream.span.source.path.endswith("shop.json")
    assert conflict.label.startswith("here: ")
    assert upstream.text.startswith("upstream: ")
    now = done.document
    tool = next(one for one in before["tools"] if one["name"] == "list_pets")
    assert next(one for one in now["tools"] if one["name"] == "list_pets") == tool
    assert now["$defs"]["Pet"]["properties"]["note"] == before["$defs"]["Pet"]["properties"]["note"]
    again = update(tmp_path, document)
    assert "import/conflict" not in again.codes


def test_without_a_configuration_names_begin_at_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("import", "openapi", "shop.json", "--to", "api/specs")
    document = copy.deepcopy(BEFORE)
    (tmp_path / "shop.json").write_text(json.dumps(document))
    assert CliRunner().invoke(app, words).exit_code == 0
    file = tmp_path / "api" / "specs" / "shop.yaml"
    change, old, new, _ = next(iter(CONFLICTS.values()))
    file.write_text(file.read_text().replace(old, new, 1))
    change(document)
    (tmp_path / "shop.json").write_text(json.dumps(document))
    output = CliRunner().invoke(app, (*words, "--update")).output
    assert "error[import/conflict]" in output
    assert "--> api/specs/shop.yaml:" in output


def test_a_deleted_tool_stays_deleted(tmp_path: Path) -> None:
    imported(tmp_path, BEFORE)
    file = tmp_path / "specs" / "shop.yaml"
    value = yaml.safe_load(file.read_text())
    value["tools"] = [tool for tool in value["tools"] if tool["name"] != "delete_pet"]
    file.write_text(yaml.safe_dump(value, sort_keys=False))
    names = {tool["name"] for tool in update(tmp_path, after()).document["tools"]}
    assert "delete_pet" not in names
    assert "change_pet" in names


def test_an_operation_that_is_not_selected_stays(tmp_path: Path) -> None:
    imported(tmp_path, BEFORE)
    options = OpenApiOptions(selection=Selection(include=("/pets*",)))
    done = update(tmp_path, BEFORE, options)
    assert "GET /notes" in done.tools


def test_tools_in_a_map_and_in_included_files_are_updated(tmp_path: Path) -> None:
    imported(tmp_path, BEFORE)
    file = tmp_path / "specs" / "shop.yaml"
    value = yaml.safe_load(file.read_text())
    (tmp_path / "parts").mkdir()
    tools = {tool.pop("name"): tool for tool in value.pop("tools")}
    part = {"$defs": value.pop("$defs"), "tools": tools}
    (tmp_path / "parts" / "pets.yaml").write_text(yaml.safe_dump(part, sort_keys=False))
    file.write_text(yaml.safe_dump({**value, "include": ["../parts/*.yaml"]}, sort_keys=False))
    assert errors_of(tmp_path) == []
    document = after()
    document["paths"]["/pets"]["get"]["operationId"] = "searchPets"
    update(tmp_path, document)
    merged = yaml.safe_load((tmp_path / "parts" / "pets.yaml").read_text())
    assert "search_pets" in merged["tools"]
    assert "list_pets" not in merged["tools"]
    assert "change_pet" in merged["tools"]
    assert "list_notes" not in merged["tools"]
    assert "Change" in merged["$defs"]
    assert errors_of(tmp_path) == []


def test_a_part_that_an_alias_shares_is_a_conflict(tmp_path: Path) -> None:
    imported(tmp_path, BEFORE)
    file = tmp_path / "specs" / "shop.yaml"
    text = file.read_text()
    text = text.replace(
        "    description: Do something useful.", "    description: &useful Do something useful.", 1
    )
    head, tail = text.split("  - name: add_pet\n")
    file.write_text(
        head
        + "  - name: add_pet\n"
        + tail.replace("    description: Do something useful.", "    description: *useful", 1)
    )
    document = copy.deepcopy(BEFORE)
    document["paths"]["/pets"]["post"]["description"] = "Add a pet."
    done = update(tmp_path, document)
    (conflict,) = [each for each in done.diagnostics if each.code == "import/conflict"]
    assert "`description` of `POST /pets`" in conflict.message
    assert "description: *useful" in file.read_text()


def test_a_schema_changes_its_form(tmp_path: Path) -> None:
    def document(responses: dict[str, Any]) -> dict[str, Any]:
        return api({"/a": {"get": operation(responses=responses)}})

    anything = {"200": {"description": "", "content": {"application/json": {}}}}
    imported(tmp_path, document(anything))
    assert update(tmp_path, document(result(PET))).tool["outputSchema"] == PET
    assert update(tmp_path, document(anything)).tool["outputSchema"] is True


OWN = """
  - name: own_pet
    description: Make a pet of the shop.
    outputSchema: {$ref: "#/$defs/Pet"}
    mutation: false
"""


def test_a_definition_that_a_tool_of_a_person_uses_stays(tmp_path: Path) -> None:
    imported(tmp_path, BEFORE)
    file = tmp_path / "specs" / "shop.yaml"
    head, record = file.read_text().split("x-toolspec-import:")
    file.write_text(f"{head.rstrip()}\n{OWN}x-toolspec-import:{record}")
    document = json.loads(json.dumps(BEFORE).replace(json.dumps(REFERENCE), json.dumps(TEXT)))
    del document["components"]
    done = update(tmp_path, document)
    assert "Pet" in done.document["$defs"]
    assert errors_of(tmp_path) == []


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_the_first_definition_of_a_document(tmp_path: Path, form: str) -> None:
    def document(schema: Any, **others: Any) -> dict[str, Any]:
        return api({"/a": {"get": operation(responses=result(schema))}}, **others)

    imported(tmp_path, document(TEXT))
    file = tmp_path / "specs" / "shop.yaml"
    if form == "json":
        file = to_json(file)
    update(tmp_path, document(REFERENCE, components={"schemas": {"Pet": PET}}))
    value = yaml.safe_load(file.read_text())
    assert value["$defs"] == {"Pet": PET}
    assert value["tools"][0]["outputSchema"] == {"$ref": "#/$defs/Pet"}
    assert errors_of(tmp_path) == []


def imported_without(folder: Path, key: str) -> Path:
    """Import the API, delete a member of the document, and return the document's path."""
    imported(folder, BEFORE)
    file = folder / "specs" / "shop.yaml"
    value = yaml.safe_load(file.read_text())
    del value[key]
    file.write_text(yaml.safe_dump(value, sort_keys=False))
    return file


def test_a_deleted_definition_returns_with_its_first_use(tmp_path: Path) -> None:
    file = imported_without(tmp_path, "$defs")
    file.write_text(file.read_text().replace("$ref: '#/$defs/Pet'", "type: object"))
    assert errors_of(tmp_path) == []
    document = copy.deepcopy(BEFORE)
    document["paths"]["/pets/new"] = {
        "get": operation(operationId="newPet", responses=result(REFERENCE))
    }
    assert [*update(tmp_path, document).document["$defs"]] == ["Pet"]
    assert errors_of(tmp_path) == []


def test_without_its_record_each_difference_is_a_conflict(tmp_path: Path) -> None:
    imported_without(tmp_path, "x-toolspec-import")
    done = update(tmp_path, after())
    assert "`settings` of `service` changed" in done.messages("import/conflict")[0]
    assert "x-toolspec-import" in done.document
    assert "import/conflict" not in update(tmp_path, after()).codes


def test_a_schema_of_another_form_is_a_conflict(tmp_path: Path) -> None:
    imported(tmp_path, BEFORE)
    file = tmp_path / "specs" / "shop.yaml"
    schema = """    inputSchema:
      type: object
      properties: {limit: {type: integer}, cursor: {type: string}}
      additionalProperties: false
"""
    text = file.read_text()
    assert schema in text
    file.write_text(text.replace(schema, "    inputSchema: true\n", 1))
    done = update(tmp_path, after())
    assert [message.partition(" changed")[0] for message in done.messages("import/conflict")] == [
        "`inputSchema/properties/cursor` of `GET /pets`",
        "`inputSchema/properties/sort` of `GET /pets`",
        "`inputSchema/required/sort` of `GET /pets`",
    ]
    assert done.tools["GET /pets"]["inputSchema"] is True


def test_a_dry_run_and_a_broken_document_leave_the_files(tmp_path: Path) -> None:
    imported(tmp_path, BEFORE)
    file = tmp_path / "specs" / "shop.yaml"
    text = file.read_bytes()
    source = tmp_path / "shop.json"
    source.write_text(json.dumps(after()))
    args = [str(source)], tmp_path / "specs", OpenApiOptions(), Writing.UPDATE
    import_openapi_files(*args, is_dry_run=True)
    assert file.read_bytes() == text
    file.write_bytes(text.replace(b"mutation: false", b"mutation: maybe", 1))
    broken = file.read_bytes()
    done = import_openapi_files(*args)
    assert [each.severity for each in done.diagnostics if each.code.startswith("shape/")] == [
        Severity.ERROR
    ]
    assert file.read_bytes() == broken
