"""Text of method stubs: typed, and raising an error when called."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from toolspec.targets.python.expressions import name
from toolspec.targets.python.gate import is_safe
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.model import Call, Const, Module, Raise, Yield
from toolspec.targets.python.render import HEADER, render
from toolspec.targets.python.wrapping import documentation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.targets.python.model import Function, Statement
    from toolspec.usercode.needs import Need

T = TypeVar("T")
REFUSAL = "not_implemented"


def stub(need: Need) -> Function:
    """Return a method that raises `not_implemented`; a generator if it streams."""
    refusal = Raise(Call(name(REFUSAL), (Const(need.tool.names.full),)))
    body = (Yield(), refusal) if need.streams else (refusal,)
    doc = documentation(need.tool.summary, depth=2) if need.is_handler else need.function.doc
    return replace(need.function, doc=doc, body=body, is_async=True)


def renamed(value: T, names: Mapping[str, str]) -> T:
    """Return a part of the model with some of its names replaced."""
    if isinstance(value, Identifier):
        return Identifier(names.get(value, value))  # type: ignore[return-value]  # T is Identifier here
    if isinstance(value, tuple):
        return tuple(renamed(each, names) for each in value)  # type: ignore[return-value]  # T is a tuple
    if is_dataclass(value) and not isinstance(value, type):
        changed = {each.name: renamed(getattr(value, each.name), names) for each in fields(value)}
        return replace(value, **changed)
    return value


def safe_text(statements: tuple[Statement, ...]) -> str:
    """Return statements as text. Raises ValueError if a text of the spec has become code in it.

    They pass the gate of generated modules.
    """
    module = Module("", statements)
    text = render(module)
    if not is_safe(module, text):
        message = "the structure of a method depends on a text of the spec"
        raise ValueError(message)
    return text.removeprefix(HEADER).strip("\n")


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
