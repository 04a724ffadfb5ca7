"""Validates values against schemas and explains what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from toolspec.schema.acceptance import plainly_accepts
from toolspec.shared.explanation import MAX_STEPS, PATTERN_LIMIT, Explainer
from toolspec.shared.validator import InvalidSchemaError, compiled, compiled_parts
from toolspec.syntax.nodes import value_at
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolspec.schema.bundle import Bundle
    from toolspec.shared.explanation import Accepts
    from toolspec.syntax.nodes import JsonValue
    from toolspec.syntax.pointer import Path

_URI = "urn:toolspec:schema"
_LEAST_STEPS = 200
FORMAT_SWITCH = "`formats: annotate`"
_MAX_PROBLEMS = 20
_OF_FORMATS = frozenset({"format", "contentEncoding"})


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a value: where in it, and a sentence that names it."""

    path: Path
    text: str
    is_undecided: bool = False
    """Whether the regex engine gave up, so that the value may be right."""
    is_of_format: bool = False
    """Whether `formats: annotate` would accept the value."""

    def __str__(self) -> str:
        where = "".join(
            f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path
        ).removeprefix(".")
        return f"{where}: {self.text}" if where else self.text


def format_hint(problems: Iterable[Problem]) -> str:
    """Return how a hint goes on where a format refused a value: with the switch."""
    if any(each.is_of_format for each in problems):
        return f"; {FORMAT_SWITCH} of the tool or service turns the check of formats off"
    return ""


class Judge:
    """Validates values against a bundle and its subschemas; each validator is compiled once.

    A value that the validator cannot decide about passes. With `formats` false, `format` and
    `contentEncoding` refuse nothing.
    """

    def __init__(self, bundle: Bundle, *, formats: bool = True) -> None:
        self.formats = formats
        self._made = bundle
        self._part: Callable[[str], Accepts] | None = None
        self._validators: dict[Path, Accepts | None] = {}
        self._explainers: dict[Path, Explainer] = {}
        self._explained = 0

    @property
    def _bundle(self) -> JsonValue:
        return self._made.value

    def accepts(self, path: Path, value: JsonValue) -> bool:
        """Whether the subschema at a path accepts a value."""
        if plainly_accepts(value_at(self._bundle, path), value, self._bundle, formats=self.formats):
            return True
        validator = self._validator(path)
        try:
            return validator is None or validator(value)
        except ValueError:
            return True

    def problems(self, path: Path, value: JsonValue, before: int = 0) -> tuple[Problem, ...]:
        """Return what the subschema at a path finds wrong with a value that it refuses.

        The more values of a service were explained before, the less work goes into one, so that all
        of them together cost what a few cost.
        """
        self._explained += 1
        steps = max(MAX_STEPS // max(self._explained, before), _LEAST_STEPS)
        errors = self._explainer(path).errors(value, limit=_MAX_PROBLEMS, steps=steps)
        return tuple(
            dict.fromkeys(
                Problem(
                    error.path,
                    error.sentence,
                    is_undecided=error.keyword == PATTERN_LIMIT,
                    is_of_format=error.keyword in _OF_FORMATS,
                )
                for error in errors
            )
        )

    def _explainer(self, path: Path) -> Explainer:
        if path not in self._explainers:
            self._explainers[path] = Explainer(self.standalone(path), formats=self.formats)
        return self._explainers[path]

    def standalone(self, path: Path) -> JsonValue:
        """Return the subschema at a path as a schema of its own."""
        if not path or not self._has_references(path):
            return value_at(self._bundle, path)
        whole = self._bundle if isinstance(self._bundle, dict) else {}
        # References lead into the whole bundle, so the subschema is its only entry.
        whole = {"$id": _URI, **whole}
        return {"$ref": f"{whole['$id']}#{_fragment(path)}", "$defs": {"bundle": whole}}

    def _validator(self, path: Path) -> Accepts | None:
        if path not in self._validators:
            try:
                if not path or not self._has_references(path):
                    schema = value_at(self._bundle, path)
                    is_schema = isinstance(schema, (dict, bool))
                    accepts = compiled(schema if is_schema else True, formats=self.formats)
                else:
                    self._part = self._part or compiled_parts(self._bundle, formats=self.formats)
                    accepts = self._part(_fragment(path))
                self._validators[path] = accepts
            except InvalidSchemaError:
                self._validators[path] = None
        return self._validators[path]

    def _has_references(self, path: Path) -> bool:
        return any(holder[: len(path)] == path for holder in self._made.holders())


def _fragment(path: Path) -> str:
    return quote(format_pointer(path), safe="/~")
