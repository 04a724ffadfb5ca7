"""Stores of every kind that processes share, over real servers."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from store_servers import KINDS, Open, Postgresql, Redis, Server
from toolspec.runtime.stores import Store, StoreOptions, open_store

NUMBERS = itertools.count()


def _served(server: Server) -> Iterator[Server]:
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Server]:
    yield from _served(Redis())


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Server]:
    yield from _served(Postgresql())


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(kind: str, request: pytest.FixtureRequest) -> Server | None:
    if kind == "sqlite":
        return None
    found: Server = request.getfixturevalue(f"{kind}_server")
    return found


@pytest.fixture
def url(server: Server | None, tmp_path: Path) -> str:
    """Return the URL of an empty store."""
    if server is None:
        return f"sqlite:///{tmp_path}/store.sqlite3"
    return server.url(f"test_{os.getpid()}_{next(NUMBERS)}")


@pytest.fixture
def open_one(url: str) -> Iterator[Open]:
    """Return a function that opens the store once more, as another process would."""
    stores: list[Store] = []

    def opened(**options: float) -> Store:
        stores.append(open_store(url, StoreOptions(**options)))  # type: ignore[arg-type]  # numbers
        return stores[-1]

    yield opened
    for store in stores:
        store.close()
