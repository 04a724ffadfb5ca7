from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from built import program, rendered, service, tool
from hypothesis import given, settings
from hypothesis import strategies as st
from sampling import sampled
from toolspec.ir import (
    Auth,
    AuthKind,
    CredentialPlace,
    DeclaredError,
    Deprecation,
    Hooks,
    HttpArgument,
    HttpBinding,
    HttpBody,
    HttpCredential,
    HttpPlace,
    HttpSecurity,
    Idempotency,
    Permission,
    PermissionKind,
    Program,
    Schema,
    ScopeRule,
)
from toolspec.targets.python import TARGET, code, emit
from toolspec.targets.python.code import doc, escape
from toolspec.targets.python.gate import is_safe
from toolspec.targets.python.literal_scan import is_exact
from toolspec.targets.target import EmitContext, emit_program
from toolspec.targets.templates import Code, Rendered, SpecCode

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


def _request(text: str) -> HttpBinding:
    argument = HttpArgument(text, HttpPlace.QUERY, f"{text}'", content_type=text)
    credential = HttpCredential(text, CredentialPlace.HEADER, text)
    security = (HttpSecurity((credential,)), HttpSecurity(custom=True))
    return HttpBinding(text, text, text, text, security, (argument,), HttpBody(text, text))


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
        http=_request(text),
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


@pytest.mark.parametrize("payload", sampled(payloads().values(), 20), ids=payloads())
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


def written(*parts: str | Code) -> Rendered:
    """Return parts joined; each with values is written by a template."""
    offset, codes, offsets = 0, [], []
    for part in parts:
        if isinstance(part, Code):
            codes.append(part)
            offsets.append(offset)
        offset += len(part)
    return Rendered("".join(parts), tuple(codes), tuple(offsets))


@pytest.mark.parametrize("payload", payloads().values(), ids=payloads())
def test_a_text_of_any_width_is_read_back(payload: str) -> None:
    for times in (1, 2, 3):
        value, text = escape(payload * times), doc(payload * times, 4)
        module = written("a = f(", value, ")\n", value, "\n", text, "\n")
        assert is_safe(module)
        assert is_exact(module)


@pytest.fixture
def no_docs_kept() -> Iterator[None]:
    """Let no docstring of another sink be used, neither here nor by the tests that follow."""
    doc.cache_clear()
    yield
    doc.cache_clear()


@pytest.mark.usefixtures("no_docs_kept")
@pytest.mark.parametrize("payload", ['" + CANARY() + "', 'x"""\n    CANARY()\n    """'])
def test_the_gate_refuses_what_a_broken_sink_lets_through(
    payload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code, "literal", lambda value: f'"{value}"')
    monkeypatch.setattr(code, "docstring", lambda text, _: f'"""{text}"""')
    refused = emit_program(TARGET, _program(payload))
    assert {each.code for each in refused.diagnostics} == {"python/unsafe-output"}
    for each in refused.value:
        assert "CANARY" not in _calls(ast.parse(each.text))


UNSAFE = {
    "no Python": ("a = (", SpecCode('"b"', ("b",)), ""),
    "nul": ("a = '\0'\nb = ", SpecCode('"b"', ("b",)), ""),
    "other text": ("a = ", SpecCode('"c"', ("b",)), ""),
    "other type": ("a = ", SpecCode("1", (True,)), ""),
    "other number": ("a = ", SpecCode("1.0", (1,)), ""),
    "in a text": ('a = "', SpecCode('"b"', ("b",)), '"'),
    "in another text": ("a = '", SpecCode('"b"', ("b",)), "'"),
    "in a comment": ("a = 1  # ", SpecCode('"b"', ("b",)), ""),
    "in a docstring": ('"""', SpecCode('"b"', ("b",)), ' """'),
    "in a formatted text": ("a = f'{", SpecCode('"b"', ("b",)), "}'"),
    "formatted": ("a = f", SpecCode('"b"', ("b",)), ""),
    "bytes": ("a = b", SpecCode('"b"', ("b",)), ""),
    "joined": ("a = ", SpecCode('"b"', ("b",)), ' "c"'),
    "joined before": ('a = "c" ', SpecCode('"b"', ("b",)), ""),
    "negated": ("a = ", SpecCode("-1", (1,)), ""),
    "one more": ("a = ", SpecCode('("b", "c")', ("b",)), ""),
    "one less": ("a = ", SpecCode('"b"', ("b", "c")), ""),
    "two in another order": ("a = ", SpecCode('("b", "c")', ("c", "b")), ""),
    "carriage return": ("a = 1\r", SpecCode('"b"', ("b",)), ""),
    "one in the code": ("a = ", SpecCode('"b", \r"c"', ("b", "c")), ""),
    "prefixed": ("a = ", SpecCode('f"b"', ("b",)), ""),
    "prefixed among others": ("a = ", SpecCode('("b", b"c")', ("b", "c")), ""),
    "two in a row": ("a = ", SpecCode('("b" "c", "d")', ("b", "c", "d")), ""),
    "a text that goes on": ("a = ", SpecCode('"b\\"', ('b"',)), ""),
}
# Code of its own between values: the compiler makes none.
FOREIGN = {
    "commented": ("a = ", SpecCode('"b"  # c', ("b",)), ""),
    "another line": ("", SpecCode('"b"; c', ("b",)), ""),
    "calculated": ("a = ", SpecCode('"b" + "c"', ("b", "c")), ""),
    "docstring that ends": ("", SpecCode('"""b"""; c', ("b",)), ""),
    "empty": ("a = f(", SpecCode("", ("b",)), ")"),
}
# Where the code itself is wrong, not what is around it.
SCANNED = [
    "other text", "other type", "other number", "negated", "one more", "one less", "prefixed",
    "two in another order", "one in the code", "prefixed among others", "two in a row",
    "a text that goes on", "carriage return", "nul",
]  # fmt: skip


