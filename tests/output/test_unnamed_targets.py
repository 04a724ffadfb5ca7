"""As docs/providers.md does: a compile for one more target, then one without, `--check` and `--prune`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from forkserver import toolspec

TOOLSPEC = toolspec()
SPEC = """toolspec: 1
service: {name: NAME, description: A demo.}
tools:
  - {name: ping, description: Answer for NAME., mutation: false, outputSchema: {type: string}}
"""
WARNING = """warning[output/unnamed-target] {} of the target `mistral` remain unchanged: the configuration \
does not name it
  = help: add it to `targets` in the configuration to keep the files current, or remove the files with \
`toolspec compile --prune`
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "toolspec.toml").write_text('targets = ["python", "catalog"]\n')
    for name in ("alpha", "beta"):
        (tmp_path / "specs" / f"{name}.yaml").write_text(SPEC.replace("NAME", name))
    ran(tmp_path)
    ran(tmp_path, "--target", "mistral")
    return tmp_path


def ran(project: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [TOOLSPEC, "compile", *words], cwd=project, capture_output=True, text=True, check=False
    )
    assert not done.stderr
    return done.returncode, done.stdout


def lists(project: Path) -> list[str]:
    return sorted(
        path.relative_to(project / "generated").as_posix()
        for path in (project / "generated").rglob("mistral.json")
    )


@pytest.mark.parametrize("words", [(), ("--no-cache",)])
def test_a_plain_compile_leaves_the_files_of_another_target(
    project: Path, words: tuple[str, ...]
) -> None:
    for _ in range(2):
        status, said = ran(project, *words)
        assert status == 0
        assert WARNING.format("6 files") in said
        assert "removed" not in said
        assert lists(project) == ["alpha/mistral.json", "beta/mistral.json"]


def test_check_reports_the_line_and_fails_for_drift_alone(project: Path) -> None:
    status, said = ran(project, "--check")
    assert status == 0
    assert WARNING.format("6 files") in said
    assert "out of date" not in said
    (project / "specs" / "beta.yaml").unlink()
    status, said = ran(project, "--check")
    assert status == 1
    assert "out of date: run `toolspec compile`" in said
    assert "a/beta/mistral.json" not in said


def test_a_service_that_is_gone_is_removed_for_configured_targets(project: Path) -> None:
    (project / "specs" / "beta.yaml").unlink()
    ran(project)
    left = {path.name for path in (project / "generated" / "beta").iterdir()}
    assert left == {"mistral.json", "mistral.ledger.json", "mistral.decode.json"}


def test_prune_removes_them_and_check_knows_it(project: Path) -> None:
    status, said = ran(project, "--prune", "--check")
    assert (status, lists(project)) == (1, ["alpha/mistral.json", "beta/mistral.json"])
    assert "7 files out of date" in said
    status, said = ran(project, "--prune")
    assert (status, lists(project)) == (0, [])
    assert "6 removed" in said
    assert ran(project, "--check") == (0, "")


def test_naming_the_target_ends_the_warning(project: Path) -> None:
    (project / "toolspec.toml").write_text('targets = ["python", "catalog", "mistral"]\n')
    status, said = ran(project)
    assert status == 0
    assert "unnamed-target" not in said
