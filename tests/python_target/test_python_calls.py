"""Generated packages at work: bound to handlers, called directly and through the client."""

from __future__ import annotations

import asyncio
import importlib
import sys
from typing import TYPE_CHECKING, Any

import pytest
from built import program, service, tool
from checkers import mypy
from formatting import run
from toolspec.ir import CallLimits, Hooks, Idempotency, InputForm, Schema
from toolspec.runtime import (
    BindError,
    Context,
    ServiceDefinition,
    ToolDefinition,
    ToolError,
    require_runtime,
)
from toolspec.targets.python import TARGET, definitions
from toolspec.targets.python.definitions import service_fields, tool_fields
from toolspec.targets.target import emit_program

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from toolspec.syntax.nodes import JsonObject

GREETED: JsonObject = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "class": {"type": "integer", "default": 1}},
    "required": ["name"],
    "additionalProperties": False,
}
KEYED: JsonObject = {
    "type": "object",
    "properties": {**GREETED["properties"], "idempotency_key": {"type": "string"}},  # type: ignore[dict-item]  # a literal dict
    "required": ["name", "idempotency_key"],
}
TEXT: JsonObject = {
    "type": "object",
    "properties": {"input": {"type": "string"}},
    "required": ["input"],
}

USER_CODE = """
from collections.abc import AsyncIterator, Mapping

from made_for_calls import build_registry
from made_for_calls.greeter import (
    SERVICE, GreetInput, GreeterClient, GreeterHandlers, GreeterHooks, GreeterSettings,
    GreeterStubs, GreetOutput, bind, CountInput, CountChunk,
)
from toolspec.runtime import Call, Context


class Greeter(GreeterStubs):
    async def greet(self, input: GreetInput, ctx: Context[GreeterSettings, None]) -> GreetOutput:
        reveal: int = input["class"]
        return {"text": input["name"] + ctx.settings["suffix"] * reveal}

    async def count(
        self, input: CountInput, ctx: Context[GreeterSettings, None]
    ) -> AsyncIterator[CountChunk]:
        yield input["to"]


class Hooks:
    async def watch(self, call: Call) -> None:
        print(call.tool.name)


handlers: GreeterHandlers = Greeter()
hooks: GreeterHooks = Hooks()
registry = bind(handlers, settings={"suffix": "!"}, hooks=hooks)
everything = build_registry(greeter=registry)
also = build_registry(greeter=handlers)
client = GreeterClient(registry)


async def use() -> None:
    text: str = (await client.greet({"name": "Ada"}))["text"]
    answer: str = await client.ask("what?")
    kept = await client.keep({"name": text + answer}, idempotency_key="k")
    assert kept
    async for number in client.count({"to": 3}):
        print(number + 1)
"""


def _service() -> Any:
    greeting = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    to = {"type": "object", "properties": {"to": {"type": "integer"}}, "required": ["to"]}
    hooks = Hooks(before=("watch",))
    return service(
        "greeter",
        tool("greet", service="greeter", input=GREETED, output=greeting, hooks=hooks),
        tool(
            "count",
            service="greeter",
            input=to,
            output={"type": "array"},
            chunk={"type": "integer"},
        ),
        tool(
            "ask",
            service="greeter",
            input={"type": "string"},
            input_form=InputForm.TEXT,
            arguments=TEXT,
            output={"type": "string"},
        ),
        tool(
            "keep",
            service="greeter",
            input=GREETED,
            arguments=KEYED,
            output={"type": "boolean"},
            idempotency=Idempotency.REQUIRED,
            verify=True,
            aliases=("store",),
        ),
        settings=Schema.of(
            {"type": "object", "properties": {"suffix": {"type": "string"}}, "required": ["suffix"]}
        ),
    )


class Handlers:
    async def greet(self, input: Any, ctx: Context[Any, Any]) -> object:
        return {"text": f"{input['name']}{ctx.settings['suffix'] * input['class']}"}

    async def count(self, input: Any, ctx: Context[Any, Any]) -> AsyncIterator[int]:
        for number in range(input["to"]):
            yield number

    async def ask(self, input: str, ctx: Context[Any, Any]) -> str:
        return input.upper()

    async def keep(self, input: Any, ctx: Context[Any, Any]) -> bool:
        return bool(ctx.idempotency_key == "k" and input["name"])

    async def verify_keep(self, input: Any, output: Any, ctx: Context[Any, Any]) -> str | None:
        return None if output else "nothing was kept"


class Watch:
    def __init__(self) -> None:
        self.seen: list[str] = []

    async def watch(self, call: Any) -> None:
        self.seen.append(call.tool.name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("calls")
    for artifact in emit_program(TARGET, program(_service())).value:
        path = folder / "made_for_calls" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.startswith("made_for_calls")]:
        del sys.modules[name]


