from __future__ import annotations

from keyword import iskeyword
from typing import TYPE_CHECKING

from formatting import ruff_format
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.targets.python.code import escape, nested, type_code
from toolspec.targets.python.expressions import Const, Dots, Subscript, name, subscript, union
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import grouped, in_order
from toolspec.targets.python.make_view import method_view
from toolspec.targets.python.signatures import Parameter, Signature
from toolspec.targets.python.view import HandlerClass
from toolspec.usercode import stub_text

if TYPE_CHECKING:
    from toolspec.targets.python.code import Value
    from toolspec.targets.python.expressions import Expression

NAMES = st.integers(1, 34).map(lambda size: name("A" * size))
LITERALS = st.lists(st.text("abc\"'", max_size=20).map(Const), min_size=1, max_size=6).map(
    lambda items: Subscript(Identifier("Literal"), tuple(items))
)


def _types(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    some = st.lists(inner, min_size=1, max_size=4)
    return st.one_of(
        inner.map(lambda item: subscript("list", item)),
        inner.map(lambda item: subscript("dict", name("str"), item)),
        inner.map(lambda item: subscript("tuple", item, Dots())),
        some.map(lambda items: subscript("tuple", *items)),
        some.map(union),
    )


TYPES = st.recursive(st.one_of(NAMES, LITERALS, st.just(Const(None))), _types, max_leaves=8)
CONSTANTS = st.one_of(
    st.text("ab\"'", max_size=30), st.integers(), st.booleans(), st.none(), st.just(0.5)
)
VALUES = st.recursive(
    CONSTANTS, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=10
)


def _formatted(*lines: str) -> None:
    text = "".join(f"{line}\n" for line in lines)
    assert ruff_format(text) == text


@given(st.lists(TYPES, min_size=8, max_size=12))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_types_break_as_the_formatter_breaks_them(types: list[Expression]) -> None:
    aliases = [
        f"Alias{n}: TypeAlias = {type_code(each, 0, 20 + len(str(n)))}"
        for n, each in enumerate(types)
        if len(type_code(each)) < 60 or "[" in type_code(each)
    ]
    fields = [
        f"    field{n}: {type_code(each, 4, 11 + len(str(n)))}" for n, each in enumerate(types)
    ]
    entries = [
        f'        "a key {n}": {type_code(each, 8, 18 + len(str(n)), 1, bare=False)},'
        for n, each in enumerate(types)
    ]
    functional = ("Form = TypedDict(", '    "Form",', "    {", *entries, "    },", ")")
    _formatted(*aliases, *functional, "", "", "class Record(TypedDict):", *fields)


@given(st.lists(TYPES, min_size=1, max_size=6), TYPES, st.booleans())
@settings(derandomize=True, max_examples=60, deadline=None)
def test_methods_break_as_the_formatter_breaks_them(
    types: list[Expression], returns: Expression, is_async: bool
) -> None:
    parameters = tuple(
        Parameter(Identifier(f"p{n}"), each, is_optional=n > 1, is_keyword=n > 3)
        for n, each in enumerate(types)
    )
    method = Signature(Identifier("f"), parameters, returns, "Do it.", is_async=is_async)
    methods = (method_view(method), method_view(method))
    text = stub_text.class_text(
        HandlerClass(
            Identifier("A"), Identifier("B"), "What it does.", methods, Identifier("refused")
        )
    )
    assert ruff_format(text) == text


@given(st.lists(VALUES, min_size=4, max_size=8))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_values_break_as_the_formatter_breaks_them(values: list[Value]) -> None:
    fields = [
        f"    field{n}={nested(each, 4, 11)},"
        if isinstance(each, tuple)
        else f"    field{n}={escape(each)},"
        for n, each in enumerate(values)
    ]
    _formatted("a = f(", *fields, ")")


@given(
    st.sets(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,6}", fullmatch=True), min_size=3, max_size=30)
)
@settings(derandomize=True, max_examples=30, deadline=None)
def test_imports_are_in_the_order_of_isort(found: set[str]) -> None:
    legal = [each for each in sorted(found) if each.isidentifier() and not iskeyword(each)]
    pairs = [(".types", each) for each in legal] + [
        ("toolspec.runtime", "Call"),
        ("logging", "Logger"),
    ]
    sections = [
        "".join(f"from {source} import {', '.join(names)}\n" for source, names in section)
        for section in grouped(pairs)
    ]
    everything = "".join(f'    "{each}",\n' for each in in_order(legal))
    text = ruff_format("\n".join(sections) + f"\n__all__ = [\n{everything}]\n")
    assert ruff_format(text, "check", "--select=I,RUF022", "--fix-only", "--quiet") == text


def test_services_of_any_length_of_name_are_formatted() -> None:
    from built import program, service, tool
    from toolspec.targets.python import TARGET
    from toolspec.targets.target import emit_program

    services = [
        service("s" * size, tool("t" * (60 - size), service="s" * size), tool("u", service="s"))
        for size in range(1, 55, 3)
    ]
    made = emit_program(TARGET, program(*services))
    for each in made.value:
        command = ("format", "--stdin-filename", each.path.rpartition("/")[2])
        assert ruff_format(each.text, *command) == each.text, each.path
