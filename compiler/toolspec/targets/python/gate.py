"""Gate for templates of users: parses the code, and reads back every value that a template wrote.

Each value has to be one whole constant, exactly where it was written. So no text of a spec is code,
whatever a template does with it; `decisions/0011-the-gate-reads-back.md` has the reasons. For the
built-in templates, `literal_scan.py` proves the same without parsing.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.targets.templates import Rendered

_NO_NUMBER = object()
# Parts of a tree that have no constant in them, and are most of its parts.
_CHILDLESS = frozenset({str, int, type(None), ast.Name, ast.Load, ast.Store})


def is_safe(rendered: Rendered) -> bool:
    """Return whether Python reads the values of a text, and nothing else, where they were written."""
    if "\r" in rendered.text:  # a line end for Python alone
        return False
    try:
        return _first_misread(rendered) is None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def find_cause(rendered: Rendered) -> int:
    """Return the number of the value that makes a text unsafe, as far as Python says."""
    try:
        return _first_misread(rendered) or 0
    except SyntaxError as error:
        before = rendered.text.split("\n")[: error.lineno or 1]
        end = sum(len(line) + 1 for line in before)
        return max(0, sum(offset < end for offset in rendered.offsets) - 1)
    except (ValueError, RecursionError, MemoryError):
        return 0


def _first_misread(rendered: Rendered) -> int | None:
    """Return the number of the first value that is no whole constant; None if all are.

    Raises SyntaxError, ValueError, RecursionError or MemoryError if Python cannot read the text.
    """
    found = _constants(rendered.text)
    starts = [start for start, _ in found]
    for number, (start, end, values) in enumerate(tuple(_spans(rendered))):
        inside = found[bisect_left(starts, start) : bisect_left(starts, end)]
        if len(inside) != len(values) or not all(
            _is_same(value, wanted) for (_, value), wanted in zip(inside, values, strict=True)
        ):
            return number
    return None


def _spans(rendered: Rendered) -> Iterator[tuple[int, int, tuple[object, ...]]]:
    """Yield start, end and values of each code with values, in bytes of UTF-8."""
    text, is_ascii = rendered.text, rendered.text.isascii()
    last = start = 0
    for offset, code in zip(rendered.offsets, rendered.codes, strict=True):
        start += offset - last if is_ascii else len(text[last:offset].encode())
        last = offset
        yield start, start + (len(code) if is_ascii else len(code.encode())), code.values


def _constants(text: str) -> list[tuple[int, object]]:
    """Return the constants of a module with their offsets in UTF-8, in order.

    Those inside of f-strings are left out: a part of a text is no whole constant.
    """
    lines = text.encode().split(b"\n")
    line_starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found: list[tuple[int, object]] = []
    pending: list[ast.AST | str | None] = [ast.parse(text)]
    for node in pending:  # grows during iteration
        match node:
            case ast.Constant(value=value):
                found.append((line_starts[node.lineno - 1] + node.col_offset, value))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
                negated: object = _NO_NUMBER
                if isinstance(value, int | float) and not isinstance(value, bool):
                    negated = -value
                found.append((line_starts[node.lineno - 1] + node.col_offset, negated))
            case ast.JoinedStr() | str() | None:
                pass
            case _:
                for field in node._fields:
                    child = getattr(node, field)
                    if type(child) is list:
                        pending += child
                    elif type(child) not in _CHILDLESS:
                        pending.append(child)
    found.sort(key=_offset)
    return found


def _offset(constant: tuple[int, object]) -> int:
    return constant[0]


def _is_same(found: object, wanted: object) -> bool:
    """Return whether two constants are the same in type and value, including the sign of zero."""
    if type(found) is not type(wanted) or found != wanted:
        return False
    return type(wanted) is not float or repr(found) == repr(wanted)
