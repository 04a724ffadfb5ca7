"""Changelog of the tools, made from the acceptances of a contract alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.changes.contract import ContractError, read_contract
from toolspec.targets.docs.view import AcceptedView, ChangelogEntry, ChangelogView

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from toolspec.changes.contract import Acceptance, Contract


def changelog_view(text: str, hidden: Collection[str] = ()) -> ChangelogView | None:
    """Return the view of a contract's acceptances, the newest first; None without any.

    Changes of services and tools whose names are `hidden` are left out.

    A text that is no contract has none: `toolspec ci` reports it.
    """
    try:
        contract = read_contract(text) if text else None
    except ContractError:
        return None
    entries: dict[tuple[str, str, str], list[AcceptedView]] = {}
    for name, acceptance in _acceptances(contract) if contract else ():
        if name in hidden or acceptance.service in hidden:
            continue
        key = acceptance.day, acceptance.service, acceptance.version
        entries.setdefault(key, []).extend(
            AcceptedView(
                name,
                str(change.level),
                change.code,
                change.message,
                acceptance.reason,
                acceptance.until,
            )
            for change in acceptance.changes
        )
    ordered = sorted(entries.items(), key=lambda entry: entry[0][1:])
    ordered.sort(key=lambda entry: entry[0][0], reverse=True)
    views = tuple(ChangelogEntry(*key, changes=tuple(changes)) for key, changes in ordered)
    return ChangelogView(views) if views else None


def _acceptances(contract: Contract) -> Iterator[tuple[str, Acceptance]]:
    for blocks in (contract.services, contract.tools):
        for name, block in blocks.items():
            yield from ((name, acceptance) for acceptance in block.history)
