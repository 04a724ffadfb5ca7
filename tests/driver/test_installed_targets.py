"""A target of another distribution that fails is an error with its name, and nothing is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from forkserver import toolspec
from sampling import sampled

BIN = Path(sys.executable).parent
SPEC = """\
toolspec: 1
service: {name: shop, version: 1.0.0, description: Orders of a shop.}
tools:
  - name: listOrders
    description: List the orders of the signed-in user, newest first.
    outputSchema: {type: string}
    mutation: false
"""
HEAD = """\
from toolspec.targets.target import Artifact, Emission, Target

def fail(*given):
    raise LookupError("no template")

"""


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ("import nothing_of_this_name", "ModuleNotFoundError: No module named"),
        ("TARGET = 'acme'", "TypeError: `acme_target:TARGET` is no Target named `acme`"),
        ("TARGET = Target('acme', 'acme', emit_service=fail)", "LookupError: no template"),
        ("TARGET = Target('acme', 'acme', check_service=fail)", "LookupError: no template"),
        (
            "TARGET = Target('acme', 'acme', emit_service=lambda *given: Emission(map(fail, 'ab')))",
            "LookupError: no template",
        ),
        (
            "TARGET = Target('acme', 'acme', emit_project=fail)",
            "LookupError: no template",
        ),
        (
            "TARGET = Target('acme', 'acme', emit_service=lambda *given: Emission(note={1: {2}}))",
            "TypeError: Object of type set is not JSON serializable",
        ),
    ],
)
@pytest.mark.parametrize("options", sampled([[], ["--jobs", "2"]], 1))
def test_a_failing_target_is_reported(
    tmp_path: Path, declared: str, reason: str, options: list[str]
) -> None:
    (tmp_path / "specs").mkdir()
    for name in ("shop", "store"):
        text = SPEC.replace("name: shop", f"name: {name}")
        (tmp_path / "specs" / f"{name}.yaml").write_text(text)
    (tmp_path / "toolspec.toml").write_text('targets = ["catalog", "acme"]\n')
    done = run_with_target(tmp_path, HEAD + declared, ["compile", *options])
    assert done.returncode == 1, done.stdout + done.stderr
    line = f"error[target/failed] the target `acme` of another distribution failed: {reason}"
    assert done.stdout.count(line) == 1
    assert not (tmp_path / "generated").exists()


def test_a_table_of_an_installed_target_that_is_not_built_needs_no_import(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "shop.yaml").write_text(SPEC)
    (tmp_path / "toolspec.toml").write_text('targets = ["catalog"]\n[target.acme]\ncolour = 1\n')
    done = run_with_target(tmp_path, "raise LookupError", ["check"])
    assert done.returncode == 0, done.stdout + done.stderr


def run_with_target(
    folder: Path, code: str, arguments: list[str]
) -> subprocess.CompletedProcess[str]:
    """Run the command where another distribution declares the target `acme` in this code."""
    metadata = folder / "site" / "acme_target-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-target\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[toolspec.targets]\nacme = acme_target:TARGET\n")
    (folder / "site" / "acme_target.py").write_text(f"{code}\n")
    return subprocess.run(
        [toolspec(), *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "site"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
