"""Edits that add a class's missing methods to its file, as insertions only."""

from __future__ import annotations

import ast
from collections import Counter
from textwrap import dedent
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Subject, TextEdit
from toolspec.shared.records import dataclass
from toolspec.usercode import kinds
from toolspec.usercode.compare import to_add
from toolspec.usercode.import_edits import ImportBlock, import_run, sections, wanted_imports
from toolspec.usercode.imports import is_checking
from toolspec.usercode.python_file import (
    body_start,
    is_inline,
    past,
    past_comments,
    read_python,
    same_program,
    statements,
)
from toolspec.usercode.stub_text import Indent, StubError, stub_methods

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.source import SourceFile
    from toolspec.usercode.classes import HandlerClass
    from toolspec.usercode.import_edits import Wanted, WantedImports
    from toolspec.usercode.python_file import PythonFile
    from toolspec.usercode.required_methods import RequiredMethod, RequiredMethods


def patched(
    handler_class: HandlerClass,
    required: RequiredMethods,
    package: str,
    templates: tuple[SourceFile, ...] = (),
) -> Checked[str]:
    """Return the text of a file with its class's missing methods; unchanged if none is missing.

    `templates` are the user's in place of those of the Python target.

    Reports an error, and returns the text unchanged, if the result would differ from the file in
    more than added methods and imports.
    """
    file = handler_class.file
    methods = to_add(handler_class, required)
    if not methods:
        return Checked(file.text)
    imports = wanted_imports(handler_class.names, required, methods, package)
    try:
        patch = _Patch(handler_class, imports, tuple(methods), templates)
        text = applied(file.text, patch.edits())
        if patch.is_faithful(text):
            return Checked(text)
    except StubError as error:
        if templates:
            return Checked(file.text, error.diagnostics)
    except (ValueError, RecursionError):
        pass  # reported below, as any other result that is a different program
    subject = Subject(service=required.service.name)
    span = file.name_span(handler_class.node)
    diagnostic = kinds.CANNOT_APPLY.at(span, subject=subject, path=file.source.path)
    return Checked(file.text, (diagnostic,))


