"""Violations of the document schema, one for each cause."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from toolspec.frontend.shape.contract import explainer, schema_at, validator
from toolspec.frontend.shape.synonyms import synonym
from toolspec.frontend.shape.tool_names import is_prefixed, is_tool_name, unprefixable
from toolspec.shared.records import dataclass, replace
from toolspec.shared.spelling import nearest
from toolspec.syntax.limits import MAX_DIAGNOSTICS
from toolspec.syntax.nodes import value_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.frontend.shape.contract import Form
    from toolspec.shared.explanation import InstanceError
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

_TOOL_NAME = ("$defs", "toolName", "pattern")
_MAX_STEPS = 2_000_000
_CHOICES = frozenset({"oneOf", "anyOf"})

# Only the first violations of a document are explained: some follow from others.
_MOST = 2 * MAX_DIAGNOSTICS


@dataclass(frozen=True, slots=True)
class Violation:
    """One keyword of the document schema that a value violates.

    `path` leads to the value; `key` is the invalid key in the mapping there: missing, unknown, or
    malformed. `schema_path` is the keyword's path in the schema, `evaluation_path` the path through
    references. `suggestion` is the most likely intended key for an unknown one.
    """

    keyword: str
    path: Path
    schema_path: Path
    evaluation_path: Path
    detail: JsonObject
    key: str = ""
    is_of_key: bool = False
    """Whether the key exists and is the error, rather than its value or its absence."""
    suggestion: str = ""

    @property
    def is_lack(self) -> bool:
        """Return whether a mapping lacks a key, or all of several alternatives."""
        is_choice = self.keyword in _CHOICES and not self.detail["holding"]
        return is_choice or self.keyword == "required"

    @property
    def definition(self) -> str:
        """Name of the definition in the schema that has the keyword, or an empty text."""
        where = self.schema_path
        return str(where[1]) if len(where) > 1 and where[0] == "$defs" else ""

    @property
    def holder(self) -> JsonObject:
        """The schema that has the keyword."""
        schema = schema_at(self.schema_path[:-1])
        return schema if isinstance(schema, dict) else {}

    @property
    def choices(self) -> tuple[str, ...]:
        """The keys among which `oneOf` or `anyOf` chooses, in the order of the schema."""
        branches = self.holder.get(self.keyword)
        required = (
            branch.get("required") if isinstance(branch, dict) else None
            for branch in (branches if isinstance(branches, list) else ())
        )
        return tuple(str(key) for keys in required if isinstance(keys, list) for key in keys)


@dataclass(frozen=True, slots=True)
class Violations:
    """Violations of a document; `is_all` unless a limit cut them off."""

    found: tuple[Violation, ...]
    is_all: bool


def violations(value: JsonValue, form: Form) -> Violations:
    """Return the violations of a document's value, without consequences of others."""
    errors: list[InstanceError] = []
    if not validator(form)(value):
        errors = explainer(form).errors(value, limit=_MOST + 1, steps=_MAX_STEPS)
    split: Iterator[Violation] = (part for error in errors for part in _split(error))
    if is_prefixed(value, form):
        split = chain(map(_of_tool_name, split), _unprefixable(value))
    first = list(islice(split, _MOST))
    is_all = next(split, None) is None
    return Violations(tuple(_paired(_folded(first), value)), is_all)


def _of_tool_name(violation: Violation) -> Violation:
    """Return a violation at a tool's name as one of the grammar of names with a prefix."""
    if violation.definition == "publicName" and is_tool_name(
        violation.path, is_of_key=violation.is_of_key
    ):
        return replace(violation, schema_path=_TOOL_NAME)
    return violation


def _unprefixable(value: JsonValue) -> Iterator[Violation]:
    for path, key in unprefixable(value):
        yield Violation("pattern", path, _TOOL_NAME, (), {}, key, is_of_key=bool(key))


def _split(error: InstanceError) -> Iterator[Violation]:
    """Yield the violations of the document schema in an error."""
    keyword, path = str(error.evaluation_path[-1]), error.path
    evaluation, at = error.evaluation_path, error.schema_path
    match error.keyword:
        case "additionalProperties":
            yield Violation(keyword, path, at, evaluation, {}, error.member or "", is_of_key=True)
        case "required":
            yield Violation(keyword, path, at, evaluation, {}, error.member or "")
        case "propertyNames":
            yield Violation(keyword, path, at, evaluation, {}, error.member or "", is_of_key=True)
        case _ if keyword in _CHOICES:
            yield Violation(keyword, path, at, evaluation, {"holding": error.matching})
        case _:
            holder = schema_at(at[:-1])
            detail = holder if isinstance(holder, dict) else {}
            yield Violation(keyword, path, at, evaluation, detail)


def _folded(violations: list[Violation]) -> Iterator[Violation]:
    """Yield the violations that do not follow from another.

    All others about a value of the wrong type follow, and those of one branch of a choice if
    several branches were used.
    """
    wrong = {violation.path for violation in violations if violation.keyword == "type"}
    torn = {
        violation.path
        for violation in violations
        if violation.keyword == "oneOf" and violation.detail["holding"]
    }
    for violation in violations:
        if violation.keyword != "type" and violation.path in wrong:
            continue
        if "then" in violation.schema_path and any(
            violation.path[: len(path)] == path for path in torn
        ):
            continue
        yield violation


def _paired(violations: Iterable[Violation], value: JsonValue) -> Iterator[Violation]:
    """Yield the violations, an unknown key merged with the missing key that was intended."""
    violations = list(violations)
    missing_keys: dict[Path, list[str]] = {}
    for violation in violations:
        if violation.keyword == "required":
            missing_keys.setdefault(violation.path, []).append(violation.key)
        elif violation.keyword in _CHOICES and not violation.detail["holding"]:
            missing_keys.setdefault(violation.path, []).extend(violation.choices)
    intended: set[tuple[Path, str]] = set()
    misspelt: set[Path] = set()
    for violation in violations:
        if violation.keyword == "additionalProperties":
            key = _meant(violation, missing_keys.get(violation.path, ()), value)
            intended.add((violation.path, key))
            misspelt.add(violation.path)
            yield replace(violation, suggestion=key)
    for violation in violations:
        keys = violation.choices if violation.keyword in _CHOICES else (violation.key,)
        is_known = any((violation.path, key) in intended for key in keys) or (
            # An unknown key in place of one of several alternatives is that one, misspelt.
            violation.keyword == "oneOf" and violation.path in misspelt
        )
        if violation.keyword != "additionalProperties" and not is_known:
            yield violation


def _meant(unknown: Violation, missing: Iterable[str], value: JsonValue) -> str:
    """Return the key that was intended by an unknown one: a missing one, or any unused one."""
    properties = unknown.holder.get("properties")
    declared = properties if isinstance(properties, dict) else {}
    mapping = value_at(value, unknown.path)
    present = mapping if isinstance(mapping, dict) else {}
    free = [key for key in declared if key not in present]
    if len(declared) == 1 and free:
        return free[0]
    intended = synonym(unknown.definition, unknown.key)
    if intended in free:
        return intended
    return nearest(unknown.key, missing) or nearest(unknown.key, free)
