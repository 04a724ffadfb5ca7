"""Chooses fixes without overlaps, applies them in memory in rounds, and writes the last."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver import build, rewriting_kinds
from toolspec.driver.analysis import in_order
from toolspec.driver.fixing import proof
from toolspec.driver.rewriting import Rewrite, refusal
from toolspec.driver.workspace import FileSnapshot, is_document
from toolspec.shared.records import dataclass, field, replace
from toolspec.syntax.decoding import decode
from toolspec.usercode.patch import applied

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic, Fix, TextEdit
    from toolspec.driver.build import Build, Progress, Request
    from toolspec.source import SourceFile


@dataclass(frozen=True, slots=True)
class Choice:
    """One fix with its diagnostics: several may need the same edits, which are made once."""

    fix: Fix
    diagnostics: tuple[Diagnostic, ...]

    @property
    def files(self) -> frozenset[str]:
        """Names of the files that it edits."""
        return frozenset(edit.span.source.path for edit in self.fix.edits)

    @property
    def identity(self) -> tuple[object, ...]:
        """Identity of the fix, which does not change when lines move."""
        texts = tuple((edit.span.text, edit.new_text) for edit in self.fix.edits)
        return (*sorted(self.files), self.diagnostics[0].code, self.diagnostics[0].message, *texts)


def offered(diagnostics: Iterable[Diagnostic]) -> tuple[Choice, ...]:
    """Return every fix of diagnostics without a suppression, in the order of their locations."""
    by_edits: dict[tuple[object, ...], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        if diagnostic.fix is not None and diagnostic.fix.edits and diagnostic.suppression is None:
            by_edits.setdefault(_locations(diagnostic.fix), []).append(diagnostic)
    choices = (
        Choice(diagnostics[0].fix, tuple(diagnostics))
        for diagnostics in by_edits.values()
        if diagnostics[0].fix
    )
    return tuple(sorted(choices, key=lambda choice: _locations(choice.fix)))


def apart(choices: Iterable[Choice]) -> Iterator[Choice]:
    """Yield the choices, in order, that do not overlap with an earlier one.

    Those left out are tried in the next round.
    """
    reached: dict[str, tuple[int, int]] = {}
    for choice in choices:
        edits = choice.fix.edits
        if all(_is_free(edit, reached.get(_file(edit), (-1, -1))) for edit in edits):
            for edit in edits:
                span = edit.span.start, edit.span.end
                reached[_file(edit)] = max(reached.get(_file(edit), span), span, key=_end)
            yield choice


def _is_free(edit: TextEdit, last: tuple[int, int]) -> bool:
    """Return whether an edit begins after another; two insertions at one offset have no order."""
    start, end = edit.span.start, edit.span.end
    return start >= last[1] and not (start == end == last[0] == last[1])


def _end(span: tuple[int, int]) -> tuple[int, int]:
    return span[1], span[0]


def _locations(fix: Fix) -> tuple[object, ...]:
    return tuple((_file(edit), edit.span.start, edit.span.end, edit.new_text) for edit in fix.edits)


def _file(edit: TextEdit) -> str:
    return edit.span.source.path


# A parser stops at the first syntax error, so each of many commas takes a round.
MAX_ROUNDS = 100
# Maximum number of checks to find which of several fixes causes a new error.
MAX_TRIALS = 40


@dataclass(frozen=True, slots=True)
class FixResult:
    """Result of fixing: final state, rewritten files, counts.

    `fixed` counts the fixed diagnostics; `unsafe` those whose fix was skipped because it is not
    safe.
    """

    checked: Checked[Build]
    files: tuple[Rewrite, ...]
    fixed: int
    unsafe: int


def fix(
    request: Request,
    *,
    unsafe: bool = False,
    write: bool = True,
    progress: Progress = lambda _: None,
) -> FixResult:
    """Apply safe fixes, with `unsafe` all of them, and check what remains.

    The diagnostics are those of the documents afterwards, plus the files that could not be written.
    Without `write` they are of the documents as they would be.
    """
    fixing = _Fixing(request, unsafe, progress)
    fixing.run()
    files = fixing.rewrites()
    problems = [problem for file in files if write and (problem := file.write())]
    checked = fixing.state.checked
    if problems:
        # What could be written stays, so check the disk again and not the intended state.
        checked = build.check(request, progress)
        files = tuple(file for file in files if _is_written(file))
    names = {file.name for file in files}
    fixed = sum(len(choice.diagnostics) for choice in fixing.applied if choice.files <= names)
    left = offered(checked.diagnostics)
    rest = sum(len(choice.diagnostics) for choice in left if not (choice.fix.safe or unsafe))
    diagnostics = (*checked.diagnostics, *fixing.notes, *problems)
    return FixResult(Checked(checked.value, in_order(diagnostics)), files, fixed, rest)


def _is_written(file: Rewrite) -> bool:
    try:
        return file.path.read_bytes() == file.after
    except OSError:
        return False


@dataclass(frozen=True, slots=True)
class _State:
    """All diagnostics and the changed documents at one point of the run."""

    checked: Checked[Build]
    texts: Mapping[str, bytes]


@dataclass(slots=True)
class _Fixing:
    """A run of `fix`: bytes on the disk, read-only files, rejected fixes with the reason."""

    request: Request
    unsafe: bool
    progress: Progress
    state: _State = field(init=False)
    before: dict[str, bytes] = field(default_factory=dict)
    barred: dict[str, Diagnostic | None] = field(default_factory=dict)
    refused: dict[object, str] = field(default_factory=dict)
    applied: list[Choice] = field(default_factory=list)
    trials: int = 0

    def run(self) -> None:
        """Run rounds until nothing is left to fix, or fixes undo each other."""
        seen: set[frozenset[tuple[str, bytes]]] = set()
        self.state = _State(build.check(self.request, self.progress), {})
        for _ in range(MAX_ROUNDS):
            choices = filter(self._is_wanted, offered(self.state.checked.diagnostics))
            chosen = tuple(apart(filter(self._may_edit, choices)))
            kept = self._keep(self.state, (), chosen) if chosen else ()
            texts = frozenset(self.state.texts.items())
            if not kept or texts in seen:
                return
            seen.add(texts)
            self.applied += kept

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """Return notes about fixes that were not applied.

        A fix that was refused is noted where its diagnostic is at the end. An earlier round may have
        refused it in another form.
        """
        withheld = (
            rewriting_kinds.WITHHELD.at(
                choice.diagnostics[0].span,
                code=choice.diagnostics[0].code,
                reason=self.refused[choice.identity],
            )
            for choice in offered(self.state.checked.diagnostics)
            if choice.identity in self.refused
        )
        return (*(note for note in self.barred.values() if note), *withheld)

    def rewrites(self) -> tuple[Rewrite, ...]:
        """Return the files whose text changed."""
        root = self.state.checked.value.project.root
        return tuple(
            Rewrite(root / name, name, self.before[name], text)
            for name, text in sorted(self.state.texts.items())
            if text != self.before[name]
        )

    def _is_wanted(self, choice: Choice) -> bool:
        return (choice.fix.safe or self.unsafe) and choice.identity not in self.refused

    def _may_edit(self, choice: Choice) -> bool:
        """Return whether all files of a fix are writable and unchanged since the read."""
        sources = {edit.span.source.path: edit.span.source for edit in choice.fix.edits}
        for name, source in sources.items():
            if is_document(name) and name not in self.barred:
                self.barred[name] = self._reason(source)
        return all(self.barred.get(name, True) is None for name in sources)

    def _reason(self, source: SourceFile) -> Diagnostic | None:
        """Return why a file cannot be written; remember its bytes on the disk."""
        name, root = source.path, self.state.checked.value.project.root
        refused = refusal(root / name, name, root)
        if refused:
            return refused
        try:
            data = (root / name).read_bytes()
        except OSError as error:
            return rewriting_kinds.UNWRITABLE.at(None, path=name, reason=str(error.strerror))
        if decode(name, data, is_yaml=not name.lower().endswith(".json")).value.text != source.text:
            return rewriting_kinds.CHANGED.at(None, path=name)
        self.before[name] = data
        return None

    def _keep(
        self, base: _State, kept: tuple[Choice, ...], more: tuple[Choice, ...]
    ) -> tuple[Choice, ...]:
        """Apply choices on top of those kept: all, or the half without a new error.

        All are applied to the base state, so that their locations are valid.
        """
        both = (*kept, *more)
        state, reason = self._try(base, both)
        if not reason:
            self.state = state
            return both
        if len(more) == 1 or self.trials >= MAX_TRIALS:
            for choice in more:
                self.refused[choice.identity] = reason
            return kept
        half = len(more) // 2
        kept = self._keep(base, kept, more[:half])
        return self._keep(base, kept, more[half:])

    def _try(self, base: _State, choices: tuple[Choice, ...]) -> tuple[_State, str]:
        """Return the state with some fixes applied, and why it is rejected, or an empty text."""
        edits: dict[str, list[TextEdit]] = {}
        for edit in (change for choice in choices for change in choice.fix.edits):
            edits.setdefault(edit.span.source.path, []).append(edit)
        texts = dict(base.texts)
        for name, here in edits.items():
            old = base.texts.get(name, self.before[name])
            texts[name] = _edited(old, here)
            if proof.changes_elsewhere(name, old, texts[name], here):
                return base, "it would change more than its edits"
        self.trials += 1
        snapshots = {name: FileSnapshot("", data) for name, data in texts.items()}
        checked = build.check(replace(self.request, snapshots=snapshots), self.progress)
        errors = proof.new_errors(base.checked.diagnostics, checked.diagnostics, edits)
        reason = f"it would lead to `{errors[0].code}`: {errors[0].message}" if errors else ""
        return _State(checked, texts), reason


def _edited(data: bytes, edits: list[TextEdit]) -> bytes:
    """Return the bytes of a file with edits applied; its byte order mark stays."""
    text = applied(edits[0].span.source.text, edits)
    mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    return mark + text.encode("utf-8")
