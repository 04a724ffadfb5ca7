"""Schema profiles of providers, read from dated data files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.shared.json_values import as_list, as_object
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import JsonObject

_FOLDER = Path(__file__).parent / "profiles"
# Features that most providers treat like another one.
_LIKE = {"items_missing": "items_untyped", "properties_empty": "type"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a request, as numbers and patterns; None or empty where unknown.

    Lengths are characters, `description_bytes` is UTF-8. `property_pattern` applies to top-level
    properties, and to all where `property_scope` is `all`. Those from `properties` on apply to
    strict tools: per schema up to `long_enum_text` (characters of an enum of more than
    `long_enum_values`), then per request.
    """

    name_pattern: str = ""
    name_length: int | None = None
    name_length_advised: int | None = None
    description_length: int | None = None
    description_length_advised: int | None = None
    description_bytes: int | None = None
    tools: int | None = None
    tools_advised: int | None = None
    request_bytes: int | None = None
    property_pattern: str = ""
    property_scope: str = "root"
    properties: int | None = None
    depth: int | None = None
    enum_values: int | None = None
    text: int | None = None
    long_enum_values: int | None = None
    long_enum_text: int | None = None
    strict_tools: int | None = None
    optional_parameters: int | None = None
    union_parameters: int | None = None


@dataclass(frozen=True, slots=True)
class KeywordSupport:
    """A provider's support for a feature of JSON Schema.

    `sent` is E (enforced), H (shown as a hint), I (ignored), X (rejected) or ? (unknown);
    `confidence` is high, medium or low.
    """

    sent: str
    confidence: str = "low"
    note: str = ""


UNKNOWN = KeywordSupport("?")


@dataclass(frozen=True, slots=True)
class Options:
    """The parameters of one step in a profile."""

    stated: JsonObject = field(default_factory=dict)

    def text(self, name: str, default: str = "") -> str:
        """Return a string parameter."""
        value = self.stated.get(name, default)
        return value if isinstance(value, str) else default

    def flag(self, name: str) -> bool:
        """Return a boolean parameter."""
        return self.stated.get(name) is True

    def number(self, name: str, default: int) -> int:
        """Return an integer parameter."""
        value = self.stated.get(name, default)
        return value if isinstance(value, int) else default

    def words(self, name: str) -> tuple[str, ...]:
        """Return a parameter that is a list of strings."""
        value = self.stated.get(name)
        return tuple(map(str, value)) if isinstance(value, list) else ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a profile with its parameters; profiles share equal ones."""

    step: str
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Profile:
    """One provider's requirements for tools, as of a date.

    `keywords` has the provider's support for each feature (`features.py` names them). `steps` lower
    a schema, in order. `fallback` names the profile for a tool that has no strict form; `notes` has
    details on single limits.
    """

    name: str
    family: str
    title: str
    date: str
    is_strict: bool = False
    fallback: str = ""
    limits: Limits = field(default_factory=Limits)
    notes: Mapping[str, str] = field(default_factory=dict)
    keywords: Mapping[str, KeywordSupport] = field(default_factory=dict)
    steps: tuple[Stage, ...] = ()

    def treatment(self, feature: str) -> KeywordSupport:
        """Return the support for a feature; unknown by default."""
        support = self.keywords.get(feature)
        if support is None and feature in _LIKE:
            return self.treatment(_LIKE[feature])
        return support or UNKNOWN


@cache
def names() -> tuple[str, ...]:
    """Return the names of all profiles, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def find_profile(name: str) -> Profile | None:
    """Return the profile of a target, cached; None for a target without profile."""
    if name not in names():
        return None
    return read(json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def family(name: str) -> tuple[str, ...]:
    """Return the names of the profiles of a family, sorted."""
    profiles = (find_profile(profile_name) for profile_name in names())
    return tuple(profile.name for profile in profiles if profile and profile.family == name)


def read(data: JsonObject) -> Profile:
    """Return the profile in a data file of the form of `schemas/profile.v1.schema.json`."""
    return Profile(
        name=str(data["name"]),
        family=str(data["family"]),
        title=str(data["title"]),
        date=str(data["date"]),
        is_strict=data.get("strict") is True,
        fallback=str(data.get("fallback", "")),
        limits=_limits(as_object(data.get("limits"))),
        notes={name: str(text) for name, text in as_object(data.get("notes")).items()},
        keywords={
            name: _treatment(as_object(cell)) for name, cell in as_object(data["keywords"]).items()
        },
        steps=tuple(_stage(json.dumps(stage)) for stage in as_list(data["steps"])),
    )


def _limits(stated: JsonObject) -> Limits:
    return Limits(**stated)  # type: ignore[arg-type]  # the schema of profiles has checked the types


def _treatment(cell: JsonObject) -> KeywordSupport:
    return KeywordSupport(
        str(cell["sent"]), str(cell.get("confidence", "low")), str(cell.get("note", ""))
    )


@cache
def _stage(text: str) -> Stage:
    """Return the stage of a JSON text; equal stages of profiles are one object."""
    options = json.loads(text)
    return Stage(options.pop("do"), Options(options))
