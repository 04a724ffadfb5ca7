"""`toolspec ci`: the checks of a project in one run, with one list of diagnostics."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolspec.changes.contract import FILE, Contract, ContractError, digest, read_contract
from toolspec.diagnostics import Checked, Severity, Subject
from toolspec.driver import build, user_code
from toolspec.driver.build import CompileOptions
from toolspec.driver.config import contract_settings
from toolspec.driver.contract import contract_kinds as kinds
from toolspec.driver.contract.contract_file import (
    ContractFile,
    blocks_of,
    judgement_of,
    pending,
    read_contract_file,
)
from toolspec.driver.contract.contract_form import with_checked_facts
from toolspec.driver.contract.facts import contract_side
from toolspec.driver.contract.locations import ProgramLocations
from toolspec.driver.contract.policy import ContractPolicy, Judgement, Selection, Versions, judge
from toolspec.driver.contract.revisions import file_at_revision
from toolspec.driver.output.paths import LOCK
from toolspec.driver.user_code import HandlerSelection
from toolspec.driver.workers import Workers
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.changes.contract import Acceptance, Block
    from toolspec.changes.side import Side
    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Build, Request

_SHOWN = 5
"""Maximum number of generated files that a diagnostic names."""


@dataclass(frozen=True, slots=True)
class CiRequest:
    """What to check. `base` is a revision whose contract is compared too; empty for none.

    `selection` chooses changes. With `is_reviewed` somebody approved outside what the policy of the
    project wants reviewed.
    """

    build: Request
    base: str = ""
    selection: Selection = field(default_factory=Selection)
    is_reviewed: bool = False


@dataclass(frozen=True, slots=True)
class CiResult:
    """What was found: the build, the judged changes since the contract, and what this branch accepts.

    `acceptances` are those that the base does not have, each with the name of its tool or service.
    """

    build: Build
    judgement: Judgement = field(default_factory=Judgement)
    locations: ProgramLocations | None = field(default=None, repr=False)
    acceptances: tuple[tuple[str, Acceptance], ...] = ()


def run_ci(request: CiRequest) -> Checked[CiResult]:
    """Return what `compile --check`, `handlers` and a comparison with the contract find.

    Writes nothing. Changes are part of the result, and of no diagnostic. A project that does not
    compile is not compared with its contract.
    """
    options = CompileOptions(Workers(1), is_cached=False, has_program=True)
    built = build.build(request.build, options=options)
    diagnostics = list(built.diagnostics)
    project, root = built.value.project, built.value.project.root
    if not built.ok:
        return Checked(CiResult(built.value), tuple(diagnostics))
    diagnostics += _outdated(built.value)
    if project.config.handlers:
        handlers = HandlerSelection(folder=request.build.folder)
        diagnostics += user_code.compare_handlers_of(
            built.value.program, project, handlers
        ).diagnostics
    read = read_contract_file(root)
    diagnostics += read.diagnostics
    result = CiResult(built.value, locations=ProgramLocations(built.value.program))
    if read.ok:
        now = contract_side(built.value.program, "the specs", built.value.targets, project.config)
        if read.value.exists and not read.value.is_conflicted:
            judged = judgement_of(built.value, now, request.build.today, request.selection)
            result = replace(result, judgement=judged(read.value.contract))
        diagnostics += _about_contract(read.value, now, request.build.today)
        if request.base:
            since = _SinceBase(built.value, request)
            result = replace(result, acceptances=since.compare(read.value.contract))
            since.review(result.judgement)
            diagnostics += since.diagnostics
    return Checked(result, tuple(diagnostics))


def _outdated(built: Build) -> Iterator[Diagnostic]:
    """Yield one diagnostic about all generated files that are not those of the specs.

    Without a lock nothing generated is in the repository.
    """
    if not (built.out / LOCK).exists():
        return
    paths = [
        os.path.relpath(built.out / change.path, built.project.root)
        for change in built.changes
        if change.is_needed
    ]
    if paths:
        left = len(paths) - _SHOWN
        files = ", ".join(f"`{path}`" for path in paths[:_SHOWN])
        files = f"{files} and {left} more" if left > 0 else files
        yield kinds.OUTDATED.at(None, files=files)


def _about_contract(file: ContractFile, now: Side, today: str) -> Iterator[Diagnostic]:
    """Yield diagnostics about the contract itself: missing, conflicted, edited, or expired."""
    if file.is_conflicted:
        yield kinds.CONFLICTED.at(None)
        return
    if not file.exists:
        yield kinds.MISSING.at(None)
        return
    for member, blocks in _by_member(file.contract):
        facts = now.tools if member == "tools" else now.services
        for name, block in blocks.items():
            subject = Subject(tool=name) if member == "tools" else Subject(service=name)
            if block.is_edited:
                yield kinds.EDITED.at(None, subject=subject, name=name)
            ending = pending(block)
            if ending and ending.until < today and digest(facts.get(name)) == block.digest:
                yield kinds.EXPIRED.at(
                    None, subject=subject, name=name, until=ending.until, changes=_codes(ending)
                )


class _SinceBase:
    """Compares a branch with its base; `diagnostics` are for reviewers of the branch."""

    def __init__(self, built: Build, request: CiRequest) -> None:
        self._built, self._request = built, request
        self._root = built.project.root
        self._policy = built.project.config.policy or ContractPolicy()
        self.diagnostics: list[Diagnostic] = []
        self._files: dict[str, str] = {}
        self._now, self._before = map(contract_settings, (self._present, self._file))
        words = self._before.get("review")
        # A branch cannot take back the reviews that its base wants.
        self._review = {*self._policy.review, *(words if isinstance(words, list) else ())}

    def compare(self, contract: Contract) -> tuple[tuple[str, Acceptance], ...]:
        """Return what the branch accepts beyond its base; report it, and changes without a record."""
        text = self._file(FILE)
        if not text:  # the first contract accepts no change
            return ()
        try:
            base = with_checked_facts(read_contract(text))
        except ContractError as error:
            problem = f"at `{self._request.base}`, {error}"
            self.diagnostics.append(kinds.BAD_CONTRACT.at(None, problem=problem))
            return ()
        changed = self._changes(base, contract)
        found: list[tuple[str, Acceptance]] = []
        old = dict(_by_member(base))
        for member, present in _by_member(contract):
            kind = "tool" if member == "tools" else ""
            for name, block in {**_gone(old[member], present), **present}.items():
                subject = Subject(tool=name) if kind else Subject(service=name)
                before = old[member].get(name)
                known = before.history if before else ()
                new = [each for each in block.history if each not in known]
                found += [(name, each) for each in new]
                self.diagnostics += [self._accepted(each, name, subject) for each in new]
                codes = {change.code for each in new for change in each.changes}
                is_covered = bool(new) and new[-1].after == block.digest
                if not is_covered and changed.get((kind, name), set()) - codes:
                    lacking = kinds.UNACCEPTED
                    self.diagnostics.append(
                        lacking.at(None, subject=subject, name=name, base=self._request.base)
                    )
        return tuple(found)

    def _changes(self, base: Contract, contract: Contract) -> dict[tuple[str, str], set[str]]:
        """Return the codes of the changes between two contracts by block, without those that are off."""
        locations = ProgramLocations(self._built.program)
        old, new = base.side(self._request.base), contract.side("the contract")
        new = replace(new, unversioned=frozenset(new.services))  # bumps are no part of a state
        versions = Versions(old, new, locations.find, deprecated_on=base.deprecated_on)
        judgement = judge(versions, self._policy, self._request.build.today)
        codes: dict[tuple[str, str], set[str]] = {}
        for change in judgement.changes.changes:
            for key in blocks_of(change):
                codes.setdefault(key, set()).add(change.code)
        return codes

    def review(self, judgement: Judgement) -> None:
        """Report new suppressions, and a change of the policy."""
        base = self._request.base
        for change, suppression in judgement.suppressed:
            span = suppression.span
            if span and span.text in self._file(span.source.path):
                continue
            suppressed = kinds.SUPPRESSED.at(
                span,
                subject=Subject(change.place.service, change.place.tool),
                name=change.place.tool or change.place.service,
                reason=suppression.reason,
                level=change.level(),
                code=change.code,
                base=base,
            )
            self.diagnostics.append(self._reviewed(suppressed, change.level()))
        if self._before != self._now:
            span = self._built.project.config.span("contract")
            changed = kinds.POLICY_CHANGED.at(span, base=base)
            self.diagnostics.append(self._reviewed(changed, *self._review))

    def _accepted(self, acceptance: Acceptance, name: str, subject: Subject) -> Diagnostic:
        until = f" (until {acceptance.until})" if acceptance.until else ""
        diagnostic = kinds.ACCEPTED.at(
            None,
            subject=subject,
            name=name,
            reason=acceptance.reason or "no reason is needed",
            changes=f"{_codes(acceptance)}{until}",
            base=self._request.base,
        )
        return self._reviewed(diagnostic, acceptance.level)

    def _reviewed(self, diagnostic: Diagnostic, *levels: str) -> Diagnostic:
        """Return a diagnostic as an error if one of some levels has to be reviewed and was not."""
        is_error = not self._request.is_reviewed and not self._review.isdisjoint(levels)
        return replace(diagnostic, configured=Severity.ERROR) if is_error else diagnostic

    def _present(self, name: str) -> str:
        """Return the text of a file of the project; empty if there is none."""
        path = self._root / name
        return path.read_text("utf-8", errors="replace") if path.is_file() else ""

    def _file(self, name: str) -> str:
        """Return the text of a file at the base; empty if it has none, and after a diagnostic."""
        if name not in self._files:
            read = file_at_revision(self._request.base, self._root, name)
            self.diagnostics += [each for each in read.diagnostics if each not in self.diagnostics]
            self._files[name] = read.value or ""
        return self._files[name]


def _gone(old: Mapping[str, Block], new: Mapping[str, Block]) -> dict[str, Block]:
    """Return empty blocks for those that were removed as a whole, with their history."""
    return {
        name: replace(block, facts=None, history=())
        for name, block in old.items()
        if name not in new
    }


def _codes(acceptance: Acceptance) -> str:
    return ", ".join(f"{change.level} {change.code}" for change in acceptance.changes)


def _by_member(contract: Contract) -> tuple[tuple[str, Mapping[str, Block]], ...]:
    return ("services", contract.services), ("tools", contract.tools)
