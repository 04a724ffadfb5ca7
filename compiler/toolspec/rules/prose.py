"""Constraints stated in descriptions, and whether a statement applies unconditionally."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject

# Length in characters from which a description is an error.
HUGE_DESCRIPTION = 16_384

# Blanks are limited: two unlimited runs next to each other would take quadratic time.
_LITERAL = r"""(?P<literal>(?:true|false)\b|-?\d+(?:\.\d+)?(?![\w%]|[.,:-]\d)|'[^'\n]{1,40}'|"[^"\n]{1,40}"|`[^`\n]{1,40}`)"""
_DEFAULT = re.compile(
    rf"\bdefault(?:s|ing)?(?:\s{{1,4}}value)?\s{{0,4}}(?:to|is|of|[:=])?\s{{0,4}}{_LITERAL}",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_NUMBER = r"(\d{1,12})(?![\w%]|[.,]\d)"
# No word may follow: `at most 4 kB`, `60 minutes` or `20 tickets` is no limit of the value itself.
_LAST = rf"{_NUMBER}(?=[^\S\n]{{0,4}}(?:[.,;:!)\]\n]|$|\(?default\b|\(?inclusive\b))"
_RANGE = re.compile(
    rf"\bbetween\s{{1,4}}{_NUMBER}\s{{1,4}}and\s{{1,4}}{_LAST}|\bfrom\s{{1,4}}{_NUMBER}\s{{1,4}}to\s{{1,4}}{_LAST}"
    rf"|\({_NUMBER}\s{{0,4}}[-\u2013]\s{{0,4}}{_LAST}",
    re.IGNORECASE,
)
_MOST = re.compile(
    rf"\bmax(?:imum)?(?:\s{{1,4}}value)?\s{{0,4}}(?:is|of|[:=])?\s{{0,4}}{_LAST}|\b(?:at most|up to|no more than)\s{{1,4}}{_LAST}",
    re.IGNORECASE,
)
# One of several may concern another case or thing: `1-3` for one, `4-9` for another.
_ANY_LIMIT = re.compile(
    r"\d\s?[-\u2013]\s?\d|\b(?:between|from|max(?:imum)?|at most|up to|no more than)\W{1,4}\d",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:ms|(?:milli|micro)?seconds|minutes|hours|days|weeks|months|years)\b", re.IGNORECASE
)
# A phrase such as `at most` concerns the value at the beginning of a clause, or after its name.
_BEGINNING = re.compile(
    r"(?:^|[^\w\s'\"`]|\n|\b(?:be|is|are|value))\s{0,4}(?:(?:the|its|a)\s)?$", re.IGNORECASE
)
_NEAR = 16
# Largest number of statements that are examined: a text with more is likely about other things.
_SEVERAL = 8
# Words for a limit that applies in one case only.
_CASES = re.compile(
    r"\b(?:if|when|whenever|unless|or|otherwise|except|depend(?:s|ing)|each|every)\b", re.IGNORECASE
)
_QUOTED = r"""(?:'[\w./+-]{1,40}'|"[\w./+-]{1,40}"|`[\w./+-]{1,40}`)"""
_LISTING = re.compile(r"['\"`|]")  # each list of values has one of these
_CHOICE = re.compile(
    r"\b(?:one of|options|option|either|allowed|valid|possible|supported|values|must be)\b[\w ]{0,24}:?\s{0,4}"
    rf"(?P<values>{_QUOTED}(?:\s{{0,4}}\([^()]{{0,60}}\))?(?:(?:\s{{0,4}},\s{{0,4}}(?:or |and )?|\s{{1,4}}or\s{{1,4}}|\s{{0,4}}\|\s{{0,4}}|\s{{0,4}}/\s{{0,4}})"
    rf"{_QUOTED}(?:\s{{0,4}}\([^()]{{0,60}}\))?)+)",
    re.IGNORECASE,
)
_BARS = re.compile(r"\((?P<values>\w{2,}(?:\s?\|\s?\w{2,})+)\)")
_PARENTHESES = re.compile(r"\([^()]*\)")
_WORD = re.compile(r"[\w.+-]+(?:/[\w.+-]+)*")
_OPEN = re.compile(
    r"\b(?:e\.g|such as|for example|examples?|etc|include|(?:common|typical|usual|some|known)\b[\w ]{0,12}values)\b|\.\.\.",
    re.IGNORECASE,
)
_SOME = re.compile(r"\b(?:values|options) include\b", re.IGNORECASE)
_FORM = re.compile(
    r"ISO|RFC|\d{4}|YY|yy|%Y|epoch|unix|seconds|e\.g\.|example|format", re.IGNORECASE
)
_CLOCK = re.compile(r"HH:MM", re.IGNORECASE)
_ZONE = re.compile(r"zone|UTC|GMT|offset|Z\b|local|[+-]HH|[+-]0\d:", re.IGNORECASE)
_HIDING = re.compile(
    r"\b(?:comma|semicolon|pipe)[- ](?:separated|delimited)|separated (?:by|with) commas?\b"
    r"|\bJSON[- ](?:encoded|string|object string|array string|stringified)|\bstringified\b"
    r"|\bserialized (?:as )?JSON",
    re.IGNORECASE,
)
_WORDS = ("eparated", "elimited", "JSON", "tringified")


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value stated in a text, with its words."""

    value: bool | float | str
    words: str


def text_of(schema: JsonObject) -> str:
    """Return the description of a schema; empty if it has none."""
    text = schema.get("description")
    return text if isinstance(text, str) else ""


def stated_default(schema: JsonObject) -> StatedValue | None:
    """Return the only unconditional default in a description, if of the schema's type."""
    text = text_of(schema)
    if "efault" not in text and "EFAULT" not in text:
        return None
    every = islice(_DEFAULT.finditer(text), _SEVERAL)
    statements = [(match, stated) for match in every if (stated := _typed(match, schema))]
    if len({statement.value for _, statement in statements}) != 1:
        return None
    return statements[0][1] if all(_is_general(match) for match, _ in statements) else None


