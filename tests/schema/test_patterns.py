from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_probe import findings, told
from toolspec.schema.expressions import MAX_SIZE, shortened, size, slow_part
from toolspec.schema.patterns import MAX_TOTAL, States, fault_of
from toolspec.schema.reading import read_resource
from toolspec.shared.validator import InvalidSchemaError, compiled
from toolspec.syntax import parse

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonValue


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "^[a-zA-Z0-9_-]+$",
        r"^[\w.+-]+@[\w-]+\.[a-z]{2,}$",
        r"^\d{4}-\d{2}-\d{2}$",
        r"\p{L}+",
        r"\u0041\x41\cA",
        "(?:a|b)(?=c)(?!d)",
        "(?<=a)b",
        "(?<year>[0-9]{4})",
        r"a\/b\-c\@",
        "[^)(?P<]+",
        r"\(?P<x>",
        "a{1,9999}",
        "x*?y+?z??",
        "[*+]+",
        r"[\]a]",
        r"[^\]]",
        "]",
    ],
)
def test_the_common_subset(pattern: str) -> None:
    assert fault_of(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(?P<x>a)", "named group in Python's syntax"),
        ("(?P=x)", "back-reference"),
        ("(a)?(?(1)b|c)", "conditional group"),
        (r"\Aa", r"write `^`"),
        (r"a\Z", r"write `$`"),
        (r"[\A]", "is not an escape"),
        ("(?i)a", "write both cases"),
        ("(?i:a)", "write both cases"),
        ("(?x)a", "flags"),
        ("(?>a)b", "atomic"),
        ("a++", "write `+`"),
        ("a{2}+", "possessive"),
        ("^[^]+$", "`[^]` is any character in ECMA-262"),
        ("^[^]+$", r"write `[\s\S]` for that"),
        ("a[]b", "`[]` is no character in ECMA-262"),
        ("[]a]", r"a bracket in a set is written `\]`"),
        ("[^]a]", "begins a set in other languages"),
        ("(?#note)a", "`$comment`"),
        ("(?|a|b)", "resets"),
        ("a{1000000}", "repeats too often"),
        ("a{2,1000000}", "repeats too often"),
        ("(a{1,1000}){1,1000}", "too large"),
        ("[", "unterminated character set at character 1"),
        ("(", "missing ), unterminated subpattern"),
        ("a)", "unbalanced parenthesis"),
        ("*a", "nothing to repeat"),
        ("a{2,1}", "min repeat greater than max repeat"),
        ("^*a", "repeats a position"),
        ("a\\", "ends in a backslash"),
    ],
)
def test_what_other_languages_know(pattern: str, text: str) -> None:
    fault = fault_of(pattern)
    assert fault is not None
    assert text in f"{fault.problem} {fault.suggestion}"


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        ("^(a+)+$", "(a+)+"),
        ("(a*)*", "(a*)*"),
        (r"^(\s*\w+)*$", r"(\s*\w+)*"),
        ("(?:[a-z]+|x)+", "(?:[a-z]+|x)+"),
        ("((a+)b?)+", "((a+)b?)+"),
        ("(a+){2,}", "(a+){2,}"),
        ("^[a-z]+(-[a-z]+)*$", ""),
        (r"(\w+\s)*", ""),
        ("(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+", ""),
        ("(ab)+", ""),
        ("(a+)?", ""),
        ("(a+){2,5}", ""),
        ("a+b+", ""),
        (r"\(a+\)+", ""),
        ("[(a+)+]", ""),
        ("([0-9]{3})+", ""),
    ],
)
def test_repeated_repetition(pattern: str, part: str) -> None:
    assert slow_part(pattern) == part


def test_both_places_of_a_pattern_are_checked() -> None:
    assert told({"pattern": "["}) == [("schema/bad-pattern", "/pattern")]
    keyed = {"patternProperties": {"^x-": {}, "(?i)a": {"pattern": "(a+)+"}}}
    assert told(keyed) == [
        ("schema/bad-pattern", "/patternProperties/(?i)a"),
        ("schema/slow-pattern", "/patternProperties/(?i)a/pattern"),
    ]
    assert told({"default": {"pattern": "["}, "properties": {"pattern": {"type": "string"}}}) == []


