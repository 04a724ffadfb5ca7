"""Hints and fixes for violations of the document schema."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, TextEdit
from toolspec.frontend.shape.contract import Form, definitions, schema_at
from toolspec.frontend.shape.synonyms import fits, is_opposite, synonym
from toolspec.frontend.wording import TRUTHS, brief
from toolspec.shared.keywords import TYPES
from toolspec.shared.spelling import nearest
from toolspec.syntax.nodes import Location

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.frontend.shape.cases import Case
    from toolspec.frontend.shape.violations import Violation
    from toolspec.source import Span
    from toolspec.syntax.nodes import JsonValue

# More keys than this would hide the hint.
_MAX_LISTED = 8
_MISSING = {
    "toolspec": "write `toolspec: 1` as the first line",
    "service": "add `service:` with its `name` and `description`",
    "mutation": "say `mutation: false` if the tool only reads, `mutation: true` if it changes anything",
    "outputSchema": "add the JSON Schema of the result, or `outputSchema: true` to leave it open",
    "name": "give it a `name`; tools of a map are named by their key",
    "description": "say in a sentence what it does: a model chooses by this text",
    "reason": "add a `reason`: why is it riskier than it looks?",
    "any": "write `{any: [one, other]}`",
}

# Keys of a service document that its included parts cannot have.
_IN_SERVICE = {
    "include": "move `include` to the service document, or delete it",
    "toolspec": "delete `toolspec`, which the service document has",
}


def for_missing(violation: Violation) -> str:
    """Return a hint for a missing key."""
    key = violation.key
    if key in _MISSING:
        return _MISSING[key]
    properties = violation.holder.get("properties")
    contract = properties.get(key) if isinstance(properties, dict) else None
    example = _example(contract)
    return f"add `{key}: {example}`, for example" if example else f"add `{key}`"


def for_unknown(case: Case) -> str:
    """Return a hint for an unknown key: the intended key, where it belongs, or the known keys."""
    violation = case.violation
    if case.is_part and violation.key in _IN_SERVICE:
        return f"a service includes this file: {_IN_SERVICE[violation.key]}"
    if violation.suggestion:
        return _for_meant(case)
    homes = [title for title, keys in _homes(case.form) if violation.key in keys]
    if homes:
        return f"`{violation.key}` belongs in {' or '.join(homes)}"
    properties = violation.holder.get("properties")
    own = f"data of your own goes under `x-{violation.key}`"
    if not isinstance(properties, dict) or len(properties) > _MAX_LISTED:
        return own
    return f"expected one of {', '.join(f'`{key}`' for key in properties)}; {own}"


def _for_meant(case: Case) -> str:
    violation = case.violation
    intended, key = violation.suggestion, violation.key
    if is_opposite(key, intended):
        return f"write `{intended}: false` for a tool that only reads, `{intended}: true` for one that writes"
    if synonym(violation.definition, key) != intended:
        return f"did you mean `{intended}`?"
    properties = violation.holder.get("properties")
    value = (case.location / key).value_or_none
    if not isinstance(properties, dict) or fits(properties, intended, value):
        return f"use `{intended}` instead"
    example = _example(properties[intended])
    return f"use `{intended}` instead, with a value such as `{example}`"


def for_type(case: Case, types: Sequence[str]) -> str:
    """Return a hint for giving a value the expected type."""
    value = case.value
    if isinstance(value, str):
        spelling = _for_text(case, value, types)
        if spelling:
            return spelling
    if value is None:
        return "write a value after the key, or delete the key"
    if isinstance(value, (bool, int, float)) and "string" in types:
        return f'quote it: `"{case.span.text}"`'
    if list(types) == ["array"]:
        return "write a list: `[one, other]`, or each on a line of its own after `- `"
    example = _example(case.contract, is_item=isinstance(case.violation.path[-1], int))
    return f"for example `{example}`" if example else ""


def _for_text(case: Case, text: str, types: Sequence[str]) -> str:
    truth = TRUTHS.get(text.casefold())
    if truth and "boolean" in types:
        is_quoted = case.span.text[:1] in {"'", '"'}
        return (
            f"take the quotes off: `{truth}`" if is_quoted else "YAML 1.2: write `true` or `false`"
        )
    if "object" in types and text in TYPES:
        return f"write `{{type: {text}}}`"
    if case.is_tool:
        return f"write `name: {text}`, below it `description`, `outputSchema` and `mutation`"
    return ""


def _example(contract: JsonValue, *, is_item: bool = False) -> str:
    """Return the first example of a property, or of an item if the property is a list."""
    examples = contract.get("examples") if isinstance(contract, dict) else None
    first = examples[0] if isinstance(examples, list) and examples else None
    if is_item:
        first = first[0] if isinstance(first, list) and first else None
    return "" if first is None else brief(first)


def _homes(form: Form) -> Iterable[tuple[str, Iterable[str]]]:
    """Yield the parts of a document with a closed set of keys: the name, and its keys."""
    root = schema_at(("properties",))
    title = "the root of the document"
    if form is not Form.SERVICE:
        title = "the root of the service document"
    yield title, root if isinstance(root, dict) else ()
    for definition in definitions():
        properties = definition.get("properties")
        if definition.get("additionalProperties") is False and isinstance(properties, dict):
            yield str(definition.get("title", "")), properties


_CLOSE = 0.75


def rename(location: Location, violation: Violation) -> Fix | None:
    """Return the fix that renames an unknown key to the only similar one that accepts its value."""
    properties = violation.holder.get("properties")
    declared = properties if isinstance(properties, dict) else {}
    mapping = Location(location.document, location.path[:-1]).value
    present = mapping if isinstance(mapping, dict) else {}
    free = [key for key in declared if key not in present]
    intended, value = violation.suggestion, location.value
    is_synonym = synonym(violation.definition, violation.key) == intended
    is_ambiguous = len(get_close_matches(violation.key, free, cutoff=_CLOSE)) > 1
    if not intended or (is_ambiguous and not is_synonym) or not fits(declared, intended, value):
        return None
    fix = _replace(location, location.key_span, violation.key, intended, safe=True)
    if fix is None or not is_opposite(violation.key, intended):
        return fix
    if not isinstance(value, bool):
        return None
    opposite = str(not value).lower()
    edit = TextEdit(location.value_span, opposite)
    return Fix(f"write `{intended}: {opposite}`", (*fix.edits, edit), safe=True)


def retype(location: Location, types: Sequence[str]) -> Fix | None:
    """Return the fix that converts `yes` or `"true"` to a boolean, or `1.0` to a string."""
    value = location.value
    if isinstance(value, str) and "boolean" in types and value.casefold() in TRUTHS:
        return _edit(location, f"write `{TRUTHS[value.casefold()]}`", TRUTHS[value.casefold()])
    if isinstance(value, (bool, int, float)) and "string" in types:
        return _edit(location, "quote it", f'"{location.value_span.text}"')
    return None


def unquote(location: Location) -> Fix | None:
    """Return the fix that converts a quoted number."""
    return _edit(location, "take the quotes off", str(location.value))


def respell(location: Location, choices: Sequence[str]) -> Fix | None:
    """Return the fix that corrects the spelling of an enum value, if only one is close."""
    value = location.value
    if not isinstance(value, str) or len(get_close_matches(value, choices, cutoff=_CLOSE)) > 1:
        return None
    intended = nearest(value, choices)
    return _replace(location, location.value_span, value, intended, safe=True) if intended else None


def rewrite(location: Location, span: Span, old: str, new: str) -> Fix | None:
    """Return the unsafe fix that renames something others may refer to."""
    return _replace(location, span, old, new, safe=False)


def _replace(location: Location, span: Span, old: str, new: str, *, safe: bool) -> Fix | None:
    """Return the fix that replaces a word with its quotes kept."""
    if location.spans.via or span.text.strip("\"'") != old:
        return None
    edit = TextEdit(span, span.text.replace(old, new))
    return Fix(f"write `{new}`", (edit,), safe=safe)


def _edit(location: Location, title: str, text: str) -> Fix | None:
    spans = location.spans
    if spans.via:
        return None
    return Fix(title, (TextEdit(spans.value, text),), safe=True)
