"""Patterns for Python's `re`: translated faithfully, bounded in work, or refused."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from toolspec.schema.patterns import fault_of
from toolspec.shared.safe_patterns import UnsafePatternError, is_pattern, safe_pattern
from toolspec.shared.validator import compiled, is_too_expensive

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
EXPONENTIAL = [
    "^(a+)+$", r"^(\w+\s?)*$", "(a|a)*", "(a|b|ab)*", "(x+x+)+y", "^(?:(?=a)a|a)+$", "((a|a)){30}",
    "a?" * 20 + "b", "(a*)*", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(.*a){12}", "(?=(a+)+$)b",
]  # fmt: skip
LINEAR = [
    "^[a-z]+(-[a-z]+)*$", r"^\d{4}-\d{2}-\d{2}$", "^(?:a*b)*$", r"^(?:[01]\d|2[0-3]):[0-5]\d$",
    "^[A-Za-z0-9+/]*={0,2}$", r"^[^\]\-a]+$", "^https?://.+", "[0-9a-f]{64}", r"^[\s\S]*$",
]  # fmt: skip
POLYNOMIAL = ["a*a*a*b", r"^\S+@\S+\.\S+$", "[a-z]+$", "^(?!.*--)[a-z-]+$"]


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_an_exponential_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(UnsafePatternError):
        safe_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\p{L}+", r"(a)\1", r"(?<x>a)\k<x>", r"\a", "(?i:a)", "[a", "(?(1)a|b)", "x{3,1}", "a{4294967296}",
        "(" * 500 + "a" + ")" * 500, "a*" * 11 + "b",
    ],
)  # fmt: skip
def test_what_python_has_not_is_refused(pattern: str) -> None:
    with pytest.raises(UnsafePatternError):
        safe_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "matched", "others"),
    [
        (r"^\ud83d\ude00$", ["😀"], ["😁", ""]),
        (r"^\t\n\cA$", ["\t\n\x01"], ["tn", "\t\n"]),
        (r"\bcat\b", ["a cat", "écat"], ["concat"]),  # words of ECMA-262 are of ASCII
        (r"^[\b]$", ["\x08"], ["b", ""]),
        ("^[^a]$", ["b", "\n"], ["a"]),
        ("^(?:aba?)*$", ["", "abaab"], ["aab"]),
        ("^(?:[ab]c|ad)*$", ["", "acbcad"], ["bd"]),
    ],
)
def test_a_translated_pattern_means_what_it_does_in_ecmascript(
    pattern: str, matched: list[str], others: list[str]
) -> None:
    search = re.compile(safe_pattern(pattern).text).search
    assert [text for text in (*matched, *others) if search(text)] == matched


FORMAT_REGEX = [
    r"\p{L}+", r"\P{Lu}", r"\p{Script=Greek}", r"[\p{L}_]", r"\cA", r"(?<a>x)\k<a>", r"(a)\1", r"\/", r"\-",
    r"\u{1F600}", "(?<=a)b", "(?<!a)b", "[^]", "a+?", r"\x41", r"\\p", r"\pL", r"\a", r"a\Z", r"\_", "[", "(",
    "*a", "a**", "a{2,1}", "[z-a]", "(?P<n>a)", r"\x4", r"\k", "a\\",
]  # fmt: skip


@pytest.mark.parametrize("text", FORMAT_REGEX)
def test_the_format_regex_is_that_of_jsonschema_rs(text: str) -> None:
    validator = jsonschema_rs.validator_for({"format": "regex"}, validate_formats=True)
    assert is_pattern(text) == validator.is_valid(text)


@pytest.mark.parametrize("pattern", LINEAR)
def test_a_pattern_that_reads_each_text_in_one_way_is_linear(pattern: str) -> None:
    assert safe_pattern(pattern).degree == 1


@pytest.mark.parametrize("pattern", POLYNOMIAL)
def test_a_pattern_of_repetitions_in_a_row_is_limited_to_short_texts(pattern: str) -> None:
    safe = safe_pattern(pattern)
    assert safe.degree > 1
    assert not safe.is_too_expensive("a" * 200 if safe.degree < 4 else "a" * 50)
    assert safe.is_too_expensive("a" * 10_000)


def patterns_in(node: Any) -> set[str]:
    if isinstance(node, list):
        return {found for each in node for found in patterns_in(each)}
    if not isinstance(node, dict):
        return set()
    own = {node["pattern"]} if isinstance(node.get("pattern"), str) else set()
    keyed = node.get("patternProperties")
    own |= set(keyed) if isinstance(keyed, dict) else set()
    return own | {found for each in node.values() for found in patterns_in(each)}


def documents_in(path: Path) -> list[Any]:
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return [json.loads(text) if path.suffix == ".json" else yaml.load(text, yaml.CSafeLoader)]


@pytest.mark.prove
def test_95_of_100_patterns_of_the_corpus_run_and_mean_the_same() -> None:
    if not CORPUS.is_dir():
        pytest.skip("the corpus is not beside the checkout")
    patterns = {
        found
        for path in sorted(CORPUS.rglob("*"))
        if path.suffix in {".json", ".jsonl", ".yaml"} and "hostile" not in path.parts
        for document in documents_in(path)
        for found in patterns_in(document)
    }
    assert len(patterns) > 100
    safe = {}
    for pattern in patterns:
        try:
            safe[pattern] = re.compile(safe_pattern(pattern).text).search
        except UnsafePatternError:
            continue
    assert len(safe) >= 0.95 * len(patterns)
    chance = random.Random(7)  # noqa: S311 - texts, and no secret
    for pattern, search in safe.items():
        accepts = jsonschema_rs.Draft202012Validator({"pattern": pattern}).is_valid
        signs = [*pattern, *"aZ09-_ .\n\r\u2028é/@:"]
        for _ in range(100):
            text = "".join(chance.choices(signs, k=chance.randint(0, 12)))
            assert accepts(text) == (search(text) is not None), (pattern, text)


def test_the_package_jsonschema_never_runs_a_pattern_without_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOOLSPEC_VALIDATOR", "jsonschema")
    text = "a" * 60 + "!"
    assert not compiled({"pattern": "^(a+)+$"})(text)
    assert not compiled({"patternProperties": {"^(a+)+$": False}, "additionalProperties": False})(
        {text: 1}
    )
    assert is_too_expensive("^(a+)+$", text)
    fault_of.cache_clear()
    fault = fault_of("^(a+)+$")
    fault_of.cache_clear()
    assert fault is not None
    assert "exponentially many ways" in fault.problem


def test_version_names_the_validator(monkeypatch: pytest.MonkeyPatch) -> None:
    from toolspec.cli.app import app
    from typer.testing import CliRunner

    words = ["--version", "--verbose"]
    assert "validator: jsonschema-rs 0.60" in CliRunner().invoke(app, words).output
    monkeypatch.setenv("TOOLSPEC_VALIDATOR", "jsonschema")
    assert "validator: jsonschema 4." in CliRunner().invoke(app, words).output
