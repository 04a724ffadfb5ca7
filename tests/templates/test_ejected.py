"""Copies of built-in templates change nothing; no template turns text of a spec into Markdown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from toolspec.cli.app import app
from typer.testing import CliRunner

# Code, if it stood unquoted in Python or Markdown.
HOSTILE = 'Pay" + __import__("os").abort() + " <b>now</b> **please**\n\n# at once {{ 1 }} `x`'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    for name in ("shop", "store"):
        tool = {
            "name": "listOrders",
            "description": HOSTILE,
            "outputSchema": {"type": "string"},
            "mutation": False,
        }
        service = {"name": name, "version": "1.0.0", "description": HOSTILE}
        spec = {"toolspec": 1, "service": service, "tools": [tool]}
        (tmp_path / "specs" / f"{name}.json").write_text(json.dumps(spec))
    configuration = (
        'targets = ["python", "docs", "site"]\n[target.docs]\ntemplates = "mine"\n'
        '[target.site]\ntemplates = "mine"\n'
    )
    (tmp_path / "toolspec.toml").write_text(configuration + '[target.python]\ntemplates = "mine"\n')
    (tmp_path / "mine").mkdir()
    return tmp_path


def compiled(*options: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, ["compile", *options])
    assert result.exit_code == status, result.output
    return result.output


def files(project: Path) -> dict[str, str]:
    out = project / "generated"
    return {
        path.relative_to(out).as_posix(): path.read_text()
        for path in out.rglob("*")
        if path.is_file() and path.name != "toolspec.lock.json"
    }


@pytest.mark.prove
def test_copies_of_all_templates_change_nothing(project: Path) -> None:
    compiled()
    before = files(project)
    listed = CliRunner().invoke(app, ["templates"]).output
    for line in listed.splitlines():
        name = line.split()[1]
        assert CliRunner().invoke(app, ["templates", "eject", name, "--to", "mine"]).exit_code == 0
    lines = CliRunner().invoke(app, ["templates"]).output.splitlines()
    assert all("replaced by mine/" in line for line in lines)
    compiled("--no-cache")
    assert files(project) == before


@pytest.mark.parametrize(
    "template",
    [
        "{{ service.description }}",
        "{{ service.description ~ '' }}",
        "{{ service.description | upper }}",
        "{{ service.description | safe }}",
        "{{ service.description | text }}",
        "{{ [service.description] | join }}",
        "{{ ['a', 'b'] | join(service.description) }}",
        "{{ service.description | code }}",
        "{{ service.description | json }}",
        "{{ '%s' | format(service.description) }}",
        "{{ service.tools[0].link ~ service.description }}",
        "{{ service.tools[0].link | replace('shop', '<b>') }}",
    ],
)
def test_text_of_a_spec_is_escaped_in_markdown(project: Path, template: str) -> None:
    (project / "mine" / "service.md.jinja").write_text(f"{template}\n")
    compiled("--target", "docs")
    page = files(project)["docs/shop.md"]
    tokens = MarkdownIt("commonmark").parse(page)
    kinds = {each.type for token in tokens for each in (token, *(token.children or ()))}
    assert not kinds & {"html_inline", "html_block", "strong_open", "heading_open", "link_open"}
    assert "{{" not in page
