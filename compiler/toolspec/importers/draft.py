"""A part of a spec during import: its fields, comments and diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.importers import kinds
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location

# Key for members that the language has no field for; the MCP targets restore them.
ASIDE = "x-mcp"


@dataclass(slots=True)
class Draft:
    """Fields in order of arrival, sorted by `ordered`; each comment belongs to a field."""

    owner: str
    location: Location
    subject: Subject = field(default_factory=Subject)
    fields: JsonObject = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    aside: JsonObject = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def put(self, name: str, value: JsonValue, comment: str = "") -> None:
        """Set a field, with an optional comment next to it."""
        self.fields[name] = value
        if comment:
            self.comments[name] = comment

    def report(self, kind: DiagnosticKind, *steps: str, **parameters: object) -> None:
        """Add a diagnostic at a member of the origin, or at its name without that member."""
        location = self.location.at(*steps)
        shown = location if steps and location.value_or_none is not None else self.location / "name"
        subject = Subject(self.subject.service, self.subject.tool, location.pointer)
        diagnostic = kind.at(shown.key_span, subject=subject, **parameters)  # type: ignore[arg-type]  # never `labels` or `fix`
        self.diagnostics.append(diagnostic)

    def keep_aside(self, *steps: str, value: JsonValue, problem: str) -> None:
        """Keep a member under `x-mcp` at its path, and report the reason."""
        members = self.aside
        for step in steps[:-1]:
            inner = members.setdefault(step, {})
            assert isinstance(inner, dict), "the members before the last one are objects"
            members = inner
        members[steps[-1]] = value
        what = f"`{'.'.join(steps)}`"
        self.report(kinds.KEPT_ASIDE, *steps, what=what, owner=self.owner, problem=problem)

    def ordered(self, order: tuple[str, ...]) -> JsonObject:
        """Return the fields in the order of the language, then others and the preserved members."""
        result = {name: self.fields[name] for name in order if name in self.fields}
        result |= {name: value for name, value in self.fields.items() if name not in result}
        if self.aside:
            result[ASIDE] = self.aside
        return result
