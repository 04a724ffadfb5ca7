"""Validation with the package jsonschema, matching jsonschema-rs: no fetching, bounded patterns."""

from __future__ import annotations

import json
import re
from datetime import date
from fractions import Fraction
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Any

from jsonschema import FormatChecker, validators
from jsonschema.exceptions import ValidationError
from referencing import Registry
from referencing.exceptions import Unresolvable

from toolspec.shared.encodings import is_encoded
from toolspec.shared.json_values import identity
from toolspec.shared.safe_patterns import SafePattern, UnsafePatternError, is_pattern, safe_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jsonschema.protocols import Validator
    from referencing.jsonschema import SchemaRegistry

    from toolspec.shared.json_values import Accepts, JsonValue, Path

_NEVER = "(?!)"
_MAPS = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})
_VALUES = frozenset({"const", "default", "enum", "examples"})


def compiled(schema: JsonValue | str, *, formats: bool, error: type[ValueError]) -> Accepts:
    """Return a function that decides whether a value is valid.

    It raises `error` for a reference without a target.
    """
    loaded: Any = json.loads(schema) if isinstance(schema, str) else schema
    kind = validators.validator_for(loaded, default=validators.Draft202012Validator)
    registry: SchemaRegistry = Registry()
    # A separate registry, because the default one fetches references.
    validator = _extended(kind)(
        _with_python_keys(loaded),
        registry=registry,
        format_checker=_formats() if formats else None,
    )

    def accepts(value: JsonValue) -> bool:
        _require_json(value)
        try:
            return bool(validator.is_valid(value))
        except RecursionError:
            return False
        except Unresolvable as problem:
            raise error(str(problem)) from problem

    return accepts


def invalid_parts(schema: JsonValue, dialect: str) -> set[Path]:
    """Return the paths in a schema that violate the metaschema of its dialect, a URI."""
    kind = validators.validator_for({"$schema": dialect})
    errors = kind(kind.META_SCHEMA).iter_errors(schema)
    return {tuple(error.absolute_path) for error in errors}


def text_finder(pattern: str) -> Callable[[JsonValue], bool]:
    """Return a function that searches a value's texts and keys for a pattern."""
    search = re.compile(pattern).search

    def finds(value: JsonValue) -> bool:
        waiting = [value]
        while waiting:
            node = waiting.pop()
            if isinstance(node, str):
                if search(node):
                    return True
            elif isinstance(node, dict):
                waiting += [*node, *node.values()]
            elif isinstance(node, list):
                waiting += node
        return False

    return finds


def matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches somewhere in a text; False if its work is unbounded."""
    safe, search = _runnable(pattern)
    return safe is not None and not safe.is_too_expensive(text) and search(text) is not None


@cache
def _runnable(pattern: str) -> tuple[SafePattern | None, Callable[[str], object]]:
    try:
        safe = safe_pattern(pattern)
    except UnsafePatternError:
        return None, re.compile(_NEVER).search
    return safe, re.compile(safe.text).search


@cache
def _extended(kind: Any) -> Any:
    own = {
        "pattern": _pattern,
        "multipleOf": _multiple_of,
        "uniqueItems": _unique_items,
        "contentEncoding": _content_encoding,
        "dependencies": _dependencies,
        "unevaluatedProperties": _unevaluated_properties(
            kind.VALIDATORS.get("unevaluatedProperties")
        ),
    }
    checker = kind.TYPE_CHECKER.redefine("array", lambda _, value: isinstance(value, (list, tuple)))
    return validators.extend(  # type: ignore[no-untyped-call]  # untyped in the stubs
        kind,
        validators={
            name: item
            for name, item in own.items()
            if name in kind.VALIDATORS or name in {"contentEncoding", "dependencies"}
        },
        type_checker=checker,
    )


def _pattern(_: Validator, pattern: str, value: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not matches(pattern, value):
        yield ValidationError("pattern")


def _multiple_of(_: Validator, step: Any, value: Any, __: Any) -> Iterator[ValidationError]:
    """Compare decimal values: 0.3 is a multiple of 0.1."""
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and Fraction(repr(value)) % Fraction(repr(step))
    ):
        yield ValidationError("multipleOf")


def _unique_items(_: Validator, is_asked: Any, value: Any, __: Any) -> Iterator[ValidationError]:
    if (
        is_asked
        and isinstance(value, list)
        and len({identity(item) for item in value}) < len(value)
    ):
        yield ValidationError("uniqueItems")


def _content_encoding(validator: Any, name: Any, value: Any, _: Any) -> Iterator[ValidationError]:
    is_checked = validator.format_checker is not None and isinstance(value, str)
    if is_checked and not is_encoded(str(name), value):
        yield ValidationError("contentEncoding")


def _dependencies(
    validator: Any, dependencies: Any, value: Any, _: Any
) -> Iterator[ValidationError]:
    """Check the keyword of older drafts, which jsonschema-rs still supports."""
    for name, needed in dependencies.items() if isinstance(value, dict) else ():
        if name not in value:
            continue
        if isinstance(needed, list):
            if any(item not in value for item in needed):
                yield ValidationError("dependencies")
        else:
            yield from validator.descend(value, needed)


_LONGEST_KEY = 5_000


def _unevaluated_properties(original: Any) -> Any:
    """Return the package's keyword limited to short keys, since it searches without bounds."""

    def check(
        validator: Validator, rule: Any, value: Any, schema: Any
    ) -> Iterator[ValidationError]:
        if isinstance(value, dict) and any(len(key) > _LONGEST_KEY for key in value):
            yield ValidationError("unevaluatedProperties")
            return
        yield from original(validator, rule, value, schema) or ()

    return check


