"""Expressions as text, broken over lines exactly as `ruff format` breaks them at 88 columns.

An expression stands flat where that fits; otherwise its outermost bracket opens, with one item a
line and a trailing comma, which the formatter then keeps.
"""

from __future__ import annotations

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
    from toolspec.targets.python.model import Expression, Operator

WIDTH = 88
INDENT = "    "

# An opening, what stands inside, a closing, and whether an only item may have a trailing comma.
_Items: TypeAlias = "tuple[tuple[str, Expression], ...]"
_Bracket: TypeAlias = "tuple[str, _Items, str, bool]"


def flat(expression: Expression) -> str:
    """Return an expression on one line."""
    text = within(expression, maxsize)
    assert text is not None
    return text


def within(expression: Expression, room: int) -> str | None:
    """Return an expression on one line if it takes at most so many characters, else None.

    Gives up where the line is full: to lay a table of kilobytes out flat, only to find that it is
    too long, would cost its whole text again at every level.
    """
    match expression:
        case Name(id=name):
            text: str = name
        case Const(value=str() as long) if len(long) > room:
            return None
        case Const(value=constant):
            text = literal(constant)
        case Union(options=options):
            return _joined("", tuple(("", option) for option in options), " | ", "", room)
        case Tuple(items=(only,)):
            return _joined("(", (("", only),), "", ",)", room)
        case Call() | Subscript() | Tuple() | List() | Dict():
            opening, items, closing, _ = _bracket(expression)
            return _joined(opening, items, ", ", closing, room)
        case Quoted(type=quoted):
            text = f'"{flat(quoted)}"'
        case Dots():
            text = "..."
        case _:
            text = _operation(expression)
    return text if len(text) <= room else None


def _joined(opening: str, items: _Items, between: str, closing: str, room: int) -> str | None:
    parts: list[str] = []
    room -= len(opening) + len(closing) + len(between) * (len(items) - 1)
    for label, item in items:
        room -= len(label)
        text = within(item, room)
        if text is None:
            return None
        room -= len(text)
        parts.append(label + text)
    return f"{opening}{between.join(parts)}{closing}" if room >= 0 else None


def _operation(expression: Attribute | Await | Spread | Test) -> str:
    match expression:
        case Attribute(value=value, name=name):
            return f"{flat(value)}.{name}"
        case Await(value=value):
            return f"await {flat(value)}"
        case Spread(value=value):
            return f"*{flat(value)}"
        case Test(left=left, operator=operator, right=right):
            return f"{flat(left)} {_word(operator)} {flat(right)}"


def broken(expression: Expression, indent: str, before: int, after: int) -> str:
    """Return an expression that starts in column `before` and has `after` characters behind it.

    Lines past the first are indented by at least `indent`.
    """
    text = within(expression, WIDTH - before - after)
    if text is not None:
        return text
    match expression:
        case Union(options=options):
            return _alternatives(options, indent, before, after)
        case Await(value=value):
            return f"await {broken(value, indent, before + len('await '), after)}"
        case Call() | Subscript() | Tuple() | List() | Dict():
            return _opened(expression, indent) or flat(expression)
        case _:
            return flat(expression)


def parenthesised(expression: Expression, indent: str, before: int, after: int) -> str:
    """Return the same for a place outside brackets: a union too long for its line gets some."""
    if not isinstance(expression, Union) or within(expression, WIDTH - before - after) is not None:
        return broken(expression, indent, before, after)
    deeper = indent + INDENT
    return f"(\n{deeper}{broken(expression, deeper, len(deeper), 0)}\n{indent})"


def _alternatives(options: tuple[Expression, ...], indent: str, before: int, after: int) -> str:
    first, *rest = options
    lines = [broken(first, indent, before, 0)]
    for number, option in enumerate(rest, 2):
        behind = after if number == len(options) else 0
        lines.append(f"{indent}| {broken(option, indent, len(indent) + 2, behind)}")
    return "\n".join(lines)


def _opened(expression: Call | Subscript | Tuple | List | Dict, indent: str) -> str:
    opening, items, closing, may_trail = _bracket(expression)
    if not items:
        return ""
    deeper = indent + INDENT
    comma = "," if may_trail or len(items) > 1 else ""
    lines = [opening]
    for label, item in items:
        text = broken(item, deeper, len(deeper) + len(label), len(comma))
        lines.append(f"{deeper}{label}{text}{comma}")
    lines.append(f"{indent}{closing}")
    return "\n".join(lines)


def _bracket(expression: Call | Subscript | Tuple | List | Dict) -> _Bracket:
    """Return what an expression with brackets consists of."""
    match expression:
        case Subscript(base=base, items=items):
            inside = items or (Tuple(()),)
            return f"{base}[", tuple(("", item) for item in inside), "]", False
        case Tuple(items=items):
            return "(", tuple(("", item) for item in items), ")", True
        case List(items=items):
            return "[", tuple(("", item) for item in items), "]", True
        case Dict(entries=entries):
            return "{", tuple((_key(key), value) for key, value in entries), "}", True
        case Call(function=function, positional=positional, keywords=keywords):
            named = tuple((f"{name}=", value) for name, value in keywords)
            plain = tuple(("", item) for item in positional)
            return f"{flat(function)}(", (*plain, *named), ")", True


def _key(key: Expression | None) -> str:
    return "**" if key is None else f"{flat(key)}: "


def _word(operator: Operator) -> str:
    if operator.membership:
        return "not in" if operator.negated else "in"
    return "is not" if operator.negated else "is"
