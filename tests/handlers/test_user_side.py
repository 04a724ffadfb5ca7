"""`toolspec init`, `init handlers`, `handlers --apply` as processes, on files as users have them."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from checkers import mypy
from forkserver import toolspec
from toolspec.driver import user_code
from toolspec.driver.config import Config, package_of
from toolspec.driver.new_files import create
from toolspec.driver.user_code import HandlerSelection
from written import write_spec

BIN = Path(sys.executable).parent
TOOLSPEC = toolspec()


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((str(TOOLSPEC.parent), str(BIN), os.environ["PATH"])),
    }
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def done(*command: str | Path, folder: Path) -> str:
    result = run(*command, folder=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Start a project as its README says, and compile it."""
    folder = tmp_path_factory.mktemp("init")
    done("toolspec", "init", "demo", folder=folder)
    done("toolspec", "compile", folder=folder / "demo")
    return folder / "demo"


def test_the_test_of_a_new_project_passes(project: Path) -> None:
    assert "Ran 3 tests" in done(sys.executable, "-m", "unittest", folder=project)
    assert "3 passed" in done("pytest", "-q", "-p", "no:cacheprovider", folder=project)


def test_a_new_project_is_clean_by_every_tool(project: Path) -> None:
    assert "clean" in done("toolspec", "check", "--fail-on", "note", folder=project)
    assert "clean" in done("toolspec", "handlers", folder=project)
    assert done("toolspec", "compile", "--check", folder=project) == ""
    done("ruff", "check", "--isolated", "app", "tests", folder=project)
    done("ruff", "format", "--isolated", "--check", "app", "tests", folder=project)
    done(*mypy(), "app", "tests", folder=project)


def test_the_schema_that_an_editor_reads_is_there(project: Path, repository: Path) -> None:
    first = (project / "specs" / "todo.yaml").read_text().splitlines()[0]
    path = first.removeprefix("# yaml-language-server: $schema=")
    copy = (project / "specs" / path).read_text()
    assert copy == (repository / "schemas" / "service.v1.schema.json").read_text()
    # A part in JSON names the second, which refers to the first beside it.
    assert len(list((project / "schemas").iterdir())) == 2
    copy = (project / "schemas" / "part.v1.schema.json").read_text()
    assert copy == (repository / "schemas" / "part.v1.schema.json").read_text()


def test_the_name_of_the_folder_is_text_in_what_is_written(tmp_path: Path) -> None:
    done("toolspec", "init", "{{ 7*7 }} <b>", folder=tmp_path)
    readme = (tmp_path / "{{ 7*7 }} <b>" / "specs" / "README.md").read_text()
    assert readme.startswith("# Tools of \\{\\{ 7\\*7 }} &lt;b>\n")


def test_init_here_and_in_a_folder_that_has_other_files(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    done("toolspec", "init", folder=tmp_path)
    assert (tmp_path / "README.md").read_text() == "mine"
    assert (tmp_path / "toolspec.toml").is_file()


def test_init_changes_nothing_where_anything_is_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "todo.py").symlink_to("nowhere")
    (tmp_path / "specs").write_text("a file")
    result = run("toolspec", "init", folder=tmp_path)
    assert result.returncode == 1
    assert "`app/todo.py`" in result.stdout
    assert "`specs`" in result.stdout
    assert {each.name for each in tmp_path.iterdir()} == {"app", "specs"}


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    files = {tmp_path / "a" / "b" / "c.txt": "c", tmp_path / ("n" * 300): "too long"}
    assert [each.code for each in create(files, tmp_path, "")] == ["init/unwritable"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [["handlers"], ["handlers", "todo"], ["demo", "--to", "x"]])
def test_half_a_command_is_wrong_usage(arguments: list[str], tmp_path: Path) -> None:
    result = run("toolspec", "init", *arguments, folder=tmp_path)
    assert result.returncode == 2
    assert "init handlers" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.prove
def test_new_handlers_of_every_example_are_clean_by_every_tool(
    repository: Path, tmp_path: Path
) -> None:
    for folder in ("specs", "generated"):
        shutil.copytree(repository / folder, tmp_path / folder)
    names = ["billing", "github", "invoices", "notes", "slack", "workspace"]
    for name in names:
        done("toolspec", "init", "handlers", name, "--to", f"app/{name}.py", folder=tmp_path)
    for name in names:
        assert "clean" in done(
            "toolspec", "handlers", name, "--in", f"app/{name}.py", folder=tmp_path
        )
    done("ruff", "check", "--isolated", "app", folder=tmp_path)
    done("ruff", "format", "--isolated", "--check", "app", folder=tmp_path)
    done(*mypy(), "app", folder=tmp_path)


