"""`McpTransport(contract=FILE)`: lists that differ from the contract, against real servers.

The servers list what `list.json` has, over HTTP and stdio, to clients of both eras.
"""

from __future__ import annotations

import asyncio
import copy
import importlib
import json
import logging
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from client_project import TOOLSPEC
from list_mutations import HIDDEN, MUTATIONS, REFUSED, Mutation, Tools, put
from mcp import Client, StdioServerParameters
from sampling import sampled
from served import LEGACY, MODERN, free_port, listening
from toolspec.changes import contract
from toolspec.runtime import ToolError
from toolspec.serving.client import McpTransport

HERE = Path(__file__).parent
ERAS = [LEGACY, MODERN]
FIND = {"word": "plum"}
LESS = put(0, "inputSchema", "properties", "order", "enum", value=["newest"])
"""A change that breaks callers of `pantry_find`."""


class Pantry:
    """A project with its contract, and what its servers list."""

    def __init__(self, folder: Path, package: str) -> None:
        self.folder = folder
        self.package = package
        self.contract = folder / "toolspec.contract.json"
        self.accepted = self.contract.read_text("utf-8")
        home = folder / package / "pantry"
        self.eras = {
            era: json.loads((home / f"{name}.json").read_text("utf-8"))["tools"]
            for era, name in (("modern", "mcp"), ("legacy", "mcp-2025-11-25"))
        }

    def lists(
        self,
        change: Callable[[Tools], Any] = lambda _: None,
        *,
        pages: int = 1,
        seconds: float = 0,
        instructions: str = "Find a jar before you discard it.",
        file: str = "list.json",
    ) -> None:
        """Let the servers list the tools after a change, split into pages."""
        state: dict[str, Any] = {"ttlMs": int(seconds * 1000), "instructions": instructions}
        for era, tools in self.eras.items():
            changed = copy.deepcopy(tools)
            change(changed)
            size = -(-len(changed) // pages) or 1
            state[era] = [changed[at : at + size] for at in range(0, len(changed), size)] or [[]]
        (self.folder / file).write_text(json.dumps(state))
        (self.folder / "calls.txt").write_text("")

    @property
    def calls(self) -> list[str]:
        return (self.folder / "calls.txt").read_text("utf-8").split()

    def client(self, transport: McpTransport) -> Any:
        return importlib.import_module(f"{self.package}.pantry").PantryClient(transport)

    def stdio(self, *flags: str) -> StdioServerParameters:
        arguments = ["listing_server.py", "stdio", *flags]
        return StdioServerParameters(command=sys.executable, args=arguments, cwd=str(self.folder))

    @contextmanager
    def http(self, *flags: str) -> Iterator[str]:
        port = free_port()
        command = [sys.executable, "listing_server.py", str(port), *flags]
        with listening(self.folder, command, port):
            yield f"http://127.0.0.1:{port}/mcp"

    def guarded(self, server: object, mode: str) -> McpTransport:
        return McpTransport(server, mode=mode, contract=self.contract)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pantry]:
    folder, package = tmp_path_factory.mktemp("guard"), "guard_pantry"
    (folder / "specs").mkdir()
    shutil.copy(HERE / "pantry.yaml", folder / "specs")
    shutil.copy(HERE / "listing_server.py", folder)
    (folder / "toolspec.toml").write_text(f'specs = ["specs"]\nout = "{package}"\n')
    for words in (["compile"], ["accept"]):
        subprocess.run([*TOOLSPEC, *words], cwd=folder, check=True, capture_output=True)
    sys.path.insert(0, str(folder))
    try:
        yield Pantry(folder, package)
    finally:
        sys.path.remove(str(folder))
        for name in [each for each in sys.modules if each.partition(".")[0] == package]:
            del sys.modules[name]


@pytest.fixture(scope="module")
def address(project: Pantry) -> Iterator[str]:
    project.lists()
    with project.http() as address:
        yield address


@pytest.fixture(scope="module")
def announcing(project: Pantry) -> Iterator[str]:
    project.lists()
    with project.http("announces") as address:
        yield address


