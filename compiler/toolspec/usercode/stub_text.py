"""Text of method stubs, which are typed and raise an error when called."""

from __future__ import annotations

import ast
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from toolspec.shared.records import dataclass, fields, replace
from toolspec.targets.python.emit import render_module
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.make_view import method_view
from toolspec.targets.python.view import HandlerClass
from toolspec.targets.python.wrapping import documentation
from toolspec.targets.templates import SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import SourceFile
    from toolspec.targets.python.signatures import Signature
    from toolspec.usercode.required_methods import RequiredMethod

T = TypeVar("T")
Templates: TypeAlias = "tuple[SourceFile, ...]"
REFUSAL = "not_implemented"
_FILE = "handler_class.py"


class StubError(ValueError):
    """A template that fails, or in which a text of the spec has become code."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics


def stub_class(
    name: str,
    base: str,
    doc: str,
    required: Iterable[RequiredMethod],
    templates: Templates = (),
) -> str:
    """Return a class with a stub for each method, as text. Raises StubError."""
    methods = tuple(method_view(_stub(method)) for method in required)
    view = HandlerClass(Identifier(name), Identifier(base), doc, methods, Identifier(REFUSAL))
    return class_text(view, templates)


def stub_methods(
    required: Iterable[RequiredMethod], names: Mapping[str, str], templates: Templates = ()
) -> str:
    """Return stubs as the body of a class, indented by four blanks, with some names replaced.

    Raises StubError, and ValueError if a user's template writes no class.
    """
    methods = tuple(method_view(_renamed(_stub(method), names)) for method in required)
    refusal = Identifier(names.get(REFUSAL, REFUSAL))
    text = class_text(HandlerClass(Identifier("Stubs"), None, "", methods, refusal), templates)
    classes = (node for node in ast.parse(text).body if isinstance(node, ast.ClassDef))
    node = next(classes, None)
    if node is None:
        raise ValueError(text)
    return "\n".join(text.split("\n")[node.body[0].lineno - 1 :])


def class_text(view: HandlerClass, templates: Templates = ()) -> str:
    """Return the text that the template of a handler class makes. Raises StubError."""
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    text = render_module(_FILE, f"{_FILE}{SUFFIX}", values, templates)
    if not text.ok:
        raise StubError(text.diagnostics)
    return text.value


def _stub(method: RequiredMethod) -> Signature:
    """Return the signature of a stub, a generator if it streams."""
    doc = documentation(method.tool.summary, depth=2) if method.is_handler else method.signature.doc
    return replace(method.signature, doc=doc, is_async=True)


def _renamed(value: T, names: Mapping[str, str]) -> T:
    """Return a part of a signature with some of its names replaced."""
    if isinstance(value, Identifier):
        return Identifier(names.get(value, value))  # type: ignore[return-value]  # T is Identifier here
    if isinstance(value, tuple):
        return tuple(_renamed(item, names) for item in value)  # type: ignore[return-value]  # T is a tuple
    if is_dataclass(value) and not isinstance(value, type):
        changed = {item.name: _renamed(getattr(value, item.name), names) for item in fields(value)}
        return replace(value, **changed)
    return value


@dataclass(frozen=True, slots=True)
class Indent:
    """Indentation of a class: that of its body, and one step more."""

    body: str
    step: str

    def of(self, text: str, line_end: str) -> str:
        """Return lines with steps of four blanks replaced by the class's indentation."""
        lines = []
        for line in text.split("\n"):
            stripped = line.lstrip(" ")
            steps, rest = divmod(len(line) - len(stripped), 4)
            lines.append(f"{self.body}{self.step * steps}{' ' * rest}{stripped}" if line else "")
        return line_end.join(lines)
