"""`python -m toolspec` is the command, and what an extra brings is asked for by its name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sampling import sampled

SPEC = """toolspec: 1
service: {name: demo, description: A demo.}
tools:
  - {name: ping, description: Answer a call., mutation: false, outputSchema: {type: string}}
"""


def ran(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "words",
    sampled([["--version"], ["--help"], ["check"], ["inspect", "demo_ping"], ["chekc"], []], 2),
)
def test_the_module_is_the_command(tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC)
    module = ran("-m", "toolspec", *words, folder=tmp_path)
    command = subprocess.run(
        [Path(sys.executable).with_name("toolspec"), *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (module.returncode, module.stdout, module.stderr) == (
        command.returncode,
        command.stdout,
        command.stderr,
    )


@pytest.mark.prove
def test_the_module_compiles_with_several_processes(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    for name in ("demo", "other"):
        (tmp_path / "specs" / f"{name}.yaml").write_text(
            SPEC.replace("name: demo", f"name: {name}")
        )
    done = ran("-m", "toolspec", "compile", "--jobs", "2", "--no-cache", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 services, 2 tools" in done.stdout


@pytest.mark.parametrize("absent", ["mcp", "mcp_types"])
def test_a_missing_extra_is_one_clear_error(tmp_path: Path, absent: str) -> None:
    script = f"""
import sys
sys.modules[{absent!r}] = None
from toolspec.serving.client import McpTransport
"""
    done = ran("-c", script, folder=tmp_path)
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: `McpTransport` needs the MCP SDK, which is not installed: "
        "run `pip install 'toolspec-runtime[mcp]'`"
    )
