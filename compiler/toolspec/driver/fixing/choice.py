"""Chooses the fixes of one round: applicable and without overlaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic, Fix, TextEdit


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
