"""What a server holds after many calls: no more than before. The long one is `benchmarks/load.py`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import MODERN, connected

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CALLS = 400


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    sys.path.append(str(BENCHMARKS))
    from load import serving

    with serving(tmp_path_factory.mktemp("load") / "project", 1) as (address, _):
        yield address


@pytest.mark.prove
def test_calls_leave_neither_tasks_nor_descriptors(address: str) -> None:
    from load import census, loaded

    async def main() -> None:
        assert len(await loaded(address, 100)) == 100
        [before] = (await census(address)).values()
        assert len(await loaded(address, CALLS)) == CALLS
        async with asyncio.timeout(30):  # the server may still be closing its connections
            while True:
                [after] = (await census(address)).values()
                if all(now <= then for now, then in zip(after, before, strict=True)):
                    return
                await asyncio.sleep(0.05)

    asyncio.run(main())


@pytest.mark.prove
def test_a_real_client_finds_its_tools_among_the_load(address: str) -> None:
    from load import CALLS as MIXED
    from load import loaded

    with connected(address, MODERN) as client:
        loading = client.portal.start_task_soon(loaded, address, CALLS)
        for tool, asked in MIXED * 5:
            answer = client.call(tool, asked).structured_content
            assert [item["title"] for item in answer["items"]] == [asked["title"]] * 3
        assert len(loading.result(60)) == CALLS
