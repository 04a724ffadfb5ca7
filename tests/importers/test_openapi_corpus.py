"""Published OpenAPI documents, and those with faults: what an import writes compiles."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_documents import TEXT, api, body, errors_of, imported, operation, result
from sampling import sampled
from toolspec.diagnostics import Severity
from toolspec.driver.openapi_imports import Writing, import_openapi_files
from toolspec.importers.openapi.services import OpenApiOptions

SMALL = ("petstorev3.json", "tinkoff.json")
TOOLS = {
    "ApiManagementClient-openapi.json": 99,
    "asana.yaml": 152,
    "firecracker.json": 26,
    "openai-1.2.0.openapi.yaml": 28,
    "petstorev3.json": 19,
    "stripe-old.yaml": 402,
    "superset.json": 140,
    "telegram_bot_api.json": 82,
    "tinkoff.json": 21,
    "twilio_taskrouter_v1.json": 61,
    "twilio_verify_v2.yaml": 57,
}


def imported_file(file: Path, folder: Path) -> None:
    (folder / "toolspec.toml").write_text('specs = ["specs"]\n[lint]\npreset = "recommended"\n')
    specs = folder / "specs"
    done = import_openapi_files([str(file)], specs, OpenApiOptions(), Writing.REPLACE)
    assert [each.message for each in done.diagnostics if each.severity is Severity.ERROR] == []
    (document,) = done.value
    assert document.tools == TOOLS[file.name]
    assert errors_of(folder) == []
    texts = {path: path.read_bytes() for path in specs.rglob("*.yaml")}
    import_openapi_files([str(file)], specs, OpenApiOptions(), Writing.UPDATE)
    assert {path: path.read_bytes() for path in specs.rglob("*.yaml")} == texts


@pytest.mark.parametrize("name", sampled(SMALL, 1))
def test_small_documents_are_imported(corpus: Path, tmp_path: Path, name: str) -> None:
    imported_file(corpus / "openapi" / name, tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("name", sorted(TOOLS.keys() - set(SMALL)))
def test_published_documents_are_imported(corpus: Path, tmp_path: Path, name: str) -> None:
    imported_file(corpus / "openapi" / name, tmp_path)


# By a small process: the peak of a process counts the memory of the one that started it, and a process
# of tests has gigabytes at its end.
USED = """
import resource, subprocess, sys
subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


@pytest.mark.prove
def test_the_largest_document_fits_in_memory(corpus: Path, tmp_path: Path) -> None:
    """What the import takes is printed: 10 s of CPU are the goal, which no test measures."""
    file = corpus / "openapi" / "stripe-old.yaml"
    command = ("-m", "toolspec", "import", "openapi", str(file), "--to", "specs")
    done = subprocess.run(
        [sys.executable, "-c", USED, *command],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, mebibytes = map(float, done.stdout.split())
    print(f"{seconds:.1f} s CPU, {mebibytes:.0f} MiB")
    assert mebibytes < 300


SHOP = api(
    {
        "/pets/{id}": {
            "parameters": [{"$ref": "#/components/parameters/id"}],
            "get": operation(
                responses=result({"$ref": "#/components/schemas/Pet"}), security=[{"key": []}]
            ),
            "put": operation(
                requestBody=body({"$ref": "#/components/schemas/Pet"}),
                responses={
                    **result({"type": "array", "items": TEXT}),
                    "404": {"description": "Gone."},
                },
                tags=["pets"],
            ),
        },
        "/events": {"get": operation(responses=result(TEXT, "text/event-stream"))},
    },
    components={
        "parameters": {"id": {"name": "id", "in": "path", "required": True, "schema": TEXT}},
        "schemas": {
            "Pet": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "example": "Rex"},
                    "id": {"type": "integer", "readOnly": True},
                    "kin": {
                        "oneOf": [{"$ref": "#/components/schemas/Pet"}],
                        "discriminator": {"propertyName": "name"},
                    },
                },
            }
        },
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    },
)
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, "", " ", "object", "\u202e", "a\x00b", [], {}, ["a", "a"], [[]], [None],
    {"": {}}, {"type": "strin"}, {"$ref": "#/nowhere"}, {"$ref": "#"}, {"$ref": "https://x.example/"}, {"$ref": 5},
    {"$ref": "#/components/schemas/Pet"}, {"$ref": "#/paths/~1events"}, {"anyOf": []}, {"pattern": "("}, {"x-mcp": 5},
    {"application/json": None}, {"a": {"in": "query"}}, {"200": {"content": {"*/*": {}}}}, "{id}", "https://[",
)  # fmt: skip
KEYS = (
    "parameters", "requestBody", "responses", "content", "schema", "security", "servers", "tags", "name", "in",
    "required", "properties", "items", "$ref", "$id", "$self", "$anchor", "discriminator", "type", "enum", "default",
    "example", "nullable", "readOnly", "operationId", "summary", "description", "deprecated", "style", "explode",
    "encoding", "200", "204", "default", "get", "post", "trace", "x-mcp", "x-mcp-annotations", "webhooks", "info",
    "components", "url", "variables", "title", "version", "itemSchema", "allowReserved", "callbacks", "links", "flows",
)  # fmt: skip


