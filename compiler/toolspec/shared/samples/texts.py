"""Generation of strings by format, by pattern, or as words of a given length."""

from __future__ import annotations

import base64
import re
from re import _constants as constants  # type: ignore[attr-defined]  # there is no public parser
from re import _parser as parser  # type: ignore[attr-defined]  # the same
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random
    from typing import Any, TypeAlias

    from toolspec.shared.json_values import JsonObject

    Nodes: TypeAlias = Iterable[tuple[Any, Any]]
    """Nodes of Python's parsed patterns: opcodes with their arguments."""

_WORDS = ("amber", "birch", "cedar", "dune", "elm", "fern", "grove", "heath")
_REPEATS = 3
_ANY = "abcxyz019"
_CATEGORIES = {
    constants.CATEGORY_DIGIT: "0123456789",
    constants.CATEGORY_WORD: "abcdefgh0123_",
    constants.CATEGORY_SPACE: " ",
    constants.CATEGORY_NOT_DIGIT: "abcdef",
    constants.CATEGORY_NOT_WORD: " -.",
    constants.CATEGORY_NOT_SPACE: "abcdef0123",
}
_PRINTABLE = "".join(map(chr, range(32, 127)))


def text(schema: JsonObject, chance: Random) -> str:
    """Return a string of a schema's format, pattern, encoding or words, within its length.

    If keywords conflict for this random choice, the pattern wins.
    """
    least, most = _length(schema, "minLength", 0), _length(schema, "maxLength", 1_000_000)
    pattern, of_format = schema.get("pattern"), _FORMATS.get(str(schema.get("format")))
    if of_format is not None:
        generated = of_format(chance)
        if not isinstance(pattern, str) or _has_match(pattern, generated):
            return generated
    if isinstance(pattern, str):
        return _matching(pattern, chance, least, most)
    encode = _ENCODERS.get(str(schema.get("contentEncoding")), bytes.decode)
    words = chance.choice(_WORDS)
    while (missing := least - len(encode(words.encode()))) > 0:
        words += "".join(f" {chance.choice(_WORDS)}" for _ in range(1 + missing // 10))
    while words and (excess := len(encode(words.encode())) - most) > 0:
        words = words[: -max(1, excess // 2)]
    return encode(words.encode())


def _has_match(pattern: str, value: str) -> bool:
    try:
        return re.search(_python(pattern), value) is not None
    except (re.error, OverflowError, RecursionError):
        return False


def _length(schema: JsonObject, keyword: str, otherwise: int) -> int:
    value = schema.get(keyword)
    return int(value) if isinstance(value, (int, float)) else otherwise


def _matching(pattern: str, chance: Random, least: int, most: int) -> str:
    try:
        tree = parser.parse(_python(pattern))
    except (re.error, OverflowError, RecursionError):
        return chance.choice(_WORDS)
    generated = _Pattern(chance, 0).made(tree)
    for extra in range(1, 30):
        if least <= len(generated) <= most:
            break
        more = (least - len(generated)) if len(generated) < least else 0
        generated = _Pattern(chance, more if extra % 2 else 0).made(tree)
    # A pattern without anchors allows text around it.
    if len(generated) < least and not pattern.endswith("$"):
        generated += "a" * (least - len(generated))
    elif len(generated) < least and not pattern.startswith("^"):
        generated = "a" * (least - len(generated)) + generated
    return generated


def _python(pattern: str) -> str:
    """Return an ECMA-262 pattern in Python's syntax, where the difference matters here."""
    pattern = re.sub(r"\\p\{[^}]*\}", "[a-z]", pattern)
    pattern = re.sub(r"\\u\{?([0-9A-Fa-f]{4})\}?", r"\\u\1", pattern)
    return (
        re.sub(r"\(\?<([A-Za-z_])", r"(?P<\1", pattern).replace("\\/", "/").replace("\\-", "\\x2d")
    )


class _Pattern:
    """Generates strings from a parsed pattern; repeats add `more` characters."""

    def __init__(self, chance: Random, more: int) -> None:
        self._chance = chance
        self._more = more
        self._groups: dict[int, str] = {}

    def made(self, tree: Nodes) -> str:
        return "".join(self._part(kind, value) for kind, value in tree)

    def _part(self, kind: Any, value: Any) -> str:  # noqa: PLR0911 - one per construct
        match kind, value:
            case constants.LITERAL, int(code):
                return chr(code)
            case constants.NOT_LITERAL, int(code):
                return self._chance.choice([item for item in _ANY if ord(item) != code])
            case constants.ANY, _:
                return self._chance.choice(_ANY)
            case constants.IN, list(members):
                return self._one_of(members)
            case constants.BRANCH, (_, branches):
                return self.made(self._chance.choice(list(branches)))
            case constants.SUBPATTERN, (group, _, _, inner):
                self._groups[group] = self.made(inner)
                return self._groups[group]
            case constants.GROUPREF, int(group):
                return self._groups.get(group, "")
            case (
                (constants.MAX_REPEAT | constants.MIN_REPEAT | constants.POSSESSIVE_REPEAT),
                (int(low), high, inner),
            ):
                return self._repeated(low, high, inner)
            case constants.ATOMIC_GROUP, inner:
                return self.made(inner)
            case _:
                return ""  # an anchor or a lookaround: the caller validates

    def _repeated(self, low: int, high: Any, inner: Nodes) -> str:
        limit = int(high) if isinstance(high, int) and high is not constants.MAXREPEAT else 10_000
        times = self._chance.randint(low, max(low, min(limit, low + _REPEATS)))
        if self._more > 0:
            times = min(limit, max(times, low + self._more))
        tree = list(inner)
        return "".join(self.made(tree) for _ in range(times))

    def _one_of(self, members: list[tuple[Any, Any]]) -> str:
        is_negated = any(kind is constants.NEGATE for kind, _ in members)
        chars = "".join(_characters(kind, value) for kind, value in members)
        if is_negated:
            return self._chance.choice([item for item in _PRINTABLE if item not in chars] or ["é"])
        return self._chance.choice(chars or _ANY)


def _characters(kind: Any, value: Any) -> str:
    match kind, value:
        case constants.LITERAL, int(code):
            return chr(code)
        case constants.RANGE, (int(low), int(high)):
            return "".join(map(chr, range(low, min(high, low + 200) + 1)))
        case constants.CATEGORY, _:
            return _CATEGORIES.get(value, "")
        case _:
            return ""


def _digits(chance: Random, count: int) -> str:
    return "".join(chance.choice("0123456789abcdef") for _ in range(count))


def _day(chance: Random) -> str:
    return f"2026-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"


def _time(chance: Random) -> str:
    return f"{chance.randint(0, 23):02}:{chance.randint(0, 59):02}:00Z"


def _host(chance: Random) -> str:
    return f"{chance.choice(_WORDS)}.example.com"


def _uuid(chance: Random) -> str:
    parts = (8, 3, 3, 12)
    first, second, third, last = (_digits(chance, count) for count in parts)
    return f"{first}-{_digits(chance, 4)}-4{second}-8{third}-{last}"


_FORMATS: dict[str, Callable[[Random], str]] = {
    "date-time": lambda chance: f"{_day(chance)}T{_time(chance)}",
    "date": _day,
    "time": _time,
    "duration": lambda chance: f"PT{chance.randint(1, 59)}M",
    "email": lambda chance: f"{chance.choice(_WORDS)}@example.com",
    "idn-email": lambda chance: f"{chance.choice(_WORDS)}@example.com",
    "hostname": _host,
    "idn-hostname": _host,
    "ipv4": lambda chance: f"192.0.2.{chance.randint(1, 254)}",
    "ipv6": lambda chance: f"2001:db8::{chance.randint(1, 9999)}",
    "uri": lambda chance: f"https://{_host(chance)}/{chance.choice(_WORDS)}",
    "uri-reference": lambda chance: f"/{chance.choice(_WORDS)}",
    "iri": lambda chance: f"https://{_host(chance)}/{chance.choice(_WORDS)}",
    "iri-reference": lambda chance: f"/{chance.choice(_WORDS)}",
    "uri-template": lambda chance: f"/{chance.choice(_WORDS)}/{{id}}",
    "uuid": _uuid,
    "json-pointer": lambda chance: f"/{chance.choice(_WORDS)}",
    "relative-json-pointer": lambda _: "0",
    "regex": lambda _: "^[a-z]+$",
}

_ENCODERS: dict[str, Callable[[bytes], str]] = {
    "base16": lambda data: data.hex().upper(),
    "base32": lambda data: base64.b32encode(data).decode(),
    "base32hex": lambda data: base64.b32hexencode(data).decode(),
    "base64": lambda data: base64.b64encode(data).decode(),
    "base64url": lambda data: base64.urlsafe_b64encode(data).decode(),
}