def test_handlers_are_written_once_and_never_again(tmp_path: Path) -> None:
    write_spec(tmp_path)
    command = ("toolspec", "init", "handlers", "shop", "--to", "shop.py")
    done(*command, folder=tmp_path)
    (tmp_path / "shop.py").write_text("mine")
    assert run(*command, folder=tmp_path).returncode == 1
    assert (tmp_path / "shop.py").read_text() == "mine"


def test_apply_keeps_bytes_mode_and_links(tmp_path: Path) -> None:
    write_spec(tmp_path)
    before = (
        "\ufefffrom generated.shop import ShopHandlers\r\n\r\nclass Shop(ShopHandlers): pass  # é"
    )
    real = tmp_path / "real.py"
    real.write_bytes(before.encode())
    real.chmod(0o750)
    (tmp_path / "shop.py").symlink_to("real.py")
    done("toolspec", "handlers", "--in", "shop.py", "--apply", folder=tmp_path)
    after = real.read_bytes().decode()
    assert after.startswith("\ufefffrom collections.abc import ")
    assert "\r\n    ShopHandlers,\r\n" in after
    assert "\r\n    pass  # é\r\n" in after
    assert "\n" not in after.replace("\r\n", "")
    assert stat.S_IMODE(real.stat().st_mode) == 0o750
    assert (tmp_path / "shop.py").is_symlink()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["real.py", "shop.py", "specs"]


def test_diff_is_what_apply_does(tmp_path: Path) -> None:
    write_spec(tmp_path)
    text = "from generated.shop import ShopHandlers\n\nclass Shop(ShopHandlers): pass"
    (tmp_path / "shop.py").write_text(text)
    command = ("toolspec", "handlers", "--in", "shop.py")
    diff = run(*command, "--diff", folder=tmp_path)
    assert diff.returncode == 1
    assert (tmp_path / "shop.py").read_text() == text
    (tmp_path / "patch").write_text(diff.stdout)
    done("git", "apply", "patch", folder=tmp_path)
    patched = (tmp_path / "shop.py").read_text()
    (tmp_path / "shop.py").write_text(text)
    done(*command, "--apply", folder=tmp_path)
    assert (tmp_path / "shop.py").read_text() == patched


def test_a_diff_steers_no_terminal_and_keeps_its_line_ends(tmp_path: Path) -> None:
    write_spec(tmp_path)
    text = "class Shop(ShopStubs):\r\n    x = 1  # \x1b[31m\r\n"
    (tmp_path / "shop.py").write_bytes(text.encode())
    command = [TOOLSPEC, "handlers", "--in", "shop.py", "--diff"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).stdout
    assert b"\x1b" not in shown
    assert b"<U+001B>[31m\r\n" in shown
    assert b"+    async def get_order(\r\n" in shown


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    write_spec(tmp_path)
    path = tmp_path / "shop.py"
    path.write_text("class Shop(ShopStubs): pass\n")
    looked = user_code.compare_handlers(HandlerSelection(files=["shop.py"], folder=tmp_path)).value
    path.write_text("class Shop(ShopStubs): x = 1\n")
    assert [each.code for each in user_code.apply(looked)] == ["edit/changed-meanwhile"]
    assert path.read_text() == "class Shop(ShopStubs): x = 1\n"


def test_one_file_may_hold_several_services(tmp_path: Path) -> None:
    write_spec(tmp_path)
    spec = (tmp_path / "specs" / "shop.yaml").read_text()
    (tmp_path / "specs" / "mall.yaml").write_text(spec.replace("name: shop", "name: mall"))
    path = tmp_path / "all.py"
    path.write_text("class A(ShopHandlers): pass\nclass B(MallHandlers): pass\n")
    done("toolspec", "handlers", "--in", "all.py", "--apply", folder=tmp_path)
    assert path.read_text().count("async def get_order(") == 2
    assert "clean" in done("toolspec", "handlers", "--in", "all.py", folder=tmp_path)


def test_errors_of_the_spec_come_before_those_of_handlers(tmp_path: Path) -> None:
    write_spec(tmp_path)
    path = tmp_path / "specs" / "shop.yaml"
    path.write_text(path.read_text().replace("mutation", "muation"))
    (tmp_path / "shop.py").write_text("class Shop(ShopStubs): pass\n")
    result = run("toolspec", "handlers", "--in", "shop.py", folder=tmp_path)
    assert result.returncode == 1
    assert "shape/unknown-key" in result.stdout
    assert "usercode/" not in result.stdout


@pytest.mark.parametrize(
    ("out", "package", "expected"),
    [
        ("generated", "", "generated"),
        ("src/app/generated", "", "app.generated"),
        ("lib", "", "lib"),
        ("my-app/generated", "", "generated"),
        ("../elsewhere/made", "", "elsewhere.made"),
        ("out-of-names", "", "generated"),
        ("generated", "app.tools", "app.tools"),
    ],
)
def test_where_generated_code_is_imported_from(
    out: str, package: str, expected: str, tmp_path: Path
) -> None:
    assert package_of(tmp_path, Config(out=out, package=package)) == expected
