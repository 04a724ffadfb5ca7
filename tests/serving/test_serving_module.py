"""`python -m toolspec.serving`: the options of `toolspec serve`, and nothing of the compiler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sampling import sampled
from served import LEGACY, MODERN, connected, module_stdio
from toolspec.cli.app import app
from toolspec.serving.__main__ import main
from toolspec.serving.command_options import COMMAND_OPTIONS
from typer.main import get_command

HANDLERS = """
import sys

import app


class Lab(app.Lab):
    async def list_(self, input, ctx):
        of_compiler = ("jinja2", "rich", "ruamel", "typer")
        names = {name for name in sys.modules if name.partition(".")[0] in of_compiler}
        names |= {name for name in sys.modules if name.startswith(tuple(COMPILER))}
        assert not names, names
        return [1, 2]


COMPILER = [f"toolspec.{part}" for part in ("cli", "driver", "frontend", "schema", "targets")]
"""


@pytest.mark.parametrize("mode", sampled([MODERN, LEGACY], 1))
def test_a_server_imports_neither_the_compiler_nor_its_libraries(lab: Path, mode: str) -> None:
    (lab / "bare.py").write_text(HANDLERS)
    server = module_stdio(lab, "--handlers", "bare:Lab", "--settings", "settings.toml")
    with connected(server, mode) as client:
        assert not client.call("lab_list").is_error


def test_both_commands_have_the_same_options(capsys: pytest.CaptureFixture[str]) -> None:
    command = get_command(app)
    context = command.make_context("toolspec", [], resilient_parsing=True)
    verb = command.get_command(context, "serve")  # type: ignore[attr-defined]
    words = [word for item in verb.params for word in item.opts if word.startswith("--")]
    assert words == [option.words for option in COMMAND_OPTIONS]
    with pytest.raises(SystemExit):
        main(["--help"])
    assert all(word in capsys.readouterr().out for word in words[:1])


@pytest.mark.parametrize(
    ("options", "reason"),
    sampled(
        [
            (("--port", "0"), "argument --port: 0 is not from 1 to 65535"),
            (("--workers", "0"), "argument --workers: 0 is not at least 1"),
            (("--settings", " "), "argument --settings: the value is empty"),
            (("--approve", "all"), "argument --approve: invalid choice"),
            (("--port", "80"), "toolspec: only with --transport http: --port"),
            (("--generated", "gone"), "toolspec: there is no generated Python package in "),
        ],
        2,
        rows=True,
    ),
)
def test_bad_input_is_refused(
    lab: Path,
    options: tuple[str, ...],
    reason: str,
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toolspec.serving", *options],
        cwd=lab,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
