from __future__ import annotations

import asyncio
import functools
import json
import types
from typing import TYPE_CHECKING, Protocol
from unittest import mock

import pytest
from example_service import echo, service, streaming, tool
from toolspec.runtime import BindError, Context, bind_service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator


def problems(definition: object, handlers: object, **options: object) -> tuple[str, ...]:
    with pytest.raises(BindError) as caught:
        bind_service(definition, handlers, **options)  # type: ignore[arg-type]
    return caught.value.problems


SETTINGS = json.dumps(
    {
        "type": "object",
        "properties": {
            "baseUrl": {"type": "string", "default": "https://api.example.com"},
            "pages": {"type": "integer"},
            "token": {"type": "string", "format": "password", "minLength": 30},
        },
        "required": ["baseUrl", "pages", "token"],
        "additionalProperties": False,
    }
)
CREDENTIALS = json.dumps(
    {
        "type": "object",
        "properties": {"apiKey": {"type": "string", "pattern": "^key-"}},
        "required": ["apiKey", "tenant"],
    }
)


EVERYTHING = """\
service `demo` cannot be bound: 17 problems
  - no handler for `demo_list_issues`: write `async def list_issues(self, input, ctx)`, or rename `list_isues`
  - `tell` returns its result, but `demo_tell` streams: write `yield` in it
  - `create` yields, but `demo_create` does not stream: return the result from `async def create(self, input, ctx)`
  - `demo_create` declares `verify` and has no `verify_create`: write `async def verify_create(self, input, output, ctx)`
  - `delete` cannot be called as `delete(input, ctx)`: write `async def delete(self, input, ctx)`
  - `demo_delete` declares `revert` and has no `revert_delete`: write `async def revert_delete(self, input, output, metadata, ctx)`
  - no handler for `demo_act`: write `async def act(self, input, ctx)`
  - `list_isues` belongs to no tool: rename it to `list_issues`, or remove it
  - `revert_create`: `demo_create` does not declare `revert`: write `revert: true` in its spec, or remove it
  - `verify_delete`: `demo_delete` does not declare `verify`: write `verify: true` in its spec, or remove it
  - no before hook `audit`: write `async def audit(self, call)` in the hooks, or in the handlers that you serve
  - the middleware hook `cache` is not `async def cache(self, call, next)`
  - setting `$.pages`: the value is not a whole number
  - setting `$.token`: the value is shorter than 30 characters
  - setting `$.basUrl`: is not known; did you mean `baseUrl`?
  - credential `$.apiKey`: the value does not match `^key-`
  - credential `$.tenant`: is missing
""".rstrip()


def test_everything_that_does_not_fit_is_in_one_message() -> None:
    class Handlers:
        async def list_isues(self, input: object, ctx: object) -> None: ...

        async def tell(self, input: object) -> str:
            return ""

        async def create(self, input: object) -> AsyncIterator[int]:
            yield 1

        async def delete(self, input: object, force: bool, ctx: object) -> None: ...

        async def revert_create(self, input: object, output: object, metadata: object) -> None: ...

        async def verify_delete(self, input: object, output: object) -> bool:
            return True

        async def connect(self, url: str) -> None: ...

    definition = service(
        tool("list_issues"),
        streaming("tell"),
        tool("create", mutation=True, verify=True),
        tool("delete", mutation=True, revert=True),
        tool("act", before=("audit",), middleware=("cache",)),
        hooks=("audit", "cache"),
        settings_schema=SETTINGS,
        credentials_schema=CREDENTIALS,
    )

    class Hooks:
        def cache(self, call: object, following: object) -> None: ...

    with pytest.raises(BindError) as caught:
        bind_service(
            definition,
            Handlers(),
            hooks=Hooks(),
            settings={"pages": "many", "token": "hunter2", "basUrl": "x"},
            credentials={"apiKey": "s3cret"},
        )
    assert str(caught.value) == EVERYTHING


def test_a_class_instead_of_an_instance_is_one_clear_line() -> None:
    class Github:
        async def act(self, input: object) -> None: ...

    assert problems(service(tool()), Github) == (
        "`Github` is a class: pass an instance, `Github(…)`",
    )


def test_a_method_that_only_the_protocol_declares_is_missing() -> None:
    class GithubHandlers(Protocol):
        async def act(self, input: object, ctx: object) -> object: ...

        async def look(self, input: object, ctx: object) -> object: ...

    class Github(GithubHandlers):
        async def act(self, input: object, ctx: object) -> object:
            return None

    assert problems(service(tool("act"), tool("look")), Github()) == (
        "no handler for `demo_look`: write `async def look(self, input, ctx)`",
    )


