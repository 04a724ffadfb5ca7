"""The 22 dumps of real servers through the real command: imported, compiled, and read by checkers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import forkserver
import pytest
import toolspec
from toolspec.targets.python import emit
from toolspec.targets.python.code import escape
from toolspec.targets.python.gate import is_safe
from toolspec.targets.python.literal_scan import is_exact
from toolspec.targets.python.make_view import service_view
from toolspec.targets.python.service_types import service_types
from toolspec.targets.templates import Templates

BIN = Path(sys.executable).parent
INPUTS, OUTPUTS = 0.97, 0.90


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = Path(__file__).parents[2] / "shared" / "corpus" / "mcp-tools"
    if not corpus.is_dir():
        pytest.skip("the dumps of real servers do not lie beside this checkout")
    folder = tmp_path_factory.mktemp("corpus")
    dumps = sorted(corpus.glob("*.json"))
    assert len(dumps) == 22
    run(forkserver.toolspec(), "import", "mcp-tools", *dumps, "--to", "specs", folder=folder)
    return folder


@pytest.mark.prove
def test_all_dumps_compile_without_an_error(project: Path) -> None:
    seen = run(forkserver.toolspec(), "compile", folder=project)
    assert "22 services, 894 tools" in seen
    again = run(forkserver.toolspec(), "compile", "--check", "--format", "short", folder=project)
    assert ": error[" not in again


def shares(project: Path) -> tuple[float, float]:
    """The shares of input and output schemas that are typed with no `object` they do not ask for."""
    program = toolspec.check(toolspec.Request(folder=project)).value.program
    loose = {"Input": 0, "Output": 0}
    for service in program.services:
        for root in {each.root for each in service_types(service).fallbacks}:
            loose["Input" if root.endswith("Input") else "Output"] += 1
    tools = [tool for _, tool in program.tools]
    outputs = sum(tool.output.value is not True for tool in tools)
    return 1 - loose["Input"] / len(tools), 1 - loose["Output"] / outputs


@pytest.mark.prove
def test_their_schemas_are_typed_as_they_ask_to_be(project: Path) -> None:
    inputs, outputs = shares(project)
    assert inputs >= INPUTS
    assert outputs >= OUTPUTS


@pytest.mark.prove
def test_the_share_of_typed_schemas_is_printed(project: Path) -> None:
    inputs, outputs = shares(project)
    print(f"typed with no unasked object: {inputs:.1%} of the inputs, {outputs:.1%} of the outputs")


@pytest.mark.prove
@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "--isolated", "--no-cache", "generated"],
        ["ruff", "format", "--isolated", "--no-cache", "--check", "generated"],
        ["mypy", "--strict", "--config-file=", "--cache-dir=/dev/null", "generated"],
        ["pyright", "--pythonpath", sys.executable, "generated"],
    ],
    ids=["ruff-check", "ruff-format", "mypy", "pyright"],
)
def test_their_python_satisfies(command: list[str], project: Path) -> None:
    run(forkserver.toolspec(), "compile", folder=project)
    run(BIN / command[0], *command[1:], folder=project)


@pytest.mark.prove
def test_parsing_finds_what_the_scan_promises(project: Path) -> None:
    """The gate for templates of users accepts every module of the corpus too (decision 0011)."""
    templates = Templates(emit.FOLDER, escape, names=emit.NAMES)
    for service in toolspec.check(toolspec.Request(folder=project)).value.program.services:
        view = {"service": service_view(service)}
        for file in emit.FILES:
            if file == emit.HTTP and view["service"].http is None:
                continue
            rendered = templates.render(f"{file}.jinja", view)
            assert is_exact(rendered)
            assert is_safe(rendered)
