"""`toolspec.lock.json` as a text: its schema, its order, and how it merges."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema_rs
import pytest
from toolspec.driver.output.lockfile import Entry, parse, render
from toolspec.driver.output.paths import is_safe

ENTRIES = {
    "b/c.py": Entry("python", "1" * 64),
    "a.py": Entry("python", "2" * 64),
    "docs/ö.md": Entry('do"cs', "3" * 64),
}


@pytest.fixture
def schema(repository: Path) -> jsonschema_rs.Validator:
    text = (repository / "schemas" / "lock.v1.schema.json").read_text()
    jsonschema_rs.meta.validate(json.loads(text))
    return jsonschema_rs.validator_for(json.loads(text))


def test_what_is_rendered_is_read_again(schema: jsonschema_rs.Validator) -> None:
    for entries in (ENTRIES, {}):
        assert parse(render(entries)) == entries
        schema.validate(json.loads(render(entries)))


def test_one_sorted_line_a_file() -> None:
    lines = render(ENTRIES).splitlines()
    assert [line.split('"')[1] for line in lines if '"sha256"' in line] == sorted(ENTRIES)
    assert render(dict(reversed(ENTRIES.items()))) == render(ENTRIES)


def test_the_repository_is_locked(repository: Path, schema: jsonschema_rs.Validator) -> None:
    text = (repository / "generated" / "toolspec.lock.json").read_text()
    schema.validate(json.loads(text))
    files = {
        path.relative_to(repository / "generated").as_posix()
        for path in (repository / "generated").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    # What the code declares of itself is drawn by another hand (tests/test_reference.py).
    files = {path for path in files if not path.startswith("reference/")}
    assert parse(text).keys() == files - {"toolspec.lock.json"}


@pytest.mark.parametrize(
    "path",
    [
        "a",
        "a/b",
        ".a",
        "a.",
        "..a/b",
        "",
        ".",
        "..",
        "/a",
        "a/",
        "a//b",
        "a/../b",
        "./a",
        "a\\b",
        "c:a",
    ],
)
def test_schema_and_reader_agree_on_paths(path: str, schema: jsonschema_rs.Validator) -> None:
    lock = json.loads(render({path: Entry("python", "0" * 64)}))
    assert schema.is_valid(lock) == is_safe(path)
