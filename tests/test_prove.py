"""The long proofs skip nothing: what is missing there is a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import sampled

TEST = """
import pytest

@pytest.mark.prove
def test_missing():
    pytest.skip("it is not installed")
"""


@pytest.mark.parametrize(
    ("chosen", "outcome"),
    sampled([("prove", "1 failed"), ("not other", "1 skipped")], 1, rows=True),
)
def test_a_skip_fails_only_among_the_proofs(tmp_path: Path, chosen: str, outcome: str) -> None:
    (tmp_path / "test_missing.py").write_text(TEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = prove\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "conftest", "-m", chosen, "--rootdir", tmp_path],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome in done.stdout
    assert "it is not installed" in done.stdout or outcome == "1 skipped"
