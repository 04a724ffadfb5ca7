"""Validates values against schemas and explains errors, with a quick test for simple values."""

from __future__ import annotations

import re
from functools import cache, cached_property
from math import inf
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolspec.shared.explanation import MAX_STEPS, PATTERN_LIMIT, Explainer, Secrets
from toolspec.shared.json_values import count_members
from toolspec.shared.keywords import ANNOTATIONS
from toolspec.shared.records import dataclass
from toolspec.shared.validator import InvalidSchemaError, compiled, compiled_parts
from toolspec.syntax.limits import MAX_DIAGNOSTICS
from toolspec.syntax.nodes import value_at
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.schema.bundle import Bundle, Key, LinkedSchema
    from toolspec.schema.shared_validator import SharedValidator
    from toolspec.shared.json_values import Accepts
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

# Supported keywords. `enum` and `const` only for strings: validators and Python compare numbers
# differently.
_ANY = ANNOTATIONS | {
    *("type", "$ref", "anyOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("minLength", "maxLength", "items", "minItems", "maxItems"),
    *("properties", "required", "additionalProperties"),
}
_OF_TEXT = _ANY | {"enum", "const"}
_OF_CHECKED_TEXT = _OF_TEXT - {"contentEncoding"}
_DATE = "[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
_LABELS = "[a-z0-9]+(?:[.-][a-z0-9]+)*"
# Not all values of a format, only those about which no two validators differ.
_FORMATS = {
    "date": _DATE,
    "date-time": _DATE + r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?Z",
    "email": rf"[a-z0-9]+(?:[._+-][a-z0-9]+)*@{_LABELS}\.[a-z]{{2,8}}",
    "uri": rf"https?://{_LABELS}(?:/[A-Za-z0-9_.~-]+)*/?",
    "uuid": "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
}
_LONGEST = 60
"""Longer texts are left to the validator, which also limits the steps of these patterns."""
_TYPES: dict[type, frozenset[str]] = {
    type(None): frozenset({"null"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
    str: frozenset({"string"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
}
_DEFINED = "#/$defs"
_ESCAPING = frozenset("~%")
# Far less than Python's recursion limit; the validator handles deeper values.
_DEEPEST = 100
_STEPS_OF_A_PART = 4


def plainly_accepts(
    schema: JsonValue, value: JsonValue, root: JsonValue, *, formats: bool = True
) -> bool:
    """Return whether a schema obviously accepts a value; False proves nothing.

    References are resolved in `root`, and must not be endless. With `formats` false,
    `format` and `contentEncoding` accept everything. The cost is linear in the size of the value.
    """
    return _accepts(schema, value, _Scope(root, value, formats=formats), 0)


class _Scope:
    """The root for references, whether formats are asserted, and how many steps are left.

    Recursive alternatives would visit a part once for each way to it: exponentially often.
    """

    def __init__(self, root: JsonValue, value: JsonValue, *, formats: bool) -> None:
        self.root, self.formats = root, formats
        self.steps = _STEPS_OF_A_PART * (1 + count_members(value))

    def supported(self, value: JsonValue) -> frozenset[str]:
        """Return the supported keywords for a value."""
        if not isinstance(value, str):
            return _ANY
        return _OF_CHECKED_TEXT if self.formats else _OF_TEXT


def _accepts(schema: JsonValue, value: JsonValue, scope: _Scope, depth: int) -> bool:
    scope.steps -= 1
    if not isinstance(schema, dict):
        return schema is True
    return (
        depth <= _DEEPEST
        and scope.steps >= 0
        and schema.keys() <= scope.supported(value)
        and _has_type(schema, value)
        and (
            "$ref" not in schema or _accepts(_resolved(schema, scope.root), value, scope, depth + 1)
        )
        and ("anyOf" not in schema or _accepts_any(schema["anyOf"], value, scope, depth + 1))
        and _satisfies(schema, value, scope, depth + 1)
    )


def _has_type(schema: JsonObject, value: JsonValue) -> bool:
    declared = schema.get("type")
    if declared is None:
        return True
    names = declared if isinstance(declared, list) else [declared]
    return not _TYPES[type(value)].isdisjoint(map(str, names))


def _satisfies(schema: JsonObject, value: JsonValue, scope: _Scope, depth: int) -> bool:
    match value:
        case str():
            has_format = scope.formats and "format" in schema
            return _accepts_text(schema, value) and (
                not has_format or _has_format(schema["format"], value)
            )
        case bool() | None:
            return True
        case int() | float():
            return _is_within(schema, ("minimum", "maximum"), value) and _is_strictly_within(
                schema, value
            )
        case list():
            items = schema.get("items", True)
            return _is_within(schema, ("minItems", "maxItems"), len(value)) and all(
                _accepts(items, item, scope, depth) for item in value
            )
        case dict():
            return _accepts_members(schema, value, scope, depth)


def _accepts_any(branches: JsonValue, value: JsonValue, scope: _Scope, depth: int) -> bool:
    return isinstance(branches, list) and any(
        _accepts(branch, value, scope, depth) for branch in branches
    )


def _has_format(name: JsonValue, text: str) -> bool:
    """Return whether a text obviously has a format."""
    pattern = _pattern(name) if isinstance(name, str) else None
    return pattern is not None and len(text) <= _LONGEST and pattern.fullmatch(text) is not None


@cache
def _pattern(format_name: str) -> re.Pattern[str] | None:
    pattern = _FORMATS.get(format_name)
    return None if pattern is None else re.compile(pattern)


def _accepts_text(schema: JsonObject, text: str) -> bool:
    allowed = schema.get("enum", [text])
    return (
        isinstance(allowed, list)
        and text in allowed
        and schema.get("const", text) == text
        and _is_within(schema, ("minLength", "maxLength"), len(text))
    )


def _accepts_members(schema: JsonObject, value: JsonObject, scope: _Scope, depth: int) -> bool:
    required, properties = schema.get("required", []), schema.get("properties", {})
    if not isinstance(required, list) or not isinstance(properties, dict):
        return False
    others = schema.get("additionalProperties", True)
    return all(name in value for name in required) and all(
        _accepts(properties.get(name, others), member, scope, depth)
        for name, member in value.items()
    )


def _is_within(schema: JsonObject, bounds: tuple[str, str], measure: float) -> bool:
    low, high = (schema.get(bound, measure) for bound in bounds)
    return (
        isinstance(low, (int, float)) and isinstance(high, (int, float)) and low <= measure <= high
    )


def _is_strictly_within(schema: JsonObject, number: float) -> bool:
    low, high = schema.get("exclusiveMinimum", -inf), schema.get("exclusiveMaximum", inf)
    return (
        isinstance(low, (int, float))
        and isinstance(high, (int, float))
        and not isinstance(low, bool)  # as draft-04 writes it, beside `minimum`
        and not isinstance(high, bool)
        and low < number < high
    )


def _resolved(schema: JsonObject, root: JsonValue) -> JsonValue:
    """Return the target of a schema's reference; None unless it is in the root's `$defs`."""
    reference = schema["$ref"]
    definitions = root.get("$defs") if isinstance(root, dict) else None
    if not isinstance(reference, str) or not isinstance(definitions, dict):
        return None
    prefix, _, name = reference.rpartition("/")
    return definitions.get(name) if prefix == _DEFINED and _ESCAPING.isdisjoint(name) else None


_URI = "urn:toolspec:schema"
_LEAST_STEPS = 200
# Maximum subschemas read to explain all invalid values of a service.
_MOST_READ = 100_000
FORMAT_SWITCH = "`formats: annotate`"
_MAX_PROBLEMS = 20
_SIMPLER = "simplify the pattern: repeat once, and let alternatives begin differently"
_FEWER = "list fewer values, or shorten the example"
_TOO_MANY = "comparing it with all values of `enum` would take too long"
_OF_FORMATS = frozenset({"format", "contentEncoding"})


@dataclass(frozen=True, slots=True)
class Problem:
    """One error of a value: its path, and a message."""

    path: Path
    text: str
    undecided: str = ""
    """A hint if the validator could not decide, else empty."""
    is_of_format: bool = False
    """Whether `formats: annotate` would accept the value."""

    def __str__(self) -> str:
        where = "".join(
            f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path
        ).removeprefix(".")
        return f"{where}: {self.text}" if where else self.text


def format_hint(problems: Iterable[Problem]) -> str:
    """Return an addition to a hint that names the switch, if a format rejected a value."""
    if any(problem.is_of_format for problem in problems):
        return f"; {FORMAT_SWITCH} of the tool or service turns format validation off"
    return ""


class Budget:
    """Limits of the work on the values of one service, far above what documents need.

    The validator compares each part of a value with each member of an `enum`. An explanation reads
    the whole schema first, and then takes steps through it.
    """

    def __init__(self, comparisons: int = 2_000_000) -> None:
        self._comparisons = comparisons
        self._options: dict[Key, tuple[int, int]] = {}
        self._wrong = 0
        self.secrets = Secrets()
        self._read = 0

    def options(self, linked: LinkedSchema) -> tuple[int, int]:
        """Return the number of scalars, and of lists and objects, in the `enum`s of a schema."""
        if linked.key not in self._options:
            lists = [node["enum"] for _, node in linked.resource.using({"enum"})]
            members = [item for listed in lists if isinstance(listed, list) for item in listed]
            containers = sum(isinstance(member, (dict, list)) for member in members)
            self._options[linked.key] = len(members) - containers, containers
        return self._options[linked.key]

    def compare(self, value: JsonValue, options: tuple[int, int]) -> bool:
        """Return whether a value may be compared with that many scalars and containers."""
        scalars, containers = options
        if scalars or containers:
            counts = _counted((value,))
            # Objects are compared member by member, strings mostly by their length.
            self._comparisons -= counts[0] * scalars // 64 + counts[1] * containers * 10
        return self._comparisons >= 0

    def report(self) -> bool:
        """Count an invalid value, and return whether it is reported."""
        self._wrong += 1
        return not self.is_exhausted

    @property
    def is_exhausted(self) -> bool:
        """Return whether the limit of reported values is reached: no further value is validated."""
        return self._wrong > MAX_DIAGNOSTICS

    def steps(self, size: int) -> int:
        """Return how many steps an explanation of a schema with `size` subschemas may take."""
        self._read += size
        return (
            max(MAX_STEPS // max(self._wrong, 1), _LEAST_STEPS) if self._read <= _MOST_READ else 0
        )


def _counted(values: Iterable[JsonValue]) -> tuple[int, int]:
    """Return the number of scalars, and of lists and objects, in some values."""
    scalars = containers = 0
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, (dict, list)):
            containers += 1
            pending += value.values() if isinstance(value, dict) else value
        else:
            scalars += 1
    return scalars, containers


class InstanceValidator:
    """Validates values against a bundle and its subschemas; each validator is compiled once.

    An undecided value counts as valid. With `formats` false, `format` and
    `contentEncoding` accept everything. `shared_validator` validates for all schemas of a service.
    """

    def __init__(
        self,
        bundle: Bundle,
        *,
        formats: bool = True,
        budget: Budget | None = None,
        shared_validator: SharedValidator | None = None,
    ) -> None:
        self.formats = formats
        self.budget = budget or Budget()
        self._undecided: JsonValue = None
        self._shared_validator = shared_validator
        self._bundle = bundle
        self._part: Callable[[str], Accepts] | None = None
        self._validators: dict[Path, Accepts | None] = {}
        self._explainers: dict[Path, Explainer] = {}

    @property
    def _schema(self) -> JsonValue:
        return self._bundle.value

    def accepts(self, path: Path, value: JsonValue) -> bool:
        """Return whether the subschema at a path accepts a value."""
        if plainly_accepts(value_at(self._schema, path), value, self._schema, formats=self.formats):
            return True
        if not self.budget.compare(value, self._options):
            self._undecided = value
            return False
        if self._shared_validator is not None:
            is_accepted = self._shared_validator.accepts(self._bundle.root.key, path, value)
            if is_accepted is not None:
                return is_accepted
        validator = self._validator(path)
        try:
            return validator is None or validator(value)
        except ValueError:
            return True

    def problems(self, path: Path, value: JsonValue) -> tuple[Problem, ...]:
        """Return the errors of an invalid value for the subschema at a path.

        The more invalid values the service had before, the fewer errors are searched for.
        """
        if value is not None and value is self._undecided:
            return (Problem((), _TOO_MANY, undecided=_FEWER),)
        steps = self.budget.steps(self._bundle.size)
        errors = self._explainer(path).errors(value, limit=_MAX_PROBLEMS, steps=steps)
        return tuple(
            dict.fromkeys(
                Problem(
                    error.path,
                    error.sentence,
                    undecided=_SIMPLER if error.keyword == PATTERN_LIMIT else "",
                    is_of_format=error.keyword in _OF_FORMATS,
                )
                for error in errors
            )
        )

    @cached_property
    def _options(self) -> tuple[int, int]:
        """Number of scalars, and of lists and objects, in the `enum`s of the bundle."""
        bundle = self._bundle
        counts = [self.budget.options(linked) for linked in (bundle.root, *bundle.copied.values())]
        return sum(scalars for scalars, _ in counts), sum(containers for _, containers in counts)

    def _explainer(self, path: Path) -> Explainer:
        if path not in self._explainers:
            self._explainers[path] = Explainer(
                self.standalone(path), formats=self.formats, secrets=self.budget.secrets
            )
        return self._explainers[path]

    def standalone(self, path: Path) -> JsonValue:
        """Return the subschema at a path as a separate schema."""
        if not path or not self._has_references(path):
            return value_at(self._schema, path)
        whole = self._schema if isinstance(self._schema, dict) else {}
        # References lead into the whole bundle, so only the entry point changes.
        whole = {"$id": _URI, **whole}
        return {"$ref": f"{whole['$id']}#{_fragment(path)}", "$defs": {"bundle": whole}}

    def _validator(self, path: Path) -> Accepts | None:
        if path not in self._validators:
            try:
                if not path or not self._has_references(path):
                    schema = value_at(self._schema, path)
                    is_schema = isinstance(schema, (dict, bool))
                    accepts = compiled(schema if is_schema else True, formats=self.formats)
                else:
                    self._part = self._part or compiled_parts(self._schema, formats=self.formats)
                    accepts = self._part(_fragment(path))
                self._validators[path] = accepts
            except InvalidSchemaError:
                self._validators[path] = None
        return self._validators[path]

    def _has_references(self, path: Path) -> bool:
        return any(holder[: len(path)] == path for holder in self._bundle.holders())


def _fragment(path: Path) -> str:
    return quote(format_pointer(path), safe="/~")
