"""Type expressions of generated Python, and unions without duplicates.

Every name in them is an `Identifier`; text of a spec is in a `Const`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.records import dataclass
from toolspec.targets.python.identifiers import Identifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView

    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.templates import Scalar


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a type."""

    id: Identifier


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted name, for a type that is not yet defined at run time."""

    id: Identifier


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A text, number, boolean or None; unlike in Python, `1`, `True` and `1.0` are not equal."""

    value: Scalar

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and self._typed == other._typed

    def __hash__(self) -> int:
        return hash(self._typed)

    @property
    def _typed(self) -> tuple[type, object]:
        return type(self.value), self.value


@dataclass(frozen=True, slots=True)
class Dots:
    """The ellipsis."""


@dataclass(frozen=True, slots=True)
class Subscript:
    """`base[items]`, with at least one item."""

    base: Identifier
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """`a | b`, with at least two options."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class List:
    """`[a, b]`, the parameters of a `Callable`."""

    items: tuple[Expression, ...]


Expression: TypeAlias = "Name | Quoted | Const | Dots | Subscript | Union | List"


def name(text: str) -> Name:
    """Return a fixed name (never text of a spec) as an expression."""
    return Name(Identifier(text))


OBJECT = name("object")
NEVER = name("Never")
NONE = Const(None)
STRING = name("str")
BYTES = name("bytes")
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
    """Return a flat union without duplicates: one `Literal` for all literals, None last.

    `object` absorbs every other type, and `Never` adds nothing.
    """
    every = list(_flat(options))
    if len(every) == 1:
        return every[0]
    flat = dict.fromkeys(every)
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


@lru_cache(maxsize=128)
def atoms(kinds: tuple[str, ...]) -> Expression | None:
    """Return the type for some JSON Schema types; None if one of them is a container."""
    found = [ATOMS.get(kind) for kind in kinds]
    known = [each for each in found if each is not None]
    return union(known) if known and len(known) == len(found) else None


def kind_of(value: JsonValue) -> str:
    """Return the JSON Schema type of a value; `integer` for a whole number."""
    if isinstance(value, float) and not value.is_integer():
        return "number"
    return _KINDS[type(value)]


def constants(values: Iterable[Scalar]) -> Expression:
    """Return the type of some constants: a `Literal`, but `float` for floats."""
    literals: dict[tuple[type, Scalar], Const] = {}
    options: dict[Expression | None, None] = {}
    for value in values:
        if isinstance(value, float):
            options[ATOMS["number"]] = None
        elif value is None:
            options[NONE] = None
        else:
            literals[type(value), value] = Const(value)
            options[None] = None  # reserves the position of the Literal
    every = Subscript(LITERAL, tuple(literals.values()))
    return union([option or every for option in options])


def names_in(expressions: Iterable[Expression]) -> KeysView[str]:
    """Return every name used in some type expressions, each once."""
    found: dict[str, None] = {}
    # Most are the same few objects.
    pending = list({id(each): each for each in expressions}.values())
    for each in pending:  # grows during iteration
        match each:
            case Name(id=own):
                found[own] = None
            case Subscript(base=base, items=items):
                found[base] = None
                pending += items
            case Union(options=items) | List(items=items):
                pending += items
            case _:
                pass
    return found.keys()


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
