"""`toolspec templates`: what it lists, and copies that make the same files as the built-in ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolspec.cli.app import app
from toolspec.driver.template_files import built_in_templates
from typer.testing import CliRunner


def said(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, ["templates", *arguments])
    assert result.exit_code == status, result.output
    return result.output


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_template_is_listed_with_its_target_and_view() -> None:
    lines = [line.split() for line in said().splitlines()]
    assert ["docs", "service.md.jinja", "view", "2"] in lines
    assert [(target, name) for target, name, *_ in lines] == [
        (each.target, each.name) for each in built_in_templates()
    ]


def test_names_are_unique_so_that_one_folder_can_have_them_all() -> None:
    names = [each.name for each in built_in_templates()]
    assert len(names) == len(set(names))


def test_a_copy_names_its_view_and_is_never_overwritten_by_accident(folder: Path) -> None:
    said("eject", "_tool.md.jinja", "--to", "mine")
    copy = folder / "mine" / "_tool.md.jinja"
    assert copy.read_text().startswith("{# view 2 of the docs target")
    said("eject", "_tool.md.jinja", "--to", "mine")
    copy.write_text("changed")
    assert "--overwrite" in said("eject", "_tool.md.jinja", "--to", "mine", status=1)
    assert copy.read_text() == "changed"
    said("eject", "_tool.md.jinja", "--to", "mine", "--overwrite")
    assert copy.read_text() != "changed"


def test_the_view_that_a_copy_names_can_be_printed(folder: Path) -> None:
    commands: dict[str, str] = {}
    for template in built_in_templates():
        said("eject", template.name, "--to", "mine")
        comment = (folder / "mine" / template.name).read_text().partition("\n")[0]
        commands[comment.split("`")[1]] = f"{template.target} target, version {template.view}"
    for command, view in commands.items():
        tool, verb, *options = command.split()
        assert (tool, verb) == ("toolspec", "templates")
        assert f"View of the {view}" in said(*options)
    assert "`csv`" in said("--view", "render")
    assert "did you mean `docs`?" in said("--view", "doc", status=2)


def test_an_unknown_name_is_an_error_with_a_suggestion() -> None:
    assert "did you mean `service.md.jinja`?" in said(
        "eject", "servce.md.jinja", "--to", ".", status=2
    )


def test_a_replacement_is_listed_with_the_view_that_it_was_written_for(folder: Path) -> None:
    (folder / "toolspec.toml").write_text('[target.docs]\ntemplates = "mine"\n')
    (folder / "mine").mkdir()
    (folder / "mine" / "service.md.jinja").write_text("{# view 0 of the docs target #}\n")
    assert "replaced by mine/service.md.jinja, written for view 0" in said()


def test_the_advice_of_a_copy_is_what_a_compile_accepts(folder: Path) -> None:
    (folder / "project" / "below").mkdir(parents=True)
    (folder / "project" / "toolspec.toml").touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder / "project" / "below")
        inside = said("eject", "_tool.md.jinja", "--to", "mine")
        assert 'use it: [target.docs] templates = "below/mine"' in inside
        outside = said("eject", "_tool.md.jinja", "--to", "../../shared")
        assert "use it: toolspec compile --templates ../../shared" in outside
        assert "is not a folder" in said(
            "eject", "_tool.md.jinja", "--to", "../toolspec.toml", "--overwrite", status=1
        )
