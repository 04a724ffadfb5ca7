"""The dumps of real servers: every one imports, and its text means what was intended."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolspec.diagnostics import has_errors
from toolspec.importers.mcp_tools import import_tools
from toolspec.syntax import parse


@pytest.mark.prove
def test_every_dump_imports_and_its_text_reads_back(corpus: Path) -> None:
    dumps = sorted((corpus / "mcp-tools").glob("*.json"))
    assert len(dumps) == 22
    names: set[str] = set()
    for dump in dumps:
        document = parse(dump.name, dump.read_bytes()).value
        assert document is not None, dump.name
        imported = import_tools(document)
        assert imported.value is not None, dump.name
        assert not has_errors(imported.diagnostics), dump.name
        read = parse("spec.yaml", imported.value.text.encode())
        assert read.ok, (dump.name, [each.message for each in read.diagnostics])
        assert read.value is not None, dump.name
        assert read.value.value == imported.value.value, dump.name
        names.add(imported.value.file_name)
    assert len(names) == 22


def test_the_same_dump_gives_the_same_text(corpus: Path) -> None:
    document = parse("git.json", (corpus / "mcp-tools" / "pypi-git.json").read_bytes()).value
    assert document is not None
    assert import_tools(document) == import_tools(document)