def _with_python_keys(schema: Any) -> Any:
    """Return a schema with the patterns of `patternProperties` translated for `re`.

    The package searches them in several keywords. Patterns without a linear bound match nothing.
    """
    if isinstance(schema, list):
        return [_with_python_keys(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    translated: dict[str, object] = {}
    for name, argument in schema.items():
        if name in _VALUES:
            translated[name] = argument
        elif name in _MAPS and isinstance(argument, dict):
            translated[name] = {
                _python_key(key) if name == "patternProperties" else key: _with_python_keys(item)
                for key, item in argument.items()
            }
        elif isinstance(argument, (dict, list)):
            translated[name] = _with_python_keys(argument)
        else:
            translated[name] = argument
    return translated


def _python_key(pattern: str) -> str:
    safe, _ = _runnable(pattern)
    return safe.text if safe is not None else _NEVER


_TIME = re.compile(
    r"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?(?:[zZ]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL = re.compile(
    rf"(?:{_ATOM}(?:\.{_ATOM})*|\"[^\"\\]*\")@(?:{_LABEL}(?:\.{_LABEL})*|\[([^\]]+)\])"
)

# RFC 3987. Quantifiers are possessive, so that the work is linear.
_UNRESERVED = (
    r"A-Za-z0-9._~\-\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(rf"\U{plane:04x}0000-\U{plane:04x}fffd" for plane in range(1, 0xE))
    + r"\U000e1000-\U000efffd"
)
_PRIVATE = r"\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def _iri_text(more: str) -> str:
    return rf"(?:[{_UNRESERVED}!$&'()*+,;={more}]|%[0-9A-Fa-f]{{2}})*+"


_IRI_END = (
    rf"(?://(?:{_iri_text(':')}@)?(?:\[([0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\]"
    rf"|{_iri_text('')})(?::[0-9]*)?(?=[/?#]|\Z)|(?!//))"
    rf"{_iri_text(':@/')}(?:\?{_iri_text(':@/?' + _PRIVATE)})?(?:#{_iri_text(':@/?')})?"
)
_IRI = re.compile(rf"[A-Za-z][A-Za-z0-9+.\-]*+:{_IRI_END}")
_RELATIVE_IRI = re.compile(rf"(?![^/?#:]*:){_IRI_END}")


def _is_iri(text: str, pattern: re.Pattern[str] = _IRI) -> bool:
    match = pattern.fullmatch(text)
    if match is None or not match[1] or match[1][0] == "v":
        return match is not None
    return _is_address(IPv6Address, match[1])


def _is_iri_reference(text: str) -> bool:
    return _is_iri(text) or _is_iri(text, _RELATIVE_IRI)


def _is_address(kind: type[IPv4Address | IPv6Address], text: str) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


def _is_time(text: str) -> bool:
    """Return whether a text is a full-time of RFC 3339; leap seconds only at 23:59 UTC."""
    match = _TIME.fullmatch(text)
    if match is None:
        return False
    if match[3] != "60":
        return True
    offset = 0
    if match[4]:
        offset = (int(match[5]) * 60 + int(match[6])) * (1 if match[4] == "+" else -1)
    return (int(match[1]) * 60 + int(match[2]) - offset) % 1440 == 1439  # noqa: PLR2004 - a day's minutes


def _is_date_time(text: str) -> bool:
    day, time = text[:10], text[11:]
    return bool(text[10:11] in {"T", "t"} and _is_date(day) and _is_time(time))


def _is_date(text: str) -> bool:
    if _DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_email(text: str) -> bool:
    match = _EMAIL.fullmatch(text)
    if match is None or not match[1]:
        return match is not None
    if match[1].startswith("IPv6:"):
        return _is_address(IPv6Address, match[1].removeprefix("IPv6:"))
    return _is_address(IPv4Address, match[1])


@cache
def _formats() -> FormatChecker:
    """Return the package's format checkers, made as strict as those of jsonschema-rs."""
    checker = FormatChecker()
    own = {
        "date": _is_date,
        "date-time": _is_date_time,
        "email": _is_email,
        "iri": _is_iri,
        "iri-reference": _is_iri_reference,
        "regex": is_pattern,
        "time": _is_time,
    }
    for name, accepts in own.items():
        checker.checks(name)(
            lambda value, accepts=accepts: not isinstance(value, str) or accepts(value)
        )
    return checker


_SCALARS = (str, bool, int, type(None))


def _require_json(value: object) -> None:
    """Raise ValueError for values of types or subclasses that JSON does not have."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if isinstance(node, dict) and kind is dict:
            if not all(type(key) is str for key in node):
                reason = "a key is not a string"
                raise ValueError(reason)
            waiting += node.values()
        elif isinstance(node, (list, tuple)) and kind in (list, tuple):
            waiting += node
        elif kind not in _SCALARS and not (isinstance(node, float) and node - node == 0):
            reason = f"{kind.__name__} is not a JSON type"
            raise ValueError(reason)
