"""A text contains invisible characters."""

import re
from collections.abc import Iterator
from itertools import chain
from unicodedata import bidirectional, category, name

from toolspec.rules.api import Diagnostics, DocumentVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "this {what} contains invisible characters: {characters}",
    "delete them",
)
VISITS = DocumentVisit
# The characters are literal, so that every engine reads the pattern alike. These patterns are
# compiled on first use.
SUSPECT = (
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters except tab and line feed
    "\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e01ef"
    "]"
)

_ZERO_WIDTH_SPACE = "\u200b"

_JOINERS = "\u200c\u200d"

_MARKS = "\u061c\u200e\u200f"

_SELECTOR = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"

_MONGOLIAN_SELECTORS = "\u180b\u180c\u180d\u180f"

# Scripts whose letters join, unless a joiner prevents it: Arabic and related ones, and those of
# India.
_JOINING = "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc]"

# Scripts that write without spaces and mark where a line may break.
_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"

_IDEOGRAPH = "[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"

_EMOJI = "[\u203c-\u3299\ufe0f\U0001f000-\U0001faff]"

_BLACK_FLAG, _CANCEL_TAG = "\U0001f3f4", "\U000e007f"

_TAG_OFFSET = 0xE0000

_SHOWN = 3

_FLAGS = tuple(
    _BLACK_FLAG + "".join(chr(_TAG_OFFSET + ord(letter)) for letter in region) + _CANCEL_TAG
    for region in ("gbeng", "gbsct", "gbwls")
)


def check(visit: DocumentVisit) -> Diagnostics:
    """Yield a diagnostic for each text with hidden characters."""
    for text in visit.texts(SUSPECT):
        characters = sorted(set(hidden(text.text)))
        encoded = tag_text(text.text) if characters else ""
        if characters:
            yield KIND.at(
                visit.span(text),
                f"tag characters spell `{encoded}`" if encoded else "",
                subject=visit.about(text),
                what="key" if text.is_key else "text",
                characters=described(characters),
            )


def hidden(text: str) -> Iterator[str]:
    """Yield each invisible character that its neighbours do not require."""
    flags = _flagged(text)
    for match in re.finditer(SUSPECT, text):
        position = match.start()
        is_line_end = text.startswith(
            "\r\n", position
        )  # a lone \r lets a terminal overwrite the line
        if position not in flags and not is_line_end and not _is_required(text, position):
            yield match.group()


def described(characters: list[str]) -> str:
    """Return characters by number and name, the first three of them."""
    shown = (
        f"U+{ord(character):04X} {name(character, '')}".strip() for character in characters[:_SHOWN]
    )
    more = len(characters) - _SHOWN
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def tag_text(text: str) -> str:
    """Return the ASCII text that tag characters encode."""
    codes = (ord(character) - _TAG_OFFSET for character in text)
    return "".join(chr(code) for code in codes if 0x20 <= code < 0x7F)  # noqa: PLR2004 - ASCII


def _flagged(text: str) -> frozenset[int]:
    """Return the positions of tag characters in the three flags that have them."""
    if _BLACK_FLAG not in text:
        return frozenset()
    matches = chain.from_iterable(re.finditer(flag, text) for flag in _FLAGS)
    return frozenset(chain.from_iterable(range(match.start(), match.end()) for match in matches))


def _is_required(text: str, position: int) -> bool:
    """Return whether the neighbours of an invisible character require it."""
    before, after = (
        text[position - 1 : position] if position else "",
        text[position + 1 : position + 2],
    )
    character = text[position]
    if character in _JOINERS:
        in_emoji = re.match(_EMOJI, before) and re.match(_EMOJI, after) and character == "\u200d"
        return bool(in_emoji or re.match(_JOINING, before))
    if character in _MARKS:
        return any(bidirectional(letter) in {"R", "AL"} for letter in text if letter not in _MARKS)
    if character == _ZERO_WIDTH_SPACE:
        return bool(re.match(_UNSPACED, before) and re.match(_UNSPACED, after))
    if character in _MONGOLIAN_SELECTORS:
        return bool(re.match(_JOINING, before))
    if re.match(_SELECTOR, character):
        return _has_variants(before, character)
    return False


def _has_variants(base: str, selector: str) -> bool:
    """Return whether a character can have a variation selector: ideographs, symbols, keycaps."""
    if not base or re.match(SUSPECT, base):
        return False
    if selector > "\ufe0f":
        return re.match(_IDEOGRAPH, base) is not None
    return base in "0123456789#*" or category(base)[0] in "SP" or bool(re.match(_IDEOGRAPH, base))
