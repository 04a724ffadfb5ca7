"""Bytes of a configuration: UTF-8 with or without a byte order mark, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolspec.driver.build import Request, check
from toolspec.driver.config import contract_settings, find_project

BOM = b"\xef\xbb\xbf"


def write(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("toolspec.toml", b'out = "a"\r\n'),
        ("pyproject.toml", b'[tool.toolspec]\r\nout = "a"\r\n'),
    ],
)
def test_a_byte_order_mark_is_accepted(tmp_path: Path, name: str, data: bytes) -> None:
    write(tmp_path, name, BOM + data)
    found = find_project(tmp_path)
    assert found.diagnostics == ()
    assert found.value.config.out == "a"
    span = found.value.config.span("out")
    assert span
    assert span.text == '"a"'


@pytest.mark.parametrize(
    ("name", "head"), [("toolspec.toml", b""), ("pyproject.toml", b"[tool.toolspec]\r\n")]
)
def test_other_bytes_than_utf_8_are_an_error(tmp_path: Path, name: str, head: bytes) -> None:
    sign = "\N{REPLACEMENT CHARACTER}".encode()
    write(tmp_path, name, head + b"# " + sign + b'caf\xc3\xa9\r\nout = "g\xe9n"\r\n')
    (diagnostic,) = check(Request(folder=tmp_path)).diagnostics
    assert diagnostic.code == "config/syntax"
    reason = f"byte 0xE9 at offset {len(head) + 20} is not UTF-8"
    assert diagnostic.message == f"invalid TOML: {reason}"
    assert diagnostic.span
    first = diagnostic.span.first
    assert (first.line, first.column) == (2 + bool(head), 9)


def test_a_pyproject_of_others_may_have_any_bytes(tmp_path: Path) -> None:
    write(tmp_path, "pyproject.toml", b'[project]\nname = "g\xe9n"\n')
    assert not find_project(tmp_path).value.is_configured


def test_settings_of_a_revision_may_begin_with_a_byte_order_mark() -> None:
    texts = {"toolspec.toml": '\ufeff[contract]\nreview = ["a"]\n'}
    assert contract_settings(lambda name: texts.get(name, "")) == {"review": ["a"]}
