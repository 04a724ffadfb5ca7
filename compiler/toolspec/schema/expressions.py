"""Parser of regular expressions that recognizes syntax outside of ECMA-262."""

from __future__ import annotations

import re
import sys

from toolspec.shared.records import dataclass, field

MOST_REPEATS = 10_000
MAX_LENGTH = 50_000
_MOST_DIGITS = 100
MAX_SIZE = 300_000
"""Maximum states of an automaton: a compiled pattern takes less than 10 MiB."""

# One token of a pattern. A class is one token: it contains no operators.
_TOKEN = re.compile(
    r"""
    (?P<escape>\\(?:c.|[pPuxk]\{[^}]{0,100}\}|k<[^>]{0,100}>|.|$))
  | (?P<set>\[\^?(?:\\.|[^\]\\])*\]?)
  | (?P<open>\((?:\?(?:<?[=!]|:|<[A-Za-z_$][\w$]*>|P[<=>]?|.)?)?)
  | (?P<close>\))
  | (?P<bar>\|)
  | (?P<repeat>(?:[*+?]|\{(?P<least>[0-9]+)(?P<open_end>,(?P<most>[0-9]*))?\})(?P<mode>[+?]?))
  | (?P<literal>[^\\\[\]().|*+?{}^$]+(?![*+?{])|.)
    """,
    re.VERBOSE | re.DOTALL,
)

# Letters with a meaning after a backslash in ECMA-262 (section 22.2.1), with the `u` flag.
_ESCAPES = frozenset("bBcdDfknprsStuvwWxP0123456789")

_ENDLESS = ("*", "+", ",}")
_SIMPLER = "simplify the pattern"
_POSITIONS = frozenset({"^", "$", "\\b", "\\B"})

_FOREIGN_ESCAPES = {
    "A": "write `^`",
    "Z": "write `$`",
    "z": "write `$`",
    "h": "write `[ \\t]`",
    "R": "write `\\r?\\n`",
    "a": "write `\\x07`",
    "e": "write `\\x1b`",
    "Q": "escape each character",
    "E": "escape each character",
}

_FOREIGN_GROUPS = {
    "(?P<": ("a named group in Python's syntax", "write `(…)`"),
    "(?P=": ("a back-reference in Python's syntax", "write the repeated part out"),
    "(?P>": ("a recursive group", "write the repeated part out"),
    "(?P": ("a group in Python's syntax", "write `(?:…)`"),
    "(?(": ("a conditional group", "write the alternatives out with `|`"),
    "(?>": ("an atomic group", "write `(?:…)`"),
    "(?#": ("a comment", "move the comment to `$comment`"),
    "(?|": ("a group that resets its numbers", "write `(?:…)`"),
}

