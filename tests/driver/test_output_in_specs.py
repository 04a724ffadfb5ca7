"""Output folders among the documents: refused, or left out of the search."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_spec import SPEC
from toolspec.driver.build import Request, check, compile_specs

CODE = "config/searched-output"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "specs").mkdir(parents=True)
    (root / "specs" / "demo.yaml").write_text(SPEC)
    (root / "toolspec.toml").touch()
    return root


def compiled(root: Path, config: str, out: str | None = None, *paths: str) -> list[str]:
    """Return the codes of a compile; after a clean one, those of the same and a plain check."""
    (root / "toolspec.toml").write_text(config)
    done = compile_specs(Request(folder=root, out=out, paths=paths))
    if done.diagnostics:
        return [f"{diagnostic.code}: {diagnostic.message}" for diagnostic in done.diagnostics]
    again = compile_specs(Request(folder=root, out=out, paths=paths))
    plain = check(Request(folder=root))
    assert plain.value.documents == done.value.documents == ("specs/demo.yaml",)
    return [diagnostic.message for diagnostic in (*again.diagnostics, *plain.diagnostics)]


@pytest.mark.parametrize(
    ("config", "out", "paths", "message"),
    [
        ('out = "specs"\n', None, (), "the output folder `specs` is searched for documents"),
        ('out = "./specs/"\n', None, (), "the output folder `./specs/` is searched for documents"),
        ("", "specs", (), "the output folder `specs` is searched for documents"),
        ("", "link", (), "the output folder `link` is searched for documents"),
        (
            "",
            "specs/gen",
            (),
            "the output folder `specs/gen` lies in `specs`, which is searched for documents",
        ),
        ('specs = ["."]\n', "new", (), "the output folder `new` lies in `.`, which is searched"),
        ('out = "more"\n', "specs/a", ("specs/demo.yaml",), "`specs/a` lies in `specs`, which"),
        ("", "more", ("specs", "more"), "the output folder `more` is searched for documents"),
        (
            'specs = ["specs/**/*.json", "specs/*.yaml"]\nout = "specs"\n',
            None,
            (),
            "the output folder `specs` lies in `specs/**/*.json`, which is searched for documents",
        ),
    ],
)
def test_an_output_folder_among_the_documents_is_refused(
    project: Path, config: str, out: str | None, paths: tuple[str, ...], message: str
) -> None:
    (project / "more").mkdir()
    (project / "link").symlink_to("specs")
    (diagnostic,) = compiled(project, config, out, *paths)
    assert diagnostic.startswith(CODE)
    assert message in diagnostic
    assert sorted(path.name for path in (project / "specs").iterdir()) == ["demo.yaml"]


@pytest.mark.parametrize(
    ("config", "out", "paths"),
    [
        ('specs = ["."]\n', None, ()),
        ('specs = ["."]\n', "generated", ()),
        ('specs = ["."]\n', ".hidden", ()),
        ('specs = ["."]\n', "../elsewhere", ()),
        ('out = "specs/gen"\n', None, ()),
        ('specs = ["specs/**/*.*"]\nout = "specs/gen"\n', None, ()),
        ('specs = ["specs/*.yaml"]\nout = "specs"\n', None, ()),
        ("", "gen", (".",)),
    ],
)
def test_an_output_folder_that_no_search_enters_is_used(
    project: Path, config: str, out: str | None, paths: tuple[str, ...]
) -> None:
    assert compiled(project, config, out, *paths) == []


@pytest.mark.parametrize("config", ['specs = ["."]\n', 'out = "specs/gen"\n'])
def test_the_configured_output_stays_left_out_beside_another(project: Path, config: str) -> None:
    assert compiled(project, config) == []
    assert compiled(project, config, "../elsewhere") == []


def test_the_setting_or_the_option_is_named(project: Path) -> None:
    (project / "toolspec.toml").write_text('out = "specs"\n')
    (diagnostic,) = check(Request(folder=project)).diagnostics
    assert diagnostic.span
    assert diagnostic.span.text == '"specs"'
    assert diagnostic.help == "choose another folder as `out` in the configuration"
    (diagnostic,) = compile_specs(Request(folder=project, out="specs")).diagnostics
    assert diagnostic.span is None
    assert diagnostic.help == "choose another folder with `--out`"
