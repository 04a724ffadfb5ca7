from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from built import program, service, tool
from harmless import harmless, is_shaped_as_with_harmless_texts, same_shape
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.ir import (
    Auth,
    AuthKind,
    DeclaredError,
    Deprecation,
    Hooks,
    Idempotency,
    Permission,
    PermissionKind,
    Program,
    Schema,
    ScopeRule,
)
from toolspec.targets.python import TARGET, emit, layout
from toolspec.targets.python import render as renderer
from toolspec.targets.python.expressions import name
from toolspec.targets.python.gate import is_safe, reads_as
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.model import (
    Assign,
    Call,
    Class,
    Const,
    Dict,
    Function,
    Module,
    Name,
    Quoted,
)
from toolspec.targets.python.render import render
from toolspec.targets.target import EmitContext, emit_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.syntax.nodes import JsonValue

INDEX = Path(__file__).parents[3] / "shared" / "corpus" / "hostile" / "index.json"
OWN = {
    "benign": "benign text",
    "empty": "",
    "blank": " \t\n ",
    "quotes": 'x""" + CANARY() + """',
    "all-quotes": "'''\"\"\"''\"\"\\\"\\'",
    "newline": "x\nCANARY()\n#",
    "return": "x\rCANARY()\r#",
    "separators": "x\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029CANARY()",
    "backslash": "x\\",
    "escaped": '\\"""\nCANARY()\n"""',
    "braces": "{CANARY()}{{CANARY()}}",
    "names": "\\N{BULLET}\\x41\\u0041\\777",
    "nul": "a\0b",
    "surrogate": "a\ud800b",
    "bidi": "a\u202eb\u2066",
    "coding": "-*- coding: utf-7 -*-",
    "type-comment": "# type: ignore[x]  # noqa",
    "keyword": "class",
    "dunder": "__class__",
    "indent": "x\n        pass\nCANARY()",
}


def payloads() -> dict[str, str]:
    found = dict(OWN)
    if INDEX.exists():
        found |= json.loads(INDEX.read_text(encoding="utf-8"))["payloads"]
    return found


def _schema(text: str) -> JsonValue:
    return {
        "title": text,
        "description": text,
        "$comment": text,
        "type": "object",
        "properties": {
            "described": {"type": "string", "description": text, "title": text},
            "defaulted": {"type": "string", "default": text},
            "fixed": {"const": text},
            "one": {"enum": [text, "other"]},
            "example": {"type": "string", "examples": [text]},
            "pattern": {"type": "string", "pattern": text, "format": text},
            "by-pattern": {"type": "object", "patternProperties": {text: {"type": "integer"}}},
            "told-apart": {
                "oneOf": [
                    {"properties": {"kind": {"const": text}}},
                    {"properties": {"other": {"const": "b"}}},
                ]
            },
            "class": {"anyOf": [{"enum": [text]}, {"$ref": "#"}]},
        },
        "additionalProperties": {"description": text},
    }


def _program(text: str) -> Program:
    schema = _schema(text)
    made = tool(
        "payNow",
        input=schema,
        output={"type": "array", "items": schema, "description": text},
        chunk=schema,
        title=text,
        description=text,
        summary=text,
        group=text,
        tags=(text,),
        version="1.0",
        icon=text,
        output_content_type=text,
        permissions=(Permission(PermissionKind.FILE, text, text),),
        scopes=(ScopeRule((text, "b")),),
        errors=(DeclaredError(text, text),),
        deprecated=Deprecation(text, text, text),
        hooks=Hooks(("around",), ("first",), ("last",), ("gone",)),
        idempotency=Idempotency.REQUIRED,
        verify=True,
        revert=True,
    )
    provenance = replace(made.provenance, file=text)
    demo = service(
        "demo",
        replace(made, provenance=provenance),
        definitions={"Shared": schema},
        title=text,
        description=text,
        instructions=text,
        category=text,
        settings=Schema.of(schema),
        auth=Auth(AuthKind.CUSTOM, fields=Schema.of(schema)),
    )
    return program(demo)


def emitted(text: str) -> dict[str, str]:
    made = emit_program(TARGET, _program(text))
    assert made.diagnostics == ()
    return {each.path: each.text for each in made.value}


