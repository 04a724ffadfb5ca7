"""What must not get out: files with the arguments of calls, settings that were copied, signs of numbers."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from toolspec.runtime.confidential import settings_of
from toolspec.runtime.stores.sqlite import SqliteStore
from toolspec.targets.python.gate import is_safe
from toolspec.targets.python.literal_scan import is_exact
from toolspec.targets.templates import Rendered, SpecCode


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
def test_only_its_owner_reads_a_store(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = SqliteStore(tmp_path / "calls.db")
        asyncio.run(store.keys.claim("key", "digest"))
        modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("calls.db", "calls.db-shm", "calls.db-wal"), 0o600)


def test_settings_stay_hidden_when_they_are_copied_or_joined() -> None:
    schema: dict[str, Any] = {"properties": {"key": {"type": "string", "format": "password"}}}
    settings = settings_of({"key": "CANARY"}, schema)
    for each in (settings.copy(), settings | {"more": 1}, settings | {"key": "CANARY2"}):
        assert "CANARY" not in repr(each)
    assert settings | {"more": 1} == {"key": "CANARY", "more": 1}


@pytest.mark.parametrize(
    ("text", "value"), [("-False", False), ("-0.0", 0.0), ("0.0", -0.0), ("-True", -1)]
)
def test_the_gate_sees_what_equality_does_not(text: str, value: float) -> None:
    for proves in (is_safe, is_exact):
        assert not proves(Rendered(text, (SpecCode(text, (value,)),), (0,)))
        assert proves(Rendered(repr(value), (SpecCode(repr(value), (value,)),), (0,)))
