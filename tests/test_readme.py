"""Runs the README's tour as a newcomer would: files are written, commands run, output compared.

A block whose info string names a file (`yaml specs/x.yaml`) is that file's content; in a `console`
block a line after `$ ` is a command and what follows it is all that it prints.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(?P<info>[^\n]+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def tour(readme: str) -> list[tuple[str, str]]:
    section = readme.split("## A tour in five minutes", 1)[1].split("\n## ", 1)[0]
    return [(match["info"], match["body"]) for match in BLOCK.finditer(section)]


def steps(body: str) -> list[tuple[str, str]]:
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def test_tour(repository: Path, tmp_path: Path) -> None:
    blocks = tour((repository / "README.md").read_text())
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}
    assert len(blocks) > 4
    for info, body in blocks:
        language, _, name = info.partition(" ")
        if name:
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body)
            continue
        assert language == "console", f"an unknown block: {info}"
        for command, expected in steps(body):
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.stdout + done.stderr == expected, command


def run_in_the_tour(repository: Path, folder: Path, command: str) -> str:
    """Return what a command of toolspec says where all files of the tour are."""
    for info, body in tour((repository / "README.md").read_text()):
        file = folder / info.partition(" ")[2]
        if file != folder:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(body)
    toolspec = str(Path(sys.executable).parent / "toolspec")
    for each in ("compile", command):
        done = subprocess.run(
            (toolspec, *each.split()), cwd=folder, capture_output=True, text=True, check=True
        )
    return done.stdout


def test_the_handlers_of_the_tour_are_served_without_a_word_of_their_own(
    repository: Path, tmp_path: Path
) -> None:
    """A server that speaks on its standard output can have nothing else there."""
    call = "call weather_getForecast city=Oslo days=1 --handlers weather=app:Weather"
    assert run_in_the_tour(repository, tmp_path, call) == '[{"day":1,"celsius":19.0}]\n'


def test_the_spec_of_the_tour_is_formatted(repository: Path, tmp_path: Path) -> None:
    run_in_the_tour(repository, tmp_path, "fmt --check")


def test_first_commands_are_the_makefile_s(repository: Path) -> None:
    readme = (repository / "README.md").read_text()
    assert readme.index("make compile") < readme.index("make test") < readme.index("## A tour")
    makefile = (repository / "Makefile").read_text()
    assert "\ncompile:" in makefile
    assert "\ntest:" in makefile
