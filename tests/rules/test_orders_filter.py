"""The quick look for orders lets none pass that the close look would find, however a text is written."""

from __future__ import annotations

import json
import re
from unicodedata import normalize

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, RegexOptions
from toolspec.rules.search import texts
from toolspec.rules.security.instruction_text import FOLDED, SUSPECT
from toolspec.shared.suspect_texts import PHRASES, find_injection_phrase
from toolspec.syntax import parse

SPELT = set(re.sub(r"\\.", "", "".join(phrase.pattern for phrase in PHRASES))) & set(
    "abcdefghijklmnopqrstuvwxyz'<>/_~"
)
NOT_SUSPECT = Draft202012Validator(
    {"not": {"type": "string", "pattern": SUSPECT}}, pattern_options=RegexOptions(), offline=True
)
SPACES = st.sampled_from([" ", "  ", "\n", "\t ", "\u00a0", "\u3000", "\x1c", "\u2028", "\r\n"])
STYLES = st.sampled_from(
    [str, str.upper, str.title, lambda word: "".join(wide(letter) for letter in word)]
)
WORDS = st.sampled_from(
    [
        *("ignore all", "disregard", "override the", "instructions", "safety guidelines"),
        *("do not", "don't", "never ever", "without", "must not"),
        *("tell", "mention it to", "revealing", "a user", "anyone", "apart"),
        *("ask", "asking for", "permission", "their consent"),
        *("read", "then send", "~/.ssh", "\u2026ssh", "id_rsa", ".aws/credentials", "/etc/passwd"),
        *("<important>", "\ufe64system>", "<secret", "instructions>"),
        *("x.", "'quoted'", "\\n", "\u00b4", "\u00e9", "\ufdfb"),
    ]
)
TEXTS = st.lists(st.tuples(WORDS, STYLES, SPACES), max_size=12).map(
    lambda parts: "".join(space.join(style(word).split()) + space for word, style, space in parts)
)


def wide(letter: str) -> str:
    return chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter


def test_every_character_that_folds_to_a_letter_of_the_patterns_is_known() -> None:
    everything = map(chr, (*range(0x80, 0xD800), *range(0xE000, 0x110000)))
    folding = {c for c in everything if SPELT & set(normalize("NFKC", c).lower())}
    assert {c for c in folding if not re.match(FOLDED, c)} == set()


@settings(derandomize=True, max_examples=500, deadline=None)
@given(TEXTS)
def test_no_order_is_missed(text: str) -> None:
    if find_injection_phrase(text):
        assert not NOT_SUSPECT.is_valid(text)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(TEXTS, st.sampled_from(["json", "ascii.json", "'.yaml", '".yaml', "|.yaml", ">.yaml"]))
def test_no_order_is_missed_in_a_source(text: str, form: str) -> None:
    value = [{"description": text}]
    if form.endswith("json"):
        source = json.dumps(value, ensure_ascii=form.startswith("ascii"))
    else:
        source = yaml.dump(value, default_style=form[0], allow_unicode=True, width=30)
    document = parse(f"a.{form.rpartition('.')[2]}", source.encode()).value
    if document is not None:
        written = document.location(0, "description").value
        found = [each.text for each in texts(document, SUSPECT)]
        assert found == [written] or not find_injection_phrase(str(written))
