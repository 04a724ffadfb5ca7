"""Scan of the literals in generated code: each value of a spec is one whole Python literal.

It proves for the built-in templates, whose own text the tests parse, what `gate.py` proves by
parsing for templates of users; `decisions/0011-the-gate-reads-back.md` has the reasons.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.targets.templates import Code, Constant, Rendered

_ESCAPE = r"""\\(?:[\\nrt"']|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})"""
_DOCSTRING = rf'"""[^"\\]*(?:(?:{_ESCAPE}|"(?!""))[^"\\]*)*"""'
_TEXT = rf""""[^"\\\n]*(?:{_ESCAPE}[^"\\\n]*)*"|'[^'\\\n]*(?:{_ESCAPE}[^'\\\n]*)*'"""
_CONSTANT = rf"{_TEXT}|-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?|\.\.\.|(?:None|True|False)\b"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
_ONE_TEXT = re.compile(f"{_DOCSTRING}|{_TEXT}")
_OPERAND = re.compile(f"({_CONSTANT})|{_NAME}")
# Between two operands is a bracket, a comma or a bar: two texts in a row would be one for Python,
# and a name before a text a prefix.
_MARKS = r"(?:[\[\](),|][ \n]*)"
_OPERANDS = re.compile(rf"{_MARKS}*(?:(?:{_CONSTANT}|{_NAME})[ \n]*(?:{_MARKS}+|\Z))*")


def is_exact(rendered: Rendered) -> bool:
    """Return whether each code of a text is its values and nothing else.

    Such a code is one literal, or literals and names with brackets, commas and bars between them.
    """
    # Python reads a carriage return as a line end, and nothing behind a NUL.
    is_readable = "\r" not in rendered.text and "\0" not in rendered.text
    return is_readable and all(map(_is_exact, rendered.codes))


def _is_exact(code: Code) -> bool:
    values = code.values
    if len(values) == 1 and isinstance(values[0], str) and code.startswith(('"', "'")):
        return _is_text(code, values[0])
    if not _OPERANDS.fullmatch(code):
        return False
    constants = [constant for constant in _OPERAND.findall(code) if constant]
    return len(constants) == len(values) and all(map(_is_constant, constants, values))


def _is_text(code: str, value: str) -> bool:
    """Return whether a code is one literal of a text; most have no escapes."""
    quote = '"""' if code.startswith('"""') else code[0]
    body = code[len(quote) : -len(quote)]
    if code == f"{quote}{body}{quote}" and quote not in body:
        if quote == '"""':
            is_plain = "\\" not in body and not body.endswith('"')
        else:
            is_plain = "\n" not in body and "\\" not in body.replace("\\\\", "")
        if is_plain:
            return body.replace("\\\\", "\\") == value
    return bool(_ONE_TEXT.fullmatch(code)) and read_text(code) == value


def read_text(code: str) -> str | None:
    """Return the text of one Python literal; None for any other code.

    `ast.literal_eval` leaves a cycle of functions, with the tree, to the garbage collector, which
    a compile does not run.
    """
    try:
        expression = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    value = expression.value if isinstance(expression, ast.Constant) else None
    return value if isinstance(value, str) else None


def _is_constant(constant: str, value: Constant) -> bool:
    """Return whether a literal is a value of the same type, including the sign of zero."""
    if isinstance(value, str):
        return constant.startswith(('"', "'")) and _is_text(constant, value)
    if type(value) is float:
        # Without a point or an exponent it is an integer for Python.
        return not constant.lstrip("-").isdecimal() and repr(float(constant)) == repr(value)
    return constant == ("..." if value is ... else repr(value))
