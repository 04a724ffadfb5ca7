"""Model of Python code: the nodes of a generated module before it is rendered.

Every plain `str` here is text of a spec and reaches the code as a literal or a docstring only;
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
    """An identifier used as an expression."""

    id: Identifier


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted type of names only, for one that is not yet defined at run time."""

    type: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A text, number, boolean or None; unlike in Python, `1`, `True` and `1.0` are not equal."""

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
    """`a | b`, with at least two options."""

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
    """A comparison operator, as Python writes it."""

    EQUALS = "=="
    IS = "is"
    IS_NOT = "is not"


Expression: TypeAlias = (
    "Name | Quoted | Const | Dots | Attribute | Subscript | Union | Tuple | List | Dict | Call "
    "| Spread | Await | Test"
)


@dataclass(frozen=True, slots=True)
class Import:
    """`from <dots><path> import <names>`, each name with its alias.

    Empty `names` mean `*`. The `exported` names of a stub are written twice (`a as a`), so that
    others may import them from it.
    """

    path: tuple[Identifier, ...]
    names: tuple[tuple[Identifier, Identifier], ...]
    level: int = 0
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """`target: annotation = value`; only the target is required, and `doc` follows as a string."""

    target: Expression
    value: Expression | None = None
    annotation: Expression | None = None
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; `keyword_only` ones follow a `*`."""

    name: Identifier
    annotation: Expression | None = None
    default: Expression | None = None
    keyword_only: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method; without a body it has its docstring alone, or `...`."""

    name: Identifier
    parameters: tuple[Parameter, ...]
    returns: Expression
    doc: str = ""
    body: tuple[Statement, ...] = ()
    is_async: bool = False


@dataclass(frozen=True, slots=True)
class Class:
    """A class definition."""

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
    """`for _ in (): yield _`: makes a function a generator that yields nothing.

    Type checkers report a bare `yield` after a `raise` as unreachable.
    """


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression statement."""

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
    """A module: its docstring and its statements."""

    doc: str
    body: tuple[Statement, ...]


UNWRITTEN = (Evaluate(Dots()),)
"""Body of a function that is only declared, in a Protocol or in a stub."""
