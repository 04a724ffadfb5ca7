from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import toolspec.runtime
from checkers import mypy

if TYPE_CHECKING:
    from pathlib import Path

PACKAGE = """
import sys
before = set(sys.modules)
from toolspec.runtime import ServiceDefinition, ToolDefinition, bind_service, require_runtime
require_runtime("0.1.0")
tools = tuple(
    ToolDefinition(name=f"t{n}", full_name=f"demo_t{n}", method=f"t{n}") for n in range(50)
)
class Handlers: pass
async def handler(self, input, ctx): return None
for tool in tools: setattr(Handlers, tool.method, handler)
registry = bind_service(ServiceDefinition(name="demo", tools=tools), Handlers())
print(*sorted(set(sys.modules) - before))
"""

HANDLERS = """
from collections.abc import AsyncIterator
from typing import TypedDict, assert_type

from toolspec.runtime import Context, Registry, ToolError, Transport


class Settings(TypedDict):
    baseUrl: str


class Credentials(TypedDict):
    token: str


class Github:
    async def list(self, input: object, ctx: Context[Settings, Credentials]) -> list[str]:
        assert_type(ctx.settings, Settings)
        assert_type(ctx.credentials, Credentials)
        if not ctx.credentials["token"]:
            raise ToolError.auth("sign in", retry_after_ms=5)
        await ctx.request_permission("web:api", "to list")
        ctx.progress(1, 2, "half")
        ctx.log.info("listing %s", input)
        return [ctx.settings["baseUrl"]]

    async def tell(self, input: object, ctx: Context) -> AsyncIterator[str]:
        assert_type(ctx.settings, None)
        yield ctx.request_id


class Client:
    def __init__(self, transport: Transport) -> None:
        self.transport = transport


def client(registry: Registry) -> Client:
    return Client(registry)
"""


def test_importing_and_binding_loads_the_runtime_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", PACKAGE], check=True, capture_output=True, text=True
    )
    loaded = done.stdout.split()
    ours = [name for name in loaded if name.startswith("toolspec")]
    assert set(ours) <= {
        "toolspec",
        "toolspec.version",
        "toolspec.runtime",
        *(
            f"toolspec.runtime.{name}"
            for name in (
                "record",
                "values",
                "definition",
                "handshake",
                "errors",
                "bind",
                "signature_check",
                "callables",
                "memory",
                "names",
                "registry",
                "service",
            )
        ),
    }
    dear = {"typing", "dataclasses", "inspect", "asyncio", "logging", "json", "re", "jsonschema_rs"}
    assert not dear & set(loaded)


def test_every_public_name_is_there_and_no_other() -> None:
    for name in toolspec.runtime.__all__:
        named = getattr(toolspec.runtime, name).__name__
        assert named == ("Callable" if name == "Next" else name)  # Next is an alias
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = toolspec.runtime.Nothing  # type: ignore[attr-defined]


@pytest.mark.prove
def test_users_handlers_are_typed(tmp_path: Path) -> None:
    path = tmp_path / "handlers.py"
    path.write_text(HANDLERS, encoding="utf-8")
    done = subprocess.run(
        [*mypy("--config-file="), str(path)],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