def test_every_function_of_a_mapping_has_to_be_a_handler() -> None:
    line = "`other` belongs to no tool: remove it, or begin its name with `_`"
    functions = {"act": echo, "other": echo}
    assert problems(service(tool()), functions) == (line,)
    assert problems(service(tool()), types.MappingProxyType(functions)) == (line,)


def test_a_module_may_have_functions_of_its_own() -> None:
    module = types.ModuleType("app_handlers")
    module.__spec__ = object()  # type: ignore[assignment]
    source = (
        "async def act(input): return 1\ndef connect(url): ...\nasync def gone(input, ctx): ..."
    )
    exec(source, vars(module))  # noqa: S102 - a module made here
    module.echo = echo  # type: ignore[attr-defined]
    assert problems(service(tool()), module) == (
        "`gone` belongs to no tool: remove it, or begin its name with `_`",
    )
    del module.gone  # type: ignore[attr-defined]
    assert asyncio.run(bind_service(service(tool()), module).call("demo_act")) == 1


def test_properties_of_a_handler_class_are_not_run() -> None:
    class Handlers:
        @property
        def client(self) -> object:
            raise AssertionError

        async def act(self, input: object) -> int:
            return 1

    bind_service(service(tool()), Handlers())


def test_a_generator_that_is_not_async_is_refused() -> None:
    def generator(input: object) -> object:
        yield 1

    def plain(input: object) -> object:
        return [1]

    line = (
        "`tell` is not an async generator, but `demo_tell` streams: write "
        "`async def tell(input, ctx)` with `yield`"
    )
    assert problems(service(streaming()), {"tell": generator}) == (line,)
    assert problems(service(streaming()), {"tell": plain}) == (line,)


@pytest.mark.parametrize(
    "handler",
    [
        lambda: None,
        lambda a, b, c: None,
        lambda input, *, retries: None,
        getattr,  # does not say what it takes
    ],
)
def test_a_signature_that_cannot_be_called_is_refused(handler: object) -> None:
    (line,) = problems(service(tool()), {"act": handler})
    assert line == "`act` cannot be called as `act(input, ctx)`: write `async def act(input, ctx)`"


def test_decorated_partial_and_callable_handlers_are_what_they_wrap() -> None:
    def logged(function: object) -> object:
        @functools.wraps(function)  # type: ignore[arg-type]
        def inner(*given: object, **named: object) -> object:
            return function(*given, **named)  # type: ignore[operator]

        return inner

    @logged
    async def coroutine(input: object, ctx: Context) -> str:
        return ctx.tool

    @logged
    async def stream(input: object) -> AsyncIterator[str]:
        yield "x"

    async def with_more(prefix: str, input: object) -> str:
        return prefix

    class Callable:
        async def __call__(self, input: object, ctx: object) -> str:
            return "called"

    definition = service(tool("a"), streaming("b"), tool("c"), tool("d"))
    handlers = {
        "a": coroutine,
        "b": stream,
        "c": functools.partial(with_more, "partial"),
        "d": Callable(),
    }
    registry = bind_service(definition, handlers)
    got = [asyncio.run(registry.call(f"demo_{name}")) for name in "abcd"]
    assert got == ["demo_a", "x", "partial", "called"]


class Stand(Protocol):
    async def act(self, input: object, ctx: Context) -> object: ...

    def look(self, input: object, ctx: Context) -> object: ...


@pytest.mark.parametrize(
    "made", [mock.Mock, mock.MagicMock, lambda: mock.create_autospec(Stand, instance=True)]
)
def test_mocks_can_stand_for_handlers(made: Callable[[], mock.Mock]) -> None:
    handlers = made()
    handlers.act.return_value = "acted"
    handlers.look.return_value = "seen"
    registry = bind_service(service(tool("act"), tool("look")), handlers)
    got = [asyncio.run(registry.call(name, {"a": 1})) for name in ("demo_act", "demo_look")]
    assert got == ["acted", "seen"]
    assert handlers.act.call_args.args[0] == {"a": 1}


def test_a_mock_is_no_stream() -> None:
    (line,) = problems(service(streaming()), mock.Mock())
    assert line.startswith("`tell` is not an async generator")


def test_looking_at_a_function_that_wraps_itself_ends() -> None:
    def act(input: object) -> None: ...

    act.__wrapped__ = act  # type: ignore[attr-defined]
    (line,) = problems(service(tool()), {"act": act})
    assert line.startswith("`act` cannot be called as")


