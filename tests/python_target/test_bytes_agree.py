"""The types that stubs promise and the bytes that arrive agree, for any schema, on every path."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import shutil
import subprocess
import sys
from base64 import b64encode, urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest
from forkserver import toolspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import StdioServerParameters
from toolspec.serving.client import McpTransport

HERE = Path(__file__).parent
TOOLSPEC = (str(toolspec()),)
APP = """
from made_for_agreement.codec import SERVICE, bind
from made_for_agreement.codec import types

from typed_values import is_of

seen = {}


def handler(tool):
    stem = tool.method.capitalize()

    def checked(input):
        value = input["value"]
        assert is_of(getattr(types, f"{stem}Input"), input, vars(types)), (stem, input)
        seen[tool.method] = value
        return value

    async def whole(input, ctx):
        return checked(input)

    async def chunks(input, ctx):
        value = checked(input)
        yield value
        yield value

    return chunks if tool.streaming else whole


registry = bind({each.method: handler(each) for each in SERVICE.tools})
"""
DATA = st.binary(max_size=4)
TEXTS = st.sampled_from(["", "AAEC", "%", "YQ=="])


def encoded(encoding: str, kind: object) -> st.SearchStrategy[tuple[Any, Any]]:
    encode = b64encode if encoding == "base64" else urlsafe_b64encode
    schema = {"type": kind, "contentEncoding": encoding}
    values = DATA.map(lambda data: encode(data).decode())
    return st.tuples(st.just(schema), values | st.none() if isinstance(kind, list) else values)


LEAVES = (
    encoded("base64", "string")
    | encoded("base64url", "string")
    | encoded("base64", ["string", "null"])
    | st.tuples(st.just({"type": "string"}), TEXTS)
    | st.tuples(st.just({"type": "integer"}), st.integers(0, 9))
    | st.tuples(
        st.just({"type": "string", "contentEncoding": "base64", "enum": ["AAEC", ""]}),
        st.sampled_from(["AAEC", ""]),
    )
    | st.tuples(st.just({"contentEncoding": "base64"}), st.sampled_from(["AAEC", 7]))
    | st.tuples(st.just({"type": "string", "contentEncoding": "base16"}), st.just("00ff"))
)


def grown(inner: st.SearchStrategy[tuple[Any, Any]]) -> st.SearchStrategy[tuple[Any, Any]]:
    """Return schemas made of others, each with a value that it admits."""

    def made_object(a: Any, b: Any, is_required: bool) -> tuple[Any, Any]:
        schema = {"type": "object", "properties": {"a": a[0], "b": b[0]}}
        if is_required:
            schema["required"] = ["a"]
        return schema, {"a": a[1], "b": b[1]}

    def pair(a: Any, b: Any) -> tuple[Any, Any]:
        return {"type": "array", "prefixItems": [a[0], b[0]], "items": False}, [a[1], b[1]]

    def union(a: Any, b: Any, keyword: str) -> tuple[Any, Any]:
        return {keyword: [a[0], b[0]]}, a[1]

    def others(a: Any, b: Any) -> tuple[Any, Any]:
        schema = {"type": "object", "properties": {"a": a[0]}, "additionalProperties": b[0]}
        return schema, {"a": a[1], "z": b[1]}

    return (
        st.builds(made_object, inner, inner, st.booleans())
        | st.builds(pair, inner, inner)
        | st.builds(others, inner, inner)
        | st.builds(union, inner, inner, st.just("anyOf"))
        | inner.map(lambda a: ({"type": "array", "items": a[0]}, [a[1], a[1]]))
        | inner.map(lambda a: ({"allOf": [a[0]]}, a[1]))
        | inner.map(lambda a: ({"$ref": a[0]}, a[1]))
    )


CASES = st.lists(st.recursive(LEAVES, grown, max_leaves=5), min_size=10, max_size=10)


def hoisted(schema: Any, definitions: dict[str, Any]) -> Any:
    """Return a schema whose `$ref`s lead to definitions, in place of the schemas themselves."""
    if isinstance(schema, list):
        return [hoisted(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(schema.get("$ref"), dict):
        target = hoisted(schema["$ref"], definitions)
        name = f"Shared{len(definitions)}"
        definitions[name] = target
        return {"$ref": f"#/$defs/{name}"}
    return {key: hoisted(each, definitions) for key, each in schema.items()}


def document(cases: list[tuple[Any, Any]]) -> dict[str, Any]:
    """Return a service with two tools for each schema: one answers its argument, one streams it."""
    definitions: dict[str, Any] = {}
    tools = []
    for number, (schema, _) in enumerate(cases):
        own = hoisted(schema, definitions)
        tool = {
            "description": "Echo.",
            "mutation": False,
            "inputSchema": {"type": "object", "properties": {"value": own}, "required": ["value"]},
        }
        tools.append({**tool, "name": f"echo{number}", "outputSchema": own})
        items = {"type": "array", "items": own}
        tools.append({**tool, "name": f"walk{number}", "outputSchema": items, "streaming": True})
    service = {"name": "codec", "description": "Echoes."}
    return {"toolspec": 1, "service": service, "$defs": definitions, "tools": tools}


def forget() -> None:
    """Forget the modules of a project."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in {"made_for_agreement", "app"}:
            del sys.modules[name]


