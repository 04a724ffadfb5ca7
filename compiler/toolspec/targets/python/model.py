"""Python code as values: what a generated module consists of, before it is text.

Every plain `str` in here is text of a spec and reaches the code as a literal or a docstring only;
every name is an `Identifier`. The gate relies on that difference and on nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from toolspec.targets.python.identifiers import Identifier


@dataclass(frozen=True, slots=True)
class Name:
    """A name."""

    id: Identifier


@dataclass(frozen=True, slots=True)
class Quoted:
    """A type inside quotes, made of names only: one that is not there yet at run time."""

    type: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A text, number, boolean or None. Python's `1 == True == 1.0` does not hold for these."""

    value: str | float | bool | None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and self._told_apart == other._told_apart

    def __hash__(self) -> int:
        return hash(self._told_apart)

    @property
    def _told_apart(self) -> tuple[type, object]:
        return type(self.value), self.value


@dataclass(frozen=True, slots=True)
class Dots:
    """The ellipsis."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """`value.name`."""

    value: Expression
    name: Identifier


@dataclass(frozen=True, slots=True)
class Subscript:
    """`base[items]`; no items is `base[()]`."""

    base: Identifier
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """`a | b`, at least two."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Tuple:
    """`(a, b)`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class List:
    """`[a, b]`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Dict:
    """`{key: value}`; a key of None spreads the value."""

    entries: tuple[tuple[Expression | None, Expression], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """`function(positional, keyword=value)`."""

    function: Expression
    positional: tuple[Expression, ...] = ()
    keywords: tuple[tuple[Identifier, Expression], ...] = ()


@dataclass(frozen=True, slots=True)
class Spread:
    """`*value`, among a call's arguments."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Await:
    """`await value`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Test:
    """`left == right`, `left is not right` …."""

    left: Expression
    operator: Operator
    right: Expression


class Operator(Enum):
    """A comparison, as Python writes it."""

    EQUALS = "=="
    IS = "is"
    IS_NOT = "is not"


Expression: TypeAlias = (
    "Name | Quoted | Const | Dots | Attribute | Subscript | Union | Tuple | List | Dict | Call "
    "| Spread | Await | Test"
)


@dataclass(frozen=True, slots=True)
class Import:
    """`from <dots><path> import <names>`; a name may get another one.

    No names are all that the module lists. Those of a stub that are `exported` are named twice:
    readers of it may import them from there.
    """

    path: tuple[Identifier, ...]
    names: tuple[tuple[Identifier, Identifier], ...]
    level: int = 0
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """`target: annotation = value`, each part but the target optional; `doc` follows as text."""

    target: Expression
    value: Expression | None = None
    annotation: Expression | None = None
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; `keyword_only` ones stand behind a `*`."""

    name: Identifier
    annotation: Expression | None = None
    default: Expression | None = None
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method; a body of nothing is the docstring alone, or `...`."""

    name: Identifier
    parameters: tuple[Parameter, ...]
    returns: Expression
    doc: str = ""
    body: tuple[Statement, ...] = ()
    is_async: bool = False


@dataclass(frozen=True, slots=True)
class Class:
    """A class."""

    name: Identifier
    bases: tuple[Identifier, ...]
    doc: str
    body: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Return:
    """`return value`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Raise:
    """`raise value`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Yield:
    """`for _ in (): yield _`: yields nothing, and makes a function a generator.

    A bare `yield` behind what raises would do, but checkers report it as unreachable.
    """


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression for its effect."""

    value: Expression


@dataclass(frozen=True, slots=True)
class If:
    """`if test: … else: …`."""

    test: Expression
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


Statement: TypeAlias = "Import | Assign | Function | Class | Return | Raise | Yield | Evaluate | If"


@dataclass(frozen=True, slots=True)
class Module:
    """A module: documentation and statements."""

    doc: str
    body: tuple[Statement, ...]


UNWRITTEN = (Evaluate(Dots()),)
"""The body of a function that is declared only: in a Protocol, or in a stub."""