def test_what_is_called_func_is_no_more_than_a_name() -> None:
    class Counted:
        """Calls what it was made of, in a way of its own."""

        def __init__(self, func: Callable[..., Iterator[object]]) -> None:
            self.func = func

        def __call__(self, input: object) -> object:
            return list(self.func(input))

    def generator(input: object) -> Iterator[object]:
        yield input

    act = Counted(generator)
    assert asyncio.run(bind_service(service(tool()), {"act": act}).call("demo_act")) == [{}]


def test_settings_have_their_defaults_and_show_no_secret() -> None:
    async def settings(input: object, ctx: Context[dict[str, object], None]) -> object:
        assert "hunter" not in repr(ctx)
        return [str(ctx.settings), f"{ctx.settings!r}", dict(ctx.settings)]

    token = "hunter2" * 5
    registry = bind_service(
        service(tool(), settings_schema=SETTINGS),
        {"act": settings},
        settings={"pages": 3, "token": token},
    )
    text, shown, whole = asyncio.run(registry.call("demo_act"))  # type: ignore[misc]
    assert text == shown == "{'pages': 3, 'token': ********, 'baseUrl': 'https://api.example.com'}"
    assert whole == {"pages": 3, "token": token, "baseUrl": "https://api.example.com"}
    assert token not in repr(registry)


def test_a_secret_inside_a_setting_hides_that_setting() -> None:
    schema = {
        "type": "object",
        "properties": {
            "proxy": {"$ref": "#/$defs/Proxy"},
            "servers": {"type": "array", "items": {"properties": {"key": {"writeOnly": True}}}},
            "plain": {"$ref": "#/$defs/Tree"},
        },
        "$defs": {
            "Proxy": {"properties": {"password": {"format": "password"}}},
            "Tree": {"properties": {"kids": {"items": {"$ref": "#/$defs/Tree"}}}},
        },
    }
    given = {"proxy": {"password": "p1"}, "servers": [{"key": "p2"}], "plain": {"kids": []}}

    async def shown(input: object, ctx: Context[object, None]) -> str:
        return str(ctx.settings)

    definition = service(tool(), settings_schema=json.dumps(schema))
    registry = bind_service(definition, {"act": shown}, settings=given)
    assert asyncio.run(registry.call("demo_act")) == (
        "{'proxy': ********, 'servers': ********, 'plain': {'kids': []}}"
    )


def test_settings_of_a_service_without_any_are_refused() -> None:
    assert problems(service(tool()), {"act": echo}, settings={"a": 1}) == (
        "`demo` has no settings: leave `settings` out",
    )


def test_settings_credentials_and_modes_of_other_types_are_told_together() -> None:
    definition = service(tool(), settings_schema=SETTINGS, auth="custom")
    options = {"settings": "hush", "credentials": 5, "output_check": "strickt"}
    assert problems(definition, {"act": echo}, **options) == (
        "the settings are str, not a mapping",
        "the credentials are int, not a mapping",
        "`output_check` is 'strickt': it is one of strict, warn, off",
    )


def test_settings_that_are_no_json_are_refused_by_place() -> None:
    found = problems(
        service(tool(), settings_schema=SETTINGS), {"act": echo}, settings={"pages": {1, 2}}
    )
    assert found == ("setting `$.pages`: set is not a JSON type",)


def test_a_hook_has_to_take_what_its_role_gives() -> None:
    async def audit(call: object, outcome: object) -> None: ...

    class Declared(Protocol):
        async def audit(self, call: object) -> None: ...

    class Hooks(Declared):
        """Inherits what it should write."""

    definition = service(tool(before=("audit",)))
    assert problems(definition, {"act": echo}, hooks={"audit": audit}) == (
        "the before hook `audit` is not `async def audit(call)`",
    )
    assert problems(definition, {"act": echo}, hooks=Hooks()) == (
        "no before hook `audit`: write `async def audit(self, call)` in the hooks, or in the handlers that you serve",
    )


def test_a_class_of_hooks_is_told_as_one_of_handlers_is() -> None:
    class Hooks:
        async def audit(self, call: object) -> None: ...

    definition = service(tool(before=("audit",)))
    assert problems(definition, {"act": echo}, hooks=Hooks) == (
        "`Hooks` is a class: pass an instance, `Hooks(…)`",
    )
    assert bind_service(definition, {"act": echo}, hooks=Hooks()).tools == definition.tools


def test_nothing_to_complain_of_needs_no_hooks_object() -> None:
    assert bind_service(service(tool()), {"act": echo}).tools[0].name == "act"
