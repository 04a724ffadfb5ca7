"""Parsed Python file of a user: text, syntax tree, offsets, and positions of bodies."""

from __future__ import annotations

import ast
import platform
import re
import warnings
from functools import cached_property
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.shared.records import dataclass, field
from toolspec.source import SourceFile
from toolspec.usercode import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.source import Span

# Line ends in Python; `SourceFile` knows LF only, as YAML and JSON do.
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class PythonFile:
    """A parsed file. `text` has no byte order mark; `mark` is the one it had, or empty."""

    source: SourceFile
    tree: ast.Module = field(repr=False)
    mark: str = ""

    @property
    def text(self) -> str:
        """The text that the tree was parsed from."""
        return self.source.text

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset at which each line begins, as Python counts lines."""
        return (0, *(ending.end() for ending in _LINE_END.finditer(self.text)))

    @cached_property
    def line_end(self) -> str:
        """The line end of the first line; LF in a file of one line."""
        ending = _LINE_END.search(self.text)
        return ending.group() if ending else "\n"

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a tree's position: a line from 1, and a column in UTF-8 bytes."""
        start = self.starts[line - 1]
        following = self.text[start : start + column]
        if following.isascii():
            return start + len(following)
        # No character takes less than a byte, so the slice contains at least these bytes.
        return start + len(following.encode("utf-8")[:column].decode("utf-8"))

    def start(self, node: ast.stmt | ast.expr | ast.alias | ast.arg) -> int:
        """Return the offset of a node's first character."""
        return self.offset(node.lineno, node.col_offset)

    def end(self, node: ast.stmt | ast.expr | ast.alias | ast.arg) -> int:
        """Return the offset just past a node."""
        line, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self.offset(line, column)

    def span(self, node: ast.expr | ast.alias | ast.arg) -> Span:
        """Return the span of an expression, a parameter or an imported name."""
        return self.source.span(self.start(node), self.end(node))

    def name_span(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Span:
        """Return the span of a class's or function's name, after `class`, `def` or `async def`."""
        start = self.start(node)
        pattern = re.compile(rf"(?:async|def|class|[\s\\])+({re.escape(node.name)})\b")
        name = pattern.match(self.text, start)
        return self.source.span(*name.span(1)) if name else self.source.span(start, start)

    def line_tail(self, offset: int) -> int:
        """Return the offset past the end of the logical line in which a statement ends.

        Only blanks, semicolons, a comment and continuations can follow the last statement of a
        line.
        """
        while True:
            ending = _LINE_END.search(self.text, offset)
            if ending is None:
                return len(self.text)
            tail = self.text[offset : ending.start()]
            offset = ending.end()
            if "#" in tail or not tail.endswith("\\"):
                return offset


def read_python(path: str, data: bytes) -> Checked[PythonFile | None]:
    """Return a parsed file; None with a diagnostic if it is not UTF-8 or not Python.

    The file is only parsed, never run.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"byte {error.start + 1} is not UTF-8"
        return _refused(SourceFile(path, ""), 0, reason)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    source = SourceFile(path, text.removeprefix(mark))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a user's odd escape sequence is not reported here
            tree = ast.parse(source.text)
    except SyntaxError as error:
        return _refused(source, _fault(source, error), error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return _refused(source, 0, str(error) or "it nests too deeply")
    return Checked(PythonFile(source, tree, mark))


def _fault(source: SourceFile, error: SyntaxError) -> int:
    """Return the offset of a syntax error, which counts columns from 1, in characters."""
    line = min(max(error.lineno or 1, 1), len(source.line_starts))
    column = max((error.offset or 1) - 1, 0)
    return min(source.line_starts[line - 1] + column, len(source.text))


def _refused(source: SourceFile, offset: int, reason: str) -> Checked[PythonFile | None]:
    version = ".".join(platform.python_version_tuple()[:2])
    where = source.span(offset, min(offset + 1, len(source.text)))
    diagnostic = kinds.SYNTAX.at(where, path=source.path, reason=reason, version=version)
    return Checked(None, (diagnostic,))


def same_program(left: ast.AST, right: ast.AST) -> bool:
    """Return whether two trees are equal except for positions, at any depth."""
    pending: list[tuple[object, object]] = [(left, right)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST):
            pending.extend((getattr(one, field), getattr(other, field)) for field in one._fields)
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif one != other:
            return False
    return True


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of one scope in order, including those in `if`, `try` and loops."""
    pending = body[::-1]
    while pending:
        statement = pending.pop()
        yield statement
        if not isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            pending.extend(reversed(list(_inside(statement))))


def _inside(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the direct children of a statement; each `elif` is a child of the one before."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for item in getattr(statement, name, ()):
            if isinstance(item, (ast.ExceptHandler, ast.match_case)):
                yield from item.body
            else:
                yield item


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
