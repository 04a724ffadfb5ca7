"""The missing methods of a class as edits of its file: insertions alone, every other byte stays."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Subject, TextEdit
from toolspec.handlers import kinds
from toolspec.handlers.blocks import body_start, is_inline, past, past_comments
from toolspec.handlers.compare import to_add
from toolspec.handlers.imports import is_checking
from toolspec.handlers.python_file import read_python, same_program, statements
from toolspec.handlers.stub_text import Indent, renamed, safe_text, stub
from toolspec.handlers.wanted_imports import wanted_imports

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.handlers.classes import HandlerClass
    from toolspec.handlers.needs import Need, Needs
    from toolspec.handlers.python_file import PythonFile
    from toolspec.handlers.wanted_imports import WantedImports


def patched(written: HandlerClass, needs: Needs, package: str) -> Checked[str]:
    """Return the text of a file with the methods that its class lacks; the same where it has all.

    Complains, and returns the text as it was, if the result would not be the same program with some
    methods and imports more.
    """
    file = written.file
    methods = to_add(written, needs)
    if not methods:
        return Checked(file.text)
    imports = wanted_imports(written.names, needs, methods, package)
    try:
        patch = _Patch(written, imports, tuple(methods))
        text = applied(file.text, patch.edits())
        if patch.is_faithful(text):
            return Checked(text)
    except (ValueError, RecursionError):
        pass  # told below, as any other result that is not the file's program
    subject = Subject(service=needs.service.name)
    span = file.name_span(written.node)
    found = kinds.CANNOT_APPLY.at(span, subject=subject, path=file.source.path)
    return Checked(file.text, (found,))


def applied(text: str, edits: Iterable[TextEdit]) -> str:
    """Return a text with edits that do not overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda each: each.span.start):
        parts += (text[at : edit.span.start], edit.new_text)
        at = edit.span.end
    return "".join((*parts, text[at:]))


@dataclass(frozen=True, slots=True)
class _Patch:
    """What is to be added to a file, and where."""

    written: HandlerClass
    imports: WantedImports
    methods: tuple[Need, ...]

    @property
    def file(self) -> PythonFile:
        return self.written.file

    def edits(self) -> Iterator[TextEdit]:
        """Yield the insertions."""
        yield from self._import_edits()
        yield from self._class_edits()

    def is_faithful(self, text: str) -> bool:
        """Whether a text is the same program but for what was to be added."""
        read = read_python(self.file.source.path, text.encode("utf-8")).value
        if read is None:
            return False
        tree = read.tree
        node = _class_of(tree, self.written.node.name)
        del node.body[-len(self.methods) :]
        if self._block() is not None:
            del (_checking(tree, read) or [])[-len(self.imports.for_checkers) :]
        first = self._header()
        del tree.body[first : first + len(self._plain_imports())]
        return same_program(tree, self.file.tree)

    def _insert(self, offset: int, text: str) -> TextEdit:
        return TextEdit(self.file.source.span(offset, offset), text)

    def _block(self) -> list[ast.stmt] | None:
        """Return the body for type checkers that takes further imports; None if there is no need."""
        return _checking(self.file.tree, self.file) if self.imports.for_checkers else None

    def _plain_imports(self) -> tuple[str, ...]:
        """Return the imports for the top of the file: all where no block takes the others."""
        hidden = self.imports.for_checkers if self._block() is None else ()
        return (*self.imports.at_run_time, *hidden)

    def _header(self) -> int:
        """Return how many statements stand before the place for imports: docstring and imports."""
        body = self.file.tree.body
        count = int(ast.get_docstring(self.file.tree, clean=False) is not None)
        while isinstance(body[count], (ast.Import, ast.ImportFrom)):
            count += 1
        return _to_line_end(self.file, body, count)

    def _import_edits(self) -> Iterator[TextEdit]:
        plain, count, file = self._plain_imports(), self._header(), self.file
        body = file.tree.body
        if plain:
            text = "".join(f"{line}\n" for line in plain).replace("\n", file.line_end)
            follows_import = count > 0 and isinstance(body[count - 1], (ast.Import, ast.ImportFrom))
            if count == 0:
                at, text = body_start(file, body), text + file.line_end
            else:
                at = past(file, body[count - 1])
                text = text if follows_import else file.line_end + text
            yield self._insert(at, text)
        block = self._block()
        if block is not None:
            indent = Indent(_margin(file, file.start(block[0])), "    ")
            lines = "\n".join(self.imports.for_checkers)
            text = indent.of(lines, file.line_end)
            yield self._line_after(past(file, block[-1]), text)

    def _class_edits(self) -> Iterator[TextEdit]:
        file, node = self.file, self.written.node
        outer, start = _margin(file, file.start(node)), body_start(file, node.body)
        colon = is_inline(file, node)
        if colon is None:
            inner = _margin(file, start)
        else:
            inner = f"{outer}    "
            yield self._opened(colon, start, inner)
        indent = Indent(inner, inner.removeprefix(outer) or "    ")
        stubs = (renamed(stub(need), self.imports.names) for need in self.methods)
        text = "\n\n".join(safe_text((each,)) for each in stubs)
        at = past_comments(file, past(file, node.body[-1]), inner)
        yield self._line_after(at, file.line_end + indent.of(text, file.line_end))

    def _opened(self, colon: int, start: int, inner: str) -> TextEdit:
        """Return the edit that moves the body of a one-line class to a line of its own."""
        gap = self.file.text[colon:start]
        if inner.endswith(gap):  # the blanks behind the colon become part of the indent
            return self._insert(colon, self.file.line_end + inner.removesuffix(gap))
        return self._insert(start, self.file.line_end + inner)

    def _line_after(self, offset: int, text: str) -> TextEdit:
        """Return the insertion of lines at the start of a line, or behind a last line without end."""
        before = self.file.text[:offset]
        if before.endswith(("\n", "\r")):
            return self._insert(offset, text + self.file.line_end)
        return self._insert(offset, self.file.line_end + text)


def _class_of(tree: ast.Module, name: str) -> ast.ClassDef:
    found = (each for each in statements(tree.body) if isinstance(each, ast.ClassDef))
    return [each for each in found if each.name == name][-1]


def _checking(tree: ast.Module, file: PythonFile) -> list[ast.stmt] | None:
    """Return the body of the first `if TYPE_CHECKING:` that is a block."""
    for each in tree.body:
        if isinstance(each, ast.If) and is_checking(each.test) and is_inline(file, each) is None:
            return each.body
    return None


def _to_line_end(file: PythonFile, body: list[ast.stmt], count: int) -> int:
    """Return a count of statements that ends where a line ends: `import a; x = 1` is not cut."""
    while 0 < count < len(body) and file.start(body[count]) < past(file, body[count - 1]):
        count += 1
    return count


def _margin(file: PythonFile, offset: int) -> str:
    """Return what stands before an offset in its line."""
    text = file.text
    return text[max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1 : offset]
