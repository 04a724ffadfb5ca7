"""Updates of JSON documents, and merges that do not compile."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_documents import TEXT, api, body, errors_of, operation, result, to_json
from toolspec.diagnostics import Diagnostic, Severity
from toolspec.driver.openapi_imports import Writing, import_openapi_files
from toolspec.importers.openapi.services import OpenApiOptions

NUMBER = {"type": "integer"}
PET = {"type": "object", "required": ["name"], "properties": {"name": TEXT, "note": TEXT}}
REFERENCE = {"$ref": "#/components/schemas/Pet"}
LIMIT = {"name": "limit", "in": "query", "schema": NUMBER}
BEFORE = api(
    {
        "/pets": {
            "get": operation(
                operationId="listPets",
                parameters=[LIMIT],
                responses={**result(REFERENCE), "404": {"description": "Gone."}},
            ),
            "post": operation(operationId="addPet", requestBody=body(REFERENCE)),
        },
        "/notes": {"get": operation(operationId="listNotes")},
    },
    components={"schemas": {"Pet": PET}},
)


def after() -> dict[str, Any]:
    """Something of every kind changed: arguments, results, errors, operations and definitions."""
    document = copy.deepcopy(BEFORE)
    get = document["paths"]["/pets"]["get"]
    get["parameters"].append({"name": "tag[]", "in": "query", "required": True, "schema": TEXT})
    get["responses"]["410"] = {"description": "Gone for good."}
    del get["responses"]["404"]
    document["paths"]["/pets"]["patch"] = operation(
        operationId="changePet", responses=result({"$ref": "#/components/schemas/Change"})
    )
    del document["paths"]["/notes"]
    document["components"]["schemas"]["Change"] = {"type": "object", "properties": {"at": TEXT}}
    document["components"]["schemas"]["Pet"]["properties"]["born"] = {**TEXT, "format": "date"}
    document["servers"] = [{"url": "https://shop.example.com/v2"}]
    return document


def run(
    folder: Path, document: Any, writing: Writing = Writing.UPDATE, **options: bool
) -> list[Diagnostic]:
    (folder / "shop.json").write_text(json.dumps(document))
    (folder / "toolspec.toml").write_text('specs = ["specs"]\n')
    arguments = [str(folder / "shop.json")], folder / "specs", OpenApiOptions(), writing
    return list(import_openapi_files(*arguments, **options).diagnostics)


def test_a_json_document_becomes_what_a_yaml_document_becomes(tmp_path: Path) -> None:
    values = []
    for form in ("yaml", "json"):
        folder = tmp_path / form
        folder.mkdir()
        run(folder, BEFORE, Writing.CREATE)
        file = folder / "specs" / "shop.yaml"
        edits = (("Do something useful.", "Return pets."), ('version: "1.2.3"', 'version: "2.0.0"'))
        for old, new in edits:
            file.write_text(file.read_text().replace(old, new, 1))
        file = to_json(file) if form == "json" else file
        problems = run(folder, after())
        assert [each.message for each in problems if each.severity is Severity.ERROR] == []
        assert [each.name for each in (folder / "specs").iterdir()] == [file.name]
        assert errors_of(folder) == []
        values.append(yaml.safe_load(file.read_text()))
    assert values[0] == values[1]
    assert values[1]["tools"][0]["description"] == "Return pets."
    assert "change_pet" in [tool["name"] for tool in values[1]["tools"]]
    file = tmp_path / "json" / "specs" / "shop.json"
    assert "\n  " in file.read_text()
    text = file.read_bytes()
    run(tmp_path / "json", after())
    assert file.read_bytes() == text


def test_tools_in_a_map_of_a_json_part(tmp_path: Path) -> None:
    """The document is YAML and its part JSON; each keeps its form."""
    run(tmp_path, BEFORE, Writing.CREATE)
    file = tmp_path / "specs" / "shop.yaml"
    value = yaml.safe_load(file.read_text())
    tools = {tool.pop("name"): tool for tool in value.pop("tools")}
    part = tmp_path / "parts" / "pets.json"
    part.parent.mkdir()
    part.write_text(json.dumps({"tools": tools}, indent=2))
    file.write_text(yaml.safe_dump({**value, "include": ["../parts/*.json"]}, sort_keys=False))
    document = after()
    document["paths"]["/pets"]["get"]["operationId"] = 'search"Pets'
    run(tmp_path, document)
    merged = json.loads(part.read_text())["tools"]
    assert list(merged) == ["search_pets", "add_pet", "change_pet"]
    assert "Change" in yaml.safe_load(file.read_text())["$defs"]
    assert errors_of(tmp_path) == []


def test_a_conflict_in_a_json_document_has_both_locations(tmp_path: Path) -> None:
    run(tmp_path, BEFORE, Writing.CREATE)
    file = to_json(tmp_path / "specs" / "shop.yaml")
    file.write_text(file.read_text().replace("Do something useful.", "Return pets.", 1))
    document = copy.deepcopy(BEFORE)
    document["paths"]["/pets"]["get"]["description"] = "List pets."
    (conflict,) = [each for each in run(tmp_path, document) if each.code == "import/conflict"]
    assert conflict.span is not None
    assert conflict.span.source.path == "specs/shop.json"
    assert [each.span.source.path for each in conflict.labels] == ["shop.json"]
    assert "Return pets." in file.read_text()


@pytest.mark.parametrize("suffix", [".json", ".yml"])
def test_a_document_in_another_form_is_the_same_document(tmp_path: Path, suffix: str) -> None:
    run(tmp_path, BEFORE, Writing.CREATE)
    file = tmp_path / "specs" / "shop.yaml"
    other = to_json(file).rename(file.with_suffix(suffix))
    text = other.read_text()
    assert [each.code for each in run(tmp_path, BEFORE, Writing.CREATE)][-1:] == [
        "import/document-exists"
    ]
    assert other.read_text() == text
    run(tmp_path, BEFORE, Writing.REPLACE)
    assert [each.name for each in file.parent.iterdir()] == ["shop.yaml"]


def renamed(folder: Path, form: str) -> tuple[Path, dict[str, Any]]:
    """Rename an argument in the document, and give it a place upstream, so that both do not fit."""
    run(folder, BEFORE, Writing.CREATE)
    file = folder / "specs" / "shop.yaml"
    text = file.read_text()
    assert "      properties: {limit: {type: integer}}\n" in text
    file.write_text(text.replace("properties: {limit:", "properties: {most:", 1))
    document = copy.deepcopy(BEFORE)
    document["paths"]["/pets"]["get"]["parameters"][0]["in"] = "header"
    return (to_json(file) if form == "json" else file), document


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_merge_that_does_not_compile_is_beside_the_document(tmp_path: Path, form: str) -> None:
    file, document = renamed(tmp_path, form)
    before = file.read_bytes()
    problems = [each for each in run(tmp_path, document) if each.severity is Severity.ERROR]
    assert [each.code for each in problems] == ["http/unknown-argument", "import/unmerged"]
    error, summary = problems
    merged = file.with_name(f"{file.name}.merged")
    assert file.read_bytes() == before
    assert error.span is not None
    assert error.span.source.path == f"specs/{merged.name}"
    assert error.span.source.text == merged.read_text()
    assert [each.text for each in error.labels] == [
        "changed here: inputSchema/properties/most",
        "changed upstream: http/in/limit",
    ]
    assert [each.span.source.path for each in error.labels] == [f"specs/{file.name}", "shop.json"]
    assert summary.message.startswith(f"`specs/{file.name}` is not updated")
    # A corrected merge takes the place of the document, and is up to date.
    text = merged.read_text()
    merged.rename(file)
    file.write_text(text.replace("limit", "most"))
    assert errors_of(tmp_path) == []
    corrected = file.read_bytes()
    run(tmp_path, document)
    assert yaml.safe_load(file.read_bytes()) == yaml.safe_load(corrected)


def test_a_merge_that_compiles_removes_the_one_that_did_not(tmp_path: Path) -> None:
    file, document = renamed(tmp_path, "yaml")
    run(tmp_path, document, is_dry_run=True)
    merged = file.with_name("shop.yaml.merged")
    assert not merged.exists()
    run(tmp_path, document)
    assert merged.exists()
    file.write_text(file.read_text().replace("{most: {type", "{limit: {type"))
    run(tmp_path, document)
    assert not merged.exists()
    assert "in: header" in file.read_text()
    assert errors_of(tmp_path) == []
