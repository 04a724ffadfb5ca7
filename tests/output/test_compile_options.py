"""What a person types: the switches of `compile` that concern the output, and their exit statuses."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest
from click.testing import Result
from toolspec.cli.app import app
from trees import SERVICE, snapshot
from typer.testing import CliRunner


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SERVICE.format(name="demo", text="A demo."))
    monkeypatch.chdir(tmp_path)
    assert run().exit_code == 0
    return tmp_path / "generated"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["compile", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_an_edit_is_shown_where_it_is_and_survives(out: Path) -> None:
    types = out / "demo" / "types.py"
    types.write_text(types.read_text().replace("TypedDict", "MyDict", 1))
    before = snapshot(out)
    result = run()
    assert result.exit_code == 1
    assert "output/edited-file" in result.stdout
    assert "--> generated/demo/types.py:" in result.stdout
    assert "the compiler writes `" in result.stdout
    assert snapshot(out) == before


def test_check_says_what_a_compile_will_ask_for(out: Path) -> None:
    (out / "demo" / "types.py").write_text("mine\n")
    result = run("--check")
    assert result.exit_code == 1
    assert "-mine" in result.stdout
    assert "1 file out of date, 1 edited or not the compiler's" in result.stdout


def test_overwrite_says_where_the_old_file_is(out: Path) -> None:
    (out / "demo" / "types.py").write_text("mine\n")
    result = run("--overwrite")
    assert result.exit_code == 0
    assert "kept as `generated/demo/types.py.orig`" in result.stdout
    assert (out / "demo" / "types.py.orig").read_text() == "mine\n"


def test_adopt_replaces_and_with_overwrite_nothing_is_lost(out: Path) -> None:
    new = snapshot(out)
    (out / "demo" / "types.py").write_text("mine\n")
    assert run("--adopt").exit_code == 0
    assert snapshot(out) == new
    (out / "demo" / "types.py").write_text("mine\n")
    assert run("--adopt", "--overwrite").exit_code == 0
    assert snapshot(out) == {**new, "demo/types.py.orig": b"mine\n"}


def test_one_target_leaves_the_files_of_the_others(out: Path) -> None:
    before = snapshot(out)
    assert run("--target", "catalog").exit_code == 0
    assert snapshot(out) == before


def test_a_service_that_is_gone_takes_its_files_along(out: Path) -> None:
    specs = out.parent / "specs"
    (specs / "other.yaml").write_text(SERVICE.format(name="other", text="Another."))
    assert run().exit_code == 0
    (specs / "demo.yaml").unlink()
    result = run()
    assert result.exit_code == 0
    assert "9 removed" in result.stdout
    assert not (out / "demo").exists()


def test_a_folder_in_use_is_status_2(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (out / "catalog.json").unlink()
    (out / ".toolspec").mkdir()
    monkeypatch.setattr("time.sleep", lambda _: None)
    moments = iter(range(1000))
    monkeypatch.setattr("time.monotonic", lambda: float(next(moments)))
    with (out / ".toolspec" / "lock").open("w") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        result = run()
    assert result.exit_code == 2
    assert "output/busy" in result.stdout
    assert not (out / "catalog.json").exists()
    monkeypatch.undo()
    monkeypatch.chdir(out.parent)
    assert run().exit_code == 0
    assert (out / "catalog.json").exists()
