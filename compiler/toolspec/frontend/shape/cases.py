"""A violation together with the document it was found in: places, values and their names in words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.frontend.shape.contract import property_at
from toolspec.frontend.wording import named

if TYPE_CHECKING:
    from toolspec.frontend.shape.contract import Form
    from toolspec.frontend.shape.violations import Violation
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Place


@dataclass(frozen=True, slots=True)
class Case:
    """What an explanation is made from."""

    document: Document
    form: Form
    violation: Violation

    @property
    def place(self) -> Place:
        """The place of the value at fault."""
        return self.document.place(*self.violation.path)

    @property
    def value(self) -> JsonValue:
        """The value at fault."""
        return self.place.value

    @property
    def word(self) -> str:
        """The text at fault: a key, or a value as a document spells it."""
        if self.violation.is_of_key:
            return self.violation.key
        return self.value if isinstance(self.value, str) else json.dumps(self.value)

    @property
    def span(self) -> Span:
        """What to point at: the text at fault, a collection by its key, an empty value too."""
        if self.violation.is_of_key:
            return (self.place / self.violation.key).key_span
        span = self.place.span
        return span if span.start < span.end else self.place.key_span

    @property
    def name(self) -> str:
        """The name of the value in words."""
        return named(self.violation.path)

    @property
    def tool(self) -> str:
        """The name of the tool that the value belongs to, as far as one is given."""
        match self.violation.path:
            case ("tools", str(key), *_):
                return key
            case ("tools", int(index), *_):
                stated = self.document.place("tools", index, "name").value_or_none
                return stated if isinstance(stated, str) else ""
            case _:
                return ""

    @property
    def is_tool(self) -> bool:
        """Whether the value is itself a tool."""
        path = self.violation.path
        return len(path) == len(("tools", "name")) and path[0] == "tools"

    @property
    def holder(self) -> str:
        """The mapping at fault in words."""
        if self.is_tool and self.tool:
            return f"tool `{self.tool}`"
        return self.name

    @property
    def holder_span(self) -> Span:
        """Where to note that a mapping lacks something: a tool's name, its key, or its first key."""
        name = self.place / "name"
        if self.is_tool and isinstance(name.value_or_none, str):
            return name.value_span
        location = self.place.location
        value = self.value
        if location.key is None and isinstance(value, dict) and value:
            return (self.place / next(iter(value))).key_span
        return location.key or location.value

    @property
    def contract(self) -> JsonObject:
        """What the document schema says of the property that the value stands for."""
        return property_at(self.violation.evaluation_path, self.form)
