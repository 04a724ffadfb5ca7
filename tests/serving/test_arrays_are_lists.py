"""What `prefixItems` is typed as is what arrives: a list, on every path (decision 0035)."""

from __future__ import annotations

import asyncio
import importlib
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from served import LEGACY, MODERN, connected, make_project, stdio

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(tmp_path_factory.mktemp("pairs") / "project", HERE / "pairs.yaml")
    (folder / "generated").rename(folder / "made_for_pairs")
    shutil.copy(HERE / "pairs_handlers.py", folder / "pairs_handlers.py")
    return folder


@pytest.fixture
def handlers(project: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(project))
    module = importlib.import_module("pairs_handlers")
    module.seen.clear()
    yield module
    for name in [each for each in sys.modules if each.startswith("made_for_pairs")]:
        del sys.modules[name]


@pytest.mark.parametrize("copies", [True, False])
def test_in_process(handlers: Any, copies: bool) -> None:
    pairs = handlers.Pairs()
    package = importlib.import_module("made_for_pairs.pairs")
    registry = package.bind(pairs, hooks=pairs).with_controls(copies=copies)
    client = package.PairsClient(registry)

    async def run() -> list[Any]:
        arguments = {"pair": [1, "a"]}
        results = [await registry.call("pairs_swap", arguments), await client.swap(arguments)]
        results += [chunk async for chunk in registry.stream("pairs_walk", arguments)]
        results += [chunk async for chunk in client.walk(arguments)]
        return results + await registry.call("pairs_walk", arguments)

    results = asyncio.run(run())
    assert results == [[1, "a"]] * 5
    assert {type(each) for each in results} == {list}
    assert {each.partition(" ")[2] for each in handlers.seen} == {"list"}
    assert {each.partition(" ")[0] for each in handlers.seen} == {
        "handler",
        "stream",
        "before",
        "after",
    }


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_over_mcp(project: Path, mode: str) -> None:
    (project / "app.py").write_text(
        "from pairs_handlers import Pairs, seen\n\n\n"
        "class Checked(Pairs):\n"
        "    def note(self, where, value):\n"
        "        assert type(value) is list, f'{where}: {type(value)}'\n"
    )
    shutil.copytree(project / "made_for_pairs", project / "generated", dirs_exist_ok=True)
    with connected(stdio(project, "--handlers", "app:Checked"), mode) as client:
        swapped = client.call("pairs_swap", {"pair": [1, "a"]})
        walked = client.call("pairs_walk", {"pair": [1, "a"]})
    assert (swapped.is_error, walked.is_error) == (False, False)
