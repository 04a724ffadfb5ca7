"""Gate for templates of users: compiles the code, and reads back every value that a template wrote.

Each value has to be one whole constant, exactly where it was written. So no text of a spec is code,
whatever a template does with it; `decisions/0011-the-gate-reads-back.md` has the reasons. For the
built-in templates, `literal_scan.py` proves the same without parsing.
"""

from __future__ import annotations

import ast
import warnings
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.targets.templates import Rendered

_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)
_NO_NUMBER = object()
# Parts of a tree that have no constant in them, and are most of its parts.
_CHILDLESS = frozenset({str, int, type(None), ast.Name, ast.Load, ast.Store})


class Problem(NamedTuple):
    """A problem of a module: the value that causes it, by its number, or the Python around values.

    `reason` and `line` are about that Python; `line` has `...` in place of values.
    """

    value: int | None
    reason: str = ""
    line: str = ""


def is_safe(rendered: Rendered) -> bool:
    """Return whether Python reads the values of a text, and nothing else, where they were written."""
    if "\r" in rendered.text:  # a line end for Python alone
        return False
    try:
        return _first_misread(rendered, ast.parse(rendered.text)) is None
    except _UNREADABLE:
        return False


def find_problem(rendered: Rendered) -> Problem | None:
    """Return why Python does not compile a text, or which value it reads as anything else."""
    if "\r" in rendered.text:
        return Problem(None, "it has a carriage return")
    try:
        misread = _first_misread(rendered, _compiled(rendered.text))
    except _UNREADABLE as error:
        return _problem_around_values(rendered) or Problem(_last_value_before(error, rendered))
    return None if misread is None else Problem(misread)


def _compiled(text: str) -> ast.Module:
    """Return the tree of a module, once it compiles. Raises one of `_UNREADABLE`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what a user's template writes is the user's
        tree = ast.parse(text)
        compile(tree, "<template>", "exec", dont_inherit=True)
    return tree


def _problem_around_values(rendered: Rendered) -> Problem | None:
    """Return the problem of a text with a constant in place of each value; None if that compiles."""
    parts: list[str] = []
    last = 0
    for offset, code in zip(rendered.offsets, rendered.codes, strict=True):
        before = rendered.text[last:offset]
        # At the start of a line it may be a docstring, which imports of `__future__` may follow.
        is_first = not before.rpartition("\n")[2].strip()
        parts += (before, '"..."' if is_first else "...")
        last = offset + len(code)
    text = "".join((*parts, rendered.text[last:]))
    try:
        _compiled(text)
    except SyntaxError as error:
        return Problem(None, error.msg, text.split("\n")[(error.lineno or 1) - 1].strip())
    except _UNREADABLE as error:
        return Problem(None, str(error) or type(error).__name__)
    return None


def _last_value_before(error: Exception, rendered: Rendered) -> int:
    """Return the number of the value that Python had read last."""
    line = (error.lineno or 1) if isinstance(error, SyntaxError) else 1
    end = sum(len(each) + 1 for each in rendered.text.split("\n")[:line])
    return max(0, sum(offset < end for offset in rendered.offsets) - 1)


def _first_misread(rendered: Rendered, tree: ast.Module) -> int | None:
    """Return the number of the first value that is no whole constant; None if all are."""
    found = _constants(rendered.text, tree)
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


def _constants(text: str, tree: ast.Module) -> list[tuple[int, object]]:
    """Return the constants of a module with their offsets in UTF-8, in order.

    Those inside of f-strings are left out: a part of a text is no whole constant.
    """
    lines = text.encode().split(b"\n")
    line_starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found: list[tuple[int, object]] = []
    pending: list[ast.AST | str | None] = [tree]
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
