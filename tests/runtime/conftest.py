"""What several tests of the runtime are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from toolspec.runtime.stores.memory import MemoryJournal
from toolspec.runtime.stores.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from toolspec.runtime.stores import Journal


@pytest.fixture(params=["memory", "file"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    """Return an empty journal, of each kind that there is."""
    if request.param == "memory":
        yield MemoryJournal()
        return
    store = SqliteStore(tmp_path / "store.db")
    yield store.journal
    store.close()
