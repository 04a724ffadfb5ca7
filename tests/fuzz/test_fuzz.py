"""No document, however broken, ends the compiler: no signal, no traceback, 2 s and 300 MiB each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from mutants import mutant, seeds

SHORTEST, SHORT, LONG, SHARDS = 100, 1_000, 100_000, 50


def run(first: int, last: int) -> None:
    script = Path(__file__).parent / "run_mutants.py"
    command = [sys.executable, script, str(first), str(last)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        number = int(done.stdout.split()[-1]) if done.stdout else first
        name, data = mutant(number, seeds())
        pytest.fail(f"mutant {number} ({name}), status {done.returncode}\n{data!r}\n{done.stderr}")
    assert done.stdout.split()[-1] == str(last - 1)


def test_a_hundred_mutants() -> None:
    run(0, SHORTEST)


@pytest.mark.prove
def test_a_thousand_mutants() -> None:
    run(SHORTEST, SHORT)


@pytest.mark.prove
@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_hundred_thousand_mutants(shard: int) -> None:
    size = LONG // SHARDS
    run(SHORT + shard * size, SHORT + (shard + 1) * size)


@pytest.mark.prove
def test_mutants_reach_every_depth() -> None:
    # A fuzzer that only makes syntax errors proves little about what comes after the readers.
    from run_mutants import PROJECT, AnalysisTask, FileSnapshot, analyse

    origins = seeds()
    families = set()
    for number in range(1_500):
        name, data = mutant(number, origins)
        analysis = analyse(AnalysisTask(PROJECT, name, {name: FileSnapshot("", data)}))
        codes = {diagnostic.code for diagnostic in analysis.diagnostics}
        families |= {code.partition("/")[0] for code in codes} or {"clean"}
    assert families >= {"syntax", "shape", "schema", "bind", "resolve", "naming", "docs", "clean"}
