"""Every hostile document that concerns the compiler, compiled by the real command within limits.

The index beside the documents says what each one must come to. Whatever that is: an exit status and
never a signal, no traceback, nothing that steers a terminal, and nothing but a cache written after a refusal.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import compiling
import inertness
import pytest
from forked_runs import Run, run_all
from sampling import sampled
from toolspec.driver.build import Request, check
from toolspec.ir import Program

HOSTILE = Path(__file__).parents[3] / "shared" / "corpus" / "hostile"
AREAS = ("codegen", "json", "mcp", "names", "schema", "yaml")
# Where this compiler differs from the index, and why.
# `redos` is a demand on calls; `html_inert` on pages that no target makes.
NOT_OURS = {"runtime", "html_inert"}
FORMATS = ("text", "json")
MADE = ("generated", ".toolspec-cache")
MORE_FORMATS = ("short", "github", "json")


@dataclass(frozen=True)
class Case:
    """One document of the corpus, compiled once in each format."""

    index: dict[str, Any]
    folder: Path
    runs: dict[str, Run]

    @property
    def is_accepted(self) -> bool:
        return all(run.status == 0 for run in self.runs.values())

    @property
    def findings(self) -> list[dict[str, Any]]:
        found = json.loads(self.runs["json"].stdout or '{"diagnostics": []}')["diagnostics"]
        assert isinstance(found, list)
        return found

    @property
    def artifacts(self) -> dict[str, str]:
        out = self.folder / "generated"
        paths = (path for path in sorted(out.rglob("*")) if path.is_file())
        return {path.relative_to(out).as_posix(): path.read_text() for path in paths}


def index() -> list[dict[str, Any]]:
    if not HOSTILE.is_dir():
        pytest.skip("the shared corpus does not lie beside this checkout")
    cases: list[dict[str, Any]] = json.loads((HOSTILE / "index.json").read_text())["cases"]
    return cases


def compiled(area: str, folder: Path, formats: tuple[str, ...]) -> list[Case]:
    """Return the cases of an area, each compiled in a project of its own, once in each format."""
    cases = [each for each in index() if each["id"].startswith(f"{area}/")]
    jobs: list[tuple[Path, list[str]]] = []
    for case in cases:
        for form in formats:
            project = folder / case["id"] / form / "project"
            (project / "specs").mkdir(parents=True)
            shutil.copy(HOSTILE / case["file"], project / "specs")
            jobs.append((project, ["compile", "--format", form]))
    runs = iter(run_all(jobs))
    return [
        Case(case, folder / case["id"] / "json" / "project", {form: next(runs) for form in formats})
        for case in cases
    ]


def faults(case: Case) -> Iterator[str]:
    """Yield what is wrong with a case: what holds for all of them, then what its index asks for."""
    for form, run in case.runs.items():
        yield from (f"{form}: {each}" for each in process_faults(run, form))
        yield from tree_faults(case.folder.parent.parent / form, Path(case.index["file"]).name, run)
    expected = case.index["expect"]
    got = "accept" if case.is_accepted else "reject"
    if expected not in (got, "either"):
        yield f"{got}, and should be {expected}"
    if got == "reject":
        yield from refusal_faults(case)
    for path, text in case.artifacts.items():
        yield from inertness.faults(path, text, is_name=case.index["id"].startswith("names/"))
    for demand in case.index["assert"]:
        kind, _, argument = demand.partition(":")
        if kind not in NOT_OURS and not DEMANDS[kind](case, argument):
            yield f"not so: {demand}"


def process_faults(run: Run, form: str) -> Iterator[str]:
    if run.status not in {0, 1, 2}:
        yield f"status {run.status}: {run.stderr[-300:]}"
    if "Traceback" in run.stdout + run.stderr:
        yield "a traceback"
    yield from run.events
    check_lines = inertness.github_faults if form == "github" else inertness.terminal_faults
    yield from check_lines(run.stdout)
    yield from inertness.terminal_faults(run.stderr)


def tree_faults(folder: Path, spec: str, run: Run) -> Iterator[str]:
    """Yield files that are neither the document nor made by the run; a failed one makes a cache."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        part, *inside = path.relative_to(folder / "project").parts
        if (part, *inside) != ("specs", spec) and part not in (
            {".toolspec-cache"} if run.status else MADE
        ):
            yield f"wrote {path}"


def refusal_faults(case: Case) -> Iterator[str]:
    errors = [each for each in case.findings if each["severity"] == "error"]
    placed = [each for each in errors if each["spans"] or each["pointer"]]
    if not placed:
        yield "refused without a place"
    line = case.index.get("line")
    if line and all(span["start"]["line"] != line for each in errors for span in each["spans"]):
        yield f"nothing points at line {line}"
    pointer = case.index.get("pointer")
    if pointer and not any(each["pointer"].startswith(pointer) for each in errors):
        yield f"nothing is about {pointer}"


def manifest(case: Case) -> dict[str, Any]:
    found = next(text for path, text in case.artifacts.items() if path.endswith("/mcp.json"))
    tools: list[dict[str, Any]] = json.loads(found)["tools"]
    return {tool["name"]: tool for tool in tools}


