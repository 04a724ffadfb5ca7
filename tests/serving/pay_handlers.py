"""Handlers of `pay.yaml`, whose ledger is a file that every process of a server appends to."""

import os
from pathlib import Path
from typing import Any

from generated.pay import bind
from toolspec.runtime.controls.limits import Limits, Rate
from toolspec.runtime.controls.policy import Policy, PolicySource, Rule
from toolspec.runtime.stores.memory import MemoryKeys
from toolspec.runtime.stores.sqlite import SqliteStore

LEDGER = Path("ledger.txt")


def add(line: str) -> str:
    with LEDGER.open("a") as file:
        file.write(f"{line} by {os.getpid()}\n")
    return line


class Pay:
    def look(self, input: Any, ctx: Any) -> list[str]:
        return LEDGER.read_text().splitlines() if LEDGER.exists() else []

    audit = look

    async def send(self, input: Any, ctx: Any) -> str:
        return add(f"sent {input['amount']}")

    async def note(self, input: Any, ctx: Any) -> str:
        return add(f"noted {input['text']}")


def verify(token: str) -> bool:
    return token.startswith("good")


plain = bind(Pay(), credentials={"access_token": "t"})
shared = plain.with_controls(store=SqliteStore("keys.sqlite3"))
forgetful = plain.with_controls(keys=MemoryKeys())
limited = plain.with_controls(limits=Limits(rates=(Rate(calls=5, seconds=600),)))
trusting = plain.with_controls(
    policy=Policy(sources=(PolicySource(name="program", rules=(Rule(mode="auto"),)),))
)
