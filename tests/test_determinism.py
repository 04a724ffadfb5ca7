"""The same bytes for the same input: under any hash seed, locale, time zone and working folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from forkserver import toolspec
from sampling import sampled

TOOLSPEC = toolspec()


def digest(folder: Path) -> str:
    # Whoever has run the generated code has left what Python makes of it beside it, and the compiler's
    # own reference is no output of a compile.
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not {"__pycache__", "reference"} & set(path.parent.parts)
    )
    parts = [
        f"{path.relative_to(folder)} {sha256(path.read_bytes()).hexdigest()}" for path in files
    ]
    return "\n".join(parts)


@pytest.mark.parametrize(
    "environment",
    sampled(
        [
            {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"},
            {"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu"},
            {
                "PYTHONHASHSEED": "3",
                "LC_ALL": "C.UTF-8",
                "TZ": "America/St_Johns",
                "PYTHONUTF8": "0",
            },
        ],
        1,
    ),
    ids=["one", "two", "three"],
)
def test_output_is_the_same_everywhere(
    environment: dict[str, str], repository: Path, tmp_path: Path
) -> None:
    project = tmp_path / "some where"
    shutil.copytree(repository / "specs", project / "specs")
    shutil.copy(repository / "pyproject.toml", project)
    done = subprocess.run(
        [TOOLSPEC, "compile"],
        cwd=project,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert digest(project / "generated") == digest(repository / "generated")
