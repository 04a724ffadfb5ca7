"""Handlers of the ledger: imported by the servers under test, not by pytest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toolspec.runtime import ApprovalPending, Caller, Question
from toolspec.runtime.stores import open_store

from generated import build_registry

LEDGER = Path("ledger.txt")


def lines() -> list[str]:
    return LEDGER.read_text().splitlines() if LEDGER.exists() else []


class Ledger:
    def add(self, input: Any) -> str:
        with LEDGER.open("a") as file:
            file.write(f"{input['text']}\n")
        return input["text"]

    pin = add

    def revert_add(self, input: Any, output: Any, metadata: Any) -> str | None:
        if output == "stuck":
            return "it is stuck"
        left = lines()
        left.remove(output)
        LEDGER.write_text("".join(f"{line}\n" for line in left))
        return None

    revert_pin = revert_add


registry = build_registry(ledger=Ledger()).with_controls(store=open_store("sqlite:///own.sqlite3"))


def verify(token: str) -> Caller:
    return Caller(name=token)


def later(question: Question) -> bool:
    raise ApprovalPending


pending = build_registry(ledger=Ledger()).with_controls(approver=later)
agreed = build_registry(ledger=Ledger()).with_controls(approver=lambda _: True)
