"""Text of method stubs, which are typed and raise an error when called."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from toolspec.targets.python.emit import templates
from toolspec.targets.python.gate import is_safe
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.make_view import method_view
from toolspec.targets.python.view import HandlerClass
from toolspec.targets.python.wrapping import documentation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.targets.python.signatures import Signature
    from toolspec.usercode.required_methods import RequiredMethod

T = TypeVar("T")
REFUSAL = "not_implemented"
_TEMPLATE = "handler_class.py.jinja"


def stub_class(name: str, base: str, doc: str, required: Iterable[RequiredMethod]) -> str:
    """Return a class with a stub for each method, as text.

    Raises ValueError if a text of the spec has become code in it.
    """
    return _class_text(Identifier(name), Identifier(base), doc, map(_stub, required), REFUSAL)


def stub_methods(required: Iterable[RequiredMethod], names: Mapping[str, str]) -> str:
    """Return stubs as the body of a class, indented by four blanks, with some names replaced.

    Raises ValueError if a text of the spec has become code in it.
    """
    methods = (_renamed(_stub(method), names) for method in required)
    text = _class_text(Identifier("Stubs"), None, "", methods, names.get(REFUSAL, REFUSAL))
    return text.partition("\n")[2]


def _class_text(
    name: Identifier,
    base: Identifier | None,
    doc: str,
    methods: Iterable[Signature],
    refusal: str,
) -> str:
    view = HandlerClass(
        name, base, doc, tuple(map(method_view, methods)), not_implemented=Identifier(refusal)
    )
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    rendered = templates().render(_TEMPLATE, values)
    if not is_safe(rendered):
        message = "the structure of a method depends on a text of the spec"
        raise ValueError(message)
    return rendered.text


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
