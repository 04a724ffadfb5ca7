"""The built wheels in environments of their own, in folders without the repository."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from mcp import StdioServerParameters
from served import MODERN, connected, make_handled
from toolspec.version import __version__


def run(*command: str | Path, folder: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(folder: Path, *packages: str | Path) -> Path:
    """Make an environment with some packages; return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", *packages, folder=folder)
    return python


def members(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def wheels(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheels of the runtime and of the compiler, each made from its source distribution."""
    dist = tmp_path_factory.mktemp("dist")
    for folder in (repository / "compiler", repository):
        build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", dist)
        run(*build, folder, folder=dist)
    (runtime,), (compiler,) = dist.glob("*runtime*.whl"), dist.glob("*compiler*.whl")
    return runtime, compiler


def test_both_distributions_have_one_version(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    assert f"toolspec-runtime=={__version__}" in project["dependencies"]


@pytest.mark.prove
def test_no_file_is_in_both_wheels(wheels: tuple[Path, Path], repository: Path) -> None:
    runtime, compiler = map(members, wheels)
    assert not runtime & compiler
    tracked = run("git", "ls-files", "compiler/toolspec", folder=repository).splitlines()
    schemas = {f"toolspec/schemas/{path.name}" for path in (repository / "schemas").iterdir()}
    assert runtime | compiler == {name.removeprefix("compiler/") for name in tracked} | schemas


@pytest.mark.prove
def test_a_bare_environment_serves(
    wheels: tuple[Path, Path], repository: Path, tmp_path: Path
) -> None:
    python = environment(tmp_path / "venv", f"{wheels[0]}[mcp]")
    installed = json.loads(run(python, "-m", "pip", "list", "--format=json", folder=tmp_path))
    names = {each["name"].lower() for each in installed}
    assert not names & {"jinja2", "pyyaml", "rich", "ruamel.yaml", "toolspec-compiler", "typer"}
    serving = Path(__file__).parent / "serving"
    project = make_handled(tmp_path / "project", serving / "mail.yaml")
    arguments = ["-m", "toolspec.serving", "--handlers", "app:bound"]
    server = StdioServerParameters(command=str(python), args=arguments, cwd=project)
    with connected(server, MODERN) as client:
        assert not client.call("mail_look").is_error


@pytest.mark.prove
def test_wheel_compiles_without_the_repository(
    wheels: tuple[Path, Path], repository: Path, tmp_path: Path
) -> None:
    python = environment(tmp_path / "venv", *wheels)

    explain = ("-m", "toolspec", "explain", "naming/bare-id")
    page = run(python, *explain, folder=tmp_path)
    assert "Example:" in page
    together = tmp_path / "together.zip"
    with zipfile.ZipFile(together, "w") as archive:
        for wheel in wheels:
            for name in members(wheel):
                archive.writestr(name, zipfile.ZipFile(wheel).read(name))
    zipped = {**os.environ, "PYTHONPATH": str(together)}
    assert run(sys.executable, *explain, folder=tmp_path, environment=zipped) == page

    project = tmp_path / "project"
    shutil.copytree(repository / "specs", project / "specs")
    shutil.copy(repository / "pyproject.toml", project)
    summary = run(tmp_path / "venv" / "bin" / "toolspec", "compile", folder=project)
    assert "6 services" in summary
    inputs = (project / ".toolspec-cache" / "last-compile").read_bytes()
    assert inputs.count(b".dist-info/RECORD") == len(wheels)
    names = "import generated, toolspec; print(toolspec.__file__); import generated.github"
    assert str(tmp_path / "venv") in run(python, "-c", names, folder=project)
    ours, theirs = repository / "generated", project / "generated"
    for path in ours.rglob("*.json"):
        assert (theirs / path.relative_to(ours)).read_bytes() == path.read_bytes()

    toolspec, empty = tmp_path / "venv" / "bin" / "toolspec", tmp_path / "empty"
    empty.mkdir()
    run(toolspec, "init", "demo", folder=empty)
    run(toolspec, "compile", folder=empty / "demo")
    run(python, "-m", "unittest", folder=empty / "demo")
    assert "clean" in run(toolspec, "handlers", folder=empty / "demo")
