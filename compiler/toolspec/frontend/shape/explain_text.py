"""Explains texts that violate a pattern: names, versions, durations, URLs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.frontend.shape import kinds, repair
from toolspec.frontend.shape.contract import schema_at
from toolspec.frontend.shape.tool_names import is_public_name
from toolspec.frontend.wording import GRAMMARS, legal_spelling, quoted

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic, Fix
    from toolspec.frontend.shape.cases import Case

_NUMBERS = re.compile(r"[0-9]+")
_VERSION_PARTS = 3


def not_in_form(case: Case) -> Diagnostic:
    """Return the diagnostic of a text that does not match the pattern of its definition."""
    if not case.word.strip():
        return _blank(case)
    match case.violation.definition:
        case "semver" | "toolVersion":
            return _bad_version(case)
        case "duration":
            return kinds.BAD_DURATION.at(case.span, "no duration", duration=quoted(case.word))
        case "endpoint" | "iconSource":
            return _bad_url(case)
        case definition if definition in GRAMMARS:
            return _bad_name(case)
        case _:
            return _bad_text(case)


def _blank(case: Case) -> Diagnostic:
    suggestion = "write something, or delete the key"
    name = "a key" if case.violation.is_of_key else case.name
    return kinds.EMPTY.at(case.span, "blank", what=name, suggestion=suggestion)


def _bad_name(case: Case) -> Diagnostic:
    definition, name = case.violation.definition, case.word
    grammar = GRAMMARS[definition]
    legal = legal_spelling(definition, name)
    fix = None
    if legal and _matches(definition, legal):
        grammar = f"`{legal}` would do: {grammar}"
        place = case.place / case.violation.key if case.violation.is_of_key else case.place
        fix = repair.rewrite(place, case.span, name, legal)
    if definition == "toolName" and is_public_name(name) and not name.replace("_", "").isalnum():
        grammar += "; with `names: as-written` in the service, names can have `.` and `/` as well"
    return kinds.BAD_NAME.at(
        case.span,
        "not a legal name",
        fix=fix,
        name=quoted(name),
        what=_title(case),
        suggestion=grammar,
    )


def _bad_version(case: Case) -> Diagnostic:
    numbers = [str(int(each)) for each in _NUMBERS.findall(case.word)][:_VERSION_PARTS]
    if case.violation.definition == "semver":
        numbers = [*numbers, "0", "0", "0"][:_VERSION_PARTS]
    legal = ".".join(numbers) or "1.0"
    return kinds.BAD_VERSION.at(
        case.span,
        "no version",
        fix=_respelt(case, legal),
        version=quoted(case.word),
        what=_title(case),
        suggestion=f"write `{legal}`",
    )


def _bad_url(case: Case) -> Diagnostic:
    suggestion = "write a full URL that begins with `https://`, without user name or password"
    if case.violation.definition == "iconSource":
        suggestion += "; or `data:image/png;base64,…` (also jpeg and webp)"
    return kinds.BAD_URL.at(
        case.span, "refused", url=quoted(case.word), what=_title(case), suggestion=suggestion
    )


def _bad_text(case: Case) -> Diagnostic:
    return kinds.BAD_TEXT.at(
        case.span,
        "not of this form",
        text=quoted(case.word),
        what=_title(case),
        suggestion=f"write {_title(case)}",
    )


def _respelt(case: Case, legal: str) -> Fix | None:
    return repair.rewrite(case.place, case.span, case.word, legal)


def _title(case: Case) -> str:
    """Return the title of such texts in the document schema."""
    title = schema_at(("$defs", case.violation.definition, "title"))
    return title if isinstance(title, str) else "of the right form"


def _matches(definition: str, text: str) -> bool:
    pattern = schema_at(("$defs", definition, "pattern"))
    return isinstance(pattern, str) and re.search(pattern, text) is not None
