"""The tools of real servers: their schemas become types, and nearly none falls back to `object`."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from built import program, service, tool
from formatting import run
from toolspec.targets.python import TARGET
from toolspec.targets.python.service_types import service_types
from toolspec.targets.target import EmitRequest

DUMPS = Path(__file__).parents[3] / "shared" / "corpus" / "mcp-tools"

pytestmark = pytest.mark.skipif(
    not DUMPS.is_dir(), reason="the dumps of real servers are not beside the checkout"
)


def _service(path: Path) -> Any:
    """Return a dump as a service, its schemas as they are but for `$schema`."""
    listed = json.loads(path.read_text(encoding="utf-8"))["tools"]
    return service(
        path.stem,
        *(
            tool(
                re.sub(r"[^A-Za-z0-9_-]", "_", each["name"]),
                service=path.stem,
                input=_plain(each["inputSchema"]),
                output=_plain(each.get("outputSchema", True)),
                description=each.get("description") or "None.",
            )
            for each in listed
        ),
    )


def _plain(schema: Any) -> Any:
    if isinstance(schema, bool):
        return schema
    return {key: value for key, value in schema.items() if key != "$schema"}


def _services() -> list[Any]:
    return [_service(path) for path in sorted(DUMPS.glob("*.json"))]


def test_schemas_are_typed_as_they_ask_to_be() -> None:
    services = _services()
    fell_back: set[tuple[str, str]] = set()
    for each in services:
        fell_back.update((each.name, found.root) for found in service_types(each).fallbacks)
    tools = [made for each in services for made in each.tools]
    outputs = sum(made.output.value is not True for made in tools)
    bad_inputs = sum(root.endswith("Input") for _, root in fell_back)
    assert len(tools) > 800
    assert bad_inputs / len(tools) <= 0.03
    assert (len(fell_back) - bad_inputs) / outputs <= 0.10


def test_the_code_of_all_of_them_is_clean(tmp_path: Path) -> None:
    made = TARGET.emit(EmitRequest(program(*_services())))
    assert made.diagnostics == ()
    for artifact in made.value:
        path = tmp_path / "made_of_dumps" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text('{"include": ["made_of_dumps"]}', encoding="utf-8")
    assert run(tmp_path, "ruff", "format", "--isolated", "--no-cache", "--diff", ".") == ""
    assert run(tmp_path, "ruff", "check", "--isolated", "--no-cache", ".") == ""
    assert run(tmp_path, "mypy", "--strict", "--no-incremental", "made_of_dumps") == ""
    assert run(tmp_path, "pyright", "--pythonpath", sys.executable) == ""
