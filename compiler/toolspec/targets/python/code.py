"""Python code for templates: literals, docstrings and types, each with the values in it.

A type is written on one line if it fits; otherwise its outermost bracket is opened, with one item a
line and a trailing comma, as `ruff format` does at 88 columns.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from toolspec.sinks.python import docstring, literal
from toolspec.targets.python.expressions import (
    Const,
    Dots,
    List,
    Name,
    Quoted,
    Subscript,
    Union,
)
from toolspec.targets.python.literal_scan import read_text
from toolspec.targets.templates import Code, SpecCode

if TYPE_CHECKING:
    from toolspec.targets.python.expressions import Expression
    from toolspec.targets.templates import Constant, Scalar

WIDTH = 88
INDENT = "    "

Value: TypeAlias = "Scalar | tuple[Value, ...]"
_Leaf: TypeAlias = "Const | Dots | Quoted"


def escape(value: object) -> Code:
    """Return a value as a Python literal. Raises TypeError for one that has none."""
    if isinstance(value, str):
        return SpecCode(literal(value), (value,))
    if value is None or isinstance(value, (int, float)):
        return SpecCode(literal(value), (value,))
    if isinstance(value, tuple):
        return nested(value)
    message = f"a {type(value).__name__} is neither code nor a value"
    raise TypeError(message)


def nested(value: Value, indent: int = 0, before: int = 0) -> Code:
    """Return tuples of values as code from column `before`, one item a line if they do not fit."""
    if not isinstance(value, tuple):
        return escape(value)
    flat_items = [nested(item) for item in value]
    values = tuple(each for item in flat_items for each in item.values)
    text = f"({', '.join(flat_items)}{',' if len(value) == 1 else ''})"
    if before + len(text) < WIDTH:
        return SpecCode(text, values)
    deeper = indent + len(INDENT)
    lines = "".join(f"{' ' * deeper}{nested(item, deeper, deeper)},\n" for item in value)
    return SpecCode(f"(\n{lines}{' ' * indent})", values)


@lru_cache(maxsize=256)
def doc(text: str, indent: int = 0) -> Code:
    """Return a docstring with its later lines indented.

    Kept for the methods of a tool, which have the same one in handlers and clients.
    """
    written = docstring(text, " " * indent)
    return SpecCode(written, (_text_of(written),))


def _text_of(written: str) -> str | None:
    """Return the text of a docstring alone; None, which the gate refuses, if it is more than one."""
    return read_text(written) if "\\" in written else written[3:-3]


def flat(kind: Expression) -> str:
    """Return a type on one line."""
    return _written(kind, [])


def flat_code(kind: Expression) -> Code:
    """Return a type on one line, with its values."""
    if isinstance(kind, Name):
        return kind.id
    constants: list[_Leaf] = []
    text = _written(kind, constants)
    # Without a text or number of a spec in it, the code is the compiler's own.
    if any(isinstance(each, Const) and each.value is not None for each in constants):
        return SpecCode(text, tuple(map(_constant, constants)))
    return Code(text)


def _written(kind: Expression, constants: list[_Leaf]) -> str:  # noqa: PLR0911 - one for each kind
    """Return a type on one line; add its constants, in order, to a list."""
    match kind:  # the most frequent kinds first
        case Name(id=own):
            return own
        case Subscript(base=base, items=items):
            return f"{base}[{', '.join([_written(item, constants) for item in items])}]"
        case Const(value=value):
            constants.append(kind)
            return literal(value)
        case Union(options=options):
            return " | ".join([_written(option, constants) for option in options])
        case Quoted(id=own):
            constants.append(kind)
            return f'"{own}"'
        case List(items=items):
            return f"[{', '.join([_written(item, constants) for item in items])}]"
        case Dots():
            constants.append(kind)
            return "..."


def type_code(
    kind: Expression, indent: int = 0, before: int = 0, after: int = 0, *, bare: bool = True
) -> Code:
    """Return a type that starts in column `before` and has `after` characters behind it.

    Outside of brackets (`bare`), a union that does not fit is parenthesized.
    """
    code = flat_code(kind)
    if before + len(code) + after <= WIDTH:
        return code
    if bare and isinstance(kind, Union):
        deeper = indent + len(INDENT)
        text = f"(\n{' ' * deeper}{_broken(kind, deeper, deeper, 0)}\n{' ' * indent})"
    else:
        text = _broken(kind, indent, before, after)
    return SpecCode(text, code.values)


def _broken(kind: Expression, indent: int, before: int, after: int) -> str:
    """Return a type inside of brackets; lines past the first are indented by at least `indent`."""
    text = flat(kind)
    if before + len(text) + after <= WIDTH:
        return text
    pad = " " * indent
    match kind:
        case Union(options=(first, *rest)):
            lines = [_broken(first, indent, before, 0)]
            lines += [f"{pad}| {_broken(each, indent, indent + 2, 0)}" for each in rest[:-1]]
            lines.append(f"{pad}| {_broken(rest[-1], indent, indent + 2, after)}")
            return "\n".join(lines)
        case Subscript(base=base, items=items):
            # A comma behind the only item of a subscript would make it a tuple.
            return _listed(f"{base}[", items, indent, "," if len(items) > 1 else "")
        case List(items=items) if items:
            return _listed("[", items, indent, ",")
        case _:
            return text


def _listed(opening: str, items: tuple[Expression, ...], indent: int, comma: str) -> str:
    deeper = indent + len(INDENT)
    lines = [
        f"{' ' * deeper}{_broken(item, deeper, deeper, len(comma))}{comma}\n" for item in items
    ]
    return f"{opening}\n{''.join(lines)}{' ' * indent}]"


def _constant(kind: _Leaf) -> Constant:
    match kind:
        case Const(value=value):
            return value
        case Quoted(id=own):
            return str(own)
        case Dots():
            return ...