def mutated(chance: random.Random) -> Any:
    """The document with one to three faults somewhere in it."""
    document = copy.deepcopy(SHOP)
    document["openapi"] = chance.choice(["3.0.3", "3.1.0", "3.2.0"])
    for _ in range(chance.randint(1, 3)):
        node: Any = document
        while chance.random() < 0.85:
            below = [
                each
                for each in (node.values() if isinstance(node, dict) else node)
                if each and isinstance(each, (dict, list))
            ]
            if not below:
                break
            node = chance.choice(below)
        if isinstance(node, list):
            node.insert(chance.randint(0, len(node)), copy.deepcopy(chance.choice(VALUES)))
        elif chance.random() < 0.2:
            node.pop(chance.choice([*node, "get"]), None)
        else:
            node[chance.choice([*node, *KEYS])] = copy.deepcopy(chance.choice(VALUES))
    return document


def problem(folder: Path, document: Any) -> str:
    """What is wrong with the import of a document; nothing if all is well."""
    for file in (folder / "specs").glob("*.yaml"):
        file.unlink()
    file = folder / "shop.json"
    file.write_text(json.dumps(document))
    (folder / "toolspec.toml").write_text('specs = ["specs"]\n')
    done = import_openapi_files([str(file)], folder / "specs", OpenApiOptions())
    if not done.value:
        has_error = any(each.severity is Severity.ERROR for each in done.diagnostics)
        return "" if has_error else "nothing is written, and no error says why"
    return "; ".join(errors_of(folder))


def problems(folder: Path, seeds: range) -> dict[int, str]:
    found = {}
    for seed in seeds:
        found[seed] = problem(folder, mutated(random.Random(seed)))  # noqa: S311 - faults, no secrets
    return {seed: text for seed, text in found.items() if text}


def test_a_few_documents_with_faults(tmp_path: Path) -> None:
    assert problems(tmp_path, range(15)) == {}


@pytest.mark.prove
def test_three_thousand_documents_with_faults(tmp_path: Path) -> None:
    assert problems(tmp_path, range(15, 3_015)) == {}


def test_an_alias_bomb_is_refused(tmp_path: Path) -> None:
    lines = ["openapi: 3.1.0", "a: &a0 [x, x, x, x, x, x, x, x]"]
    lines += [f"b{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]" for n in range(1, 12)]
    done = imported(tmp_path, "\n".join(lines) + "\npaths: {}\n", name="bomb.yaml")
    assert done.texts == {}
    assert any(each.severity is Severity.ERROR for each in done.diagnostics)


def test_a_duplicate_key_is_a_warning(tmp_path: Path) -> None:
    text = yaml.safe_dump(api({"/a": {"get": operation()}})).replace(
        "info:", "info: {title: Other}\ninfo:", 1
    )
    done = imported(tmp_path, text, name="shop.yaml")
    assert done.tool["http"]["path"] == "/a"
    (problem,) = [each for each in done.diagnostics if each.code == "syntax/duplicate-key"]
    assert problem.severity is Severity.WARNING