# In other languages the `]` is a member of the set, which continues.
_BARE_SETS = {
    "[]": ("no character", "write `(?!)` for that"),
    "[^]": ("any character", r"write `[\s\S]` for that"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in a pattern, with a hint."""

    problem: str
    suggestion: str


@dataclass(slots=True)
class _Group:
    """An open group: its start, and its alternatives so far."""

    start: int
    has_fixed: bool = False
    has_endless: bool = False
    is_slow: bool = False
    last: str = ""
    alternatives: list[bool] = field(default_factory=list)


def syntax_fault(pattern: str) -> Fault | None:
    """Return the first error of a pattern: syntax of another language, or absurd sizes."""
    if len(pattern) > MAX_LENGTH:
        return Fault(f"it is longer than {MAX_LENGTH:,} characters", _SIMPLER)
    before = ""
    for token in _TOKEN.finditer(pattern):
        fault = _fault(token)
        if fault is None and token["repeat"] and before in _POSITIONS:
            fault = Fault(f"`{before}{token[0]}` repeats a position", f"write `{before}`")
        if fault is not None:
            return fault
        before = token[0]
    return None


def size(pattern: str) -> int:
    """Return the approximate number of states of a pattern's automaton, in linear time."""
    sizes, last = [0], 0
    for token in _TOKEN.finditer(pattern):
        kind, text = token.lastgroup, token[0]
        if kind == "repeat":
            most = _count(token["most"] or token["least"] or "1")
            sizes[-1] += last * (max(most, 1) - 1) + 1
            last = 0
            continue
        if kind == "open":
            sizes.append(0)
            continue
        if kind == "close" and len(sizes) > 1:
            last = sizes.pop() + 1
        elif kind in {"set", "escape"}:
            last = _states(text)
        else:
            last = _STATES["^"] if text == "." else len(text.encode("utf-8", "replace"))
        sizes[-1] += last
        if sizes[-1] > MAX_SIZE:
            return MAX_SIZE + 1
    return sum(sizes)


def _count(digits: str) -> int:
    """Return a bound of a quantifier; Python reads no integer of more than 4,300 digits."""
    return int(digits) if len(digits) <= _MOST_DIGITS else sys.maxsize


# States for one character in UTF-8: of ASCII, of all but some, of those with a property.
_STATES = {"^": 30, "S": 100, "W": 100, "D": 100, "s": 30, "u": 30, "p": 1_500, "P": 1_500}


def _states(text: str) -> int:
    """Return the approximate number of states of a class or an escape."""
    escaped = sum(_STATES.get(letter, 0) for letter in re.findall(r"\\(.)", text, re.DOTALL))
    negated = _STATES["^"] if text.startswith("[^") else 0
    return 3 + escaped + negated + sum(30 for letter in text if not letter.isascii())


def shortened(pattern: str) -> str:
    """Return an equally valid pattern that compiles fast.

    Repetition counts become smaller, except with a look-behind, where the length matters.
    """
    return pattern if "(?<" in pattern else _TOKEN.sub(_with_fewer_repeats, pattern)


def _with_fewer_repeats(token: re.Match[str]) -> str:
    if not token["least"]:
        return token[0]
    least, most = _count(token["least"]), _count(token["most"] or token["least"])
    if least > most or most <= 2:  # noqa: PLR2004 - smaller counts are not equivalent
        return token[0]
    if token["open_end"] is None:
        bounds = "2"
    elif token["most"]:
        bounds = f"{min(least, 1)},2"
    else:
        bounds = f"{min(least, 2)},"
    return f"{{{bounds}}}{token['mode']}"


def _fault(token: re.Match[str]) -> Fault | None:
    text = token[0]
    match token.lastgroup:
        case "escape":
            return _escape_fault(text)
        case "set":
            return _set_fault(text)
        case "open":
            return _group_fault(text)
        case "repeat" if token["mode"] == "+":
            return Fault(f"`{text}` is a possessive quantifier", f"write `{text[:-1]}`")
        case "repeat":
            bounds = [_count(bound) for bound in (token["least"], token["most"]) if bound]
            if max(bounds, default=0) > MOST_REPEATS:
                limit = f"keep it to {MOST_REPEATS:,}, or use `maxLength`"
                return Fault(f"`{text}` repeats too often", limit)
    return None


def _set_fault(text: str) -> Fault | None:
    if text in _BARE_SETS:
        meaning, suggestion = _BARE_SETS[text]
        problem = f"`{text}` is {meaning} in ECMA-262 and begins a set in other languages"
        return Fault(problem, rf"{suggestion}; a bracket in a set is written `\]`")
    return next(filter(None, map(_escape_fault, re.findall(r"\\.", text, re.DOTALL))), None)


def _escape_fault(text: str) -> Fault | None:
    letter = text[1:2]
    if not letter:
        return Fault("it ends in a backslash", "write `\\\\` for a backslash")
    if letter in _ESCAPES or not (letter.isalpha() and letter.isascii()):
        return None
    suggestion = _FOREIGN_ESCAPES.get(letter, f"write `{letter}` for the letter itself")
    return Fault(f"`{text}` is not an escape of ECMA-262", suggestion)


def _group_fault(text: str) -> Fault | None:
    is_supported = text in {"(", "(?:", "(?=", "(?!", "(?<=", "(?<!"} or re.fullmatch(
        r"\(\?<[\w$]+>", text
    )
    if is_supported:
        return None
    for beginning, (name, suggestion) in _FOREIGN_GROUPS.items():
        if text.startswith(beginning):
            return Fault(f"`{text}` begins {name}", suggestion)
    return Fault(f"`{text}` sets flags inside the pattern", "write both cases: `[Aa]`")


def slow_part(pattern: str) -> str:
    """Return a group with nested repetition, such as `(a+)+`, or an empty text.

    A group counts only if repetitions alone can match it: `(-[a-z]+)*` also needs a hyphen.
    """
    if sum(map(pattern.count, _ENDLESS)) < 2:  # noqa: PLR2004 - inside and outside
        return ""
    stack = [_Group(0)]
    closed: _Group | None = None
    for token in _TOKEN.finditer(pattern):
        kind = token.lastgroup
        if kind == "repeat":
            if closed is not None and closed.is_slow and _is_endless(token):
                return pattern[closed.start : token.end()]
            _repeat(stack[-1], token, closed)
            closed = None
            continue
        _end_element(stack[-1])
        closed = None
        if kind == "open":
            stack.append(_Group(token.start()))
        elif kind == "close" and len(stack) > 1:
            closed = _close(stack)
        elif kind == "bar":
            _end_alternative(stack[-1])
        elif token[0] not in _POSITIONS:
            stack[-1].last = "fixed"
    return ""


def _repeat(group: _Group, token: re.Match[str], closed: _Group | None) -> None:
    """Apply a quantifier: an optional element is not fixed."""
    if _is_endless(token):
        group.has_endless = True
        group.last = ""
    elif token[0][0] in "*?" or token["least"] == "0":
        group.last = ""
    elif closed is None:
        group.last = "fixed"


def _end_element(group: _Group) -> None:
    group.has_fixed |= group.last == "fixed"
    group.last = ""


def _end_alternative(group: _Group) -> None:
    _end_element(group)
    group.alternatives.append(group.has_endless and not group.has_fixed)
    group.has_fixed = group.has_endless = False


def _close(stack: list[_Group]) -> _Group:
    group = stack.pop()
    _end_alternative(group)
    group.is_slow = any(group.alternatives)
    # In the outer group, an element with optional or unbounded content is not fixed.
    stack[-1].last = "" if group.is_slow else "fixed"
    stack[-1].has_endless |= group.is_slow
    return group


def _is_endless(token: re.Match[str]) -> bool:
    text = token[0]
    return text[0] in "*+" or (token["open_end"] is not None and not token["most"])
