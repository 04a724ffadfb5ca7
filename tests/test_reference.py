"""`make reference` rewrites `generated/reference/` and the compiled templates from the code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from toolspec.providers.profile import Limits
from toolspec.reference.compiled_templates import compiled_templates
from toolspec.reference.diagnostics import anchor
from toolspec.reference.pages import pages
from toolspec.reference.targets import LIMITS
from toolspec.rules.engine import all_rules, find
from toolspec.rules.fixes import fixes

FOLDER = Path(__file__).parents[1] / "generated" / "reference"
NAMES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md"))
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@cache
def made() -> Mapping[str, str]:
    """Return the pages that the code makes; not while tests are collected, since it takes a second."""
    return pages()


def test_is_current(accept: bool) -> None:
    if accept:
        for path in FOLDER.rglob("*.md"):
            path.unlink()
        for name, text in made().items():
            (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
            (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    written = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert written == made().keys()
    for name, text in made().items():
        is_same = (FOLDER / name).read_text(encoding="utf-8") == text
        assert is_same, f"{name} is not what the code says: run `make reference`"


def test_compiled_templates_are_current(accept: bool) -> None:
    for path, text in compiled_templates().items():
        if accept:
            path.write_text(text, encoding="utf-8", newline="\n")
        is_same = path.read_text(encoding="utf-8") == text
        assert is_same, f"{path} is not what the templates say: run `make reference`"


def test_is_no_part_of_what_the_compiler_owns() -> None:
    lock = (FOLDER.parent / "toolspec.lock.json").read_text()
    assert '"reference/' not in lock


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    fragments = {page: set(map(anchor, HEADING.findall(plain(page)))) for page in made()}
    for path, fragment in LINK.findall(plain(name)):
        target = str((Path("/") / name).parent.joinpath(path).resolve())[1:] if path else name
        assert target in made(), path
        assert not fragment or fragment in fragments[target], fragment


def test_every_rule_has_its_section_and_its_row() -> None:
    rules = all_rules()
    assert len(rules) >= 100
    for rule in rules:
        assert f"\n### `{rule.code}`\n" in made()["rules.md"]
        assert f"[`{rule.code}`](#{anchor(rule.code)})" in made()["rules.md"]
        assert f"[`{rule.code}`](rules.md#{anchor(rule.code)})" in made()["diagnostics.md"]


def test_every_limit_of_a_profile_has_its_words() -> None:
    assert LIMITS.keys() == {each.name for each in fields(Limits)}


def test_fixes_are_read_off_the_code() -> None:
    assert fixes(find("schema/required-default")) == (("delete the default", False),)
    assert fixes(find("schema/keyword-mismatch")) == (("delete `…`", False),)
    assert fixes(find("catalog/many-tools")) == ()


def plain(name: str) -> str:
    """Return a page without its blocks of code."""
    return FENCE.sub("", made()[name])
