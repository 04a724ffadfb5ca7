"""The contract of a project: read, compared with the compiled program, and accepted."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from toolspec.changes.change import Changes
from toolspec.changes.contract import (
    FILE,
    Acceptance,
    AcceptedChange,
    Block,
    Contract,
    ContractError,
    digest,
    read_contract,
)
from toolspec.changes.kind import Level
from toolspec.diagnostics import Checked, Severity, Subject
from toolspec.driver.build import check
from toolspec.driver.contract import contract_kinds as kinds
from toolspec.driver.contract.contract_form import with_checked_facts
from toolspec.driver.contract.contract_text import contract_text, is_conflicted, read_conflicted
from toolspec.driver.contract.facts import contract_side
from toolspec.driver.contract.locations import ProgramLocations
from toolspec.driver.contract.policy import (
    ContractPolicy,
    Judgement,
    Versions,
    judge,
    unknown_tools,
)
from toolspec.driver.filesystem import regular, replace_file
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from toolspec.changes.change import Change
    from toolspec.changes.side import Side
    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Build, Request
    from toolspec.driver.contract.policy import Selection
    from toolspec.shared.json_values import JsonObject


@dataclass(frozen=True, slots=True)
class ContractFile:
    """The contract of a project; `is_conflicted` says that it is that of both sides of a merge."""

    contract: Contract = field(default_factory=Contract)
    exists: bool = False
    is_conflicted: bool = False


@dataclass(frozen=True, slots=True)
class AcceptRequest:
    """What to accept: the tools that match a pattern, all without patterns.

    `today` and `until` are days such as `2027-01-31`; `until` is empty for an acceptance without end.
    """

    reason: str = ""
    tools: Sequence[str] = ()
    until: str = ""
    today: str = ""


@dataclass(frozen=True, slots=True)
class Acceptances:
    """The new contract, and the changes that it accepts; `left` is the number of those it does not.

    `renewed` are the tools that are accepted again, with the new last day or an empty text.
    """

    contract: Contract
    changes: Changes = field(default_factory=Changes)
    left: int = 0
    is_new: bool = False
    renewed: tuple[tuple[str, str], ...] = ()


def accept_project(request: Request, what: AcceptRequest) -> Checked[Acceptances]:
    """Write the contract of a project with its present state accepted; return what was recorded.

    After an error nothing is written.
    """
    checked = check(request)
    built = checked.value
    root = built.project.root
    errors = tuple(
        each
        for each in checked.diagnostics
        if each.severity is Severity.ERROR and each.suppression is None
    )
    read = read_contract_file(root)
    if errors or not read.ok:
        return Checked(Acceptances(Contract()), (*errors, *read.diagnostics))
    file, config = read.value, built.project.config
    now = contract_side(built.program, "the specs", built.targets, config)
    accepted = accept(
        file.contract,
        now,
        what,
        is_new=not file.exists,
        judged=judgement_of(built, now, what.today),
    )
    if not accepted.ok:
        return accepted
    problem = write_contract_file(root, accepted.value.contract)
    return Checked(accepted.value, (problem,) if problem else ())


def read_contract_file(root: Path) -> Checked[ContractFile]:
    """Return the contract of a project; an empty one if there is no file."""
    try:
        text = regular(root / FILE).read_text("utf-8")
        has_conflict = is_conflicted(text)
        contract = read_conflicted(text) if has_conflict else read_contract(text)
        file = ContractFile(with_checked_facts(contract), exists=True, is_conflicted=has_conflict)
        return Checked(file)
    except FileNotFoundError:
        return Checked(ContractFile())
    except UnicodeDecodeError:
        problem = "it is not UTF-8"
    except OSError as error:
        problem = error.strerror or str(error)
    except ContractError as error:
        problem = str(error)
    return Checked(ContractFile(), (kinds.BAD_CONTRACT.at(None, problem=problem),))


def write_contract_file(root: Path, contract: Contract) -> Diagnostic | None:
    """Write the contract of a project in one step; return a diagnostic if the system refuses."""
    try:
        replace_file(root / FILE, contract_text(contract))
    except OSError as error:
        return kinds.UNWRITABLE.at(None, reason=error.strerror or str(error))
    return None


def judgement_of(
    built: Build, now: Side, today: str, selection: Selection | None = None
) -> Callable[[Contract], Judgement]:
    """Return a function that judges the changes of a project since a contract."""
    locations = ProgramLocations(built.program)
    policy = built.project.config.policy or ContractPolicy()

    def judged(contract: Contract) -> Judgement:
        versions = Versions(
            contract.side("the contract"),
            now,
            locations.find,
            suppressions=built.suppressions,
            deprecated_on=contract.deprecated_on,
            is_recorded=True,
        )
        return judge(versions, policy, today, selection)

    return judged


def accept(
    contract: Contract,
    now: Side,
    request: AcceptRequest,
    *,
    judged: Callable[[Contract], Judgement],
    is_new: bool,
) -> Checked[Acceptances]:
    """Return the contract with the present state accepted; report changes that lack a reason.

    A new contract has no acceptances: nobody relied on anything before. What is suppressed is
    accepted with the reason of its suppression.
    """
    contract = Contract(
        _restored(contract.services, now.services), _restored(contract.tools, now.tools)
    )
    judgement = Judgement() if is_new else judged(contract)
    suppressed = [change for change, _ in judgement.suppressed]
    changes = replace(
        judgement.changes,
        changes=tuple(
            sorted((*judgement.changes.changes, *suppressed), key=lambda change: change.order)
        ),
    )
    reasons = {id(change): suppression.reason for change, suppression in judgement.suppressed}
    accepting = _Accepting(request, changes.changes, reasons, is_new=is_new)
    diagnostics = tuple(unknown_tools(request.tools, {**contract.tools, **now.tools}))
    services = accepting.blocks("", contract.services, now.services, now.services)
    tools = accepting.blocks("tool", contract.tools, now.tools, now.services)
    recorded = tuple(change for change in changes.changes if id(change) in accepting.recorded)
    left = len(changes.changes) - len(recorded)
    accepted = Acceptances(
        Contract(services, tools),
        replace(changes, changes=recorded),
        left,
        is_new,
        tuple(accepting.renewed),
    )
    return Checked(accepted, (*diagnostics, *accepting.diagnostics))


def pending(block: Block) -> Acceptance | None:
    """Return the acceptance of a block that ends on a day; None if what it has is accepted for good."""
    last = block.history[-1] if block.history else None
    return last if last and last.until else None


def blocks_of(change: Change) -> frozenset[tuple[str, str]]:
    """Return the blocks that a change is about: `tool` and a name, or an empty text and a service."""
    places = (place for place in (change.old, change.new) if place)
    return frozenset(
        ("tool", place.tool) if place.tool else ("", place.service) for place in places
    )


def _restored(blocks: Mapping[str, Block], now: Mapping[str, JsonObject]) -> dict[str, Block]:
    """Return blocks without the edits after which the specs are what was accepted."""
    return {
        name: replace(block, facts=now.get(name))
        if block.is_edited and block.digest == digest(now.get(name))
        else block
        for name, block in blocks.items()
    }


class _Accepting:
    """Makes the blocks of a contract; `recorded` are the ids of the changes that they accept.

    `renewed` are the names of blocks that are accepted again, with the new end. `reasons` are those of suppressed changes, by their ids.
    """

    def __init__(
        self,
        request: AcceptRequest,
        changes: tuple[Change, ...],
        reasons: Mapping[int, str],
        *,
        is_new: bool,
    ) -> None:
        self._request, self._reasons = request, reasons
        self._is_new = is_new
        self._by_block: dict[tuple[str, str], list[Change]] = {}
        for change in changes:
            for block in blocks_of(change):
                self._by_block.setdefault(block, []).append(change)
        self.recorded: set[int] = set()
        self.renewed: list[tuple[str, str]] = []
        self.diagnostics: list[Diagnostic] = []

    def blocks(
        self,
        kind: str,
        before: Mapping[str, Block],
        now: Mapping[str, JsonObject],
        services: Mapping[str, JsonObject],
    ) -> dict[str, Block]:
        """Return the blocks in the order of the program, a removed one where it was."""
        order = list(now)
        previous = ""
        for name in before:
            if name not in now:
                order.insert(order.index(previous) + 1 if previous else 0, name)
            previous = name
        blocks: dict[str, Block] = {}
        for name in order:
            block, facts = before.get(name), now.get(name)
            if self._is_wanted(kind, name):
                of = (facts or (block.facts if block else None) or {}).get("service", name)
                service = str(of), str(services.get(str(of), {}).get("version", ""))
                blocks[name] = self._block(kind, name, block, facts, service)
            elif block:
                blocks[name] = block
        return blocks

    def _is_wanted(self, kind: str, name: str) -> bool:
        patterns = self._request.tools
        return not patterns or (
            kind == "tool" and any(fnmatchcase(name, pattern) for pattern in patterns)
        )

    def _block(
        self,
        kind: str,
        name: str,
        block: Block | None,
        facts: JsonObject | None,
        service: tuple[str, str],
    ) -> Block:
        after = digest(facts)
        if block is None:
            block = Block(None)
            if self._is_new:
                return Block(facts, (), after)
        changes = self._by_block.get((kind, name), [])
        self.recorded.update(map(id, changes))
        accepted = tuple(
            AcceptedChange(change.code, change.level(), change.message) for change in changes
        )
        if block.is_edited:
            message = f"the contract of `{name}` was edited by hand"
            accepted = (*accepted, AcceptedChange(kinds.EDITED.code, Level.RISK, message))
        until, former = self._request.until, block.facts
        ending = pending(block)
        if ending and not accepted and self._request.tools and self._request.reason:
            accepted, former = ending.changes, ending.former  # accepted again
            self.renewed.append((name, until))
        elif ending and not until:
            if after != digest(ending.former):
                until, former = ending.until, ending.former
        elif after == block.digest:  # what can be reverted is in other blocks
            until, former = (ending.until, ending.former) if ending else ("", None)
        if not accepted:
            return Block(facts, block.history, after)
        acceptance = Acceptance(
            self._request.today,
            self._request.reason or ("" if block.is_edited else self._suppressed_because(changes)),
            *service,
            block.digest,
            after,
            accepted,
            until,
            former if until else None,
        )
        if acceptance.level is not Level.NOTE and not acceptance.reason:
            words = ", ".join(dict.fromkeys(change.code for change in accepted))
            subject = Subject(tool=name) if kind else Subject(service=name)
            self.diagnostics.append(
                kinds.NO_REASON.at(None, subject=subject, name=name, changes=words)
            )
        return Block(facts, (*block.history, acceptance), after)

    def _suppressed_because(self, changes: list[Change]) -> str:
        """Return the reasons of suppressions if all changes that need a reason are suppressed."""
        reasons = [self._reasons.get(id(change), "") for change in changes]
        is_whole = all(
            reason or change.level() is Level.NOTE
            for change, reason in zip(changes, reasons, strict=True)
        )
        return "; ".join(dict.fromkeys(filter(None, reasons))) if is_whole else ""
