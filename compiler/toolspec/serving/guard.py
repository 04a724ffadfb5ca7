"""The contract that a server or a client is held to; imported only where there is one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.changes.contract import ContractError
from toolspec.changes.guard import compare_server, line, read_intact
from toolspec.serving.errors import ServeError
from toolspec.serving.tool_list import TARGETS
from toolspec.shared.lists import WireList

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.changes.contract import Contract
    from toolspec.serving.package import GeneratedService
    from toolspec.serving.tool_list import ToolList

MOST_SHOWN = 20
"""Maximum changes in one message."""


def load_contract(path: str) -> Contract:
    """Return the contract in a file. Raises ContractError if it cannot be relied on."""
    try:
        return read_intact(Path(path).read_text("utf-8"))
    except ContractError as error:
        problem = str(error)
    except UnicodeDecodeError:
        problem = "it is not UTF-8"
    except OSError as error:
        problem = error.strerror or str(error)
    text = f"the contract {path} cannot be used: {problem}"
    raise ContractError(text)


def check_contract(
    path: str, listing: ToolList, services: Sequence[GeneratedService], instructions: str
) -> list[str]:
    """Return the differences of what a server lists that break nobody, for its operator.

    Raises ServeError for a list, of any era, that breaks the contract or cannot be compared with it.
    """
    names = [service.definition.name for service in services]
    breaks: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    try:
        contract = load_contract(path)
        for manifest, target in TARGETS.items():
            wire = WireList(target, listing.tools(manifest), instructions)
            report = compare_server(contract, wire, names)
            for found, changes in ((breaks, report.breaks), (others, report.others)):
                for change in changes:
                    found.setdefault(line(change), []).append(target)
    except ContractError as error:
        advice = "restore the file from the repository, or write it with `toolspec accept`"
        raise ServeError(str(error), (advice,)) from None
    if breaks:
        heading = f"the tools break the contract {path}:"
        advice = "serve the build of the contract, or `toolspec accept --reason TEXT`"
        raise ServeError(heading, (*shortened(list(_lines(breaks))), advice))
    return [f"contract: {text}" for text in _lines(others)]


def shortened(lines: Sequence[str]) -> list[str]:
    """Return the first lines, and how many follow."""
    more = len(lines) - MOST_SHOWN
    return [*lines[:MOST_SHOWN], *([f"and {more} more"] if more > 0 else [])]


def _lines(found: dict[str, list[str]]) -> Iterator[str]:
    """Yield each change once, with its target if the others do not have it."""
    for text, targets in found.items():
        yield text if len(targets) == len(TARGETS) else f"{text} ({', '.join(targets)})"