async def compared(cases: list[tuple[Any, Any]], app: Any, transport: Any, package: Any) -> None:
    """Send every value through a client, and compare what comes back with the types."""
    client, names = package.CodecClient(transport), vars(package.types)
    for number, (_, value) in enumerate(cases):
        await app.registry.call(f"codec_echo{number}", {"value": value})
        python = app.seen[f"echo{number}"]
        result = await getattr(client, f"echo{number}")({"value": python})
        assert result == python
        assert is_typed(package, f"Echo{number}Output", result, names)
        chunks = [each async for each in getattr(client, f"walk{number}")({"value": python})]
        assert chunks == [python, python]
        assert all(is_typed(package, f"Walk{number}Chunk", each, names) for each in chunks)
        assert is_typed(package, f"Walk{number}Output", chunks, names)


def is_typed(package: Any, name: str, value: Any, names: dict[str, Any]) -> bool:
    from typed_values import is_of

    return is_of(getattr(package.types, name), value, names)


@pytest.mark.prove
@settings(
    max_examples=3,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(CASES)
def test_types_and_bytes_agree(
    tmp_path_factory: pytest.TempPathFactory, cases: list[tuple[Any, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("agreement")
    (folder / "specs").mkdir()
    (folder / "specs" / "codec.json").write_text(json.dumps(document(cases)))
    (folder / "toolspec.toml").write_text(
        'out = "made_for_agreement"\ntargets = ["python", "catalog", "mcp-2026-07-28", "mcp-2025-11-25"]\n'
        '[target.python]\nbase64 = "bytes"\n[lint]\npreset = "core-2026-11"\n'
    )
    shutil.copy(HERE / "typed_values.py", folder)
    (folder / "app.py").write_text(APP)
    done = subprocess.run(
        [*TOOLSPEC, "compile"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    forget()
    sys.path.insert(0, str(folder))
    try:
        app = importlib.import_module("app")
        package = importlib.import_module("made_for_agreement.codec")
        importlib.import_module("made_for_agreement.codec.types")
        command, *rest = TOOLSPEC
        server = StdioServerParameters(
            command=command,
            args=[*rest, "serve", "--handlers", "app:registry"],
            cwd=str(folder),
            env=dict(os.environ),
        )

        async def every_path() -> None:
            for copies in (True, False):
                await compared(cases, app, app.registry.with_controls(copies=copies), package)
            async with McpTransport(server) as transport:
                await compared(cases, app, transport, package)

        asyncio.run(every_path())
    finally:
        sys.path.remove(str(folder))
        forget()
