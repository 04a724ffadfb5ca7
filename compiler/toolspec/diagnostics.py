"""What the compiler has to say: kinds declared once, findings made from them, values that carry both.

A kind is declared as a module constant of the floor that reports it and instantiated with `.at(…)`.
Nothing here knows how a finding looks: `reports/` does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from hashlib import sha256
from operator import is_
from string import Formatter
from typing import TYPE_CHECKING, Generic, TypeVar

from toolspec.shared.records import replace
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.source import Span

T = TypeVar("T")


class Severity(StrEnum):
    """How much a finding weighs: an error stops the build, the others do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that belongs to a finding, and what is to be said of it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace what stands in a span by another text."""

    span: Span
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that a machine can make; a safe one cannot change what the document means."""

    title: str
    edits: tuple[TextEdit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """What a finding is about: service, full tool name, and JSON Pointer inside the document."""

    service: str = ""
    tool: str = ""
    pointer: str = ""


class Allower(StrEnum):
    """Where it is said that a finding may stand."""

    COMMENT = "comment"
    DOCUMENT = "document"
    CONFIGURATION = "configuration"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why a finding may stand; `until` is the last day on which it may, as `2027-01-31`, or empty."""

    source: Allower
    reason: str
    until: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class DiagnosticKind:
    """A declared finding: `family/slug`, its severity, its sentences, and its manual.

    `message` and `hint` are `str.format` templates; `at` refuses a parameter too many or too few,
    so that a misspelt one fails in the first test that meets it. `why` and `example` are what
    `toolspec explain` prints. What `is_rule` can be suppressed, whatever its severity: a lint rule, or
    an error that leaves the rest of the document sound. A kind that
    `is_about_run` reports a limit of this run and not of a document: it fails nothing, is never cached
    and needs no suppression.
    """

    code: str
    severity: Severity
    message: str
    hint: str = ""
    why: str = ""
    example: str = ""
    is_rule: bool = False
    is_about_run: bool = False

    def at(
        self,
        span: Span | None,
        label: str = "",
        *,
        labels: Iterable[Label] = (),
        subject: Subject | None = None,
        fix: Fix | None = None,
        **parameters: object,
    ) -> Diagnostic:
        """Return the finding at a span; None where no file is to blame."""
        wanted = _fields(self.message, self.hint)
        if wanted != parameters.keys():
            message = f"{self.code} takes {sorted(wanted)}, not {sorted(parameters)}"
            raise TypeError(message)
        reached = (Label(each, "reached through this") for each in (span.via if span else ()))
        return Diagnostic(
            kind=self,
            message=self.message.format_map(parameters),
            span=span,
            label=label,
            labels=(*labels, *reached),
            help=self.hint.format_map(parameters),
            subject=subject or Subject(),
            fix=fix,
        )


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: what is wrong, where, what else to look at, and what to do.

    `weight` is the severity that the project gives to it, where that is not its kind's. A finding
    with a `suppression` is kept for those who read reports, and fails nothing. One that is about several
    places has in `parts` what is to be said of each alone, so that one of them can be allowed to stand.
    """

    kind: DiagnosticKind
    message: str
    span: Span | None
    label: str = ""
    labels: tuple[Label, ...] = ()
    help: str = ""
    subject: Subject = field(default_factory=Subject)
    fix: Fix | None = None
    weight: Severity | None = None
    suppression: Suppression | None = None
    parts: tuple[Diagnostic, ...] = ()

    @property
    def code(self) -> str:
        """The `family/slug` of its kind."""
        return self.kind.code

    @property
    def severity(self) -> Severity:
        """How much it weighs."""
        return self.weight or self.kind.severity

    @property
    def fingerprint(self) -> str:
        """Twelve hex digits that stay the same while lines move (diagnostics.md)."""
        of = (
            self.code,
            self.subject.service,
            self.subject.tool,
            self.subject.pointer,
            self.message,
        )
        return sha256("\0".join(of).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """The order of a report: by file, then place, then code."""
        if self.span is None:
            return ("", 0, 0, self.code, self.message)
        return (self.span.source.path, self.span.start, self.span.end, self.code, self.message)

    @property
    def identity(self) -> tuple[str, str, Span | None]:
        """What makes two findings the same one: an alias repeats what it stands for, not its faults."""
        return (self.code, self.message, self.span)

    def about(self, *, service: str = "", tool: str = "", pointer: str = "") -> Diagnostic:
        """Return the same finding with what its maker did not know of its subject filled in."""
        known = self.subject
        parts = tuple(
            each.about(service=service, tool=tool, pointer=pointer) for each in self.parts
        )
        is_told = bool(
            (known.service or not service)
            and (known.tool or not tool)
            and (known.pointer or not pointer)
        )
        if is_told and all(map(is_, parts, self.parts)):
            return self
        subject = Subject(known.service or service, known.tool or tool, known.pointer or pointer)
        return replace(self, subject=subject, parts=parts)


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """A value with what was found while it was made; after an error the value is a best effort."""

    value: T
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no finding is an error."""
        return not has_errors(self.diagnostics)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of the findings is an error that nobody has allowed."""
    return any(each.severity is Severity.ERROR and each.suppression is None for each in diagnostics)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, else lists them, of many the first."""
    return Vocabulary(known).did_you_mean(word)


class Vocabulary:
    """Known words, of which others are misspelt: what many words are looked up in is built once."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self._known = frozenset(self.words)
        self._compared = 0

    def __contains__(self, word: str) -> bool:
        return word in self._known

    def did_you_mean(self, word: str) -> str:
        """Return a hint that names the nearest known word, else lists them, of many the first.

        Where very many words are unknown, the last of them are not compared.
        """
        self._compared += 1
        if self._compared > _MOST_COMPARED:
            return self._few
        close = nearest(word, self.words)
        return f"did you mean `{close}`?" if close else self._many

    @cached_property
    def _many(self) -> str:
        return self._listed(_MOST_LISTED)

    @cached_property
    def _few(self) -> str:
        return self._listed(_FEW_LISTED)

    def _listed(self, limit: int) -> str:
        listed = ", ".join(f"`{each}`" for each in self.words[:limit])
        others = len(self.words) - limit
        return f"known are {listed}" + (f" and {others:,} others" if others > 0 else "")


_MOST_LISTED = 40
_FEW_LISTED = 5
_MOST_COMPARED = 500


@cache
def _fields(*templates: str) -> frozenset[str]:
    """Return the parameters that templates of kinds, which are few, take."""
    parsed = (part for template in templates for part in Formatter().parse(template))
    return frozenset(name for _, name, _, _ in parsed if name)
