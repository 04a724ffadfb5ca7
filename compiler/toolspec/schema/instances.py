"""Values against schemas: accepted or not, why not in plain words, and whether any value would be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolspec.diagnostics import nearest
from toolspec.schema.acceptance import plainly_accepts
from toolspec.schema.error_paths import path_of
from toolspec.schema.findings import listed, shown
from toolspec.syntax.nodes import value_at
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jsonschema_rs import Registry, ValidationError, Validator

    from toolspec.schema.bundle import Bundle
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

_URI = "urn:toolspec:schema"
_LONGEST = 160

_ARTICLES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}

_TYPES_OF = {
    bool: ("boolean",),
    dict: ("object",),
    float: ("number",),
    int: ("number", "integer"),
    list: ("array",),
    str: ("string",),
    type(None): ("null",),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a value: where in it, and a sentence that names it."""

    path: Path
    text: str

    def __str__(self) -> str:
        where = "".join(
            f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path
        ).removeprefix(".")
        return f"{where}: {self.text}" if where else self.text


class Judge:
    """Judges values by a bundle and by its subschemas; what was compiled once is kept.

    jsonschema-rs decides and explains: its engine for patterns does not backtrack without limit, so
    that no pattern with a matching example can stop the compiler. What it cannot decide passes.
    """

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle.value
        self._made = bundle
        self._registry: Registry | None = None
        self._validators: dict[Path, Validator | None] = {}

    def accepts(self, path: Path, value: JsonValue) -> bool:
        """Whether the subschema at a path accepts a value."""
        if plainly_accepts(value_at(self._bundle, path), value, self._bundle):
            return True
        validator = self._validator(path)
        try:
            return validator is None or validator.is_valid(value)
        except ValueError:
            return True

    def problems(self, path: Path, value: JsonValue) -> tuple[Problem, ...]:
        """Return everything that the subschema at a path finds wrong with a value."""
        validator = self._validator(path)
        try:
            errors = [] if validator is None else list(validator.iter_errors(value))
        except ValueError:
            return ()
        found = [problem for error in errors for problem in _told(error, value)]
        return tuple(dict.fromkeys(found))

    def refuses_all(self, path: Path) -> bool:
        """Whether it is proved that nothing satisfies the subschema at a path."""
        from jsonschema_rs import ReferencingError, canonicalize
        from jsonschema_rs.canonical import Satisfiability

        try:
            schema, registry = self._schema(path)
            canonical = canonicalize(schema, registry=registry, offline=True)
            return canonical.satisfiability() == Satisfiability.NO
        except (ReferencingError, ValueError):
            return False

    def _validator(self, path: Path) -> Validator | None:
        from jsonschema_rs import Draft202012Validator, ReferencingError

        if path not in self._validators:
            try:
                schema, registry = self._schema(path)
                validator = Draft202012Validator(schema, registry=registry, offline=True)
            except (ReferencingError, ValueError):
                validator = None
            self._validators[path] = validator
        return self._validators[path]

    def _schema(self, path: Path) -> tuple[JsonObject | bool, Registry | None]:
        """Return a subschema in a form that compiles alone."""
        from jsonschema_rs import Registry

        if not path or not any(holder[: len(path)] == path for holder in self._made.holders()):
            schema = value_at(self._bundle, path)
            return schema if isinstance(schema, (dict, bool)) else True, None
        if self._registry is None:
            self._registry = Registry([(_URI, self._bundle)])
        return {"$ref": f"{_URI}#{quote(format_pointer(path), safe='/~')}"}, self._registry


def has_type(value: JsonValue, name: str) -> bool:
    """Whether a value is of a type of JSON Schema; `1.0` is an integer (its section 6.1.1)."""
    if isinstance(value, float) and name == "integer":
        return value.is_integer()
    return name in _TYPES_OF[type(value)]


def _told(error: ValidationError, whole: JsonValue) -> Iterator[Problem]:
    """Yield an error in plain words; a failed choice as the errors of its likeliest branch."""
    from jsonschema_rs import ValidationErrorKind as Kind

    path, value = path_of(error, whole), error.instance
    match error.kind:
        case Kind.AnyOf(context) | Kind.OneOfNotValid(context):
            yield from _told_choice(path, error, context, whole)
        case Kind.Type(types):
            yield Problem(path, f"{shown(value)} is not {_wanted(types)}")
        case Kind.Enum(options):
            yield Problem(path, _told_enum(value, options))
        case Kind.Constant(expected):
            yield Problem(path, f"{shown(value)} is not {shown(expected)}")
        case Kind.Required(name):
            yield Problem(path, f"`{name}` is missing")
        case Kind.AdditionalProperties(names) | Kind.UnevaluatedProperties(names):
            yield Problem(path, f"there is no property {listed(names)}")
        case Kind.FalseSchema() if error.schema_path[-1:] == ["additionalProperties"]:
            yield _told_closed(path, whole)
        case Kind.FalseSchema():
            yield Problem(path, "nothing may stand here")
        case Kind.Pattern(pattern):
            yield Problem(path, f"{shown(value)} does not match `{pattern}`")
        case _:
            message = error.message
            yield Problem(
                path, message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1]}…"
            )


def _told_closed(path: Path, whole: JsonValue) -> Problem:
    """Return the problem of an object that may have no members: the error speaks of its first one."""
    holder = value_at(whole, path)
    if not isinstance(holder, dict):  # of one with an empty key, that member was found
        path = path[:-1]
        holder = value_at(whole, path)
    names = tuple(holder) if isinstance(holder, dict) else ()
    return Problem(path, f"there is no property {listed(names)}")


def _told_choice(
    path: Path,
    choice: ValidationError,
    branches: Sequence[Sequence[ValidationError]],
    whole: JsonValue,
) -> Iterator[Problem]:
    from jsonschema_rs import ValidationErrorKind as Kind

    types: list[str] = []
    likely: list[Sequence[ValidationError]] = []
    for branch in branches:
        match [(error.kind, error.instance_path) for error in branch]:
            case [(Kind.Type(names), at)] if at == choice.instance_path:
                types += names
            case _:
                likely.append(branch)
    if not likely:
        yield Problem(path, f"{shown(choice.instance)} is not {_wanted(types)}")
        return
    best = min(likely, key=_distance)
    for error in best:
        yield from _told(error, whole)


def _distance(branch: Sequence[ValidationError]) -> tuple[bool, int, int]:
    """How far a branch is from accepting: a wrong tag is farthest, then many errors, then shallow."""
    from jsonschema_rs import ValidationErrorKind as Kind

    is_other = any(isinstance(error.kind, (Kind.Constant, Kind.Enum)) for error in branch)
    deepest = max((len(error.instance_path) for error in branch), default=0)
    return is_other, len(branch), -deepest


def _wanted(types: Iterable[str]) -> str:
    """Return the names of types as people say them, null last."""
    names = sorted(dict.fromkeys(types), key=lambda name: name == "null")
    return " or ".join(_ARTICLES.get(name, name) for name in names)


def _told_enum(value: object, options: Sequence[object]) -> str:
    words = [option for option in options if isinstance(option, str)]
    close = nearest(value, words) if isinstance(value, str) else ""
    if close:
        return f"{shown(value)} is not allowed; did you mean {shown(close)}?"
    return f"{shown(value)} is none of {shown(list(options))}"
