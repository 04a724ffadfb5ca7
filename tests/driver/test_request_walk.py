"""The walk of a request from command to artifact: through few files, under few names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from small_spec import SPEC

# Records each function of the compiler that receives the request or a value that it becomes.
TRACE = """
import json, sys
from toolspec.driver.analysis import Analysis, AnalysisTask
from toolspec.driver.build import BuildPlan, LinkedProgram, Request
from toolspec.driver.output import Change, File
from toolspec.driver.write_options import WriteOptions
from toolspec.targets.target import Emission

KINDS = (
    Request, BuildPlan, AnalysisTask, Analysis, LinkedProgram, Emission, File, Change, WriteOptions
)
files, names = set(), set()

def record(frame, event, _):
    code = frame.f_code
    if event == "call" and "/toolspec/" in code.co_filename:
        for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            if name != "self" and isinstance(frame.f_locals.get(name), KINDS):
                files.add(code.co_filename.rpartition("/toolspec/")[2])
                names.add(name)

from toolspec.cli.main import main

# With `--` the application reads the words, and ends the process in order.
sys.argv = ["toolspec", "compile", "--jobs", "1", "--"]
sys.setprofile(record)
try:
    main()
finally:
    sys.setprofile(None)
    print(json.dumps([sorted(files), sorted(names)]), file=sys.stderr)
"""


def test_a_request_visits_few_files_under_few_names(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "a.yaml").write_text(SPEC)
    done = subprocess.run(
        [sys.executable, "-c", TRACE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (tmp_path / "generated" / "catalog.json").is_file(), done.stderr
    files, names = json.loads(done.stderr.splitlines()[-1])
    assert {"driver/build.py", "driver/analysis.py", "driver/output/publish.py"} <= set(files)
    assert len(files) <= 11, sorted(files)
    assert len(names) <= 30, names
