"""Visual Studio Code's JSON server checks documents by the schema that they name, and completes them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from language_server import CURSOR, LanguageServer
from node_programs import installed, node
from toolspec.frontend.shape.contract import contract

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.prove

PACKAGE = "vscode-langservers-extracted@4.10.0"
SPECS = Path(__file__).parent.parent.parent / "specs"
AT = SPECS / "typed.json"  # where the texts of these tests stand; no such file is written
SERVICE = '{"$schema": "../schemas/service.v1.schema.json", '
PART = '{"$schema": "../schemas/part.v1.schema.json", '
DOCUMENTS = sorted(SPECS.rglob("*.json"))


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageServer]:
    program = installed(PACKAGE) / "vscode-langservers-extracted/bin/vscode-json-language-server"
    running = LanguageServer([node(20), str(program), "--stdio"], "json")
    yield running
    running.stop()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_committed_document_is_checked_by_the_schema_it_names(
    server: LanguageServer, path: Path
) -> None:
    text = path.read_text(encoding="utf-8")
    assert server.problems(path, text) == []
    stray = text.replace("{", '{"stray": 1, ', 1)
    assert server.problems(path, stray) == ["Property stray is not allowed."]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (f'{PART}"$defs": {{"A": {{"type": "string"}}}}}}', []),
        (f'{PART}"x-owner": "me"}}', ['Missing property "tools".']),
        (f'{PART}"$defs": {{}}, "toolspec": 1}}', ["Property toolspec is not allowed."]),
        (
            f'{SERVICE}"toolspec": 2, "service": {{"name": "a", "description": "A."}}, "include": ["a"]}}',
            ["Value must be 1."],
        ),
    ],
)
def test_a_mistake_is_found(server: LanguageServer, text: str, problems: list[str]) -> None:
    assert server.problems(AT, text) == problems


def descriptions(node: dict[str, Any]) -> dict[str, str]:
    return {key: each["description"] for key, each in node["properties"].items()}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("", f"{SERVICE}{CURSOR}}}"),
        ("fragment", f"{PART}{CURSOR}}}"),
        ("service", f'{SERVICE}"service": {{{CURSOR}}}}}'),
        ("tool", f'{PART}"tools": [{{{CURSOR}}}]}}'),
        ("schemaKeywords", f'{PART}"$defs": {{"A": {{{CURSOR}}}}}}}'),
    ],
)
def test_every_key_is_offered_with_its_description(
    server: LanguageServer, name: str, text: str
) -> None:
    wanted = descriptions(contract()["$defs"][name] if name else contract())
    if name in {"", "fragment"}:
        del wanted["$schema"]  # it is there
    offered = {label: item.get("documentation") for label, item in server.offers(AT, text).items()}
    assert {key: offered.get(key) for key in wanted} == wanted
