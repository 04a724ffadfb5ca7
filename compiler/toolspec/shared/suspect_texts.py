"""Texts that give a model orders, claim authority, or hide something from people.

The rules of `security/` report them in specs, and a comparison of two versions where they are new.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import normalize

from toolspec.shared.whitespace import single_spaced


class InjectionPhrase(NamedTuple):
    """A common phrase, as a pattern of folded text (`find_injection_phrase`), and its purpose."""

    pattern: str
    what: str


PHRASES = (
    InjectionPhrase(
        r"\b(?:ignore|disregard|forget|override|bypass)(?: \w+){0,3}"
        r" (?:instructions?|directives|guidelines)\b",
        "asks the model to ignore instructions",
    ),
    InjectionPhrase(
        r"\b(?:do not|don't|never|without|must not) (?:ever )?"
        r"(?:tell|mention|inform|reveal|disclos)(?:e|ing)?"
        r"(?: \w+){0,4} (?:users?|humans?|anyone|anybody)\b(?! apart)",
        "asks the model to hide something from the user",
    ),
    InjectionPhrase(
        r"\b(?:do not|don't|never|without) (?:ever )?ask(?:ing)?"
        r"(?: \w+){0,3} (?:confirmation|permission|approval|consent)\b",
        "asks the model to skip the user's approval",
    ),
    InjectionPhrase(
        r"\b(?:read|cat|open|send|pass|include|upload)\b[^.]{0,60}"
        r"(?:~?/?\.ssh\b|\bid_rsa\b|\.aws/credentials|/etc/passwd)",
        "asks the model for private files",
    ),
    InjectionPhrase(
        r"<(?:important|system|secret)(?: ?instructions?)?>",
        "marks a part of itself as instructions",
    ),
)

_PATTERN = "|".join(f"({phrase.pattern})" for phrase in PHRASES)

ROLE_MARK = (
    r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|>"
    r"|\[/?INST\]|<</?SYS>>|<start_of_turn>|<end_of_turn>|</?function_calls>|<\|begin_of_text\|>"
)
"""Markers of chat templates, which models read as a change of speaker."""

_CLAIM = (
    r"(?i:\bthe only (?:trusted|safe|secure|official|approved|reliable) (?:tool|server|source|way))"
    r"|\bHIGHEST[ -]PRIORITY\b"
    r"|(?i:\b(?:trusted|verified|approved|certified) by (?:anthropic|openai|google|microsoft|the system))"
)
_STEERING = (
    r"(?i)(?:instead of|rather than|over) (?:any|all|every)(?: of the)?(?: other)? [\w ]{0,20}(?:tools?|servers?)"
    r"|(?:do not|don't|never) (?:use|call) (?:any )?other (?:tools?|servers?)"
    r"|ignore (?:any|all)? ?other (?:tools?|servers?)"
    r"|(?:always|must) (?:call|use|run) this (?:tool )?before (?:any|every|all) other (?:tools?|calls?)"
)
_MARKUP = r"(?i)(<!--)|(<script\b)|(\]\((?:javascript|data):)"
_MARKUP_NAMES = ("a comment", "a script", "a link that runs")
_CODE = r"`[^`]*`"


class PhraseMatch(NamedTuple):
    """The purpose of an injected phrase, and its words."""

    what: str
    quote: str


def find_injection_phrase(text: str) -> PhraseMatch | None:
    """Return the first injected phrase in a text, ignoring case, letter width and line breaks."""
    folded = single_spaced(normalize("NFKC", text).lower())
    match = re.search(_PATTERN, folded)
    return match and PhraseMatch(PHRASES[(match.lastindex or 1) - 1].what, match.group())


def find_claim(text: str) -> str:
    """Return the first words in a text that claim trust or precedence; empty without any."""
    found = re.search(_CLAIM, single_spaced(text))
    return found[0] if found else ""


def find_steering(text: str) -> str:
    """Return the first words in a text that tell a model to avoid other tools; empty without any."""
    found = re.search(_STEERING, single_spaced(text))
    return found[0] if found else ""


def find_role_mark(text: str) -> str:
    """Return the first marker of a chat template in a text; empty without any."""
    found = re.search(ROLE_MARK, text)
    return found[0] if found else ""


def find_hidden_markup(text: str) -> str:
    """Return the name of the first markup in a text that is invisible when rendered; empty without any."""
    found = re.search(_MARKUP, re.sub(_CODE, "", text))
    return _MARKUP_NAMES[(found.lastindex or 1) - 1] if found else ""


def suspicion(text: str) -> str:
    """Return what is suspect about a text, such as ``claims authority: `…` ``; empty for nothing."""
    if phrase := find_injection_phrase(text):
        return f"{phrase.what}: `{phrase.quote}`"
    found = (
        ("claims authority", find_claim(text)),
        ("tells the model to avoid other tools", find_steering(text)),
        ("contains a marker of a chat template", find_role_mark(text)),
        ("contains markup that is invisible when rendered", find_hidden_markup(text)),
    )
    return next((f"{what}: `{quote}`" for what, quote in found if quote), "")