@pytest.fixture
def pantry(project: Pantry, caplog: pytest.LogCaptureFixture) -> Pantry:
    caplog.set_level(logging.INFO, "toolspec")
    project.contract.write_text(project.accepted)
    project.lists()
    return project


def breaks(error: ToolError) -> list[tuple[str, str]]:
    """Return the code and tool of each change that an error names."""
    assert (error.code, error.category, error.retryable) == ("contract_broken", "permission", False)
    changes: Any = error.details.get("changes", ())
    for change in changes:
        assert change["code"] in error.message
    return [(change["code"], change["tool"]) for change in changes]


async def found(pantry: Pantry, server: object, mode: str) -> Any:
    async with pantry.guarded(server, mode) as transport:
        return await pantry.client(transport).find(FIND)


def check(
    pantry: Pantry, server: object, mode: str, mutation: Mutation, caplog: pytest.LogCaptureFixture
) -> None:
    """Check what a call to a server comes to whose list has changed."""
    pantry.lists(mutation.change)
    if mutation.outcome == REFUSED:
        with pytest.raises(ToolError) as caught:
            asyncio.run(found(pantry, server, mode))
        assert mutation.code in [code for code, _ in breaks(caught.value)]
        assert mutation.tool in caught.value.message
        assert pantry.calls == [], "no call goes out"
        return
    assert asyncio.run(found(pantry, server, mode))["total"] == 1
    assert pantry.calls == ["pantry_find"]
    if mutation.outcome == HIDDEN:
        (line,) = [text for text in caplog.messages if "does not show" in text]
        assert mutation.tool in line
    elif mutation.code:
        (line,) = [text for text in caplog.messages if f"[{mutation.code}]" in text]
        assert mutation.tool in line
    else:
        assert caplog.messages == []


def named(case: Any) -> str:
    return case.name if isinstance(case, Mutation) else str(case)


@pytest.mark.parametrize("mutation", sampled(MUTATIONS, 3), ids=named)
def test_a_changed_list_is_refused_or_noted(
    pantry: Pantry, address: str, mutation: Mutation, caplog: pytest.LogCaptureFixture
) -> None:
    check(pantry, address, MODERN, mutation, caplog)


@pytest.mark.parametrize("mutation", sampled(MUTATIONS, 4), ids=named)
def test_a_changed_list_of_2025_is_refused_or_noted(
    pantry: Pantry, address: str, mutation: Mutation, caplog: pytest.LogCaptureFixture
) -> None:
    check(pantry, address, LEGACY, mutation, caplog)


@pytest.mark.parametrize("mode", sampled(ERAS[::-1], 1))
@pytest.mark.parametrize("mutation", sampled(MUTATIONS, 1), ids=named)
def test_a_changed_list_on_stdio_is_refused_or_noted(
    pantry: Pantry, mode: str, mutation: Mutation, caplog: pytest.LogCaptureFixture
) -> None:
    check(pantry, pantry.stdio(), mode, mutation, caplog)


@pytest.mark.parametrize("mode", ERAS)
def test_every_page_counts(pantry: Pantry, address: str, mode: str) -> None:
    pantry.lists(pages=3)
    assert asyncio.run(found(pantry, address, mode))["total"] == 1
    pantry.lists(put(3, "title", value="Throw away"), pages=4)
    assert asyncio.run(found(pantry, address, mode))["total"] == 1
    pantry.lists(put(3, "annotations", "readOnlyHint", value=True), pages=4)
    with pytest.raises(ToolError) as caught:
        asyncio.run(found(pantry, address, mode))
    assert breaks(caught.value) == [("authority/write-removed", "pantry_discard")]