BENIGN = {path: ast.parse(text) for path, text in emitted("benign").items()}


@pytest.mark.parametrize("payload", payloads().values(), ids=payloads())
def test_no_text_changes_the_structure(payload: str) -> None:
    for path, text in emitted(payload).items():
        tree = ast.parse(text)
        if payload.strip():  # of a blank one there is no docstring
            assert _shape(tree) == _shape(BENIGN[path]), path
        assert _calls(tree) <= _calls(BENIGN[path])
        assert all(line.isprintable() for line in text.split("\n"))


def _calls(tree: ast.Module) -> set[str]:
    return {ast.unparse(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)}


def _shape(tree: ast.Module) -> list[str]:
    """Return the kinds of the nodes; what `Option1` is called may depend on a constant."""
    return [type(each).__name__ for each in ast.walk(tree)]


@given(st.text(max_size=40))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_no_random_text_changes_the_structure(text: str) -> None:
    for path, made in emitted(f"a{text}").items():
        assert _shape(ast.parse(made)) == _shape(BENIGN[path])


BROKEN = {
    "class": (
        Module("", (Class(Identifier("A"), (), 'x"""\n    CANARY()\n    """'),)),
        Module("", (Class(Identifier("A"), (), "x"),)),
    ),
    "function": (
        Module("", (Function(Identifier("f"), (), name("str"), 'x"""\n    CANARY()\n    """'),)),
        Module("", (Function(Identifier("f"), (), name("str"), "x"),)),
    ),
    "module": (Module('x"""\nCANARY()\n"""', ()), Module("x", ())),
    "value": (
        Module("", (Assign(name("a"), Const('" + CANARY() + "')),)),
        Module("", (Assign(name("a"), Const("x")),)),
    ),
}


@pytest.mark.parametrize(("poisoned", "clean"), BROKEN.values(), ids=BROKEN)
def test_the_gate_refuses_what_a_broken_sink_lets_through(
    poisoned: Module, clean: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_safe(poisoned, render(poisoned))
    monkeypatch.setattr(layout, "literal", lambda value: f'"{value}"')
    monkeypatch.setattr(renderer, "docstring", lambda text, _: f'"""{text}"""')
    text = render(poisoned)
    assert "CANARY" in _calls(ast.parse(text))
    assert not is_safe(poisoned, text)
    assert not is_shaped_as_with_harmless_texts(poisoned, text)
    assert is_safe(clean, render(clean))


def test_the_gate_refuses_a_quoted_text() -> None:
    lie = Module("", (Assign(name("a"), Quoted(Const('" + CANARY() + "'))),))
    assert not is_safe(lie, render(lie))


def test_the_gate_refuses_what_is_no_python() -> None:
    module = Module("", (Assign(name("a"), Const("text")),))
    lines = ["a = (", "a = 'nul \0'", "a = 'text'\nb = 1", "a = b'text'", "a = f'{text}'"]
    for line in lines:
        assert not is_safe(module, f"{renderer.HEADER}\n\n{line}\n")
    assert is_safe(module, f"{renderer.HEADER}\n\na = 'text'\n")
    assert not is_safe(module, f"{renderer.HEADER}\n\na = 'another'\n")


def test_a_refused_module_is_reported_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emit, "is_safe", lambda _, text: "demo_payNow" not in text)
    made = TARGET.emit_service(_program("x").services[0], EmitContext())
    assert {each.code for each in made.diagnostics} == {"python/unsafe-output"}
    assert "demo/__init__.py" not in {each.path for each in made.artifacts}
    assert not made.ok


def test_harmless_replaces_every_text_and_no_name() -> None:
    module = Module("doc", (Assign(name("a"), Const("text"), name("str"), "more"),))
    wanted = Module("x", (Assign(name("a"), Const("x"), name("str"), "x"),))
    assert harmless(module) == wanted


@pytest.mark.parametrize("payload", payloads().values(), ids=payloads())
def test_a_text_of_any_width_is_read_back(payload: str) -> None:
    call = Call(name("f"), tuple(Const(payload * times) for times in (1, 2, 3)))
    module = Module("", (Assign(name("a"), call, None, payload),))
    assert is_safe(module, render(module))
    assert is_shaped_as_with_harmless_texts(module, render(module))


