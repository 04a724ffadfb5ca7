"""A violation with its document: locations, values and their names in words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.frontend.shape.contract import Form, property_at
from toolspec.frontend.wording import named
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.frontend.shape.violations import Violation
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Location


@dataclass(frozen=True, slots=True)
class Case:
    """Input of an explanation."""

    document: Document
    form: Form
    violation: Violation

    @property
    def location(self) -> Location:
        """Location of the invalid value."""
        return self.document.location(*self.violation.path)

    @property
    def value(self) -> JsonValue:
        """The invalid value."""
        return self.location.value

    @property
    def word(self) -> str:
        """The invalid text: a key, or a value as a document spells it."""
        if self.violation.is_of_key:
            return self.violation.key
        return self.value if isinstance(self.value, str) else json.dumps(self.value)

    @property
    def span(self) -> Span:
        """Span of the diagnostic: the invalid text; the key of a collection or an empty value."""
        if self.violation.is_of_key:
            return (self.location / self.violation.key).key_span
        span = self.location.span
        return span if span.start < span.end else self.location.key_span

    @property
    def name(self) -> str:
        """The name of the value in words."""
        return named(self.violation.path)

    @property
    def tool(self) -> str:
        """Name of the tool that contains the value, if any."""
        match self.violation.path:
            case ("tools", str(key), *_):
                return key
            case ("tools", int(index), *_):
                stated = self.document.location("tools", index, "name").value_or_none
                return stated if isinstance(stated, str) else ""
            case _:
                return ""

    @property
    def is_tool(self) -> bool:
        """Return whether the value is itself a tool."""
        path = self.violation.path
        return len(path) == len(("tools", "name")) and path[0] == "tools"

    @property
    def is_part(self) -> bool:
        """Return whether the value is a whole document that a service includes."""
        return self.form is not Form.SERVICE and not self.violation.path

    @property
    def holder(self) -> str:
        """Name of the invalid mapping in words."""
        if self.is_tool and self.tool:
            return f"tool `{self.tool}`"
        return "the included part" if self.is_part else self.name

    @property
    def holder_span(self) -> Span:
        """Span for a missing member: a tool's name, the mapping's key, or its first key."""
        name = self.location / "name"
        if self.is_tool and isinstance(name.value_or_none, str):
            return name.value_span
        spans = self.location.spans
        value = self.value
        if spans.key is None and isinstance(value, dict) and value:
            return (self.location / next(iter(value))).key_span
        return spans.key or spans.value

    @property
    def contract(self) -> JsonObject:
        """Schema of the property that holds the value."""
        return property_at(self.violation.evaluation_path, self.form)
