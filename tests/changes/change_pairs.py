"""Pairs of versions: those of the manuals, and comparisons of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from partial_specs import bound, whole
from toolspec.changes import kinds
from toolspec.changes.compare import compare
from toolspec.changes.contract import contract_of
from toolspec.changes.listed import listed_side
from toolspec.changes.schemas import Readers
from toolspec.driver.contract.facts import program_side
from toolspec.frontend import naming

if TYPE_CHECKING:
    from toolspec.changes.change import Changes
    from toolspec.changes.side import Side


def manual(code: str) -> str:
    """Return the manual of a kind."""
    family, _, slug = code.partition("/")
    path = Path(kinds.__path__[0]) / family / f"{slug.replace('-', '_')}.md"
    return path.read_text("utf-8")


def blocks(code: str) -> tuple[Any, Any]:
    """Return the parts of documents before and after in the manual of a kind."""
    why, before, after = manual(code).split("```yaml\n")
    assert 20 < len(why.partition("\n## Before")[0]) < 600
    old, new = (yaml.safe_load(block.partition("```")[0]) for block in (before, after))
    return old, new


def compiled_side(part: Any) -> Side:
    """Return the side of a part of a document, of a list of tools, or of a contract."""
    if "contract" in part:
        return contract_of(part).side("contract")
    if isinstance(part, list):
        return listed_side(part, "list")
    program = naming.name_program([bound(whole(part))]).value
    return program_side(program, "specs")


def compared(old: Any, new: Any, readers: Readers = Readers.TOLERANT) -> Changes:
    """Return the changes between two parts of documents."""
    return compare(compiled_side(old), compiled_side(new), readers=readers)
