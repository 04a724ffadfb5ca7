"""Schemas as a user meets them: compiled as inputs and outputs of tools, then called through a registry."""

from __future__ import annotations

import importlib
import json
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from toolspec.cli.app import app
from toolspec.runtime import ToolError
from typer.testing import CliRunner

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest
    from toolspec.syntax.nodes import JsonValue


@dataclass
class Compiled:
    """A registry with a tool for each schema as an input, and one for each as an output."""

    registry: Any
    handlers: Any
    refused: dict[str, set[str]] = field(default_factory=dict)

    async def accepts_input(self, name: str, value: JsonValue) -> bool:
        """Return whether a schema accepts a value as an argument. Raises what is no verdict."""
        try:
            answer = await self.registry.call(f"suite_in_{name}", {"v": value})
        except ToolError as error:
            if error.category != "validation":
                raise
            return False
        assert answer is True
        return True

    async def accepts_output(self, name: str, value: JsonValue) -> bool:
        """Return whether a schema accepts a value as a result. Raises what is no verdict."""
        self.handlers.value = value
        try:
            answer = await self.registry.call(f"suite_out_{name}", {})
        except ToolError as error:
            if error.category != "output":
                raise
            return False
        assert json.dumps(answer) == json.dumps(value)
        return True


class _Handlers:
    """Handlers of every tool: those of inputs answer `True`, those of outputs what is set."""

    def __init__(self) -> None:
        self.value: JsonValue = None

    def __getattr__(self, name: str) -> Any:
        async def take(input: Any) -> bool:
            return "v" in input

        async def make(input: Any) -> JsonValue:
            return self.value

        if name.startswith("in_"):
            return take
        if name.startswith("out_"):
            return make
        raise AttributeError(name)


def compile_schemas(
    schemas: Mapping[str, JsonValue],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    formats: str = "annotate",
) -> Compiled:
    """Compile a service with two tools for each schema; those with an error are left out and named.

    As an input a schema is a definition that an argument refers to, as an output it is the root.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    monkeypatch.chdir(folder)
    refused: dict[str, set[str]] = {}
    while True:
        kept = {name: each for name, each in schemas.items() if name not in refused}
        if not kept:
            return Compiled(None, None, refused)
        (folder / "suite.json").write_text(json.dumps(_service(kept, formats)), encoding="utf-8")
        arguments = [
            "compile",
            "suite.json",
            "-t",
            "python",
            "-o",
            folder.name,
            "--no-cache",
            "--format",
            "json",
        ]
        result = CliRunner().invoke(app, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), (
            result.exception
        )
        report = json.loads(result.output[result.output.index("{") :])
        errors = [each for each in report["diagnostics"] if each["severity"] == "error"]
        if not errors:
            assert result.exit_code == 0, result.output
            break
        names = list(kept)
        for each in errors:
            steps = each["pointer"].split("/")
            assert len(steps) > 2, each
            name = steps[2] if steps[1] == "$defs" else names[int(steps[2]) // 2]
            refused.setdefault(name, set()).add(each["code"])
    # The package stays importable until the test ends: results are loaded at the first call.
    monkeypatch.syspath_prepend(folder)
    package = importlib.import_module(f"{folder.name}.suite")
    handlers = _Handlers()
    return Compiled(package.bind(handlers), handlers, refused)


def _service(schemas: Mapping[str, JsonValue], formats: str) -> JsonValue:
    tools: list[JsonValue] = []
    for name, schema in schemas.items():
        argument: JsonValue = {"$ref": f"#/$defs/{name}", "description": "A value."}
        taken: JsonValue = {"type": "object", "properties": {"v": argument}, "required": ["v"]}
        tools += (
            {
                "name": f"in_{name}",
                "description": f"Take {name}.",
                "inputSchema": taken,
                "outputSchema": {"type": "boolean"},
                "mutation": False,
            },
            {
                "name": f"out_{name}",
                "description": f"Make {name}.",
                "outputSchema": schema,
                "mutation": False,
            },
        )
    return {
        "toolspec": 1,
        "service": {"name": "suite", "description": "Schemas.", "formats": formats},
        "$defs": dict(schemas),
        "tools": tools,
    }