def _typed(match: re.Match[str], schema: JsonObject) -> StatedValue | None:
    literal = match["literal"]
    plain = literal.strip("'\"`")
    match schema.get("type"):
        case "boolean" if plain.casefold() in {"true", "false"}:
            return StatedValue(plain.casefold() == "true", match[0])
        case "integer" | "number" if re.fullmatch(r"-?\d+(?:\.\d+)?", plain):
            return StatedValue(float(plain) if "." in plain else int(plain), match[0])
        case "string" if plain != literal:
            return StatedValue(plain, match[0])
    return None


def stated_bounds(schema: JsonObject) -> tuple[int | None, int | None]:
    """Return the minimum and maximum that a description states unconditionally for a number.

    None for both where they may concern anything but the value: another unit of time, another noun,
    a second range.
    """
    if schema.get("type") not in ("integer", "number"):
        return None, None
    return _bounds(text_of(schema))


# Several rules ask for the bounds of the same text, one after the other.
@lru_cache(maxsize=256)
def _bounds(text: str) -> tuple[int | None, int | None]:
    if not _DIGIT.search(text) or _CASES.search(without_omission(text)):
        return None, None
    ranges = [*islice(_RANGE.finditer(text), _SEVERAL)]
    limits = [*filter(_is_of_the_value, islice(_MOST.finditer(text), _SEVERAL))]
    numbers = [_numbers(match) for match in (*ranges, *limits)]
    if len({bounds[-1] for bounds in numbers}) != 1 or _is_of_several(text):
        return None, None
    if not all(map(_is_general, (*ranges, *limits))):
        return None, None
    if not ranges:
        return None, numbers[0][-1]
    least, most = numbers[0]
    return (least, most) if least < most else (None, None)


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(group) for group in match.groups() if group is not None)


def _is_general(match: re.Match[str]) -> bool:
    return holds_always(match.string, *match.span())


def _is_of_the_value(match: re.Match[str]) -> bool:
    near = max(0, match.start() - _NEAR)
    return _BEGINNING.search(match.string, near, match.start()) is not None


def _is_of_several(text: str) -> bool:
    """Return whether a text states several limits, or several units of time."""
    units = {unit.casefold() for unit in _TIMES.findall(text)}
    return len(units) > 1 or len(_ANY_LIMIT.findall(text)) > 1


def stated_values(schema: JsonObject) -> tuple[str, ...]:
    """Return the allowed values that a description lists completely; empty for examples."""
    text = text_of(schema)
    if schema.get("type") != "string" or not _LISTING.search(text):
        return ()
    match = _CHOICE.search(text) or _BARS.search(text)
    if match is None or _OPEN.search(text, max(0, match.start() - 16), match.end() + 8):
        return ()
    if _SOME.search(text) or not holds_always(text, *match.span()):
        return ()
    listed = _PARENTHESES.sub(" ", match["values"])
    words = [word for word in _WORD.findall(listed) if word not in {"or", "and"}]
    return tuple(dict.fromkeys(words))


def open_in_time(text: str) -> str:
    """Return the missing detail of a time as the beginning of a sentence; empty if none is missing."""
    if _CLOCK.search(text):
        return "" if _ZONE.search(text) else "no time zone is stated for"
    return "" if _FORM.search(text) else "no format is stated for"


def hides_values(text: str) -> bool:
    """Return whether a description asks for a list or an object encoded as a string."""
    return any(word in text for word in _WORDS) and _HIDING.search(text) is not None


# End of a sentence; parentheses are examined separately.
_ENDS = re.compile(r"[.!?;](?=\s|$)|\n")
_ALWAYS = r"if|when|whenever|unless|otherwise|except|depend(?:s|ing)|while|where|else"
_BEFORE = re.compile(
    rf"\b(?:{_ALWAYS})\b|^\W*(?:for|with|without|on|until|under|as)\b", re.IGNORECASE
)
_BEHIND = re.compile(
    rf"\b(?:{_ALWAYS}|or|for(?! all\b)|with|without|on|in|only|until|per|each|every)\b|\((?!default)[^()]*\d",
    re.IGNORECASE,
)
# The case in which the value is absent.
_OMITTED = re.compile(
    r"\b(?:if|when)\s(?:it\s)?(?:is\s)?(?:omitted|unset|absent|missing|left out|not (?:given|set|specified|provided))\b"
    r"|\bunless (?:specified|stated|set|given)(?: otherwise)?\b|\bunless otherwise (?:specified|stated)\b",
    re.IGNORECASE,
)
# Largest distance from a statement to search, however long its sentence.
_FAR = 400


def without_omission(text: str) -> str:
    """Return a text without clauses about an absent value."""
    return _OMITTED.sub("", text)


def holds_always(text: str, start: int, end: int) -> bool:
    """Return whether the sentence around a statement names no condition."""
    first, last = max(0, start - _FAR), end + _FAR
    begin = max(
        (end_of_sentence.end() for end_of_sentence in _ENDS.finditer(text, first, start)),
        default=first,
    )
    stop = _ENDS.search(text, end, last)
    before = without_omission(text[begin:start])
    behind = without_omission(text[end : stop.start() if stop else last])
    if before.rfind("(") > before.rfind(")"):
        before = before[before.rfind("(") + 1 :]
    return _BEFORE.search(before) is None and _BEHIND.search(behind) is None