LITERALS = {
    "right": repr,
    "bare": lambda text: text,
    "quoted": lambda text: f'"{text}"',
    "long": lambda text: f'"""{text}"""',
    "joined": lambda text: f'"{text}" "b"',
    "formatted": lambda text: f'f"{text}"',
    "bytes": lambda text: f'b"{text}"',
    "number": lambda text: text.lstrip("x \"'") or "0",
}
BROKEN_TEXTS = st.text("\"'\\\n xa1{}()+#,.=:", max_size=9)


@pytest.mark.parametrize("spelled", LITERALS.values(), ids=LITERALS)
@given(BROKEN_TEXTS, BROKEN_TEXTS)
@settings(derandomize=True, max_examples=150, deadline=None)
def test_what_the_gate_accepts_has_the_shape_of_harmless_texts(
    spelled: Callable[[str], str], text: str, doc: str
) -> None:
    """Whatever a sink may do to a text: the gate is no weaker than the comparison of two layouts."""
    value = Call(name("f"), (Const(text), Dict(((Const(text), name("a")),))))
    module = Module(doc, (Assign(name("a"), value, name("str"), doc),))
    made = f"{spelled(doc)}\na: str = f({spelled(text)}, {{{spelled(text)}: a}})\n{spelled(doc)}\n"
    if is_safe(module, made):
        assert is_shaped_as_with_harmless_texts(module, made)


# They follow from where a node stands, or come of comments alone.
FREE = {"ctx", "kind", "type_comment", "type_ignores"}


def _modules() -> dict[str, Module]:
    return dict(emit._modules(_program("benign").services[0]))


def _others(value: object) -> Iterator[object]:
    """Yield what else Python could read at the place of a part of a tree."""
    if isinstance(value, list):
        yield [*value, *(value[-1:] or [ast.arg("mutant")])]
        if value:
            yield value[1:]
    elif isinstance(value, ast.expr):
        yield ast.Name("mutant")
        yield ast.Constant(b"text")
    elif isinstance(value, ast.operator):
        yield ast.Sub()
    elif isinstance(value, str):
        yield f"x{value}"
    elif isinstance(value, int):
        yield value + 1
    elif value is None or value is ...:
        yield ast.Name("mutant")


@pytest.mark.parametrize(("path", "module"), _modules().items(), ids=_modules())
def test_the_gate_sees_a_change_of_any_part_of_a_tree(path: str, module: Module) -> None:
    tree = ast.parse(render(module))
    documentation = {id(each) for each in _documentation(tree)}
    assert reads_as(tree, module)
    for node in ast.walk(tree):
        if id(node) in documentation:
            continue
        for field, value in ast.iter_fields(node):
            for other in _others(value) if field not in FREE else ():
                setattr(node, field, other)
                assert not reads_as(tree, module), (path, ast.dump(node), field)
            setattr(node, field, value)
    assert reads_as(tree, module)


def _documentation(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the constants of which only the type counts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def test_the_gate_refuses_a_text_in_the_place_of_a_name() -> None:
    module = Module("", (Assign(Name(cast(Identifier, "spec")), Const(1)),))
    assert not is_safe(module, render(module))
    assert not is_shaped_as_with_harmless_texts(module, render(module))


TWINS = {
    "other text": ("a = 'b'", "a = 'c'", True),
    "other quotes": ("a = 'b'", 'a = "c"', True),
    "docstring": ('"""a\n\n"b" \\"""\nc"""', '"""x"""', True),
    "joined strings": ("a = 'b' 'c'", "a = 'b'", True),
    "number": ("a = 1", "a = 'b'", False),
    "name": ("b = 'b'", "a = 'b'", False),
    "call": ("a = 'b' + f()", "a = 'b'", False),
    "bytes": ("a = b'b'", "a = 'b'", False),
    "formatted": ("a = f'{b}'", "a = 'b'", False),
    "more": ("a = 'b'\nc = 1", "a = 'b'", False),
}


@pytest.mark.parametrize(("text", "wanted", "is_same"), TWINS.values(), ids=TWINS)
def test_the_shape_is_all_but_the_texts_of_strings(
    text: str, wanted: str, *, is_same: bool
) -> None:
    assert same_shape(ast.parse(text), ast.parse(wanted)) is is_same
