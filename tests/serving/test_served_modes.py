"""A server in a sandbox mode: what clients of both eras are told, and which settings it uses."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from served import TOOLSPEC, connected, make_project, stdio

HERE = Path(__file__).parent
HANDLERS = """
class Bank:
    async def pay(self, input, ctx):
        return f"{input['amount']} {ctx.instance} {ctx.mode or 'live'} {ctx.settings['address']}"

    async def look(self, input, ctx):
        return ctx.instance
"""
SETTINGS = """
[bank.instances]
north = {address = "live north"}
south = {address = "live south"}

[bank.modes.sandbox.instances]
north = {address = "test north"}
"""
SOUTH = {"TOOLSPEC_BANK_SANDBOX_SOUTH_ADDRESS": "test south"}
SERVED = ("--handlers", "app:Bank", "--settings", "settings.toml")


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(tmp_path_factory.mktemp("bank") / "project", HERE / "modes.yaml")
    (folder / "app.py").write_text(HANDLERS)
    (folder / "settings.toml").write_text(SETTINGS)
    return folder


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_a_client_of_a_sandbox_is_told_and_not_asked(bank: Path, era: str) -> None:
    server = stdio(bank, *SERVED, "--mode", "sandbox", **SOUTH)
    with connected(server, era) as connection:
        assert connection.client.server_info.title == "Bank (sandbox)"
        assert "mode sandbox" in (connection.client.instructions or "")
        listed = {
            tool.name: tool for tool in connection.portal.call(connection.client.list_tools).tools
        }
        meta = (listed["bank_pay"].meta or {})["toolspec"]
        assert (meta["mode"], meta["risk"]["tier"]) == ("sandbox", 1)
        assert "risk" not in (listed["bank_look"].meta or {})["toolspec"]
        for name in ("north", "south"):
            result = connection.call("bank_pay", {"amount": 1, "instance": name})
            assert f"1 {name} sandbox test {name}" in result.content[0].text
        assert connection.person.asked == []


def test_a_live_server_asks_and_uses_its_own_settings(bank: Path) -> None:
    with connected(stdio(bank, *SERVED, "--approve", "ask"), "legacy") as connection:
        assert connection.client.server_info.title == "Bank"
        result = connection.call("bank_pay", {"amount": 1, "instance": "south"})
        assert "1 south live live south" in result.content[0].text
        assert len(connection.person.asked) == 1


def called(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TOOLSPEC, "call", *words],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        text=True,
        capture_output=True,
        check=False,
    )


def test_the_shell_calls_in_a_mode(bank: Path) -> None:
    words = ("bank_pay", "amount=1", "instance=south")
    sandbox = called(bank, *words, *SERVED, "--mode", "sandbox", **SOUTH)
    assert (sandbox.returncode, sandbox.stdout) == (0, '"1 south sandbox test south"\n'), (
        sandbox.stderr
    )
    live = called(bank, *words, *SERVED)
    assert live.returncode == 1
    assert "no approver is configured" in live.stderr


def test_a_sandbox_takes_no_settings_of_the_live_mode(bank: Path) -> None:
    found = called(bank, "bank_look", "instance=south", *SERVED, "--mode", "sandbox")
    assert found.returncode == 2
    assert "`bank.modes.sandbox.instances.south`: setting `$.address`" in found.stderr
    assert "set `TOOLSPEC_BANK_SANDBOX_SOUTH_ADDRESS`" in found.stderr


def test_an_unknown_mode_is_refused(bank: Path) -> None:
    found = called(bank, "bank_look", "instance=south", "--mode", "sandbx")
    assert found.returncode == 2
    assert "`bank` has no mode `sandbx`" in found.stderr
    assert "sandbox" in found.stderr


def test_mocks_have_instances_and_modes(bank: Path) -> None:
    found = called(bank, "bank_pay", "amount=1", "instance=north", "--mode", "sandbox")
    assert (found.returncode, found.stdout) == (0, '"paid"\n'), found.stderr


ASKING = """
import asyncio, os, sys

from generated.bank import BankClient
from mcp import StdioServerParameters
from toolspec.runtime import ToolDefinition, ToolError
from toolspec.serving.client import McpTransport


async def paid(client):
    try:
        return await client.pay({"amount": 1}, instance="south")
    except ToolError as error:
        return error.code


class Claiming:
    async def served(self, name):
        return ToolDefinition(name=name, full_name=name, method=name, mode="harmless", risk=1)

    async def call(self, name, arguments, **carried):
        return "paid"


async def main():
    for mode in (["--mode", "sandbox"], []):
        args = [*sys.argv[2:], "serve", *os.environ["SERVED"].split(), *mode]
        server = StdioServerParameters(command=sys.argv[1], args=args, env=dict(os.environ))
        async with McpTransport(server) as transport:
            print(await paid(BankClient(transport)))
    print(await paid(BankClient(Claiming())))


asyncio.run(main())
"""


@pytest.mark.prove
def test_a_generated_client_asks_by_the_mode_of_its_server(bank: Path) -> None:
    (bank / "asking.py").write_text(ASKING)
    done = subprocess.run(
        [sys.executable, "asking.py", *TOOLSPEC],
        cwd=bank,
        env={**os.environ, **SOUTH, "SERVED": " ".join(SERVED)},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "1 south sandbox test south",
        "approval_required",  # the live server
        "approval_required",  # a mode that the service does not declare
    ], done.stderr


def test_the_shell_asks_by_the_mode_of_the_server(bank: Path) -> None:
    words = ("bank_pay", "amount=1", "instance=south")
    serve = shlex.join([*TOOLSPEC, "serve", *SERVED])
    sandbox = called(bank, *words, "--stdio", f"{serve} --mode sandbox", **SOUTH)
    assert (sandbox.returncode, sandbox.stdout) == (0, '"1 south sandbox test south"\n'), (
        sandbox.stderr
    )
    live = called(bank, *words, "--stdio", serve)
    assert live.returncode == 1
    assert "no approver is configured" in live.stderr


@pytest.mark.parametrize("name", ["bank_view", "view_account", "bank_view@1.0", "bank_look@1.0"])
def test_the_shell_calls_a_tool_of_a_server_by_its_aliases(bank: Path, name: str) -> None:
    serve = shlex.join([*TOOLSPEC, "serve", *SERVED])
    found = called(bank, name, "instance=north", "--stdio", serve)
    assert (found.returncode, found.stdout) == (0, '"north"\n'), found.stderr


def test_an_alias_is_suggested(bank: Path) -> None:
    serve = shlex.join([*TOOLSPEC, "serve", *SERVED])
    found = called(bank, "view_acount", "instance=north", "--stdio", serve)
    assert found.returncode == 2
    assert "did you mean `view_account`?" in found.stderr
