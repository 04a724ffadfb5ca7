"""All of the generated code of many schemas at once, under the tools that a user's project runs."""

from __future__ import annotations

import importlib
import sys
import typing
from typing import TYPE_CHECKING, get_type_hints

import pytest
from built import program, service, tool
from checkers import mypy
from formatting import run
from toolspec.frontend.naming.identifiers import module_name
from toolspec.ir import (
    Auth,
    AuthKind,
    DeclaredError,
    Deprecation,
    Hooks,
    Idempotency,
    InputForm,
    Permission,
    PermissionKind,
    Schema,
    ScopeRule,
    TaskSupport,
    Timeout,
)
from toolspec.targets.python import TARGET
from toolspec.targets.target import emit_program

from schemas import DECLARED, SIMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from toolspec.ir import Program, Service
    from toolspec.syntax.nodes import JsonValue

# Services named as what generated code has or uses itself.
NAMES = (
    *("annotations", "client", "handlers", "isinstance", "list", "merge", "package", "parts"),
    *("registry", "require-runtime", "results", "service", "sync-service", "types"),
)
HOSTILE = "x\"\"\"\nCANARY()\n'''\\"


def _schemas() -> Service:
    cases = {**SIMPLE, **DECLARED}
    tools = [
        tool(f"case-{name}", service="schemas", input=_object(case.schema), output=case.schema)
        for name, case in cases.items()
    ]
    node: JsonValue = {
        "properties": {"in": {"$ref": "#/$defs/Node"}, "of": {"$ref": "#/$defs/Any"}}
    }
    definitions: dict[str, JsonValue] = {"Node": node, "Any": True, "Context": {"enum": ["a" * 90]}}
    shared = tuple((name, name) for name in definitions)
    bundle: JsonValue = {
        "type": "array",
        "items": {"$ref": "#/$defs/Node"},
        "$defs": {"Node": node, "Any": True},
    }
    anything: JsonValue = {"$ref": "#/$defs/Any", "$defs": {"Any": True}}
    tools += [
        tool("sharing", service="schemas", output=bundle, shared=shared),
        tool("any", service="schemas", output=anything, shared=shared),
        tool("any-chunk", service="schemas", output=True, chunk=anything, shared=shared),
    ]
    return service("schemas", *tools, definitions=definitions)


def _object(schema: JsonValue) -> JsonValue:
    return {"type": "object", "properties": {"value": _rooted(schema)}, "required": ["value"]}


def _rooted(schema: JsonValue) -> JsonValue:
    """Return the schema with its references leading to itself, one level down."""
    match schema:
        case {"$ref": "#", **rest}:
            return {"$ref": "#/properties/value", **rest}
        case {"$ref": str(target), **rest} if target.startswith("#/"):
            return {
                "$ref": f"#/properties/value{target[1:]}",
                **rest,
                "$defs": _rooted(rest.get("$defs", {})),
            }
        case dict():
            return {name: _rooted(each) for name, each in schema.items()}
        case list():
            return [_rooted(each) for each in schema]
    return schema


def _everything() -> Service:
    streaming = {"type": "array", "items": {"properties": {"n": {"type": "integer"}}}}
    text: JsonValue = {"type": "object", "properties": {"input": {"type": "string"}}}
    hooks = Hooks(("around",), ("first", "second"), ("last",), ("gone",))
    tools = (
        tool(
            "ask",
            service="all",
            input={"type": "string"},
            input_form=InputForm.TEXT,
            arguments=text,
        ),
        tool("raw", service="all", input=True, input_form=InputForm.RAW),
        tool("stream", service="all", output=streaming, chunk=streaming["items"]),
        tool(
            "pay",
            service="all",
            idempotency=Idempotency.REQUIRED,
            verify=True,
            revert=True,
            mutation=True,
            hooks=hooks,
            errors=(DeclaredError("broke", HOSTILE, retryable=True),),
            deprecated=Deprecation("1.0", HOSTILE, "2.0"),
            permissions=(Permission(PermissionKind.WEB, HOSTILE, "GET"),),
            scopes=(ScopeRule(("a", "b")), ScopeRule(("c",))),
            task_support=TaskSupport.OPTIONAL,
            timeout=Timeout(0.5, 30),
            tags=("money", HOSTILE),
            aliases=("pay_now",),
        ),
        tool("retry", service="all", idempotency=Idempotency.OPTIONAL, description=HOSTILE),
        tool(
            "askAgain",
            service="all",
            input={"type": "string"},
            input_form=InputForm.TEXT,
            arguments=text,
            idempotency=Idempotency.REQUIRED,
        ),
        tool("versioned", service="all", version="1.0"),
    )
    return service(
        "all",
        *tools,
        settings=Schema.of(
            {"type": "object", "properties": {"url": {"type": "string", "default": HOSTILE}}}
        ),
        auth=Auth(
            AuthKind.OAUTH2,
            authorization_url="https://a.example/authorize",
            token_url="https://a.example/token",  # noqa: S106 - an address
        ),
        instructions=HOSTILE,
        title=HOSTILE,
    )


