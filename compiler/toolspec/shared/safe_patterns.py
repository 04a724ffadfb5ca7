"""Translation of ECMA-262 patterns for Python's `re`, with a bound on backtracking.

Used without jsonschema-rs, whose engine bounds its own work. A pattern is rejected if matching some
text may take exponential time, or if Python lacks a construct.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import prod
from re import _constants as opcodes  # type: ignore[attr-defined]  # the opcodes of `re`
from re import _parser as parser  # type: ignore[attr-defined]  # there is no public parser
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    Ranges: TypeAlias = tuple[tuple[int, int], ...]

MAX_WORK = 40_000_000
"""Maximum number of steps to match one text: about a second."""

_MAX_DEGREE = 4
_MAX_POSITIONS = 400
_MAX_FACTOR = 4_096
"""Maximum number of ways to match a text through choices outside of repetitions."""

_LAST = 0x10FFFF
_DIGITS: Ranges = ((48, 57),)
_WORDS: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACES: Ranges = (
    (9, 13), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_LINE_ENDS: Ranges = ((10, 10), (13, 13), (0x2028, 0x2029))
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}

_TOKEN = re.compile(
    r"""
    \\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})
    | \\u(?P<unit>[0-9a-fA-F]{4}) | \\u\{(?P<point>[0-9a-fA-F]{1,6})\} | \\x(?P<byte>[0-9a-fA-F]{2})
    | \\c(?P<control>[A-Za-z]) | \\(?P<escaped>.) | (?P<group>\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_]\w*>)?)?)
    | (?P<count>\{[0-9]+(?:,[0-9]*)?\}) | (?P<plain>.)
    """,
    re.VERBOSE | re.DOTALL,
)


# Constructs that Python lacks but ECMA-262 has, and any other escape.
_ONLY_ECMA = re.compile(r"\\(?:[pP]\{\w+(?:=\w+)?\}|k<\w+>|[1-9]\d*|(?P<other>.))", re.DOTALL)


class UnsafePatternError(ValueError):
    """A pattern that cannot be run safely."""


class SafePattern(NamedTuple):
    """A pattern that `re` can run in bounded time."""

    text: str
    """The pattern in Python's syntax, as one group."""
    degree: int
    """The exponent in the bound of matching steps: length to this power."""

    def is_too_expensive(self, text: str) -> bool:
        """Return whether matching a text could exceed the maximum number of steps."""
        return bool(len(text) ** self.degree > MAX_WORK)


@lru_cache(maxsize=4096)
def safe_pattern(pattern: str) -> SafePattern:
    """Return an ECMA-262 pattern translated for `re`. Raises UnsafePatternError."""
    text = _translated(pattern)
    try:
        tree = parser.parse(text)
    except (re.error, OverflowError, RecursionError) as problem:
        reason = f"Python does not read it: {problem}"
        raise UnsafePatternError(reason) from None
    try:
        return SafePattern(f"(?:{text})", _degree(tree))
    except RecursionError:
        reason = "it is nested too deeply"
        raise UnsafePatternError(reason) from None


def is_pattern(text: str) -> bool:
    """Return whether a text is a pattern of ECMA-262 with flag `u`, even if `re` cannot run it."""
    readable = _ONLY_ECMA.sub(lambda escape: escape[0] if escape["other"] else "a", text)
    try:
        parser.parse(_translated(readable))
    except (UnsafePatternError, re.error, OverflowError, RecursionError):
        return False
    return True


def _translated(pattern: str) -> str:
    """Return a pattern in Python's syntax, with explicit ranges for its classes."""
    parts: list[str] = []
    at = 0
    while at < len(pattern):
        token = _token(pattern, at)
        at = token.end()
        if token[0] == "[":
            text, at = _translated_class(pattern, at)
            parts.append(text)
            continue
        code = _code_point(token)
        if code is not None:
            parts.append(_literal(code))
        else:
            parts.append(_escape(token["escaped"]) if token["escaped"] else _plain(token))
    return "".join(parts)


