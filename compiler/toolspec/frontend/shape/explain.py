"""Explains violations of the document schema as diagnostics."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject, did_you_mean
from toolspec.frontend.shape import advice, kinds
from toolspec.frontend.shape.cases import Case
from toolspec.frontend.shape.contract import Form, schema_at
from toolspec.frontend.shape.tool_names import is_prefixed, is_public_name
from toolspec.frontend.wording import GRAMMARS, expected, found, legal_spelling, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolspec.diagnostics import Diagnostic, Fix
    from toolspec.frontend.shape.violations import Violation
    from toolspec.syntax.nodes import Document


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
        location = case.location / case.violation.key if case.violation.is_of_key else case.location
        fix = advice.rewrite(location, case.span, name, legal)
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
    numbers = [digits.lstrip("0") or "0" for digits in _NUMBERS.findall(case.word)][:_VERSION_PARTS]
    if case.violation.definition == "semver":
        numbers = [*numbers, "0", "0", "0"][:_VERSION_PARTS]
    legal = ".".join(numbers) or "1.0"
    return kinds.BAD_VERSION.at(
        case.span,
        "no version",
        fix=_respelt(case, legal),
        version=quoted(case.word),
        what=_title(case),
        suggestion=f"write `{quoted(legal)}`",
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
    return advice.rewrite(case.location, case.span, case.word, legal)


def _title(case: Case) -> str:
    """Return the title of such texts in the document schema."""
    title = schema_at(("$defs", case.violation.definition, "title"))
    return title if isinstance(title, str) else "of the right form"


def _matches(definition: str, text: str) -> bool:
    pattern = schema_at(("$defs", definition, "pattern"))
    return isinstance(pattern, str) and re.search(pattern, text) is not None


def explain(
    document: Document, form: Form, violations: Iterable[Violation]
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each violation of the document schema."""
    name = document.location("service", "name").value_or_none
    service = name if isinstance(name, str) else ""
    for violation in violations:
        case = Case(document, form, violation)
        if violation.is_lack and id(case.value) in document.partial:
            continue
        full = _full_name(document, service, case.tool)
        location = case.location / violation.key if violation.is_of_key else case.location
        diagnostic = _EXPLANATIONS[violation.keyword](case)
        yield diagnostic.about(service=service, tool=full, pointer=location.pointer)


def _full_name(document: Document, service: str, tool: str) -> str:
    if not service or not tool:
        return ""
    is_joined = is_prefixed(document.value, Form.SERVICE)
    return f"{service}_{tool}" if is_joined else tool


def _unknown_key(case: Case) -> Diagnostic:
    key = case.violation.key
    location = case.location / key
    return kinds.UNKNOWN_KEY.at(
        location.key_span,
        "unknown",
        fix=advice.rename(location, case.violation),
        key=key,
        holder=case.holder,
        suggestion=advice.for_unknown(case),
    )


def _missing_key(case: Case) -> Diagnostic:
    key = case.violation.key
    return kinds.MISSING_KEY.at(
        case.holder_span,
        f"lacks `{key}`",
        holder=case.holder,
        key=key,
        suggestion=advice.for_missing(case.violation),
    )


def _choice(case: Case) -> Diagnostic:
    """Explain `oneOf` and `anyOf`, whose branches require one key each: missing, or several."""
    choices = case.violation.choices
    if case.violation.detail["holding"]:
        value = case.value
        first, second, *_ = (key for key in choices if isinstance(value, dict) and key in value)
        return _excluded(case, second, first, "delete one of the two")
    return kinds.MISSING_KEY.at(
        case.holder_span,
        "lacks one of them",
        holder=case.holder,
        key="` or `".join(choices),
        suggestion=f"give one of {', '.join(f'`{key}`' for key in choices)}",
    )


def _forbidden(case: Case) -> Diagnostic:
    """Explain `not`, which forbids the operation of a permission to call a tool."""
    return _excluded(case, "op", "tool", "delete `op`: a tool can only be called")


def _excluded(case: Case, key: str, other: str, suggestion: str) -> Diagnostic:
    location = case.location / key
    return kinds.MISPLACED_KEY.at(
        location.key_span,
        f"not with `{other}`",
        labels=[Label((case.location / other).key_span, "excludes it")],
        subject=Subject(pointer=location.pointer),
        key=key,
        other=f"`{other}`",
        suggestion=suggestion,
    )


def _wrong_type(case: Case) -> Diagnostic:
    types = case.violation.holder["type"]
    type_names = [str(name) for name in (types if isinstance(types, list) else [types])]
    return kinds.WRONG_TYPE.at(
        case.span,
        f"not {expected(type_names)}",
        fix=advice.retype(case.location, type_names),
        what=case.name,
        expected=expected(type_names),
        found=found(case.value),
        suggestion=advice.for_type(case, type_names),
    )


def _not_one_of(case: Case) -> Diagnostic:
    options = case.violation.detail["enum"]
    choices = [str(option) for option in options] if isinstance(options, list) else []
    return kinds.NOT_ONE_OF.at(
        case.span,
        "unknown",
        fix=advice.respell(case.location, choices),
        found=f"`{quoted(case.word)}`",
        what=case.name,
        suggestion=did_you_mean(case.word, choices),
    )


def _not_constant(case: Case) -> Diagnostic:
    constant = case.violation.detail["const"]
    if case.value == str(constant):
        return kinds.WRONG_TYPE.at(
            case.span,
            "not a number",
            fix=advice.unquote(case.location),
            what=case.name,
            expected=found(constant),
            found=found(case.value),
            suggestion="take the quotes off",
        )
    if case.violation.path == ("toolspec",):
        return kinds.UNSUPPORTED_VERSION.at(case.span, "not 1", version=case.word)
    return kinds.NOT_ONE_OF.at(
        case.span,
        "unknown",
        found=f"`{quoted(case.word)}`",
        what=case.name,
        suggestion=f"write `{constant}`",
    )


def _too_small(case: Case) -> Diagnostic:
    minimum = str(case.violation.detail["minimum"])
    return kinds.TOO_SMALL.at(
        case.span, "too small", what=case.name, found=case.word, minimum=minimum
    )


def _empty(case: Case) -> Diagnostic:
    return kinds.EMPTY.at(
        case.span, "empty", what=case.name, suggestion="fill it, or delete the key"
    )


def _repeated(case: Case) -> Diagnostic:
    items = case.value
    assert isinstance(items, list)
    second = next(index for index, item in enumerate(items) if item in items[:index])
    first = items.index(items[second])
    return kinds.REPEATED.at(
        (case.location / second).value_span,
        "again here",
        labels=[Label((case.location / first).value_span, "first here")],
        subject=Subject(pointer=(case.location / second).pointer),
        found=found(items[second]),
        what=case.name,
    )


_EXPLANATIONS: dict[str, Callable[[Case], Diagnostic]] = {
    "additionalProperties": _unknown_key,
    "anyOf": _choice,
    "const": _not_constant,
    "enum": _not_one_of,
    "exclusiveMinimum": not_in_form,
    "minItems": _empty,
    "minProperties": _empty,
    "minimum": _too_small,
    "not": _forbidden,
    "oneOf": _choice,
    "pattern": not_in_form,
    "required": _missing_key,
    "type": _wrong_type,
    "uniqueItems": _repeated,
}