def warns(case: Case, _: str) -> bool:
    """Whether more is found than in the harmless document, and of weight."""
    return any(
        each["severity"] != "note" and not each["code"].startswith("docs/")
        for each in case.findings
    )


def no_line_start(case: Case, start: str) -> bool:
    shown = "\n".join(run.stdout for form, run in case.runs.items() if form != "github")
    return not any(line.lstrip().startswith(start) for line in shown.splitlines())


def keeps_wire_name(case: Case, _: str) -> bool:
    schemas = [tool["inputSchema"]["properties"] for tool in manifest(case).values()]
    return any(case.index["wire"] in properties for properties in schemas)


def imports(case: Case, _: str) -> bool:
    """Whether every generated module can be imported, with no effect that an audit hook sees."""
    modules = [
        "generated" + "".join(f".{part}" for part in Path(path).with_suffix("").parts)
        for path in case.artifacts
        if path.endswith(".py") and not path.endswith("__init__.py")
    ]
    done = subprocess.run(
        [sys.executable, "-B", "-c", IMPORTER, *modules],
        cwd=case.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return not modules or (done.returncode == 0 and done.stdout == "" and done.stderr == "")


IMPORTER = """
import importlib, os, sys
import toolspec.runtime
def hook(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.", "shutil.")) and event != "os.listdir":
        raise SystemExit(f"{event} {arguments}")
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        raise SystemExit(f"{event} {arguments}")
sys.addaudithook(hook)
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


def parses(case: Case, _: str) -> bool:
    return all(ast.parse(text) for path, text in case.artifacts.items() if path.endswith(".py"))


def is_same_as(case: Case, other: str) -> bool:
    return meaning(HOSTILE / case.index["file"]) == meaning(HOSTILE / other)


def meaning(document: Path) -> Program:
    """Return what a document means, without where it stands."""
    program = check(Request([document.name], folder=document.parent)).value.program
    services = tuple(
        replace(
            service,
            tools=tuple(
                replace(tool, provenance=replace(tool.provenance, file="", line=0))
                for tool in service.tools
            ),
        )
        for service in program.services
    )
    return replace(program, services=services)


# What only a document that is accepted can break holds for every artifact, by `inertness.faults`.
DEMANDS: dict[str, Callable[[Case, str], bool]] = {
    "no_canary_code": lambda case, _: all(
        not inertness.faults(path, text, is_name=False) for path, text in case.artifacts.items()
    ),
    "ast_shape": lambda case, _: True,  # see the test of all places at once
    "ast_compiles": parses,
    "imports": imports,
    "md_inert": lambda case, _: any(path.endswith(".md") for path in case.artifacts),
    "wire_name": keeps_wire_name,
    "warns": warns,
    "no_line_start": no_line_start,
    "two_tools_survive": lambda case, _: not case.is_accepted or len(manifest(case)) >= 2,
    "safe_paths": lambda case, _: True,  # `tree_faults` asks it of every case
    "same_as": is_same_as,
    "if_accepted_same_as": lambda case, other: not case.is_accepted or is_same_as(case, other),
    "if_accepted_text": lambda case, text: (
        not case.is_accepted or ascii(text)[1:-1] in ascii("".join(case.artifacts.values()))
    ),
}


@pytest.mark.parametrize("area", sampled(AREAS, 1))
def test_area(area: str, tmp_path: Path) -> None:
    found = {case.index["id"]: list(faults(case)) for case in compiled(area, tmp_path, FORMATS)}
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.prove
@pytest.mark.parametrize("area", AREAS)
def test_area_in_the_other_formats(area: str, tmp_path: Path) -> None:
    cases = compiled(area, tmp_path, MORE_FORMATS)
    found = {case.index["id"]: list(faults(case)) for case in cases}
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.prove
def test_a_payload_in_all_places_at_once_stays_a_text(tmp_path: Path) -> None:
    """The cases of `codegen/`, mended: their examples break their pattern, and are refused for it."""
    shapes: dict[str, dict[str, str]] = {}
    for case in index():
        if case["id"].startswith("codegen/"):
            document = json.loads((HOSTILE / case["file"]).read_text())
            del document["tools"][0]["inputSchema"]["properties"]["label"]["pattern"]
            made = compiling.compiled(tmp_path, {"github.json": json.dumps(document)}).artifacts
            faults = [inertness.faults(path, made[path], is_name=False) for path in made]
            assert not any(faults), case["id"]
            shapes[case["id"]] = {p: inertness.shape(p, made[p], is_name=False) for p in made}
    assert shapes["codegen/benign"]
    assert {name for name, each in shapes.items() if each != shapes["codegen/benign"]} == set()


def test_nothing_of_the_index_is_left_out() -> None:
    areas = {each["id"].partition("/")[0] for each in index()}
    assert areas == {*AREAS, "lock"}
    kinds = {demand.partition(":")[0] for each in index() for demand in each["assert"]}
    assert kinds <= {*DEMANDS, *NOT_OURS, "lock_equal", "lock_differs"}