def _translated_class(pattern: str, at: int) -> tuple[str, int]:
    """Return the class whose members begin at an index, and the index of its end."""
    is_negated = pattern[at : at + 1] == "^"
    at += is_negated
    members: list[str] = []
    while at < len(pattern):
        if pattern[at] == "]":
            return _class(members, is_negated=is_negated), at + 1
        if pattern[at] != "\\":  # groups and counts are literal here
            members.append("-" if pattern[at] == "-" else _literal(ord(pattern[at])))
            at += 1
            continue
        token = _token(pattern, at)
        code = _code_point(token)
        members.append(_class_escape(token["escaped"]) if code is None else _literal(code))
        at = token.end()
    reason = "a class is not closed"
    raise UnsafePatternError(reason)


def _token(pattern: str, at: int) -> re.Match[str]:
    token = _TOKEN.match(pattern, at)
    if token is None or token[0] == "\\":
        reason = "it ends in a backslash"
        raise UnsafePatternError(reason)
    return token


def _code_point(token: re.Match[str]) -> int | None:
    if token["high"]:
        return 0x10000 + ((int(token["high"], 16) & 0x3FF) << 10) + (int(token["low"], 16) & 0x3FF)
    for name in ("unit", "point", "byte"):
        if token[name]:
            return min(int(token[name], 16), _LAST)
    if token["control"]:
        return ord(token["control"]) % 32
    if token["escaped"] and token["escaped"] in _CONTROLS:
        return _CONTROLS[token["escaped"]]
    return None


def _plain(token: re.Match[str]) -> str:
    text = token[0]
    if token["group"]:
        if text == "(?":
            reason = "it has a kind of group that Python reads otherwise"
            raise UnsafePatternError(reason)
        return f"(?P{text[2:]}" if text.startswith("(?<") and text[3] not in "=!" else text
    if token["count"] or text in "*?|)^":
        return text
    if text == "+":
        return text
    if text == "$":
        return r"\Z"
    if text == ".":
        return _class([_ranges(_LINE_ENDS)], is_negated=True)
    return _literal(ord(text))


def _escape(char: str) -> str:
    """Return the Python form of an escape outside a class."""
    if char in "dDwWsS":
        return _class([_class_escape(char)], is_negated=False)
    if char in "bB":
        return rf"(?a:\{char})"
    return _identity(char)


def _class_escape(char: str) -> str:
    """Return an escape in a class as members of the class."""
    if char == "b":
        return _literal(8)
    kinds = {"d": _DIGITS, "w": _WORDS, "s": _SPACES}
    if char.lower() in kinds:
        ranges = kinds[char.lower()]
        return _ranges(ranges if char.islower() else _complement(ranges))
    return _identity(char)


def _identity(char: str) -> str:
    if char.isalnum():
        kinds = {"p": "Unicode properties", "P": "Unicode properties", "k": "back references"}
        what = "back references" if char.isdigit() else kinds.get(char, f"an escape `\\{char}`")
        reason = f"it has {what}, which Python has not"
        raise UnsafePatternError(reason)
    return _literal(ord(char))


def _class(members: list[str], *, is_negated: bool) -> str:
    if not members:
        return r"[\x00-\U0010ffff]" if is_negated else "(?!)"
    # A literal `-`: first, last, or beside a set of several members.
    last = len(members) - 1
    texts = [
        r"\-"
        if member == "-"
        and (index in {0, last} or len(members[index - 1]) > _ONE or len(members[index + 1]) > _ONE)
        else member
        for index, member in enumerate(members)
    ]
    return f"[{'^' if is_negated else ''}{''.join(texts)}]"


_ONE = len(r"\U0010ffff")
"""Maximum length of a single class member."""


