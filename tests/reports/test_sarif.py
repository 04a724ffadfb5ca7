"""SARIF: valid by the official schema, whatever findings hold, and true to their places."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import jsonschema_rs
import pytest
from findings import BASELINE, SPEC, WARNING, everything, findings, spans
from hypothesis import given, settings
from hypothesis import strategies as st
from node_programs import installed
from toolspec.diagnostics import Diagnostic, Fix, TextEdit
from toolspec.driver import manual
from toolspec.reports import render, sarif
from toolspec.source import SourceFile, Span
from toolspec.syntax.nodes import JsonObject

# Of the tools of those who keep the format; it carries the schema of the standard.
MULTITOOL = "@microsoft/sarif-multitool-ts@5.7.0"


@pytest.fixture(scope="module")
def schema() -> jsonschema_rs.Validator:
    folder = installed(MULTITOOL) / "@microsoft" / "sarif-multitool-ts"
    loaded = json.loads((folder / "assets" / "sarif-2.1.0.schema.json").read_text())
    return jsonschema_rs.validator_for(loaded, validate_formats=True)


def run_of(found: list[Diagnostic]) -> JsonObject:
    """Return the one run of a report."""
    (run,) = json.loads(render("sarif", found))["runs"]
    return run


def test_every_shape_is_valid(schema: jsonschema_rs.Validator) -> None:
    for found in ([], everything(), everything()[-1:]):
        schema.validate(json.loads(render("sarif", found)))


def test_the_schema_refuses_what_is_none(schema: jsonschema_rs.Validator) -> None:
    log = json.loads(render("sarif", everything()))
    log["runs"][0]["results"][0]["regions"] = []
    assert not schema.is_valid(log)


def test_every_kind_there_is_describes_a_rule(schema: jsonschema_rs.Validator) -> None:
    made = [Diagnostic(kind, "said", SPEC.span(0, 3)) for kind in manual.kinds().values()]
    log = json.loads(render("sarif", made))
    schema.validate(log)
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [each["id"] for each in rules] == list(manual.kinds())
    for each in rules:
        assert each["shortDescription"]["text"][0].isupper()
        assert f"toolspec explain {each['id']}" in each["help"]["markdown"]
    for each in log["runs"][0]["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(found=st.lists(findings(), max_size=4))
def test_any_text_is_valid(schema: jsonschema_rs.Validator, found: list[Diagnostic]) -> None:
    schema.validate(json.loads(render("sarif", found)))


def test_a_result_has_what_its_finding_has() -> None:
    run = run_of(everything())
    full, *_ = run["results"]
    assert full["level"] == "error"
    assert full["message"] == {"text": "bad `a`; say b"}
    assert full["partialFingerprints"] == {"toolspec/v1": everything()[0].fingerprint}
    (location,) = full["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "specs/a%20b.yaml", "uriBaseId": "%SRCROOT%", "index": 0},
        # The emoji before it takes two UTF-16 code units.
        "region": {"startLine": 1, "startColumn": 8, "endLine": 1, "endColumn": 9},
    }
    assert location["message"] == {"text": "here"}
    assert location["logicalLocations"] == [{"fullyQualifiedName": "github_x", "kind": "function"}]
    (related,) = full["relatedLocations"]
    assert related["message"] == {"text": "and there"}
    (fix,) = full["fixes"]
    (change,) = fix["artifactChanges"]
    put, removed = change["replacements"]
    assert put["insertedContent"] == {"text": "2"}
    assert "insertedContent" not in removed


def test_suppressions_are_told_with_their_reason() -> None:
    suppressions = [each["suppressions"] for each in run_of(everything())["results"]]
    assert [len(each) for each in suppressions].count(1) == 2
    external, in_source = (
        next(each[0] for each in suppressions if each and each[0]["kind"] == kind)
        for kind in ("external", "inSource")
    )
    assert external["justification"] == BASELINE.reason
    assert external["properties"] == {"source": "baseline"}
    assert in_source["justification"] == "the plan bounds it"
    assert in_source["properties"] == {"source": "comment", "until": "2027-01-31"}
    assert in_source["location"]["physicalLocation"]["region"]["startLine"] == 2


def test_what_has_no_place_is_a_notification() -> None:
    run = run_of(everything())
    assert all(each["locations"] for each in run["results"])
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"]
    (notice,) = invocation["toolConfigurationNotifications"]
    assert notice["descriptor"] == {"id": "config/note", "index": 0}
    assert run["tool"]["driver"]["notifications"][0]["id"] == "config/note"


def test_a_message_holds_no_link_and_no_placeholder() -> None:
    found = Diagnostic(WARNING, "see [this](https://example.com) and {0}", SPEC.span(0, 1))
    (result,) = run_of([found])["results"]
    assert result["message"]["text"] == "see [this\\](https://example.com) and {{0}}"


def test_an_absolute_path_is_an_address_of_its_own() -> None:
    found = Diagnostic(WARNING, "odd", SourceFile("/a/ü.yaml", "x").span(0, 1))
    (artifact,) = run_of([found])["artifacts"]
    assert artifact == {"location": {"uri": "file:///a/%C3%BC.yaml"}}


def lines_of(text: str) -> list[bytes]:
    """Return the lines of a text with their ends, each in UTF-16, in which a column has two bytes."""
    return [each.encode("utf-16-le", "surrogatepass") for each in text.split("\n")]


def cut(text: str, region: dict[str, int]) -> str:
    """Return what stands in a region, found as a reader of SARIF finds it."""
    lines = lines_of(text)[region["startLine"] - 1 : region["endLine"]]
    lines[-1] = lines[-1][: 2 * (region["endColumn"] - 1)]
    lines[0] = lines[0][2 * (region["startColumn"] - 1) :]
    return "\n".join(each.decode("utf-16-le", "surrogatepass") for each in lines)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(span=spans(), new_text=st.text())
def test_regions_are_the_places_in_utf_16(span: Span, new_text: str) -> None:
    fix = Fix("mend", (TextEdit(span, new_text),))
    run = run_of([WARNING.at(span, fix=fix)])
    physical = run["results"][0]["locations"][0]["physicalLocation"]
    address = physical["artifactLocation"]["uri"].removeprefix("file://")
    assert unquote(address, errors="surrogatepass") == span.source.path
    if span.source.text:
        assert cut(span.source.text, physical["region"]) == span.text
        (replacement,) = run["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"]
        assert cut(span.source.text, replacement["deletedRegion"]) == span.text
        assert replacement.get("insertedContent", {"text": ""}) == {"text": new_text}


def test_the_bytes_are_always_the_same() -> None:
    found = [*everything()[:2], *everything()[-1:]]
    assert render("sarif", found) == render("sarif", reversed(found))
    assert str(Path.cwd()) not in render("sarif", everything())


def test_a_long_line_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []

    class Counting:
        def finditer(self, text: str) -> Iterator[re.Match[str]]:
            searched.append(text)
            return wide.finditer(text)

    wide = sarif._WIDE
    monkeypatch.setattr(sarif, "_WIDE", Counting())
    source = SourceFile("a.json", "🎉" * 1000)
    run = run_of([WARNING.at(source.span(each, each + 1)) for each in range(1000)])
    columns = [
        each["locations"][0]["physicalLocation"]["region"]["startColumn"] for each in run["results"]
    ]
    assert columns == list(range(1, 2001, 2))
    assert len(searched) == 1
