"""A compile over several workers, on a platform such as Pyodide that cannot start a process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from toolspec.driver import workers
from toolspec.driver.build import CompileOptions, Request, compile_specs
from toolspec.driver.workers import Workers

SPEC = """\
toolspec: 1
service: {name: NAME, description: Answers.}
tools:
  - name: ping
    description: Return nothing at all.
    mutation: false
    inputSchema: {type: object}
    outputSchema: {type: 'null'}
"""


@pytest.mark.parametrize("jobs", [2, None])
def test_everything_is_made_in_one_process(
    jobs: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "specs").mkdir()
    for name in ("one", "two"):
        (tmp_path / "specs" / f"{name}.yaml").write_text(SPEC.replace("NAME", name))

    def no_processes(jobs: int) -> None:
        raise OSError("there are no processes")

    monkeypatch.setattr(workers, "_processes", no_processes)
    monkeypatch.setattr(workers, "WORTHWHILE", 0)
    monkeypatch.setattr(sys, "platform", "emscripten")
    checked = compile_specs(
        Request(folder=tmp_path), options=CompileOptions(Workers(jobs), is_cached=False)
    )
    assert checked.ok, checked.diagnostics
    assert (tmp_path / "generated" / "two" / "types.py").is_file()
