"""An editor with yaml-language-server checks documents by the document schema, and completes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from language_server import CURSOR, LanguageServer, accepted
from node_programs import installed, node
from toolspec.frontend.shape.contract import contract
from toolspec.frontend.shape.document import Form, check
from toolspec.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.prove

PACKAGE = "yaml-language-server@1.25.0"
SPECS = Path(__file__).parent.parent.parent / "specs"
AT = SPECS / "typed.yaml"  # where the texts of these tests stand; no such file is written
MODELINE = "# yaml-language-server: $schema=../schemas/service.v1.schema.json"
SERVICE = f"""{MODELINE}
toolspec: 1
service:
  name: shop
  description: Orders of a shop.
"""
TOOL = f"""{SERVICE}tools:
  - name: list_orders
    description: List the orders.
    outputSchema: {{type: array}}
    mutation: false
"""
FRAGMENT = f"{MODELINE}#/$defs/fragment\n"


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageServer]:
    folder = installed(PACKAGE) / "yaml-language-server"
    command = [node(20), str(folder / "bin" / "yaml-language-server"), "--stdio"]
    running = LanguageServer(command, "yaml")
    yield running
    running.stop()


# Documents that are in order. JSON is YAML, and a JSON document is read here under a modeline.

YAML = sorted(path for path in SPECS.rglob("*.yaml") if path.name != "common.yaml")


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_a_committed_document_is_checked_by_its_modeline(
    server: LanguageServer, path: Path
) -> None:
    text = path.read_text(encoding="utf-8")
    assert server.problems(path, text) == []
    # It is the schema that finds nothing: with a stray key it finds that.
    assert server.problems(path, f"{text}\nstray: 1\n") == ["Property stray is not allowed."]


@pytest.mark.parametrize(
    ("name", "modeline"),
    [
        ("billing.json", MODELINE),
        ("workspace/tools/rename.json", f"{MODELINE.replace('../', '../../../')}#/$defs/fragment"),
        ("workspace/common.yaml", f"{MODELINE.replace('../', '../../')}#/$defs/fragment"),
    ],
)
def test_a_document_without_a_modeline_of_its_own(
    server: LanguageServer, name: str, modeline: str
) -> None:
    path = SPECS / name
    text = f"{modeline}\n{path.read_text(encoding='utf-8')}"
    assert server.problems(path, text) == []


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ("tools: [{name: a, description: A., outputSchema: true, mutation: true}]", []),
        ("$defs: {A: {type: string}}", []),
        ("x-owner: me", ['Missing property "tools".']),
        (
            "service: {name: a, description: A.}\ntools: {a: {description: A., outputSchema: true}}",
            ["Property service is not allowed.", 'Missing property "mutation".'],
        ),
    ],
)
def test_an_included_file(server: LanguageServer, body: str, problems: list[str]) -> None:
    assert sorted(server.problems(AT, FRAGMENT + body)) == sorted(problems)


# Documents that are not.


@pytest.mark.parametrize(
    ("old", "new", "problems"),
    [
        (
            "mutation: false",
            "muation: false",
            ["Property muation is not allowed.", 'Missing property "mutation".'],
        ),
        ("mutation: false", "mutation: no", ['Incorrect type. Expected "boolean".']),
        ("mutation: false", "mutation: 'false'", ['Incorrect type. Expected "boolean".']),
        ("    description: List the orders.\n", "", ['Missing property "description".']),
        ("  description: Orders of a shop.\n", "", ['Missing property "description".']),
        ("toolspec: 1", "toolspec: 2", ["Value must be 1."]),
        (
            "mutation: false",
            "mutation: false\n    taskSupport: always",
            ['Value is not accepted. Valid values: "forbidden", "optional", "required".'],
        ),
        (
            "tools:",
            "  auth: {type: oauth2, authorizationUrl: 'https://example.com/a'}\ntools:",
            ['Missing property "tokenUrl".'],
        ),
        (
            "tools:",
            "  permissions: [{file: a, op: GET}]\ntools:",
            ['Value is not accepted. Valid values: "read", "write", "delete", "list".'],
        ),
    ],
)
def test_a_mistake_is_found(
    server: LanguageServer, old: str, new: str, problems: list[str]
) -> None:
    assert server.problems(AT, TOOL) == []
    assert sorted(server.problems(AT, TOOL.replace(old, new, 1))) == sorted(problems)


# What is offered.


def properties(name: str) -> dict[str, Any]:
    node = contract()["$defs"][name] if name else contract()
    return {key: each["description"] for key, each in node["properties"].items()}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("", f"{MODELINE}\n{CURSOR}"),
        ("fragment", f"{FRAGMENT}{CURSOR}"),
        ("service", f"{MODELINE}\ntoolspec: 1\nservice:\n  {CURSOR}\n"),
        ("tool", f"{SERVICE}tools:\n  - {CURSOR}"),
        ("tool", f"{SERVICE}tools:\n  list_orders:\n    {CURSOR}"),
        ("tool", f"{FRAGMENT}tools:\n  - na{CURSOR}"),
        ("annotations", f"{TOOL}    annotations:\n      {CURSOR}"),
        ("annotations", f"{TOOL}    annotations: {{d{CURSOR}}}"),
        ("auth", f"{SERVICE}  auth:\n    {CURSOR}"),
        ("authOauth2", f"{SERVICE}  auth:\n    {CURSOR}\n    type: oauth2\n"),
        ("authCustom", f"{SERVICE}  auth:\n    {CURSOR}\n    type: custom\n"),
        ("permission", f"{SERVICE}  permissions:\n    - {CURSOR}"),
        ("timeout", f"{TOOL}    timeout:\n      {CURSOR}"),
        ("iconObject", f"{TOOL}    icons:\n      - {CURSOR}"),
        ("error", f"{TOOL}    errors:\n      - {CURSOR}"),
        ("example", f"{TOOL}    examples:\n      - {CURSOR}"),
        ("schemaKeywords", f"{TOOL}    inputSchema:\n      {CURSOR}"),
        ("schemaKeywords", f"{TOOL}    inputSchema:\n      properties:\n        a:\n          {CURSOR}"),
        ("schemaKeywords", f"{TOOL}    inputSchema: {{properties: {{a: {{t{CURSOR}}}}}}}"),
        ("schemaKeywords", f"{TOOL}    chunkSchema:\n      items:\n        anyOf:\n          - {CURSOR}"),
        ("schemaKeywords", f"{SERVICE}  settings:\n    properties:\n      a:\n        {CURSOR}"),
        ("schemaKeywords", f"{SERVICE}$defs:\n  Order:\n    {CURSOR}"),
    ],
)  # fmt: skip
def test_every_key_is_offered_with_its_description(
    server: LanguageServer, name: str, text: str
) -> None:
    offered = {label: item.get("documentation") for label, item in server.offers(AT, text).items()}
    wanted = properties(name)
    if name.startswith("auth") and name != "auth":
        del wanted["type"]  # it is there
    assert {key: offered.get(key) for key in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (f"{TOOL}    taskSupport: {CURSOR}", {"forbidden", "optional", "required"}),
        (f"{TOOL}    idempotency: {CURSOR}", {"none", "optional", "required"}),
        (f"{TOOL}    streaming: {CURSOR}", {"true", "false"}),
        (
            f"{TOOL}    effects:\n      - {CURSOR}",
            {"money", "message", "delete", "external", "credential"},
        ),
        (f"{SERVICE}  auth:\n    type: {CURSOR}", {"none", "oauth2", "custom"}),
        (f"{SERVICE}  auth:\n    type: oauth2\n    credentials: {CURSOR}", {"perUser", "shared"}),
        (
            f"{TOOL}    inputSchema:\n      type: {CURSOR}",
            {"string", "integer", "number", "boolean", "object", "array"},
        ),
        (
            f"{TOOL}    inputSchema: {{properties: {{a: {{type: {CURSOR}}}}}}}",
            {"string", "integer", "number", "boolean", "object", "array"},
        ),
        (f"{TOOL}    risk:\n      tier: {CURSOR}", {"0", "2", "3"}),
    ],
)
def test_every_value_is_offered(server: LanguageServer, text: str, labels: set[str]) -> None:
    assert server.offers(AT, text).keys() == labels


def test_an_operation_is_offered_by_what_it_acts_on(server: LanguageServer) -> None:
    file = server.offers(AT, f"{SERVICE}  permissions:\n    - file: a\n      op: {CURSOR}")
    web = server.offers(AT, f"{SERVICE}  permissions:\n    - web: a\n      op: {CURSOR}")
    assert {"read", "write", "delete", "list"} <= file.keys()
    assert {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "fetch"} <= web.keys()
    assert "POST" not in file
    assert "write" not in web


def test_a_choice_is_explained(server: LanguageServer) -> None:
    schema = contract()["$defs"]["tool"]["properties"]["taskSupport"]
    offered = server.offers(AT, f"{TOOL}    taskSupport: {CURSOR}")
    texts = [offered[value]["documentation"] for value in schema["enum"]]
    assert texts == schema["enumDescriptions"]


@pytest.mark.parametrize(
    ("name", "key", "text"),
    [
        ("", "tools", TOOL.replace("tools:", f"to{CURSOR}ols:")),
        ("service", "name", SERVICE.replace("name", f"na{CURSOR}me")),
        ("service", "settings", f"{SERVICE}  set{CURSOR}tings: {{type: object}}\n"),
        ("service", "auth", f"{SERVICE}  au{CURSOR}th: {{type: none}}\n"),
        ("tool", "mutation", TOOL.replace("mutation", f"muta{CURSOR}tion")),
        ("tool", "outputSchema", TOOL.replace("outputSchema", f"output{CURSOR}Schema")),
        ("tool", "inputSchema", f"{TOOL}    input{CURSOR}Schema: {{type: object}}\n"),
        ("tool", "taskSupport", f"{TOOL}    task{CURSOR}Support: optional\n"),
        ("schemaKeywords", "type", TOOL.replace("type", f"ty{CURSOR}pe")),
        ("fragment", "$defs", f"{FRAGMENT}$de{CURSOR}fs: {{A: {{type: string}}}}\n"),
    ],
)
def test_a_key_is_described_under_the_pointer(
    server: LanguageServer, name: str, key: str, text: str
) -> None:
    assert properties(name)[key] in server.hover(AT, text)


# Templates.


def completed(server: LanguageServer, text: str, label: str) -> str:
    return accepted(text, server.offers(AT, text)[label])


@pytest.mark.parametrize("start", ["tools:\n  @@", "tools:\n  - @@", "tools:\n  - na@@"])
def test_a_document_grows_from_templates(server: LanguageServer, start: str) -> None:
    text = completed(server, f"{MODELINE}\n{CURSOR}", "new service")
    text = completed(server, f"{text}\n{start}", "new tool")
    text = completed(server, f"{text}\n  - {CURSOR}", "new tool")
    text = completed(server, f"{text}\n$defs:\n  Order:\n    {CURSOR}", "object with fields")
    assert server.problems(AT, text) == []
    parsed = parse("typed.yaml", text.encode())
    assert not parsed.diagnostics
    assert parsed.value
    assert not check(parsed.value, Form.SERVICE)
    first, second = parsed.value.value["tools"]
    assert json.dumps(first) == json.dumps(second)