@pytest.mark.parametrize(("before", "value", "after"), UNSAFE.values(), ids=UNSAFE)
def test_the_gate_refuses_a_value_that_is_no_whole_constant(
    before: str, value: Code, after: str
) -> None:
    assert not is_safe(written(before, value, after))


@pytest.mark.parametrize("case", [*SCANNED, *FOREIGN])
def test_the_scan_refuses_a_code_that_is_not_its_values(case: str) -> None:
    """It never sees what is around a code: the tests parse the text of the built-in templates."""
    assert not is_exact(written(*{**UNSAFE, **FOREIGN}[case]))


SAFE = {
    "ascii": ("a = ", escape("b"), ""),
    "behind others": ('a = ["ä", "\U0001f600", 1]\nä = "é", ', escape("ü"), "\n"),
    "in any syntax": ("def f(*, a, b=1):\n    global c\n    return {**a, c: ", escape("d"), "}"),
    "negative": ("a = 1 + ", escape(-1), ""),
    "float": ("a = ", escape(-0.5), ""),
    "nested": ("a = ", escape(("b", (1, None, True), ())), ""),
    "surrogate": ("a = ", escape("\ud800"), ""),
    "docstring": ("", doc('b "c" \\\n\nd', 0), "\na = 1\n"),
}


@pytest.mark.parametrize(("before", "value", "after"), SAFE.values(), ids=SAFE)
def test_the_gate_accepts_a_value_that_is_read_back(before: str, value: Code, after: str) -> None:
    assert is_safe(written(before, value, after))
    assert is_exact(written(before, value, after))


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


@pytest.mark.parametrize("literal", LITERALS.values(), ids=LITERALS)
@given(BROKEN_TEXTS, BROKEN_TEXTS)
@settings(derandomize=True, max_examples=150, deadline=None)
def test_what_the_gate_accepts_has_the_shape_of_harmless_texts(
    literal: Callable[[str], str], first: str, second: str
) -> None:
    """Whatever a sink may do to a text: what passes is the tree that harmless texts give."""

    def module(one: str, two: str) -> Rendered:
        values = [SpecCode(literal(each), (each,)) for each in (one, two)]
        return written("a = f(", values[0], ", {", values[1], ": a})\n", values[1], "\n")

    if is_exact(module(first, second)):
        assert is_safe(module(first, second))
    if is_safe(module(first, second)):
        harmless = written("a = f(", escape("x"), ", {", escape("x"), ": a})\n", escape("x"), "\n")
        assert _shape(ast.parse(module(first, second).text)) == _shape(ast.parse(harmless.text))


def test_a_refused_module_is_reported_and_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emit, "is_exact", lambda module: "demo_payNow" not in module.text)
    made = TARGET.emit_service(_program("x").services[0], EmitContext())
    assert {each.code for each in made.diagnostics} == {"python/unsafe-output"}
    assert "demo/__init__.py" not in {each.path for each in made.artifacts}


@pytest.mark.parametrize("file", sampled(emit.FILES, 2))
def test_every_constant_of_a_built_in_template_is_its_own_or_a_value(file: str) -> None:
    """Changing any literal that a template wrote is seen by the gate, and by the scan."""
    (demo,) = _program("benign").services
    made = rendered(file, demo)
    assert is_safe(made)
    assert is_exact(made)
    for number, (offset, value) in enumerate(zip(made.offsets, made.codes, strict=True)):
        zeros = "0" * len(value)
        text = f"{made.text[:offset]}{zeros}{made.text[offset + len(value) :]}"
        assert not is_safe(Rendered(text, made.codes, made.offsets)), value
        more = (*made.codes[:number], SpecCode(value, (*value.values, 1)))
        assert not is_safe(Rendered(made.text, more, made.offsets)), value
        assert not is_exact(Rendered("", (SpecCode(zeros, value.values),)))
        assert not is_exact(Rendered("", more))