@pytest.fixture
def package(folder: Path) -> Any:
    assert folder.is_dir()
    return importlib.import_module("made_for_calls.greeter")


def test_the_client_reaches_the_handlers(package: Any) -> None:
    hooks = Watch()
    registry = package.bind(Handlers(), settings={"suffix": "!"}, hooks=hooks)
    client = package.GreeterClient(registry)

    async def talk() -> None:
        assert await client.greet({"name": "Ada", "class": 2}) == {"text": "Ada!!"}
        assert await client.ask("why") == "WHY"
        assert await client.keep({"name": "Ada"}, idempotency_key="k") is True
        assert [number async for number in client.count({"to": 3})] == [0, 1, 2]
        with pytest.raises(ToolError) as refused:
            await client.greet({"nam": "Ada"})
        assert refused.value.category == "validation"

    asyncio.run(talk())
    assert hooks.seen == ["greet"]


def test_stubs_answer_that_nothing_is_implemented(package: Any) -> None:
    stubs = package.GreeterStubs()
    registry = package.bind(stubs, settings={"suffix": ""}, hooks=Watch())

    async def call() -> None:
        with pytest.raises(ToolError, match="greeter_greet"):
            await registry.call("greeter_greet", {"name": "Ada"})
        with pytest.raises(ToolError, match="greeter_count"):
            async for _ in stubs.count({"to": 1}, None):
                pass

    asyncio.run(call())


def test_all_services_make_one_registry(package: Any) -> None:
    top = importlib.import_module("made_for_calls")
    bound = package.bind(Handlers(), settings={"suffix": "!"}, hooks=Watch())
    registry = top.build_registry(greeter=bound)
    assert asyncio.run(registry.call("greeter_greet", {"name": "Ada"})) == {"text": "Ada!"}
    assert top.build_registry().tools == ()
    with pytest.raises(BindError, match="greeter"):
        top.build_registry(greeter=Handlers())


def test_the_handshake_names_both_versions(folder: Path) -> None:
    text = (folder / "made_for_calls" / "__init__.py").read_text(encoding="utf-8")
    assert text.index("require_runtime(") < text.index("__all__")
    with pytest.raises(Exception, match=r"99\.0\.0.*0\."):
        require_runtime("99.0.0")


def test_the_code_that_a_user_writes_is_typed(folder: Path) -> None:
    (folder / "user_code.py").write_text(USER_CODE, encoding="utf-8")
    assert run(folder, *mypy(), "user_code.py") == ""
    wrong = USER_CODE.replace('input["name"]', 'input["nam"]')
    (folder / "wrong_code.py").write_text(wrong, encoding="utf-8")
    assert "typeddict-item" in run(folder, *mypy(), "wrong_code.py")


def test_a_field_left_out_is_what_the_runtime_takes_for_it() -> None:
    fields = tool_fields(tool(), {"arguments_schema": "{}"})
    for kind, given, always in (
        (ToolDefinition, fields, {"name", "full_name", "method", "arguments_schema"}),
        (ServiceDefinition, service_fields(_service(), None, None), {"name", "version"}),
    ):
        usual = {each: definitions._USUAL[each] for each in given if each in definitions._USUAL}
        assert {each: vars(kind)[each] for each in usual} == usual
        empty = given.keys() - usual.keys() - always
        assert all(getattr(kind, each) in (None, "", ()) for each in empty)


def test_every_field_of_a_definition_is_generated() -> None:
    by_package = {
        "package",
        "output_schema",
        "chunk_schema",
        "mode",
        "arguments_schema",
        "arguments",
    }
    fields = tool_fields(tool(limits=CallLimits(result_bytes=5_000)), {}).keys()
    assert fields | by_package == ToolDefinition.__annotations__.keys()
    known = service_fields(_service(), None, None).keys()
    by_template = {"tools", "mode", "oauth", "configuration", "definitions"}
    assert known | by_template == ServiceDefinition.__annotations__.keys()


def test_the_schemas_that_only_calls_need_are_loaded_by_the_first_call(folder: Path) -> None:
    script = """\
import sys
from made_for_calls.greeter import SERVICE
assert all(each.description is not None and each.arguments_schema for each in SERVICE.tools)
assert "made_for_calls.greeter.schemas" not in sys.modules
tool = SERVICE.tools[0]
assert tool.output_schema is tool.output_schema
assert "made_for_calls.greeter.schemas" in sys.modules
"""
    assert run(folder, "python", "-c", script) == ""
