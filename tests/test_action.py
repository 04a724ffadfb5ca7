"""The GitHub action, its steps run by bash as a runner would, with inputs that mean harm."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from forkserver import toolspec
from ruamel.yaml import YAML
from sampling import sampled
from small_spec import SPEC

BIN = Path(sys.executable).parent
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
# How a runner starts a script of `shell: bash`.
BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]


@pytest.fixture(scope="module")
def action(repository: Path) -> dict:
    return dict(YAML(typ="safe").load(repository / "action.yml"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC)
    return tmp_path


def step(
    action: dict, name: str, folder: Path, inputs: dict[str, str], **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a step of the action with some inputs, the others as they are by default."""
    (found,) = (each for each in action["runs"]["steps"] if each["name"] == name)
    known = {f"inputs.{key}": each["default"] for key, each in action["inputs"].items()}
    known |= {f"inputs.{key}": value for key, value in inputs.items()}
    known["github.action_path"] = environment.pop("action_path", "")
    known["github.event.pull_request.number"] = environment.pop("pull_request", "")
    known["github.token"] = "a-token"

    def filled(text: str) -> str:
        return EXPRESSION.sub(lambda match: known[match[1]], text)

    script = folder / "step.sh"
    script.write_text(filled(found["run"]))
    variables = {key: filled(value) for key, value in found.get("env", {}).items()}
    return subprocess.run(
        [*BASH, script],
        cwd=folder / filled(found.get("working-directory", ".")),
        env={**os.environ, **variables, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def run(
    action: dict, folder: Path, pull_request: str = "", **inputs: str
) -> subprocess.CompletedProcess[str]:
    named = {key.replace("_", "-"): value for key, value in inputs.items()}
    path = os.pathsep.join(
        [str(folder / "bin"), str(toolspec().parent), str(BIN), os.environ["PATH"]]
    )
    return step(
        action,
        "Run toolspec",
        folder,
        named,
        PATH=path,
        RUNNER_TEMP=str(folder),
        pull_request=pull_request,
    )


def test_it_is_a_composite_action_of_documented_inputs(action: dict) -> None:
    assert action["runs"]["using"] == "composite"
    for each in action["inputs"].values():
        assert each["description"]
        assert isinstance(each["default"], str)
    for each in action["runs"]["steps"]:
        assert each["shell"] == "bash"


def test_the_workflow_of_the_docs_uses_it(action: dict, repository: Path) -> None:
    text = (repository / "docs" / "ci.md").read_text()
    block = text.split("```yaml .github/workflows/tools.yml\n", 1)[1].split("```", 1)[0]
    steps = YAML(typ="safe").load(block)["jobs"]["tools"]["steps"]
    ours = [each for each in steps if "toolspec@" in each.get("uses", "")]
    assert ours
    for each in ours:
        assert each.get("with", {}).keys() <= action["inputs"].keys()


def test_nothing_is_put_into_a_script(action: dict) -> None:
    for each in action["runs"]["steps"]:
        assert not EXPRESSION.search(each["run"])
    used = EXPRESSION.findall(json.dumps(action["runs"]))
    assert {each for each in used if each.startswith("inputs.")} == {
        f"inputs.{each}" for each in action["inputs"]
    }


def test_by_default_it_checks_and_marks_lines(action: dict, project: Path) -> None:
    assert run(action, project).returncode == 0
    spec = project / "specs" / "demo.yaml"
    spec.write_text(SPEC.replace("mutation", "muation"))
    done = run(action, project)
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=specs/demo.yaml,line=9")


def test_arguments_and_formats_are_words(action: dict, project: Path) -> None:
    done = run(
        action,
        project,
        args="check\n  specs/demo.yaml\t--fail-on note\n",
        format="short sarif=out.sarif\njunit=out.xml\n",
    )
    assert done.stderr == ""
    assert (project / "out.sarif").exists()
    assert (project / "out.xml").exists()


def test_a_verb_without_formats_gets_none(action: dict, project: Path) -> None:
    done = run(action, project, args="explain shape/unknown-key", format="")
    assert done.returncode == 0, done.stderr
    assert "shape/unknown-key" in done.stdout


def test_drift_fails_it(action: dict, project: Path) -> None:
    assert run(action, project, args="compile --check").returncode == 1
    assert run(action, project, args="compile").returncode == 0
    assert run(action, project, args="compile --check").returncode == 0


def test_it_runs_in_the_folder_of_the_project(action: dict, project: Path) -> None:
    inner = project / "agents tools"
    shutil.move(project / "specs", inner / "specs")
    assert run(action, project).returncode == 2
    assert run(action, project, working_directory="agents tools").returncode == 0


def test_it_comments_on_the_pull_request_and_keeps_the_status(action: dict, project: Path) -> None:
    """The program `gh` of the runner stands in: it writes down what it is asked for."""
    (project / "bin").mkdir()
    gh = project / "bin" / "gh"
    gh.write_text('#!/bin/sh\necho "$@" > asked.txt\nshift 6\ncp "$1" comment.md\n')
    gh.chmod(0o755)
    (project / "specs" / "demo.yaml").write_text(SPEC.replace("mutation", "muation"))
    done = run(action, project, comment="true", pull_request="7")
    assert done.returncode == 1
    assert (project / "asked.txt").read_text().startswith("pr comment 7 --edit-last")
    assert "`shape/unknown-key`" in (project / "comment.md").read_text()
    (project / "asked.txt").unlink()
    assert run(action, project, comment="true").returncode == 1
    assert not (project / "asked.txt").exists()


HARM = [
    "; touch harmed",
    "$(touch harmed)",
    "`touch harmed`",
    "&& touch harmed",
    "| touch harmed",
    '" ; touch harmed ; "',
    "' ; touch harmed ; '",
    "> harmed",
    "\ntouch harmed\n",
    "${IFS}touch${IFS}harmed",
    "$TOOLSPEC_ARGS",
    "* ~ !!",
]


@pytest.mark.parametrize("harm", sampled(HARM, 2))
def test_an_input_is_no_command(action: dict, project: Path, harm: str) -> None:
    for inputs in ({"args": f"check {harm}"}, {"args": harm}, {"format": harm}):
        assert run(action, project, **inputs).returncode == 2
    path = os.environ["PATH"]
    for version in (harm, f"1.0{harm}"):
        files = {"RUNNER_TEMP": str(project), "GITHUB_PATH": str(project / "path")}
        done = step(action, "Install toolspec", project, {"version": version}, PATH=path, **files)
        assert done.returncode == 2
        assert (
            done.stdout == "::error title=toolspec::the input version takes one version, as 0.1.0\n"
        )
    assert {each.name for each in project.iterdir()} == {"specs", "step.sh"}


def test_an_old_python_is_told(action: dict, project: Path) -> None:
    old = project / "bin"
    old.mkdir()
    (old / "python3").write_text("#!/bin/sh\nexit 1\n")
    (old / "python3").chmod(0o755)
    done = step(action, "Install toolspec", project, {}, PATH=f"{old}:{os.environ['PATH']}")
    assert done.returncode == 2
    assert "needs Python 3.11" in done.stdout


@pytest.mark.prove
def test_it_installs_the_revision_that_is_used(
    action: dict, repository: Path, project: Path
) -> None:
    source = project / "action"
    for part in ("compiler", "schemas"):
        shutil.copytree(
            repository / part, source / part, ignore=shutil.ignore_patterns("__pycache__")
        )
    for part in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(repository / part, source / part)
    path = os.pathsep.join([str(toolspec().parent), str(BIN), os.environ["PATH"]])
    places = {"RUNNER_TEMP": str(project / "temp"), "GITHUB_PATH": str(project / "path")}
    done = step(
        action, "Install toolspec", project, {}, PATH=path, action_path=str(source), **places
    )
    assert done.returncode == 0, done.stdout + done.stderr
    added = (project / "path").read_text().strip()
    assert Path(added).is_relative_to(project / "temp")
    checked = step(action, "Run toolspec", project, {}, PATH=f"{added}{os.pathsep}{path}")
    assert checked.returncode == 0, checked.stdout + checked.stderr
