"""Type expressions: the few names they are made of, and unions without repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.model import Call, Const, Dict, Name, Subscript, Union

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.python.model import Expression

Scalar: TypeAlias = "str | int | float | bool | None"


def name(text: str) -> Name:
    """Return a name of ours as an expression."""
    return Name(Identifier(text))


OBJECT = name("object")
NEVER = name("Never")
NONE = Const(None)
STRING = name("str")
ATOMS: dict[str, Expression] = {
    "string": STRING,
    "integer": name("int"),
    "number": name("float"),
    "boolean": name("bool"),
    "null": NONE,
}
_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "integer",
    str: "string",
    list: "array",
    dict: "object",
}
LITERAL = Identifier("Literal")


def subscript(base: str, *items: Expression) -> Subscript:
    """Return `base[items]`."""
    return Subscript(Identifier(base), items)


def union(options: Iterable[Expression]) -> Expression:
    """Return the union: flat, nothing twice, the Literals in one, None last.

    `object` takes everything in, and `Never` adds nothing.
    """
    flat = dict.fromkeys(_flat(options))
    if OBJECT in flat:
        return OBJECT
    literals = dict.fromkeys(_literals(flat))
    kept: list[Expression] = []
    has_literal = False
    for option in flat:
        if _is_literal(option):
            if not has_literal:
                kept.append(Subscript(LITERAL, tuple(literals)))
            has_literal = True
        elif option not in (NEVER, NONE):
            kept.append(option)
    if NONE in flat:
        kept.append(NONE)
    if len(kept) > 1:
        return Union(tuple(kept))
    return kept[0] if kept else NEVER


def kind_of(value: JsonValue) -> str:
    """Return the JSON Schema type of a value; `integer` for a whole number."""
    if isinstance(value, float) and not value.is_integer():
        return "number"
    return _KINDS[type(value)]


def constants(values: Iterable[Scalar]) -> Expression:
    """Return the type of some values: Literals, but for floats, which Literal does not take."""
    literals: dict[Const, None] = {}
    options: dict[Expression | None, None] = {}
    for value in values:
        if isinstance(value, float):
            options[ATOMS["number"]] = None
        elif value is None:
            options[NONE] = None
        else:
            literals[Const(value)] = None
            options[None] = None  # the place of all Literals
    every = Subscript(LITERAL, tuple(literals))
    return union(option or every for option in options)


def names_in(expression: Expression) -> Iterator[str]:
    """Yield every name that an expression of types uses."""
    match expression:
        case Name(id=found):
            yield found
        case Union(options=items):
            for item in items:
                yield from names_in(item)
        case Subscript(base=base, items=items):
            yield base
            for item in items:
                yield from names_in(item)
        case Call(function=function, positional=items):
            for item in (function, *items):
                yield from names_in(item)
        case Dict(entries=entries):
            for _, item in entries:
                yield from names_in(item)
        case _:
            return


def _flat(options: Iterable[Expression]) -> Iterator[Expression]:
    for option in options:
        if isinstance(option, Union):
            yield from option.options
        else:
            yield option


def _is_literal(option: Expression) -> bool:
    return isinstance(option, Subscript) and option.base == LITERAL


def _literals(options: Iterable[Expression]) -> Iterator[Const]:
    for option in options:
        if isinstance(option, Subscript) and option.base == LITERAL:
            yield from (item for item in option.items if isinstance(item, Const))
