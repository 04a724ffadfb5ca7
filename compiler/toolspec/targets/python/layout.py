"""Expressions as text, broken over lines exactly as `ruff format` breaks them at 88 columns.

An expression stands flat where that fits; otherwise its outermost bracket opens, with one item a
line and a trailing comma, which the formatter then keeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.targets.python.literals import literal
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
_Bracket: TypeAlias = "tuple[str, tuple[tuple[str, Expression], ...], str, bool]"


def flat(expression: Expression) -> str:
    """Return an expression on one line."""
    match expression:
        case Name(id=name):
            text: str = name
        case Quoted(type=quoted):
            text = f'"{flat(quoted)}"'
        case Const(value=constant):
            text = literal(constant)
        case Dots():
            text = "..."
        case Union(options=options):
            text = " | ".join(map(flat, options))
        case Tuple(items=(only,)):
            text = f"({flat(only)},)"
        case Call() | Subscript() | Tuple() | List() | Dict():
            opening, items, closing, _ = _bracket(expression)
            inside = ", ".join([f"{label}{flat(item)}" for label, item in items])
            text = f"{opening}{inside}{closing}"
        case _:
            text = _operation(expression)
    return text


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
    text = flat(expression)
    if before + len(text) + after <= WIDTH:
        return text
    match expression:
        case Union(options=options):
            return _alternatives(options, indent, before, after)
        case Await(value=value):
            return f"await {broken(value, indent, before + len('await '), after)}"
        case Call() | Subscript() | Tuple() | List() | Dict():
            return _opened(expression, indent) or text
        case _:
            return text


def parenthesised(expression: Expression, indent: str, before: int, after: int) -> str:
    """Return the same for a place outside brackets: a union too long for its line gets some."""
    text = flat(expression)
    if not isinstance(expression, Union) or before + len(text) + after <= WIDTH:
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
