"""Position of the body of a class or an `if`: on separate lines, or after the colon."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.usercode.python_file import PythonFile

# Text between a header and its colon, and between the colon and the body, in small pieces.
_COLON = re.compile(r"(?:#[^\r\n]*|[^:#])*")
_GAP = re.compile(r"#[^\r\n]*|\\(?:\r\n|\r|\n)")
_COMMENT_LINES = re.compile(r"(?:[ \t\f]*(?:\r\n|\r|\n))*([ \t]+)#[^\r\n]*(?:\r\n|\r|\n|\Z)")


def body_start(file: PythonFile, body: list[ast.stmt]) -> int:
    """Return the offset of a body's first character, that of a decorator included."""
    first = body[0]
    if isinstance(first, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        decorators = first.decorator_list
        if decorators:
            return file.text.rindex("@", 0, file.start(decorators[0]))
    return file.start(first)


def is_inline(file: PythonFile, node: ast.ClassDef | ast.If) -> int | None:
    """Return the offset past the colon if the body is on the colon's line, else None."""
    header = _COLON.match(file.text, _header_end(file, node))
    colon = header.end() + 1 if header else 0
    gap = _GAP.sub("", file.text[colon : body_start(file, node.body)])
    return None if "\n" in gap or "\r" in gap else colon


def past(file: PythonFile, statement: ast.stmt) -> int:
    """Return the offset past the line in which a statement ends."""
    return file.line_tail(file.end(statement))


def past_comments(file: PythonFile, offset: int, margin: str) -> int:
    """Return the offset past the comments that follow a block and are indented like it."""
    while True:
        comments = _COMMENT_LINES.match(file.text, offset)
        if comments is None or not comments[1].startswith(margin):
            return offset
        offset = comments.end()


def _header_end(file: PythonFile, node: ast.ClassDef | ast.If) -> int:
    """Return an offset between the last inner colon of a header and the colon that ends it."""
    if isinstance(node, ast.If):
        return file.end(node.test)
    parts = [*node.bases, *(keyword.value for keyword in node.keywords)]
    ends = [file.end(part) for part in parts]
    ends += [file.end(parameter) for parameter in getattr(node, "type_params", ())]
    return max(ends, default=file.start(node))
