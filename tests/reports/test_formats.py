"""The formats: what each one shows of the same findings, and that nothing quoted can do harm."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.cli import report_options
from toolspec.diagnostics import (
    Diagnostic,
    DiagnosticKind,
    Fix,
    Label,
    Severity,
    Subject,
    Suppression,
    SuppressionSource,
    TextEdit,
)
from toolspec.reports import find, names, render
from toolspec.reports.github import step_summary
from toolspec.sinks.terminal import cells, printable, width
from toolspec.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = Path(__file__).parents[2] / "schemas" / "diagnostics.v1.schema.json"
ERROR = DiagnosticKind("x/error", Severity.ERROR, "bad `{name}`", "say {hint}", "because", "")
WARNING = DiagnosticKind("x/warning", Severity.WARNING, "odd", "", "", "")
NOTE = DiagnosticKind("x/note", Severity.NOTE, "fyi", "", "", "")
SPEC = SourceFile("specs/a.yaml", "one: 1\ntwo: 2\nthree: 3\nfour: 4\n")
OTHER = SourceFile("specs/b.yaml", "".join(f"line{n}\n" for n in range(1, 120)))


def error(source: SourceFile = SPEC, start: int = 0, end: int = 3, **given: str) -> Diagnostic:
    values = {"name": "one", "hint": "it", **given}
    return ERROR.at(source.span(start, end), "here", **values)


def everything() -> list[Diagnostic]:
    labels = [
        Label(SPEC.span(24, 28), "and there"),
        Label(OTHER.span(OTHER.line_starts[99], OTHER.line_starts[99] + 4), "first here"),
    ]
    fix = Fix("write `1`", (TextEdit(SPEC.span(5, 6), "2"),), safe=True)
    subject = Subject("github", "github_x", "/tools/0")
    full = ERROR.at(
        SPEC.span(0, 3), "here", labels=labels, subject=subject, fix=fix, name="a", hint="b"
    )
    return [NOTE.at(None), WARNING.at(SPEC.span(7, 16)), full]


def test_the_formats_are_found() -> None:
    assert names() == ("github", "json", "junit", "sarif", "short", "text")
    assert set(names()) == set(report_options.Format)
    assert find("frame") is None
    assert find("../os") is None
    with pytest.raises(
        LookupError, match="expected one of github, json, junit, sarif, short, text"
    ):
        render("xml", [])


@pytest.mark.parametrize("name", ["text", "short", "github"])
def test_nothing_to_say(name: str) -> None:
    assert render(name, []) == ""


def test_text() -> None:
    assert render("text", everything()) == (
        "note[x/note] fyi\n"
        "  = more: `toolspec explain x/note`\n"
        "\n"
        "error[x/error] bad `a`\n"
        "   --> specs/a.yaml:1:1\n"
        "    |\n"
        "  1 | one: 1\n"
        "    | ^^^ here\n"
        "    :\n"
        "  4 | four: 4\n"
        "    |  ---- and there\n"
        "    |\n"
        "   ::: specs/b.yaml:100:1\n"
        "    |\n"
        "100 | line100\n"
        "    | ---- first here\n"
        "    |\n"
        "    = help: say b\n"
        "    = fix:  write `1` (safe)\n"
        "    = more: `toolspec explain x/error`\n"
        "\n"
        "warning[x/warning] odd\n"
        " --> specs/a.yaml:2:1\n"
        "  |\n"
        "2 | two: 2\n"
        "  | ^^^^^^\n"
        "3 | three: 3\n"
        "  | ^^\n"
        "  |\n"
        "  = more: `toolspec explain x/warning`\n"
        "\n"
        "1 error, 1 warning, 1 note in 1 file\n"
    )


def test_text_says_why_only_when_asked() -> None:
    assert "= why:  because\n" not in render("text", [error()])
    assert "= why:  because\n" in render("text", [error()], verbose=True)


def test_a_long_reason_is_wrapped() -> None:
    kind = DiagnosticKind("x/long", Severity.ERROR, "bad", why="word " * 60 + "end.")
    text = render("text", [kind.at(SPEC.span(0, 1))], verbose=True, width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "\n          word" in text


def test_counts() -> None:
    assert render("text", [error(), error(OTHER)]).endswith("\n2 errors in 2 files\n")
    assert render("text", [NOTE.at(None)]).endswith("\n1 note\n")


def test_short() -> None:
    assert render("short", everything()) == (
        "note[x/note] fyi\n"
        "specs/a.yaml:1:1: error[x/error] bad `a` (say b)\n"
        "specs/a.yaml:2:1: warning[x/warning] odd\n"
    )


def test_github() -> None:
    assert render("github", everything()) == (
        "::error file=specs/a.yaml,line=1,col=1,endColumn=4,title=x/error::bad `a`%0Asay b\n"
        "::warning file=specs/a.yaml,line=2,endLine=3,title=x/warning::odd\n"
        "::notice title=x/note::fyi\n"
    )


def test_github_escapes() -> None:
    source = SourceFile("a,b:c%.yaml", "x")
    text = render("github", [error(source, 0, 1, name="100%0A,:", hint="a\r\n::error::b")])
    assert text.startswith("::error file=a%2Cb%3Ac%25.yaml,line=1,col=1,")
    assert "bad `100%250A,:`" in text
    assert text.count("\n") == 1


def test_json() -> None:
    document = json.loads(render("json", everything()))
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert document["counts"] == {"error": 1, "warning": 1, "note": 1, "files": 1, "suppressed": 0}
    note, full, _ = document["diagnostics"]
    assert note["spans"] == []
    assert [span["primary"] for span in full["spans"]] == [True, False, False]
    assert full["spans"][2]["start"] == {"line": 100, "column": 1, "offset": OTHER.line_starts[99]}
    assert full["tool"] == "github_x"
    assert full["fix"]["edits"][0]["newText"] == "2"
    assert re.fullmatch("[0-9a-f]{12}", full["fingerprint"])


def test_the_schema_is_one_and_describes_everything() -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for definition in (schema, *schema["$defs"].values()):
        for name, property_ in definition.get("properties", {}).items():
            assert "description" in property_ or "$ref" in property_, name
    jsonschema.validate(json.loads(render("json", [])), schema)


def suppressed() -> list[Diagnostic]:
    """Return a finding that stands and two that somebody allowed."""
    comment = Suppression(
        SuppressionSource.COMMENT, "the plan bounds it", "2027-01-31", SPEC.span(7, 10)
    )
    baseline = Suppression(SuppressionSource.BASELINE, "was there before")
    return [
        replace(error(), suppression=comment),
        replace(NOTE.at(SPEC.span(7, 10)), suppression=baseline),
        WARNING.at(SPEC.span(7, 16)),
    ]


def test_what_is_suppressed_is_counted_for_people() -> None:
    assert render("short", suppressed()) == "specs/a.yaml:2:1: warning[x/warning] odd\n"
    assert render("github", suppressed()).count("::") == 2
    text = render("text", suppressed())
    assert "x/error" not in text
    assert text.endswith("\n1 warning in 1 file, 2 suppressed\n")
    assert render("text", suppressed()[:2]) == ""
    assert "x/error" not in step_summary(suppressed())


def test_what_is_suppressed_is_told_to_machines() -> None:
    document = json.loads(render("json", suppressed()))
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert document["counts"] == {"error": 0, "warning": 1, "note": 0, "files": 1, "suppressed": 2}
    allowed, noted, stands = (each["suppression"] for each in document["diagnostics"])
    assert allowed["source"] == "comment"
    assert allowed["reason"] == "the plan bounds it"
    assert allowed["until"] == "2027-01-31"
    assert allowed["span"]["start"] == {"line": 2, "column": 1, "offset": 7}
    assert noted == {
        "source": "baseline",
        "reason": "was there before",
        "until": None,
        "span": None,
    }
    assert stands is None


def test_what_is_suppressed_fails_nothing() -> None:
    found = suppressed()
    assert report_options.status(found[:2], report_options.FailOn.NOTE) == 0
    assert report_options.status(found, report_options.FailOn.WARNING) == 1
    assert report_options.status(found) == 0


def test_colour_is_only_ours() -> None:
    found = error(SourceFile("a\x1b[31m.yaml", "x\x1b[0m\n"), 0, 1, name="\x1b]52;c;x\x07")
    plain = render("text", [found])
    painted = render("text", [found], color=True)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain
    assert painted.startswith("\x1b[1;31merror[x/error]\x1b[0m ")


ATTACKS = [
    "\x1b[2J",
    "\r::error::x",
    "\n::error::x",
    "::set-output name=a::b",
    "##vso[task.setvariable]x",
    "##[error]x",
    "\u202eabc",
    "a\u200bb",
    "\U000e0041",
    "\u2028::error::x",
    "\x85::error::x",
    "\x00",
    "\ufe0f",
    "\u115f",
    "\ud800",
    "\x0b\x0c\x1c",
]


def surfaces(attack: str) -> Iterator[Diagnostic]:
    source = SourceFile(attack, f"{attack}x: {attack}\n{attack}")
    yield error(source, 0, 1, name=attack, hint=attack)
    label = Label(source.span(len(attack), len(source.text)), attack)
    fix = Fix(attack, (TextEdit(source.span(0, 1), attack),))
    subject = Subject(attack, attack, attack)
    yield WARNING.at(
        source.span(1, len(source.text)), attack, labels=[label], fix=fix, subject=subject
    )


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_nothing_quoted_can_act(name: str, attack: str) -> None:
    found = list(surfaces(attack))
    text = render(name, found)
    ours = sum(line.startswith("::") for line in text.split("\n"))
    assert ours == (len(found) if name == "github" else 0)
    assert "##" not in text
    for line in text.split("\n"):
        assert line.isprintable()
        command = re.match(r"::\S*.*::", line.strip())
        assert command is None or name == "github"
    text.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\u200bb", "a<U+200B>b"),
        ("é日本語🎉", "é日本語🎉"),
        ("a\tb\n", "a<U+0009>b<U+000A>"),
        ("\U000e0041", "<U+E0041>"),
        ("::x::", "<U+003A>:x::"),
        ("a::b", "a::b"),
        ("# ##[x]", "# <U+0023>#[x]"),
        ("x" * 1001, "x" * 999 + "…"),
        ("`" + "y" * 200 + "` z", "`" + "y" * 119 + "…` z"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.text(), st.data())
def test_carets_stand_under_their_text(line: str, data: st.DataObject) -> None:
    line = line.replace("\n", "").replace("\r", "") + "."
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start + 1, len(line)))
    source = SourceFile("a", line)
    _, _, _, shown, carets, *_ = render(
        "text", [WARNING.at(source.span(start, end))], width=10_000
    ).split("\n")
    parts = cells(line)
    before, marked = "".join(parts[:start]), "".join(parts[start:end])
    assert shown == ("1 | " + "".join(parts)).rstrip()
    assert carets == "  | " + " " * width(before) + "^" * max(width(marked), 1)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.integers(0, 3000), st.integers(0, 3000), st.sampled_from(["x", "日", "\t", "\u200b"]))
def test_long_lines_are_windows(first: int, second: int, filler: str) -> None:
    source = SourceFile("a", filler * 3000)
    labels = [Label(source.span(second, second + 5), "second")]
    text = render("text", [WARNING.at(source.span(first, first + 5), "first", labels=labels)])
    lines = text.split("\n")
    assert max(map(width, lines)) <= 140
    assert sum("second" in line for line in lines) == 1
    assert sum("first" in line for line in lines) == 1


def test_the_end_of_a_file_has_a_place() -> None:
    source = SourceFile("a", "x: [\n")
    text = render("text", [WARNING.at(source.span(5, 5))])
    assert "\n2 |\n  | ^\n" in text


def test_the_order_is_that_of_the_places() -> None:
    found = [error(OTHER), error(SPEC, 7, 8), error(SPEC)]
    assert [line.split(" ")[0] for line in render("short", found).splitlines()] == [
        "specs/a.yaml:1:1:",
        "specs/a.yaml:2:1:",
        "specs/b.yaml:1:1:",
    ]
