"""The example services as a site."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from forkserver import toolspec
from served import free_port


class Project(NamedTuple):
    """A compiled project, its site, and the ports that pages may call."""

    folder: Path
    site: Path
    port: int
    other_port: int


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory, repository: Path) -> Project:
    """Compile the example services after a change of slack that was accepted, with a form to call them."""
    folder = tmp_path_factory.mktemp("project")
    port, other_port = free_port(), free_port()
    shutil.copytree(repository / "specs", folder / "specs")
    (folder / "toolspec.toml").write_text(
        'targets = ["python", "catalog", "mcp-2026-07-28", "mcp-2025-11-25", "site", "gemini"]\n'
        "[target.site]\n"
        'edit = "https://example.com/edit/{file}"\n'
        f'try = ["http://127.0.0.1:{port}/mcp", "http://127.0.0.1:{other_port}/mcp"]\n'
    )

    def run(*arguments: str) -> None:
        command = (str(toolspec()), *arguments)
        subprocess.run(command, cwd=folder, check=True, capture_output=True)

    run("accept", "--today", "2026-01-01")
    slack = folder / "specs" / "slack.yaml"
    text = slack.read_text("utf-8")
    assert "maximum: 100" in text
    slack.write_text(text.replace("maximum: 100", "maximum: 90", 1), "utf-8")
    run("accept", "--today", "2026-03-01", "--reason", "Smaller pages are quicker")
    run("compile")
    return Project(folder, folder / "generated" / "site", port, other_port)
