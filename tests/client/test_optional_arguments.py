"""Tools without required arguments are called without any: async, sync, and with callbacks."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkers import CHECKERS
from client_project import make_project

TYPED = """
from made_optional.desk import DeskClient, DeskSyncClient


async def use(client: DeskClient) -> None:
    numbers: list[int] = await client.list_()
    async for word in client.tell():
        print(word.upper())
    async for word in client.tell({"words": 3}):
        print(word.upper())
    await client.tell_with_callback(on_chunk=print, on_complete=lambda whole: print(whole.upper()))
    print(numbers)


def use_sync(client: DeskSyncClient) -> None:
    found: int = client.find_v1_0_0()
    for word in client.recite():
        print(word.upper(), found)
    client.recite_with_callback(on_chunk=print)
"""
WRONG = """
from made_optional.desk import DeskSyncClient


def use(client: DeskSyncClient) -> None:
    client.look()
    client.tell_with_callback()
    client.ask()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield from make_project(tmp_path_factory.mktemp("optional"), "made_optional")


@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_know_which_arguments_may_be_left_out(
    folder: Path, checker: tuple[str, ...]
) -> None:
    (folder / "typed.py").write_text(TYPED)
    (folder / "wrong.py").write_text(WRONG)
    accepted = _checked(folder, checker, "typed.py")
    assert accepted.returncode == 0, accepted.stdout
    refused = _checked(folder, checker, "wrong.py")
    lines = {
        number
        for number, _ in enumerate(WRONG.splitlines(), 1)
        if f"wrong.py:{number}:" in refused.stdout
    }
    assert lines == {6, 7, 8}


def test_a_call_without_arguments_sends_the_empty_object(folder: Path) -> None:
    assert folder.is_dir()
    desk: Any = importlib.import_module("made_optional.desk")
    from desk_handlers import Desk

    async def use() -> None:
        client, words = desk.DeskClient(desk.bind(Desk())), []
        assert await client.list_() == await client.list_({})
        assert [word async for word in client.tell()] == ["w0 ", "w1 "]
        await client.tell_with_callback(on_chunk=words.append)
        assert words == ["w0 ", "w1 "]

    asyncio.run(use())
    with desk.DeskSyncClient(desk.bind(Desk())) as client:
        assert client.find_v1_0_0() == 1
        assert list(client.tell()) == ["w0 ", "w1 "]


def _checked(folder: Path, checker: tuple[str, ...], name: str) -> subprocess.CompletedProcess[str]:
    command = [*checker, name]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