@pytest.mark.parametrize("mode", ERAS)
def test_instructions_count(
    pantry: Pantry, address: str, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    pantry.lists(instructions="Discard all jars.")
    assert asyncio.run(found(pantry, address, mode))["total"] == 1
    (line,) = caplog.messages
    assert line.startswith("risk[prose/instructions-changed]")
    pantry.lists(instructions="Find a jar before you discard it.\u200b")
    with pytest.raises(ToolError) as caught:
        asyncio.run(found(pantry, address, mode))
    assert breaks(caught.value) == [("prose/hidden-characters", "")]


async def refused_in_time(call: Callable[[], Awaitable[object]]) -> ToolError:
    """Return the error of a call that is repeated until the client knows that the list has changed."""
    for _ in range(500):
        try:
            await call()
        except ToolError as error:
            return error
        await asyncio.sleep(0.02)
    raise AssertionError


@pytest.mark.parametrize(
    ("transport", "mode"),
    sampled(
        [
            ("http", MODERN),
            ("http", LEGACY),
            ("stdio", LEGACY),
            ("stdio", MODERN),
        ],
        1,
        rows=True,
    ),
)
def test_an_announced_change_is_compared_before_the_next_call(
    pantry: Pantry, request: pytest.FixtureRequest, transport: str, mode: str
) -> None:
    server: object = pantry.stdio("announces")
    if transport == "http":
        server = request.getfixturevalue("announcing")
    pantry.lists(seconds=3600)
    pantry.lists(LESS, seconds=3600, file="next.json")

    async def talk() -> None:
        async with pantry.guarded(server, mode) as guarded:
            client = pantry.client(guarded)
            assert (await client.find(FIND))["total"] == 1
            await asyncio.sleep(0.5)  # the stream of announcements may not be open yet
            assert await client.count() == 1
            error = await refused_in_time(lambda: client.find(FIND))
            assert breaks(error) == [("argument/value-removed", "pantry_find")]
            count = len(pantry.calls)
            with pytest.raises(ToolError):
                await client.count()
            assert len(pantry.calls) == count, "no call goes out"
            pantry.lists(seconds=3600)
            assert (await client.find(FIND))["total"] == 1, "the list keeps its contract again"

    asyncio.run(talk())


def test_a_list_is_read_again_when_its_time_has_run_out(pantry: Pantry, address: str) -> None:
    async def talk(seconds: float) -> Any:
        pantry.lists(seconds=seconds)
        async with pantry.guarded(address, MODERN) as guarded:
            client = pantry.client(guarded)
            await client.find(FIND)
            pantry.lists(LESS, seconds=seconds)
            await asyncio.sleep(seconds if seconds < 1 else 0)
            return await client.find(FIND)

    for seconds in (0, 0.2):
        with pytest.raises(ToolError) as caught:
            asyncio.run(talk(seconds))
        assert breaks(caught.value) == [("argument/value-removed", "pantry_find")]
        assert pantry.calls == []
    assert asyncio.run(talk(3600))["total"] == 1


@pytest.mark.parametrize("mode", ERAS)
def test_each_connection_reads_the_list(pantry: Pantry, address: str, mode: str) -> None:
    async def talk() -> None:
        pantry.lists(seconds=3600)
        guarded = pantry.guarded(address, mode)
        await pantry.client(guarded).find(FIND)
        await guarded.aclose()
        pantry.lists(LESS, seconds=3600)
        with pytest.raises(ToolError) as caught:
            await pantry.client(guarded).find(FIND)
        await guarded.aclose()
        assert breaks(caught.value) == [("argument/value-removed", "pantry_find")]

    asyncio.run(talk())


@pytest.mark.parametrize("mode", ERAS)
def test_tools_that_were_not_compared_are_not_called(
    pantry: Pantry, address: str, mode: str
) -> None:
    def change(tools: Tools) -> None:
        tools[2]["name"] = "pantry_open"
        tools[2]["description"] = "Open all jars."

    async def talk(name: str) -> None:
        async with pantry.guarded(address, mode) as guarded:
            await guarded.call(name, {})

    pantry.lists(change)
    for name, problem in (
        ("pantry_add", "does not show `pantry_add`"),
        ("pantry_open", "`pantry_open` is not in the contract"),
        ("other", "does not show `other`"),
    ):
        with pytest.raises(ToolError, match=problem) as caught:
            asyncio.run(talk(name))
        assert breaks(caught.value) == []
    assert pantry.calls == []


def test_a_call_is_not_repeated_under_a_list_that_was_not_compared(
    pantry: Pantry, address: str
) -> None:
    async def talk(contract: Path | None) -> None:
        pantry.lists(seconds=3600)
        async with McpTransport(address, contract=contract) as guarded:
            await guarded.call("pantry_add", {"label": "plum"})

    with pytest.raises(ToolError):
        asyncio.run(talk(None))
    assert pantry.calls == ["pantry_add"] * 2, "the SDK reads the list and repeats the call"
    with pytest.raises(ToolError) as caught:
        asyncio.run(talk(pantry.contract))
    assert caught.value.code == "list_changed"
    assert pantry.calls == ["pantry_add"]


def test_a_sync_client_is_guarded(pantry: Pantry, address: str) -> None:
    kind = importlib.import_module(f"{pantry.package}.pantry").PantrySyncClient
    with kind(pantry.guarded(address, MODERN)) as client:
        assert client.find(FIND)["total"] == 1
        pantry.lists(LESS)
        with pytest.raises(ToolError) as caught:
            client.find(FIND)
    assert breaks(caught.value) == [("argument/value-removed", "pantry_find")]


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (lambda text: text.replace("Count the jars.", "Count."), "edited by hand: pantry_count"),
        (lambda text: text.replace("Find a jar", "Find no jar"), "edited by hand: pantry"),
        (lambda _: "{}", "it has no member `contract`"),
        (lambda text: text[:-20], "it is not JSON"),
        (lambda text: text.replace('"contract": 1', '"contract": 9'), "it has the format 9"),
    ],
    ids=["a tool", "a service", "no contract", "no JSON", "another format"],
)
def test_a_contract_that_cannot_be_relied_on_is_refused(
    pantry: Pantry, edit: Callable[[str], str], problem: str
) -> None:
    pantry.contract.write_text(edit(pantry.accepted))
    with pytest.raises(ValueError, match=problem):
        pantry.guarded("http://127.0.0.1:9/mcp", MODERN)
    pantry.contract.unlink()
    with pytest.raises(ValueError, match="No such file"):
        pantry.guarded("http://127.0.0.1:9/mcp", MODERN)


