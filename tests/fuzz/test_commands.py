"""`compile` accepts what `check` accepts, repeats its diagnostics, and makes the same bytes twice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SHORT, LONG, SHARDS = 10, 6_000, 12


def run(first: int, last: int, folder: Path) -> None:
    script = Path(__file__).parent / "run_commands.py"
    command = [sys.executable, script, str(first), str(last), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    number = done.stdout.split()[-1] if done.stdout else first
    assert done.returncode == 0, f"document {number}: {done.stderr}"
    assert number == str(last - 1)


def test_some_documents_are_compiled_as_they_are_checked(tmp_path: Path) -> None:
    run(0, SHORT, tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("shard", range(SHARDS))
def test_documents_are_compiled_as_they_are_checked(shard: int, tmp_path: Path) -> None:
    size = LONG // SHARDS
    run(SHORT + shard * size, SHORT + (shard + 1) * size, tmp_path)