def test_a_bombs_own_example_does_not_stop_the_compiler() -> None:
    schema = {"type": "string", "pattern": "^(a+)+$", "examples": ["a" * 40 + "!"]}
    assert [code for code, _ in told(schema)] == ["schema/slow-pattern", "schema/example-mismatch"]
    assert "does not match" in findings(schema)[1].message


@settings(derandomize=True, max_examples=500, deadline=None)
@given(st.text(alphabet=r"ab()[]{}?*+|\^$-,:=!<>P#i1290d", max_size=14))
def test_what_passes_compiles_in_python_too(pattern: str) -> None:
    slow_part(pattern)
    if fault_of(pattern) is None and not re.search(
        r"\(\?<[a-zA-Z]|\[.*(\[|--|&&|\|\||~~)|\\[pPuck]", pattern
    ):
        re.compile(pattern)


@pytest.mark.parametrize(
    ("pattern", "states"),
    [
        ("", 0),
        ("abc", 3),
        ("a{1,1000}", 1_001),
        ("(?:ab){10}", 31),
        ("(?:a{1,100}b){1,10}", 1_031),
        ("a|b", 3),
        (".", 30),
        ("[a-z]{5}", 16),
        (r"\p{L}", 1_503),
    ],
)
def test_the_size_of_a_pattern_counts_what_is_repeated(pattern: str, states: int) -> None:
    assert size(pattern) == states


@pytest.mark.parametrize(
    "pattern",
    [
        "(a{1,1000}){1,1000}",
        r"^[\p{L}\p{N} ]{1,255}$",
        "(?:[a-z]{1,9999}){1,99}",
        "(a|b)?" * 20_000,
    ],
)
def test_a_pattern_too_large_for_engines_is_an_error(pattern: str) -> None:
    assert fault_of(pattern) is not None


@pytest.mark.parametrize(
    "part",
    ["a", ".", "[a-z]", "[^a]", r"\S", r"\s", r"\w", r"\p{L}", r"[\p{L}\p{N}]", "(?:a|b)?", "é"],
)
def test_engines_compile_the_largest_patterns_that_are_not_refused(part: str) -> None:
    times = min(MAX_SIZE // (size(part) + 1) - 1, 10_000)
    pattern = f"(?:{part}){{{times}}}"
    assert size(pattern) <= MAX_SIZE
    assert fault_of(pattern) is None
    assert compiled({"pattern": pattern})(5)


@given(st.text("ab{}(),123|*?[]^-\\", max_size=12))
@settings(max_examples=300, deadline=None)
def test_a_shortened_pattern_compiles_if_the_pattern_does(pattern: str) -> None:
    def compiles(text: str) -> bool:
        try:
            compiled({"pattern": text})
        except InvalidSchemaError:
            return False
        return True

    if size(pattern) < MAX_SIZE:
        assert compiles(shortened(pattern)) == compiles(pattern)


def test_the_patterns_of_one_schema_are_bounded_together() -> None:
    pattern = "^(?:[a-z]{1,900}5){1,10}$"
    several = MAX_TOTAL // size(pattern) + 1
    properties: JsonValue = {
        f"p{n}": {"type": "string", "pattern": f"{pattern}|{n}"} for n in range(several)
    }
    assert told({"properties": properties}) == [("schema/too-complex", "")]


def test_the_patterns_of_a_service_are_bounded_together() -> None:
    pattern = "^(?:[a-z]{1,900}5){1,10}$"
    states = States()
    fitting = MAX_TOTAL // size(pattern)
    assert not [each for _ in range(fitting) for each in found_with(states, pattern)]
    (refused,) = found_with(states, pattern)
    assert refused.code == "schema/too-complex"
    assert "together with those of earlier schemas" in refused.message
    assert not found_with(states, "^[a-z]+$"), "a refused schema does not count"


def found_with(states: States, pattern: str) -> tuple[Diagnostic, ...]:
    document = parse("a.json", json.dumps({"pattern": pattern}).encode()).value
    assert document is not None
    return read_resource(document.value, document.location(), states=states).diagnostics