def test_a_contract_without_the_era_of_the_server_is_refused(pantry: Pantry, address: str) -> None:
    document = json.loads(pantry.accepted)
    for name, block in document["tools"].items():
        if name:
            del block["facts"]["wire"]["mcp-2025-11-25"]
            block["digest"] = contract.digest(block["facts"])
    pantry.contract.write_text(json.dumps(document))
    assert asyncio.run(found(pantry, address, MODERN))["total"] == 1
    with pytest.raises(ToolError, match="no definitions for mcp-2025-11-25") as caught:
        asyncio.run(found(pantry, address, LEGACY))
    assert breaks(caught.value) == []


def test_the_client_of_somebody_else_is_refused(pantry: Pantry) -> None:
    with pytest.raises(ValueError, match="needs a connection that `McpTransport` opens"):
        pantry.guarded(Client("http://127.0.0.1:9/mcp"), MODERN)


def test_without_an_engine_of_proofs_more_is_refused(
    pantry: Pantry, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = put(0, "inputSchema", "properties", "limit", "enum", value=[*range(1, 51)])
    pantry.lists(same)
    assert asyncio.run(found(pantry, address, MODERN))["total"] == 1
    pantry.lists(same)
    monkeypatch.setenv("TOOLSPEC_VALIDATOR", "jsonschema")
    with pytest.raises(ToolError) as caught:
        asyncio.run(found(pantry, address, MODERN))
    assert ("argument/values-restricted", "pantry_find") in breaks(caught.value)
    pantry.lists()
    assert asyncio.run(found(pantry, address, MODERN))["total"] == 1


@pytest.mark.prove
def test_only_a_guarded_client_imports_the_comparison() -> None:
    script = (
        "import sys, toolspec.serving.client as client; client.McpTransport('http://127.0.0.1:9/mcp');"
        "assert not [name for name in sys.modules if name.startswith('toolspec.changes')]"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
