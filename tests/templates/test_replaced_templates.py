"""Templates of a user's project in place of built-in ones, from configuration to diagnostics."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import sampled
from toolspec.driver import build
from toolspec.driver.build import CompileOptions, Request
from toolspec.source import SourceFile
from toolspec.targets.python.emit import FILES, FOLDER, templates
from toolspec.targets.python.gate import is_safe
from toolspec.targets.templates import is_include, template_names

TOOLSPEC = Path(sys.executable).parent / "toolspec"
SPEC = """\
toolspec: 1
service: {name: demo, description: A service for tests.}
tools:
  - name: ask
    description: %s
    outputSchema: {type: string}
    mutation: false
"""
STUBS = "handlers.py.jinja"
HANDLERS = (FOLDER / STUBS).read_text(encoding="utf-8")


def project(
    folder: Path, templates: dict[str, str], description: str = "Answer a question."
) -> Path:
    (folder / "toolspec.toml").write_text(
        'targets = ["python"]\n[target.python]\ntemplates = "own"\n', encoding="utf-8"
    )
    (folder / "specs").mkdir()
    (folder / "specs" / "demo.yaml").write_text(SPEC % description, encoding="utf-8")
    (folder / "own").mkdir()
    for name, text in templates.items():
        (folder / "own" / name).write_text(text, encoding="utf-8")
    return folder


def codes(folder: Path, **options: str) -> list[tuple[str, str, int]]:
    """Return code, file and line of each diagnostic of a build in one process and of a compile."""
    builds = (
        build.build(Request(folder=folder, **options)),
        build.compile_specs(Request(folder=folder, **options), options=CompileOptions()),
    )
    reports = [
        [
            (each.code, each.span.source.path, each.span.first.line)
            if each.span
            else (each.code, "", 0)
            for each in built.diagnostics
        ]
        for built in builds
    ]
    assert reports[0] == reports[1]
    return reports[0]


def test_a_template_replaces_the_built_in_one_and_no_other(tmp_path: Path) -> None:
    own = HANDLERS.replace(
        "{{ header }}", "{{ header }}\n# Ours: {% if service.tools %}tools{% endif %}."
    )
    project(tmp_path, {STUBS: own})
    assert codes(tmp_path) == []
    generated = tmp_path / "generated"
    assert "\n# Ours: tools.\n" in (generated / "demo" / "handlers.py").read_text()
    assert "Ours" not in (generated / "demo" / "client.py").read_text()


def test_an_edit_of_a_template_changes_the_output(tmp_path: Path) -> None:
    project(tmp_path, {STUBS: HANDLERS})

    def compiled() -> str:
        run = subprocess.run(
            [TOOLSPEC, "compile"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
        return (tmp_path / "generated" / "demo" / "handlers.py").read_text()

    first = compiled()
    assert compiled() == first
    (tmp_path / "own" / STUBS).write_text(f"{HANDLERS}\n\nOURS = 1\n")
    assert compiled() == f"{first}\n\nOURS = 1\n"
    (tmp_path / "own" / STUBS).unlink()
    assert compiled() == first


def test_an_include_may_be_replaced_or_the_users_own(tmp_path: Path) -> None:
    own = "{{ header }}\n{% include '_mine.jinja' %}\n\n{% include '_export.jinja' %}\n"
    project(tmp_path, {STUBS: own, "_mine.jinja": "A = 1", "_export.jinja": "B = 2\n", "x.md": "x"})
    assert codes(tmp_path) == []
    lines = (tmp_path / "generated" / "demo" / "handlers.py").read_text().splitlines()
    assert lines[1:] == ["A = 1", "B = 2"]


def test_templates_of_the_command_line_win(tmp_path: Path) -> None:
    project(tmp_path, {STUBS: "{{ broken"})
    other = tmp_path / "other"
    other.mkdir()
    (other / "types.py.jinja").write_text("A = 1\n__all__ = ['A']\n")
    assert codes(tmp_path, templates="other") == []
    assert (tmp_path / "generated" / "demo" / "types.py").read_text().startswith("A = 1\n")
    assert "DemoHandlers" in (tmp_path / "generated" / "demo" / "handlers.py").read_text()


ERRORS = {
    "syntax": ("\n{% if %}", "target/template", 2),
    "undefined": ("{{ header }}\n\n{{ service.nmae }}", "target/template", 3),
    "sandbox": ("{{ service.__class__ }}", "target/template", 1),
    "a function": ("\n{{ doc.__globals__ }}", "target/template", 2),
    "in quotes": ('a = "{{ service.description }}"', "python/template-value", 1),
    "in a comment": ("# {{ service.description }}", "python/template-value", 1),
    "in a docstring": ('"""{{ service.description }}"""', "python/template-value", 1),
    "in an f-string": ("a = f'{ {{ service.description }} }'", "python/template-value", 1),
    "in an f-string of a module": (
        '{{ doc(service.name) }}\nfrom __future__ import annotations\na = f"{{ service.description }}"',
        "python/template-value",
        3,
    ),
    "beside a text": ("a = {{ service.description }} 'x'", "python/template-value", 1),
    "in a set block": (
        "\n\n{% set a %}{{ service.name }}{% endset %}\n{{ a }}",
        "target/template",
        3,
    ),
    "no Python": ("a = 1\nb = (\n{{ service.description }}", "python/template-syntax", 2),
    "no Python beside a value": (
        "{{ header }}\na = 1\nb = {{ service.name }} +\n",
        "python/template-syntax",
        3,
    ),
    "no Python for the compiler": ("{{ header }}\n\nreturn 3", "python/template-syntax", 3),
    "no Python of a value": ("class {{ service.name }}(:", "python/template-syntax", 1),
    "on its line": (
        "{% for tool in service.tools %}\na = {{ tool.name }}\n\n#\nb = '{{ tool.name }}'\n{% endfor %}",
        "python/template-value",
        5,
    ),
    "that is read": (
        "a = {{ service.name }}\n# {{ service.name }}\nb = 1",
        "python/template-value",
        2,
    ),
    "a view": ("\n\n{{ service }}", "target/template", 3),
}


@pytest.mark.parametrize(
    ("text", "code", "line"), sampled(ERRORS.values(), 6, rows=True), ids=ERRORS
)
def test_an_error_of_a_template_is_a_diagnostic_and_nothing_is_written(
    text: str, code: str, line: int, tmp_path: Path
) -> None:
    project(tmp_path, {STUBS: text})
    assert codes(tmp_path) == [(code, f"own/{STUBS}", line)]
    assert not (tmp_path / "generated" / "demo").exists()


def test_python_that_does_not_compile_is_reported_where_an_include_writes_it(
    tmp_path: Path,
) -> None:
    own = {STUBS: "{{ header }}\n{% include '_mine.jinja' %}", "_mine.jinja": "a = 1\ndef f(:\n"}
    project(tmp_path, own)
    assert codes(tmp_path) == [("python/template-syntax", "own/_mine.jinja", 2)]
    (found,) = build.build(Request(folder=tmp_path)).diagnostics
    assert found.message == "`demo/handlers.py` would not be valid Python: invalid syntax"
    assert found.help == "correct what the template writes as `def f(:`"


HOSTILE = (
    '" + CANARY() + "',
    "' + CANARY() + '",
    '"""\nCANARY()\n"""',
    "\\",
    "{{ CANARY() }}",
    "x\nCANARY()",
)
LOCATIONS = (
    'a = "{{ tool.description }}"',
    "a = '{{ tool.description }}'",
    '"""{{ tool.description }}"""',
    "'''{{ doc(tool.description) }}'''",
    "# {{ tool.description }}",
    'a = f"{ {{ tool.description }} }"',
    "a = {{ tool.description | upper }} {{ tool.description }}",
    '"{{ tool.definition[4].value }}"',
)


@pytest.mark.parametrize("location", LOCATIONS)
@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_of_the_spec_is_never_code_whatever_a_template_does(
    location: str, text: str
) -> None:
    template = SourceFile(f"own/{STUBS}", location)
    tool = {"description": text, "definition": [{"value": text}] * 5}
    rendered = templates((template,)).render(STUBS, {"tool": tool})
    if is_safe(rendered):
        calls = [each for each in ast.walk(ast.parse(rendered.text)) if isinstance(each, ast.Call)]
        assert calls == []


def test_a_name_that_replaces_nothing_is_reported_with_the_nearest(tmp_path: Path) -> None:
    project(tmp_path, {"handler.py.jinja": ""})
    compiled = build.build(Request(folder=tmp_path))
    (found,) = compiled.diagnostics
    assert found.code == "config/unknown-template"
    assert "own/handler.py.jinja" in found.message
    assert "handlers.py.jinja" in found.help
    assert found.span is not None
    assert found.span.source.line(found.span.first.line) == 'templates = "own"'


def test_a_template_of_another_target_is_reported_unless_it_reads_the_folder_too(
    tmp_path: Path,
) -> None:
    project(tmp_path, {"README.md.jinja": "# Ours\n"})
    (found,) = build.build(Request(folder=tmp_path)).diagnostics
    assert found.code == "config/unknown-template"
    assert found.help == "it is a template of `docs`: set `templates` of `[target.docs]` too"
    assert codes(tmp_path, templates="own") == []
    with (tmp_path / "toolspec.toml").open("a") as config:
        config.write('[target.docs]\ntemplates = "./own/"\n')
    assert codes(tmp_path) == []


@pytest.mark.parametrize("make", ["nothing", "file", "binary", "pipe", "link"])
def test_a_folder_that_cannot_be_read_is_reported(make: str, tmp_path: Path) -> None:
    project(tmp_path, {})
    own = tmp_path / "own"
    if make in {"nothing", "file"}:
        own.rmdir()
    if make == "file":
        own.write_text("")
    if make == "binary":
        (own / STUBS).write_bytes(b"\xff")
    if make == "pipe":
        os.mkfifo(own / STUBS)
    if make == "link":
        (own / STUBS).symlink_to("/etc/hostname")
    assert [code for code, *_ in codes(tmp_path)] == ["config/templates"]


def test_a_template_in_a_folder_of_its_own_is_reported(tmp_path: Path) -> None:
    project(tmp_path, {})
    inner = tmp_path / "own" / "python"
    inner.mkdir()
    assert codes(tmp_path) == []
    (inner / STUBS).write_text(HANDLERS)  # a compile that has nothing to do notices it too
    assert [code for code, *_ in codes(tmp_path)] == ["config/unknown-template"]


def test_every_file_has_a_template_of_its_name() -> None:
    names = {each for each in template_names(FOLDER) if not is_include(each)}
    assert names == {
        *(f"{each}.jinja" for each in FILES),
        "package.py.jinja",
        "handler_class.py.jinja",
    }


def test_a_page_of_the_docs_can_be_replaced(tmp_path: Path) -> None:
    project(tmp_path, {"service.md.jinja": "# Ours\n\n{{ service.title }}\n"})
    (tmp_path / "toolspec.toml").write_text(
        'targets = ["docs"]\n[target.docs]\ntemplates = "own"\n', encoding="utf-8"
    )
    assert codes(tmp_path) == []
    assert (tmp_path / "generated" / "docs" / "demo.md").read_text() == "# Ours\n\nDemo\n"
    (tmp_path / "own" / "service.md.jinja").write_text("{{ service.nothing }}")
    assert codes(tmp_path) == [("target/template", "own/service.md.jinja", 1)]
