"""PyYAML built without libyaml: the same documents, diagnostics, formatting and compiled files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from toolspec.driver.formatting.yaml_nodes import read_yaml as read_nodes
from toolspec.syntax import parse

REPOSITORY = Path(__file__).parents[2]
SPECS = sorted((REPOSITORY / "specs").rglob("*.yaml"))
CASES = sorted((REPOSITORY / "tests" / "cases" / "check").rglob("*.y*ml"))

TEXTS = [
    "a: - b\n",
    "a: [1, 2\nb: 3\n",
    "a: {x: 1\nb: 2\n",
    "a: [\n",
    "a: {x: 1 y: 2}\n",
    'a: {\n "x": 1\n "y": 2\n}\n',
    'a: "xx\nb: "y"\n',
    "a: 'it's'\n",
    "a: [b]]\n",
    "a: }\n",
    "a: {x: 1,, y: 2}\n",
    "a:\n   b: 1\n  c: 2\n",
    "- a\nb: 1\n",
    "a: 1\n- b\n",
    "- - a\n - b\n",
    'a: "\\x1"\n',
    'a: "\\q"\n',
    'a: "x \\ud800"\n',
    'a: "x \\ud83d\\ude00"\n',
    f"a: 1\n{'k' * 1100}: 1\n",
    f'{{"{"k" * 1100}": 1}}\n',
    'a: "x \\U00110000"\n',
    "a: 1\n...\nfoo\n",
    'a: "xx\n',
    "a\nb: 1\n",
    "a: b: c\n",
    "\ta: 1\n",
    "a:\n\tb: 1\n",
    "a:\t1\t# one\n",
    "a: b\tc\n \td\n",
    "a: [1,\t2]\n",
    "a: [b?, c?d, {e: f?}]\n",
    "a: [b:, c]\n",
    "a: {b: c:?}\n",
    "a: [?b, :c]\n",
    "a: ?b\nc: :d\n",
    "a: b#c #d\n e\n",
    "a: @b\n",
    "a: `b`\n",
    "a: &\n",
    "a: *b c\n",
    "a: !x!y z\n",
    "a: !!str b\n",
    "a: |x\n  b\n",
    "a: |\n\tx\n",
    "%YAML 3.0\n---\na: 1\n",
    "%FOO\n---\na: 1\n",
    "--- a\n--- b\n",
    "a: [1, 2]: 3\n",
    "a: ? b\n",
    "a: &x &y b\n",
    'x: "a\n---\nb"\n',
    "a: &b {c: 1}\nd: *b\ne: {<<: *b}\n",
    "a: >-\n  folded\n  text\n\n  more\nb: |+\n  kept\n\n",
]


def seen(text: bytes) -> tuple[object, ...]:
    """Return the value of a text, where its parts are, and all that is reported of it."""
    checked = parse("a.yaml", text)
    spans = None
    if checked.value is not None and isinstance(checked.value.value, dict):
        locations = (checked.value.location(key) for key in checked.value.value)
        spans = [(each.key_span, each.value_span) for each in locations]
    reports = [
        (each.code, each.message, each.help, each.span, each.labels) for each in checked.diagnostics
    ]
    return (checked.value.value if checked.value else None, spans, reports)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_gives_the_same_value_and_diagnostics(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_libyaml = seen(text.encode())
    monkeypatch.setitem(sys.modules, "yaml._yaml", None)
    assert seen(text.encode()) == with_libyaml


@pytest.mark.prove
def test_documents_of_the_repository_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = {path: path.read_bytes() for path in (*SPECS, *CASES)}
    with_libyaml = {path: seen(data) for path, data in documents.items()}
    nodes = {path: read_nodes(path.read_text()) for path in SPECS}
    monkeypatch.setitem(sys.modules, "yaml._yaml", None)
    assert {path: seen(data) for path, data in documents.items()} == with_libyaml
    assert {path: read_nodes(path.read_text()) for path in SPECS} == nodes


def test_check_fmt_and_compile_work(tmp_path: Path) -> None:
    (tmp_path / "notes.yaml").write_text(
        "toolspec: 1\n"
        "service:   {name: notes, description: Notes of a team.}\n"
        "tools:\n"
        "  - name: count\n"
        "    description: Count the notes.\n"
        "    outputSchema: {type: integer}\n"
        "    mutation: false\n"
    )
    hidden = (
        "import sys; sys.modules['yaml._yaml'] = None; from toolspec.cli.main import main; main()"
    )
    for arguments in (("check", "."), ("fmt", "."), ("fmt", "--check", "."), ("compile", ".")):
        run = subprocess.run(
            [sys.executable, "-c", hidden, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, (arguments, run.stdout, run.stderr)
    assert list((tmp_path / "generated").rglob("*.py"))
