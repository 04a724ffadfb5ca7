"""Which tools are called without arguments: those whose input schema admits `{}`, however it says so."""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from checkers import mypy
from client_project import TOOLSPEC
from toolspec.runtime import ToolError

ID = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
PAGE = {"type": "object", "properties": {"page": {"type": "integer"}}}
DEFAULTED = {
    "type": "object",
    "properties": {"id": {"type": "string", "default": "first"}},
    "required": ["id"],
}
ROOTS: dict[str, Any] = {
    "all_free": {"allOf": [PAGE, {"properties": {"size": {"type": "integer"}}}]},
    "all_bound": {"allOf": [PAGE, ID]},
    "all_defaulted": {"allOf": [DEFAULTED], "required": ["id"]},
    "any_free": {"anyOf": [ID, PAGE]},
    "any_bound": {"anyOf": [ID, {**PAGE, "required": ["page"]}]},
    "one_of_two": {"oneOf": [ID, {"properties": {"id": False}}]},
    "one_of_both": {"oneOf": [PAGE, {"properties": {"size": {"type": "integer"}}}]},
    "reference": {"$ref": "#/$defs/Page"},
    "bound_reference": {"$ref": "#/$defs/Id"},
    "beside_reference": {"$ref": "#/$defs/Page", "required": ["page"]},
    "negated": {"not": {"maxProperties": 0}},
    "conditional": {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}},
    "few": {"minProperties": 1},
    "plain": {"properties": {"id": {"type": "string"}}},
    "required": {"required": ["id"], "properties": {"id": {"type": "string"}}},
    "defaulted": DEFAULTED,
}
FREE = {"all_free", "any_free", "one_of_two", "reference", "plain"}
TYPED = """
from made_combined.combined import CombinedClient


async def use(client: CombinedClient) -> None:
    await client.all_free()
    await client.any_free()
    await client.any_free({"id": "a"})
    await client.reference()
    await client.reference({"page": 1})
    await client.keyed(idempotency_key="k")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("combined")
    (folder / "specs").mkdir()
    tools = [
        {
            "name": name,
            "description": "Do it.",
            "mutation": False,
            "inputSchema": {"type": "object", **root},
            "outputSchema": {"type": "boolean"},
        }
        for name, root in ROOTS.items()
    ]
    keyed = {**tools[0], "name": "keyed", "mutation": True, "idempotency": "required"}
    spec = {
        "toolspec": 1,
        "service": {"name": "combined", "description": "Combines schemas."},
        "$defs": {"Page": PAGE, "Id": ID},
        "tools": [*tools, keyed],
    }
    (folder / "specs" / "combined.json").write_text(json.dumps(spec))
    (folder / "toolspec.toml").write_text('out = "made_combined"\n')
    done = subprocess.run([*TOOLSPEC, "compile"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()
    return folder


def test_the_client_takes_no_arguments_where_the_registry_takes_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(folder))
    combined: Any = importlib.import_module("made_combined.combined")
    registry = combined.bind({each.method: lambda *_: True for each in combined.SERVICE.tools})
    optional, accepted = set(), set()
    for tool in combined.SERVICE.tools:
        given = inspect.signature(getattr(combined.CombinedClient, tool.method)).parameters["input"]
        optional |= {tool.name} if given.default is None else set()
        arguments = {"idempotency_key": "k"} if tool.name == "keyed" else {}
        try:
            registry.checked(tool.full_name, arguments)
        except ToolError:
            continue
        accepted.add(tool.name)
    assert optional == accepted == {*FREE, "keyed"}
    for name in [each for each in sys.modules if each.partition(".")[0] == "made_combined"]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.prove
def test_a_checker_accepts_the_calls(folder: Path) -> None:
    (folder / "typed.py").write_text(TYPED)
    command = [*mypy(), "typed.py"]
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