def _literal(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else rf"\U{code:08x}"


def _ranges(ranges: Ranges) -> str:
    return "".join(f"{_literal(first)}-{_literal(last)}" for first, last in ranges)


def _complement(ranges: Ranges) -> Ranges:
    edges = [-1, *(edge for pair in ranges for edge in pair), _LAST + 1]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return tuple((before + 1, after - 1) for before, after in pairs if before + 1 < after)


# Bounds of matching. A pattern is a graph of positions (Glushkov): each character of it and those
# that may follow. Matching is linear if no text has two paths, exponential if two paths of one text
# can lead from a position back to itself, and otherwise polynomial in the number of consecutive
# repetitions.


class _Part(NamedTuple):
    """A part of a pattern: whether it may be empty, its first and last positions, its cost."""

    is_empty: bool
    first: tuple[int, ...]
    last: tuple[int, ...]


class _Positions:
    """The position graph of a pattern."""

    def __init__(self) -> None:
        self.ranges: list[Ranges] = []
        self.follow: list[list[int]] = []
        self.inner_degree = 0
        """The degree of the lookarounds, each matched again at every position."""
        self.factor = 1

    def add(self, ranges: Ranges) -> _Part:
        if len(self.ranges) == _MAX_POSITIONS:
            reason = "it is too large"
            raise UnsafePatternError(reason)
        self.ranges.append(ranges)
        self.follow.append([])
        number = (len(self.ranges) - 1,)
        return _Part(is_empty=False, first=number, last=number)

    def sequence(self, items: Iterable[Any]) -> _Part:
        whole = _Part(is_empty=True, first=(), last=())
        for item in items:
            part = self.part(item)
            for number in whole.last:
                self.follow[number] += part.first
            whole = _Part(
                whole.is_empty and part.is_empty,
                whole.first + (part.first if whole.is_empty else ()),
                part.last + (whole.last if part.is_empty else ()),
            )
        return whole

    def part(self, item: Any) -> _Part:
        kind, argument = item
        if kind in {opcodes.LITERAL, opcodes.NOT_LITERAL, opcodes.IN, opcodes.ANY}:
            return self.add(_characters(kind, argument))
        if kind is opcodes.AT:
            return _Part(is_empty=True, first=(), last=())
        if kind is opcodes.SUBPATTERN:
            return self.sequence(argument[3])
        if kind is opcodes.BRANCH:
            parts = [self.sequence(branch) for branch in argument[1]]
            empty = sum(part.is_empty for part in parts)
            self.factor *= max(1, empty)
            return _Part(
                empty > 0,
                tuple(number for part in parts for number in part.first),
                tuple(number for part in parts for number in part.last),
            )
        if kind in {opcodes.MAX_REPEAT, opcodes.MIN_REPEAT}:
            return self.repetition(*argument)
        if kind in {opcodes.ASSERT, opcodes.ASSERT_NOT}:
            self.inner_degree = max(self.inner_degree, _degree(argument[1], is_anchored=True))
            return _Part(is_empty=True, first=(), last=())
        reason = "it has back references, conditions or atomic groups"
        raise UnsafePatternError(reason)

    def repetition(self, least: int, most: int, items: Any) -> _Part:
        size, factor = len(self.ranges), self.factor
        part = self.sequence(items)
        if most > 1:
            if part.is_empty:
                reason = "it repeats what can match nothing"
                raise UnsafePatternError(reason)
            if self.factor > factor:
                reason = "a text can be read in exponentially many ways"
                raise UnsafePatternError(reason)
            # A count is treated as an unbounded, more ambiguous repetition, unless it repeats
            # a single character exactly.
            if least != most or len(self.ranges) > size + 1:
                for number in part.last:
                    self.follow[number] += part.first
        return _Part(part.is_empty or least == 0, part.first, part.last)


def _degree(tree: Any, *, is_anchored: bool | None = None) -> int:
    """Return the exponent of the text's length that bounds the matching steps."""
    graph = _Positions()
    whole = graph.sequence(tree)
    if is_anchored is None:
        is_anchored = bool(tree) and tree[0] == (opcodes.AT, opcodes.AT_BEGINNING)
    circles = _circles(graph.follow)
    if any(_is_exponential(circle, graph) for circle in circles):
        reason = "a text can be read in exponentially many ways"
        raise UnsafePatternError(reason)
    inside = {number for circle in circles for number in circle}
    choices = [whole.first, *(graph.follow[n] for n in range(len(graph.follow)) if n not in inside)]
    if (
        graph.factor * prod(max(1, _most_overlapping(item, graph.ranges)) for item in choices)
        > _MAX_FACTOR
    ):
        reason = "it has too many choices that overlap"
        raise UnsafePatternError(reason)
    is_deterministic = all(
        _most_overlapping(item, graph.ranges) <= 1 for item in (whole.first, *graph.follow)
    )
    loops = min(len(circles), 1) if is_deterministic else _longest_chain(circles, graph.follow)
    degree = max(1, loops + graph.inner_degree + (not is_anchored))
    if degree > _MAX_DEGREE:
        reason = "too many repetitions follow each other"
        raise UnsafePatternError(reason)
    return degree


def _characters(kind: Any, argument: Any) -> Ranges:
    if kind is opcodes.LITERAL:
        return ((argument, argument),)
    if kind is opcodes.NOT_LITERAL:
        return _complement(((argument, argument),))
    ranges: list[tuple[int, int]] = []
    is_negated = False
    for member, value in argument:
        if member is opcodes.NEGATE:
            is_negated = True
        elif member is opcodes.LITERAL:
            ranges.append((value, value))
        else:
            ranges.append(value)
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(last, merged[-1][1])
        else:
            merged.append((first, last))
    return _complement(tuple(merged)) if is_negated else tuple(merged)


def _overlap(first: Ranges, second: Ranges) -> bool:
    return any(a <= d and c <= b for a, b in first for c, d in second)


def _most_overlapping(numbers: Iterable[int], ranges: list[Ranges]) -> int:
    """Return the maximum number of given positions at which one character may match."""
    edges = sorted(
        edge
        for number in numbers
        for first, last in ranges[number]
        for edge in ((first, 0, 1), (last, 1, -1))
    )
    most = current = 0
    for _, _, change in edges:
        current += change
        most = max(most, current)
    return most


def _finishing_order(follow: list[list[int]]) -> list[int]:
    """Return all positions in depth-first finishing order."""
    order: list[int] = []
    visited: set[int] = set()
    for start in range(len(follow)):
        stack = [] if start in visited else [(start, iter(follow[start]))]
        visited.add(start)
        while stack:
            number, edges = stack[-1]
            other = next((edge for edge in edges if edge not in visited), None)
            if other is None:
                order.append(number)
                stack.pop()
            else:
                visited.add(other)
                stack.append((other, iter(follow[other])))
    return order


def _circles(follow: list[list[int]]) -> list[list[int]]:
    """Return the strongly connected components, each before those it leads to."""
    back: list[list[int]] = [[] for _ in follow]
    for number, others in enumerate(follow):
        for other in others:
            back[other].append(number)
    circles: list[list[int]] = []
    placed: set[int] = set()
    for start in reversed(_finishing_order(follow)):
        if start in placed:
            continue
        members, waiting = [], [start]
        placed.add(start)
        while waiting:
            number = waiting.pop()
            members.append(number)
            for other in back[number]:
                if other not in placed:
                    placed.add(other)
                    waiting.append(other)
        if len(members) > 1 or start in follow[start]:
            circles.append(members)
    return circles


def _is_exponential(circle: list[int], graph: _Positions) -> bool:
    """Return whether two paths of one text lead from a position of a cycle back to it."""
    inside = set(circle)
    follow = {number: [o for o in graph.follow[number] if o in inside] for number in circle}
    if any(len(set(others)) < len(others) for others in follow.values()):
        return True
    if all(_most_overlapping(others, graph.ranges) <= 1 for others in follow.values()):
        return False
    back = _pairs_before(circle, follow, graph.ranges)
    waiting = [(number, number) for number in circle]
    returning = set(waiting)
    while waiting:
        for pair in back.get(waiting.pop(), ()):
            if pair[0] != pair[1]:
                return True
            if pair not in returning:
                returning.add(pair)
                waiting.append(pair)
    return False


def _pairs_before(
    circle: list[int], follow: dict[int, list[int]], ranges: list[Ranges]
) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return the predecessors of each pair of positions reached by one text from one position."""
    back: dict[tuple[int, int], list[tuple[int, int]]] = {}
    waiting = [(number, number) for number in circle]
    visited = set(waiting)
    while waiting:
        pair = waiting.pop()
        for one in follow[pair[0]]:
            for two in follow[pair[1]]:
                if not _overlap(ranges[one], ranges[two]):
                    continue
                back.setdefault((one, two), []).append(pair)
                if (one, two) not in visited:
                    visited.add((one, two))
                    waiting.append((one, two))
    return back


def _longest_chain(circles: list[list[int]], follow: list[list[int]]) -> int:
    """Return the maximum number of cycles on a path through the graph."""
    owner = {number: index for index, circle in enumerate(circles) for number in circle}
    longest: dict[int, int] = {}
    # Components precede those they lead to, so start from the last.
    for index in range(len(circles) - 1, -1, -1):
        reached, waiting = set(circles[index]), list(circles[index])
        while waiting:
            for other in follow[waiting.pop()]:
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        further = {owner[number] for number in reached if number in owner} - {index}
        longest[index] = 1 + max((longest.get(item, 1) for item in further), default=0)
    return max(longest.values(), default=0)