def _program() -> Program:
    others = (service(name, tool("getIt", service=name)) for name in NAMES)
    definitions: dict[str, JsonValue] = {"SERVICE": {"enum": [1]}, "AttributeError": {"enum": [2]}}
    return program(
        _schemas(),
        _everything(),
        service("empty", definitions=definitions),
        service("class-x", tool("class_")),
        *others,
    )


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a folder that holds `made_by_python_target`, the package generated of it all."""
    folder = tmp_path_factory.mktemp("tree")
    emitted = emit_program(TARGET, _program())
    assert emitted.diagnostics == ()
    for artifact in emitted.value:
        path = folder / "made_by_python_target" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.startswith("made_by_python_target")]:
        del sys.modules[name]


def test_the_formatter_agrees(tree: Path) -> None:
    assert run(tree, "ruff", "format", "--isolated", "--no-cache", "--diff", ".") == ""


def test_the_linter_agrees(tree: Path) -> None:
    assert (
        run(tree, "ruff", "check", "--isolated", "--no-cache", "--output-format=concise", ".") == ""
    )


def test_mypy_agrees(tree: Path) -> None:
    assert run(tree, *mypy(), "made_by_python_target") == ""


@pytest.mark.prove
def test_pyright_agrees(tree: Path) -> None:
    config = '{"typeCheckingMode": "strict", "include": ["made_by_python_target"]}'
    (tree / "pyrightconfig.json").write_text(config, encoding="utf-8")
    assert run(tree, "pyright", "--pythonpath", sys.executable) == ""


def test_every_type_can_be_resolved_at_run_time(tree: Path) -> None:
    for name in ("schemas", "all", "empty", "class_x"):
        module = importlib.import_module(f"made_by_python_target.{name}.types")
        for found in [each for each in vars(module).values() if isinstance(each, type)]:
            if found.__module__ == module.__name__:
                get_type_hints(found, include_extras=True)
        holder = type("Holder", (), {"__annotations__": {}, "__module__": module.__name__})
        for alias, value in vars(module).items():
            if alias[0].isupper() and getattr(typing, alias, None) is not value:
                holder.__annotations__[alias] = alias
        get_type_hints(holder)


def test_a_package_loads_its_names_when_asked(tree: Path) -> None:
    probe = (
        "import sys, made_by_python_target.all as package\n"
        "inside = [each for each in sys.modules if each.startswith(package.__name__ + '.')]\n"
        "assert not inside, inside\n"
        "from made_by_python_target.all import SERVICE, bind\n"
        "assert package.__name__ + '.types' not in sys.modules\n"
        "assert all(getattr(package, name) is not None for name in package.__all__)\n"
        "assert not hasattr(package, 'Missing')\n"
    )
    assert run(tree, "python", "-Ic", f"import sys; sys.path.insert(0, '.')\n{probe}") == ""


@pytest.mark.parametrize("name", NAMES)
def test_a_service_is_bound_whatever_its_name(tree: Path, name: str) -> None:
    module = module_name(name)
    probe = (
        "import sys; sys.path.insert(0, '.')\n"
        "from toolspec.runtime import not_implemented\n"
        "from made_by_python_target import build_registry\n"
        "async def get_it(input, ctx): raise not_implemented('it')\n"
        f"assert build_registry({module}={{'get_it': get_it}}).tools\n"
        f"from made_by_python_target import {module} as package\n"
        "assert package.bind({'get_it': get_it}).services == (package.SERVICE,)\n"
    )
    assert run(tree, "python", "-Ic", probe) == ""


def test_a_package_is_shown_with_all_its_names(tree: Path) -> None:
    probe = (
        "import sys, pydoc; sys.path.insert(0, '.')\n"
        "import made_by_python_target.empty as package\n"
        "from made_by_python_target.empty import *\n"
        "assert SERVICE is package.SERVICE and package.__all__.count('SERVICE') == 1\n"
        "shown = pydoc.plain(pydoc.render_doc(package))\n"
        "assert all(name in shown for name in package.__all__), shown\n"
        "assert not hasattr(package, 'missing')\n"
    )
    assert run(tree, "python", "-Ic", probe) == ""


def test_no_output_holds_a_path_or_a_time(tree: Path) -> None:
    again = {each.path: each.text for each in emit_program(TARGET, _program()).value}
    for path, text in again.items():
        assert (tree / "made_by_python_target" / path).read_text(encoding="utf-8") == text
        assert text.startswith("# Generated by toolspec ")
        assert text.endswith("\n")
