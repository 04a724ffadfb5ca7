"""Layout of expressions: line breaks exactly as `ruff format` makes them at 88 columns.

An expression is written on one line if it fits; otherwise its outermost bracket is opened, with one
item a line and a trailing comma, which the formatter then keeps.
"""

from __future__ import annotations

from itertools import repeat
from sys import maxsize
from typing import TYPE_CHECKING, TypeAlias

from toolspec.sinks.python import literal
from toolspec.targets.python.model import (
    Attribute,
    Await,
    Call,
    Const,
    Dict,
    Dots,
    List,
    Name,
    Quoted,
    Spread,
    Subscript,
    Test,
    Tuple,
    Union,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.targets.python.model import Expression

WIDTH = 88
INDENT = "    "

# An opening, the items, the label before each of them, and a closing.
_Bracket: TypeAlias = "tuple[str, tuple[Expression, ...], Iterable[str], str]"
_NO_LABELS = repeat("")


def flat(expression: Expression) -> str:
    """Return an expression on one line."""
    text = within(expression, maxsize)
    assert text is not None
    return text


def within(expression: Expression, room: int) -> str | None:
    """Return an expression on one line if it takes at most `room` characters, else None.

    Stops once the line is full: laying out a table of kilobytes flat at every level, only to find
    it too long, would cost its whole text each time.
    """
    return _WITHIN[type(expression)](expression, room)


def _name(expression: Name, room: int) -> str | None:
    text = expression.id
    return text if len(text) <= room else None


def _const(expression: Const, room: int) -> str | None:
    value = expression.value
    if isinstance(value, str) and len(value) > room:
        return None
    text = literal(value)
    return text if len(text) <= room else None


def _union(expression: Union, room: int) -> str | None:
    return _joined(("", expression.options, _NO_LABELS, ""), " | ", room)


def _tuple(expression: Tuple, room: int) -> str | None:
    closing = ",)" if len(expression.items) == 1 else ")"
    return _joined(("(", expression.items, _NO_LABELS, closing), ", ", room)


def _subscript(expression: Subscript, room: int) -> str | None:
    if len(expression.items) != 1:
        return _bracketed(expression, room)
    base, (item,) = expression.base, expression.items
    text = _WITHIN[type(item)](item, room - len(base) - len("[]"))
    return None if text is None else f"{base}[{text}]"


def _bracketed(expression: Call | Subscript | List | Dict, room: int) -> str | None:
    return _joined(_bracket(expression), ", ", room)


def _joined(bracket: _Bracket, between: str, room: int) -> str | None:
    opening, items, labels, closing = bracket
    room -= len(opening) + len(closing) + len(between) * (len(items) - 1)
    parts: list[str] = []
    for item, label in zip(items, labels, strict=False):  # labels may be infinite
        room -= len(label)
        text = _WITHIN[type(item)](item, room)
        if text is None:
            return None
        room -= len(text)
        parts.append(label + text)
    return f"{opening}{between.join(parts)}{closing}" if room >= 0 else None


def _operation(
    expression: Attribute | Await | Dots | Quoted | Spread | Test, room: int
) -> str | None:
    text = _operated(expression)
    return text if len(text) <= room else None


def _operated(expression: Attribute | Await | Dots | Quoted | Spread | Test) -> str:
    match expression:
        case Attribute(value=value, name=name):
            return f"{flat(value)}.{name}"
        case Await(value=value):
            return f"await {flat(value)}"
        case Dots():
            return "..."
        case Quoted(type=quoted):
            return f'"{flat(quoted)}"'
        case Spread(value=value):
            return f"*{flat(value)}"
        case Test(left=left, operator=operator, right=right):
            return f"{flat(left)} {operator.value} {flat(right)}"


_WITHIN: dict[type, Callable[..., str | None]] = {
    Name: _name,
    Const: _const,
    Union: _union,
    Tuple: _tuple,
    Call: _bracketed,
    Subscript: _subscript,
    List: _bracketed,
    Dict: _bracketed,
    Attribute: _operation,
    Await: _operation,
    Dots: _operation,
    Quoted: _operation,
    Spread: _operation,
    Test: _operation,
}


def broken(expression: Expression, indent: str, before: int, after: int) -> str:
    """Return an expression that starts in column `before` and has `after` characters behind it.

    Lines past the first are indented by at least `indent`.
    """
    text = within(expression, WIDTH - before - after)
    return _opened(expression, indent, before, after) if text is None else text


def parenthesised(expression: Expression, indent: str, before: int, after: int) -> str:
    """Return the same outside of brackets: a union that is too long is parenthesized."""
    text = within(expression, WIDTH - before - after)
    if text is not None:
        return text
    if not isinstance(expression, Union):
        return _opened(expression, indent, before, after)
    deeper = indent + INDENT
    return f"(\n{deeper}{broken(expression, deeper, len(deeper), 0)}\n{indent})"


def head_of(expression: Expression) -> str:
    """Return the part that always stays on the first line; empty where that is short."""
    match expression:
        case Name(id=own):
            return own
        case Await(value=value):
            return f"await {head_of(value)}"
        case Call(function=function):
            return f"{flat(function)}("
        case _:
            return ""


def _opened(expression: Expression, indent: str, before: int, after: int) -> str:
    """Return an expression that does not fit on its line, opened."""
    match expression:
        case Union(options=options):
            return _alternatives(options, indent, before, after)
        case Await(value=value):
            return f"await {broken(value, indent, before + len('await '), after)}"
        case Call() | Subscript() | Tuple() | List() | Dict():
            return _listed(expression, indent) or flat(expression)
        case _:
            return flat(expression)


def _alternatives(options: tuple[Expression, ...], indent: str, before: int, after: int) -> str:
    first, *rest = options
    lines = [broken(first, indent, before, 0)]
    for number, option in enumerate(rest, 2):
        behind = after if number == len(options) else 0
        lines.append(f"{indent}| {broken(option, indent, len(indent) + 2, behind)}")
    return "\n".join(lines)


def _listed(expression: Call | Subscript | Tuple | List | Dict, indent: str) -> str:
    opening, items, labels, closing = _bracket(expression)
    if not items:
        return ""
    deeper = indent + INDENT
    # A comma behind the only item of a subscript would make it a tuple.
    comma = "," if len(items) > 1 or not isinstance(expression, Subscript) else ""
    lines = [opening]
    for item, label in zip(items, labels, strict=False):  # labels may be infinite
        text = broken(item, deeper, len(deeper) + len(label), len(comma))
        lines.append(f"{deeper}{label}{text}{comma}")
    lines.append(f"{indent}{closing}")
    return "\n".join(lines)


def _bracket(expression: Call | Subscript | Tuple | List | Dict) -> _Bracket:
    """Return opening, items, labels and closing of a bracketed expression."""
    match expression:
        case Subscript(base=base, items=items):
            return f"{base}[", items or (Tuple(()),), _NO_LABELS, "]"
        case Tuple(items=items):
            return "(", items, _NO_LABELS, ")"
        case List(items=items):
            return "[", items, _NO_LABELS, "]"
        case Dict(entries=entries):
            keys = [_key(key) for key, _ in entries]
            return "{", tuple(value for _, value in entries), keys, "}"
        case Call(function=function, positional=positional, keywords=keywords):
            labels = ["" for _ in positional] + [f"{name}=" for name, _ in keywords]
            items = (*positional, *(value for _, value in keywords))
            return f"{flat(function)}(", items, labels, ")"


def _key(key: Expression | None) -> str:
    return "**" if key is None else f"{flat(key)}: "