def applied(text: str, edits: Iterable[TextEdit]) -> str:
    """Return a text with edits applied, which must not overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.span.start, edit.span.end)):
        parts += (text[at : edit.span.start], edit.new_text)
        at = edit.span.end
    return "".join((*parts, text[at:]))


@dataclass(frozen=True, slots=True)
class _Patch:
    """The methods and imports to add to a file."""

    handler_class: HandlerClass
    imports: WantedImports
    methods: tuple[RequiredMethod, ...]
    templates: tuple[SourceFile, ...] = ()

    @property
    def file(self) -> PythonFile:
        return self.handler_class.file

    def edits(self) -> Iterator[TextEdit]:
        """Yield the insertions."""
        yield from self._import_edits()
        yield from self._class_edits()

    def is_faithful(self, text: str) -> bool:
        """Return whether a text is the same program except for the additions."""
        name = self.file.source.path
        read = read_python(name, text.encode("utf-8")).value
        before = read_python(name, self.file.text.encode("utf-8")).value
        if read is None or before is None:
            return False
        node = _class_of(read.tree, self.handler_class.node.name)
        del node.body[-len(self.methods) :]
        modules = {wanted[0] for wanted in (*self.imports.at_run_time, *self.imports.for_checkers)}
        block = self._block() is not None
        plain, hidden = self._removed_imports(read.tree, read, modules, has_block=block)
        old_plain, old_hidden = self._removed_imports(before.tree, before, modules, has_block=block)
        added = Counter(self._plain_imports()), Counter(self._hidden_imports())
        return (plain - old_plain, hidden - old_hidden) == added and same_program(
            read.tree, before.tree
        )

    @staticmethod
    def _removed_imports(
        tree: ast.Module, file: PythonFile, modules: set[str], *, has_block: bool
    ) -> tuple[Counter[Wanted], Counter[Wanted]]:
        """Remove imports of some modules from a tree; return those outside and inside the block."""
        block = _type_checking_body(tree, file) if has_block else None
        hidden = _remove_imports(block, modules) if block is not None else Counter()
        return _remove_imports(tree.body, modules), hidden

    def _insert(self, offset: int, text: str) -> TextEdit:
        return TextEdit(self.file.source.span(offset, offset), text)

    def _block(self) -> list[ast.stmt] | None:
        """Return the `TYPE_CHECKING` body to extend; None without such a body or such imports."""
        return _type_checking_body(self.file.tree, self.file) if self.imports.for_checkers else None

    def _plain_imports(self) -> tuple[Wanted, ...]:
        """Return the imports for the top of the file: all without a `TYPE_CHECKING` block."""
        hidden = self.imports.for_checkers if self._block() is None else ()
        return (*self.imports.at_run_time, *hidden)

    def _hidden_imports(self) -> tuple[Wanted, ...]:
        return self.imports.for_checkers if self._block() is not None else ()

    def _import_edits(self) -> Iterator[TextEdit]:
        plain, file = self._plain_imports(), self.file
        body, own = file.tree.body, self._own()
        if plain:
            documented = int(ast.get_docstring(file.tree, clean=False) is not None)
            run = self._alone_in_lines(import_run(body[documented:]))
            if run:
                yield from ImportBlock(file, run, "", own).edits(plain)
            else:
                yield self._first_imports(plain, documented)
        block = self._block()
        if block is not None:
            margin = _margin(file, file.start(block[0]))
            run = import_run(block)
            if run:
                yield from ImportBlock(file, run, margin, own).edits(self._hidden_imports())
            else:
                lines = f"{sections(self._hidden_imports(), own)}\n\n"
                text = Indent(margin, "    ").of(lines, file.line_end)
                yield self._insert(body_start(file, block) - len(margin), text)

    def _own(self) -> frozenset[str]:
        """Return the top-level names of first-party packages."""
        return frozenset({self.imports.module.partition(".")[0]})

    def _alone_in_lines(
        self, run: list[ast.Import | ast.ImportFrom]
    ) -> list[ast.Import | ast.ImportFrom]:
        """Return the imports before the first one that shares its line with a statement."""
        body = self.file.tree.body
        for at, statement in enumerate(run):
            follower = body[body.index(statement) + 1 :][:1]
            if follower and self.file.start(follower[0]) < past(self.file, statement):
                return run[:at]
        return run

    def _first_imports(self, plain: tuple[Wanted, ...], documented: int) -> TextEdit:
        """Return the insertion of imports into a file that begins without any."""
        file, body = self.file, self.file.tree.body
        text = f"{sections(plain, self._own())}\n".replace("\n", file.line_end)
        count = documented + len(import_run(body[documented:]))
        count = _to_line_end(file, body, count)
        if count == 0:
            return self._insert(body_start(file, body), text + file.line_end)
        return self._insert(past(file, body[count - 1]), file.line_end + text)

    def _class_edits(self) -> Iterator[TextEdit]:
        file, node = self.file, self.handler_class.node
        outer, start = _margin(file, file.start(node)), body_start(file, node.body)
        colon = is_inline(file, node)
        if colon is None:
            inner = _margin(file, start)
        else:
            inner = f"{outer}    "
            yield self._body_on_new_line(colon, start, inner)
        indent = Indent(inner, inner.removeprefix(outer) or "    ")
        text = dedent(stub_methods(self.methods, self.imports.names, self.templates)).strip("\n")
        at = past_comments(file, past(file, node.body[-1]), inner)
        yield self._line_after(at, file.line_end + indent.of(text, file.line_end))

    def _body_on_new_line(self, colon: int, start: int, inner: str) -> TextEdit:
        """Return the edit that moves the body of a one-line class to a separate line."""
        gap = self.file.text[colon:start]
        if inner.endswith(gap):  # the blanks behind the colon become part of the indent
            return self._insert(colon, self.file.line_end + inner.removesuffix(gap))
        return self._insert(start, self.file.line_end + inner)

    def _line_after(self, offset: int, text: str) -> TextEdit:
        """Return the insertion of lines at a line start, or after a last line without line end."""
        before = self.file.text[:offset]
        if before.endswith(("\n", "\r")):
            return self._insert(offset, text + self.file.line_end)
        return self._insert(offset, self.file.line_end + text)


def _class_of(tree: ast.Module, name: str) -> ast.ClassDef:
    classes = (
        statement for statement in statements(tree.body) if isinstance(statement, ast.ClassDef)
    )
    return [node for node in classes if node.name == name][-1]


def _type_checking_body(tree: ast.Module, file: PythonFile) -> list[ast.stmt] | None:
    """Return the body of the first `if TYPE_CHECKING:` that is a block."""
    for statement in tree.body:
        if (
            isinstance(statement, ast.If)
            and is_checking(statement.test)
            and is_inline(file, statement) is None
        ):
            return statement.body
    return None


def _remove_imports(body: list[ast.stmt], modules: set[str]) -> Counter[Wanted]:
    """Remove the imports of some modules from a body; return their names."""
    counts: Counter[Wanted] = Counter()
    for statement in list(body):
        if isinstance(statement, ast.ImportFrom):
            module = "." * statement.level + (statement.module or "")
            if module in modules:
                counts.update((module, one.name, one.asname or one.name) for one in statement.names)
                body.remove(statement)
    return counts


def _to_line_end(file: PythonFile, body: list[ast.stmt], count: int) -> int:
    """Return a count of statements that ends at a line end: `import a; x = 1` is not split."""
    while 0 < count < len(body) and file.start(body[count]) < past(file, body[count - 1]):
        count += 1
    return count


def _margin(file: PythonFile, offset: int) -> str:
    """Return the text before an offset in its line."""
    text = file.text
    return text[max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1 : offset]
