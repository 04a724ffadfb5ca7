"""What all rules find on the tools of 22 published servers, rule by rule, as a table that is read and kept.

`make prove` compares it with `corpus-findings.md`; `--accept` rewrites that. It holds counts alone.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from forkserver import toolspec
from toolspec.diagnostics import Checked, Diagnostic, Severity
from toolspec.driver.build import Build, Request, check
from toolspec.ir import Program
from toolspec.providers import profile
from toolspec.rules import engine, presets
from toolspec.rules.selection import Plan
from toolspec.rules.visits import DocumentVisit
from toolspec.sinks.markdown import blocks, table

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
TABLE = Path(__file__).with_name("corpus-findings.md")
TOOLSPEC = toolspec()
SERVERS, TENTH = 22, 0.1

# Rules that say something of more than a tenth of all tools, and why they are right to.
RIGHT = {
    "docs/undescribed-parameter": "a name is all that a model has to fill it in; three in five of these "
    "tools are of two servers that describe next to none, fifteen of the others describe every one",
}


@dataclass(frozen=True)
class Count:
    """What one rule finds: how often, on how many tools, in how many services."""

    code: str
    own: Severity
    recommended: str
    findings: int
    tools: int
    services: int

    def share(self, tools: int) -> float:
        return self.tools / tools

    @property
    def is_loud(self) -> bool:
        """Whether it is more than advice, by itself or in the preset that holds unasked."""
        return not {self.own, self.recommended} <= {Severity.NOTE, presets.OFF}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    dumps = sorted((CORPUS / "mcp-tools").glob("*.json"))
    if not dumps:
        pytest.skip("the dumps of real servers do not lie beside this checkout")
    assert len(dumps) == SERVERS
    folder = tmp_path_factory.mktemp("corpus")
    command = [TOOLSPEC, "import", "mcp-tools", *dumps, "--to", "specs"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return analysed(folder, "specs").value.program


def analysed(folder: Path, path: str) -> Checked[Build]:
    """Return the program of some documents."""
    return check(Request((path,), folder=folder))


def benign() -> list[str]:
    """Return the files of the hostile corpus whose texts anybody may write."""
    index = CORPUS / "hostile" / "index.json"
    cases = json.loads(index.read_text(encoding="utf-8"))["cases"] if index.is_file() else []
    return [case["file"] for case in cases if case["expect"] == "accept"]


@pytest.fixture(scope="module")
def counts(program: Program) -> list[Count]:
    """What every rule finds in a build for every provider, each weighing what it weighs by itself."""
    found = engine.run(program, Plan(), profile.names())
    by_code: dict[str, list[Diagnostic]] = {}
    for each in found:
        by_code.setdefault(each.code, []).append(each)
    return [counted(code, by_code.get(code, [])) for code in engine.codes()]


def counted(code: str, found: list[Diagnostic]) -> Count:
    setting = presets.settings(presets.DEFAULT).get(code)
    return Count(
        code,
        engine.find(code).kind.severity,
        str(setting.severity) if setting and setting.severity else presets.OFF,
        len(found),
        len({each.subject.tool for each in found} - {""}),
        len({each.subject.service for each in found} - {""}),
    )


def rows(counts: list[Count], tools: int) -> Iterator[tuple[str, ...]]:
    for each in counts:
        numbers = (each.findings, each.tools, each.services)
        share = f"{each.share(tools):.1%}"
        yield f"`{each.code}`", each.own, each.recommended, *map(str, numbers), share


@pytest.mark.prove
def test_the_table_is_what_the_rules_find(
    program: Program, counts: list[Count], accept: bool
) -> None:
    tools = sum(1 for _ in program.tools)
    head = ("Rule", "Weighs", "Recommended", "Findings", "Tools", "Services", "Share of tools")
    page = blocks(
        "# What the rules find on published servers",
        f"{tools} tools of {SERVERS} servers, imported with `toolspec import mcp-tools`, in a build for "
        "every provider. Made by `make prove`; these are counts, the texts stay where they are.",
        table(head, rows(counts, tools)),
    )
    if accept:
        TABLE.write_text(f"{page}\n", encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == f"{page}\n"


@pytest.mark.prove
def test_no_rule_is_loud_on_a_tenth_of_all_tools_without_a_reason(
    program: Program, counts: list[Count]
) -> None:
    tools = sum(1 for _ in program.tools)
    loud = {each.code for each in counts if each.is_loud and each.share(tools) > TENTH}
    assert loud == RIGHT.keys()


@pytest.mark.prove
def test_no_text_of_a_published_server_is_taken_for_an_attack(counts: list[Count]) -> None:
    found = {each.code: each.findings for each in counts if is_about_texts(each.code)}
    assert len(found) > 5
    assert not any(found.values())


def is_about_texts(code: str) -> bool:
    return code.startswith("security/") and engine.find(code).visits is DocumentVisit


def test_no_benign_text_of_the_hostile_corpus_is_taken_for_an_attack() -> None:
    files = benign()
    if not files:
        pytest.skip("the hostile corpus does not lie beside this checkout")
    assert len(files) > 20
    for file in files:
        path = CORPUS / "hostile" / file
        found = engine.run(analysed(path.parent, path.name).value.program, Plan(), profile.names())
        assert not [each.code for each in found if each.code.startswith("security/")], file
