from __future__ import annotations

from keyword import iskeyword

from formatting import ruff_format
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.targets.python.expressions import name, subscript, union
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import FUTURE, for_checkers, grouped
from toolspec.targets.python.model import (
    Assign,
    Await,
    Call,
    Class,
    Const,
    Dict,
    Dots,
    Evaluate,
    Expression,
    Function,
    If,
    List,
    Module,
    Parameter,
    Raise,
    Return,
    Statement,
    Subscript,
    Tuple,
)
from toolspec.targets.python.render import render

NAMES = st.integers(1, 34).map(lambda size: name("A" * size))
CONSTANTS = st.one_of(
    st.text("ab\"'", max_size=30), st.integers(), st.booleans(), st.none(), st.just(0.5)
).map(Const)
LITERALS = st.lists(st.text("abc", max_size=20).map(Const), min_size=1, max_size=6).map(
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


def _values(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    some = st.lists(inner, max_size=4).map(tuple)
    return st.one_of(
        some.map(List),
        some.map(Tuple),
        some.map(lambda items: Call(name("f"), items)),
        some.map(
            lambda items: Call(name("f"), (), tuple((Identifier("key"), i) for i in items[:1]))
        ),
        some.map(lambda items: Dict(tuple((Const(f"k{n}"), item) for n, item in enumerate(items)))),
    )


VALUES = st.recursive(st.one_of(NAMES, CONSTANTS), _values, max_leaves=10)


def _formatted(*body: Statement) -> None:
    text = render(Module("What it holds.", body))
    assert ruff_format(text) == text


@given(st.lists(TYPES, min_size=8, max_size=12))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_types_break_as_the_formatter_breaks_them(types: list[Expression]) -> None:
    fields = tuple(Assign(name(f"field{n}"), None, each) for n, each in enumerate(types))
    wrapped = tuple(
        Assign(name(f"other{n}"), None, subscript("NotRequired", each))
        for n, each in enumerate(types)
    )
    aliases = [Assign(name(f"Alias{n}"), each, name("TypeAlias")) for n, each in enumerate(types)]
    documented = [
        Assign(name(f"Other{n}"), each, name("TypeAlias"), "What it is.")
        for n, each in enumerate(types)
    ]
    entries = tuple((Const(f"a key {n}"), each) for n, each in enumerate(types))
    functional = Assign(name("Form"), Call(name("TypedDict"), (Const("Form"), Dict(entries))))
    parameters = tuple(
        Parameter(Identifier(f"p{n}"), each, Const(None), keyword_only=n > 4)
        for n, each in enumerate(types)
    )
    function = Function(Identifier("f"), parameters, name("Result"), "", ())
    record = Class(
        Identifier("Record"), (Identifier("TypedDict"),), "A record.", (*fields, *wrapped)
    )
    _formatted(*aliases, *documented, functional, record, function)


@given(st.lists(VALUES, min_size=8, max_size=12))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_values_break_as_the_formatter_breaks_them(values: list[Expression]) -> None:
    assigned = tuple(Assign(name(f"value{n}"), each) for n, each in enumerate(values))
    called = [Call(name("cast"), (Const("Type"), each)) for each in values]
    body = (
        *(Evaluate(each) for each in called),
        If(name("test"), (Raise(called[0]),), (Return(Await(called[1])),)),
        Return(called[2]),
    )
    function = Function(Identifier("f"), (), name("Result"), "Does it.", body, is_async=True)
    _formatted(*assigned, function)


@given(st.integers(20, 86), st.integers(10, 86), st.lists(NAMES, max_size=3).map(tuple))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_calls_with_long_names_before_them_break_as_the_formatter_breaks_them(
    target: int, annotation: int, items: tuple[Expression, ...]
) -> None:
    call = Call(name("ToolDefinition"), items)
    waited = Assign(name("output"), Await(Call(name("called_now"), items)), name("B" * annotation))
    function = Function(Identifier("f"), (), name("Result"), "Does it.", (waited,), is_async=True)
    _formatted(Assign(name("A" * target), call), function)


@given(
    st.sets(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,6}", fullmatch=True), min_size=3, max_size=30)
)
@settings(derandomize=True, max_examples=30, deadline=None)
def test_imports_are_in_the_order_of_isort(found: set[str]) -> None:
    legal = [each for each in sorted(found) if each.isidentifier()]
    pairs = [(".types", each) for each in legal if not iskeyword(each)]
    text = render(Module("", (FUTURE, *grouped([*pairs, ("toolspec.runtime", "Call")]))))
    assert ruff_format(text, "check", "--select=I,RUF022", "--fix-only", "--quiet") == text


def test_the_block_for_checkers_is_left_out_when_empty() -> None:
    assert list(for_checkers(())) == []
