"""Diagnostics: kinds, severities, spans, fixes, and values that carry diagnostics.

A kind is a constant of the module that reports it, instantiated with `.at(…)`. Nothing here formats
a diagnostic: `reports/` does.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache, cached_property
from hashlib import sha256
from operator import methodcaller
from string import Formatter
from typing import TYPE_CHECKING, Generic, TypeVar

from toolspec.shared.lazy_sequence import LazySequence
from toolspec.shared.ranked import Ranked
from toolspec.shared.records import dataclass, field, replace
from toolspec.shared.spelling import nearest
from toolspec.shared.whitespace import single_spaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.source import Span

T = TypeVar("T")


class Severity(Ranked):
    """Severity of a diagnostic, the gravest first; only an error fails a build."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Label:
    """A second location of a diagnostic, with its message."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replacement of the text in a span."""

    span: Span
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An automatic change; a safe one cannot change what the document means."""

    title: str
    edits: tuple[TextEdit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of a diagnostic: service, full tool name, and JSON Pointer inside the document."""

    service: str = ""
    tool: str = ""
    pointer: str = ""


class SuppressionSource(StrEnum):
    """Place in which a suppression is written: document, configuration or baseline."""

    COMMENT = "comment"
    DOCUMENT = "document"
    CONFIGURATION = "configuration"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Suppression:
    """Reason for a suppression; `until` is its last day, as `2027-01-31`, or empty."""

    source: SuppressionSource
    reason: str
    until: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Manual:
    """Reason for a diagnostic, and examples that cause it or do not."""

    why: str
    reported: tuple[str, ...]
    accepted: tuple[str, ...] = ()

    @property
    def example(self) -> str:
        """First example that causes the diagnostic; empty without one."""
        return self.reported[0] if self.reported else ""


@cache
def read_manual(module: str) -> Manual:
    """Return the manual of a rule's module: the text of `<slug>.md`, and the YAML blocks in it.

    Raises OSError if the file is missing or cannot be read.
    """
    # Only `explain`, reference pages and verbose reports read manuals.
    from importlib.resources import files

    package, _, slug = module.rpartition(".")
    text = files(package).joinpath(f"{slug}.md").read_text("utf-8")
    why, _, examples = text.partition("\n## Reported\n")
    reported, _, accepted = examples.partition("\n## Accepted\n")
    return Manual(single_spaced(why), _yaml_blocks(reported), _yaml_blocks(accepted))


def _yaml_blocks(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"^```yaml\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL))


@dataclass(frozen=True, slots=True)
class DiagnosticKind:
    """Declaration of a diagnostic: `family/slug`, severity, messages, and manual.

    `message` and `hint` are `str.format` templates; `at` raises on a missing or unknown parameter,
    so that a misspelt one fails in the first test that reaches it. `why` and `example` are the
    manual; a rule has a `module` instead, and its manual is the Markdown file beside it. A kind with
    `is_rule` can be suppressed, whatever its severity: it is a lint rule, or an error that leaves
    the rest of the document sound. A kind with `is_about_run` reports a limit of this run and not
    of a document: it fails nothing and needs no suppression. One without `is_cached` may be absent
    in the next run of the same command, so that its service is analysed again.
    """

    code: str
    severity: Severity
    message: str
    hint: str = ""
    why: str = ""
    example: str = ""
    is_rule: bool = False
    is_about_run: bool = False
    is_cached: bool = True
    module: str = ""

    @property
    def manual(self) -> Manual:
        """Reason and examples; those of a rule are read from its Markdown file."""
        return read_manual(self.module) if self.module else Manual(self.why, (self.example,))

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
        """Return a diagnostic of this kind; the span is None if no file is at fault."""
        expected = _fields(self.message, self.hint)
        if expected != parameters.keys():
            message = f"{self.code} takes {sorted(expected)}, not {sorted(parameters)}"
            raise TypeError(message)
        aliases = (Label(alias, "reached through this") for alias in (span.via if span else ()))
        return Diagnostic(
            kind=self,
            message=self.message.format_map(parameters),
            span=span,
            label=label,
            labels=(*labels, *aliases),
            help=self.hint.format_map(parameters),
            subject=subject or Subject(),
            fix=fix,
            values=tuple(str(parameters[name]) for name in sorted(_fields(self.message))),
        )


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic: message, location, related locations, hint.

    `configured` is the severity that the project configures, if it differs from the kind's. A
    diagnostic with a `suppression` stays in reports and fails nothing. A diagnostic about several
    locations has one entry for each in `parts`, so that each can be suppressed alone. `values` are
    the parameters of the message, ordered by name.
    """

    kind: DiagnosticKind
    message: str
    span: Span | None
    label: str = ""
    labels: tuple[Label, ...] = ()
    help: str = ""
    subject: Subject = field(default_factory=Subject)
    fix: Fix | None = None
    configured: Severity | None = None
    suppression: Suppression | None = None
    parts: Sequence[Diagnostic] = ()
    values: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """Code of its kind, `family/slug`."""
        return self.kind.code

    @property
    def severity(self) -> Severity:
        """Configured severity, or else that of the kind."""
        return self.configured or self.kind.severity

    @property
    def fingerprint(self) -> str:
        """Digest of code, subject and values: stable while lines move and messages are reworded."""
        subject = self.subject
        identity = (self.code, subject.service, subject.tool, subject.pointer, *self.values)
        return sha256("\0".join(identity).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """Sort key of a report: file, then location, then code."""
        if self.span is None:
            return ("", 0, 0, self.code, self.message)
        return (self.span.source.path, self.span.start, self.span.end, self.code, self.message)

    @property
    def identity(self) -> tuple[str, str, Span | None]:
        """Key that makes two diagnostics equal; an alias does not repeat those of its anchor."""
        return (self.code, self.message, self.span)

    def about(self, *, service: str = "", tool: str = "", pointer: str = "") -> Diagnostic:
        """Return a copy with the missing parts of the subject filled in."""
        parts = self.parts
        if parts:
            about = methodcaller("about", service=service, tool=tool, pointer=pointer)
            # A diagnostic can be about every property of a document, and its parts are rarely read.
            parts = LazySequence(parts, about)
        own = self.subject
        subject = Subject(own.service or service, own.tool or tool, own.pointer or pointer)
        if subject == own and not parts:
            return self
        return replace(self, subject=subject, parts=parts)


@dataclass(frozen=True, slots=True)
class Checked(Generic[T]):
    """A value with its diagnostics; after an error the value is a best effort."""

    value: T
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether no diagnostic is an error."""
        return not has_errors(self.diagnostics)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether any diagnostic is an error without a suppression."""
    return any(
        diagnostic.severity is Severity.ERROR and diagnostic.suppression is None
        for diagnostic in diagnostics
    )


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return a hint with the nearest of some words, or a list of the first of them."""
    return Vocabulary(words).did_you_mean(word)


def either(guess: str, otherwise: str) -> str:
    """Return a hint of `did_you_mean` and another one; the other alone if there is no guess."""
    joint = " Else " if guess.endswith("?") else "; else "
    return f"{guess}{joint}{otherwise}" if guess else otherwise


class Vocabulary:
    """Index of known words for many spelling suggestions, built once."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self._known = frozenset(self.words)
        self._compared = 0

    def __contains__(self, word: str) -> bool:
        return word in self._known

    def did_you_mean(self, word: str) -> str:
        """Return a hint with the nearest word, or a list of the first words.

        After `_MAX_COMPARED` unknown words, the hint is always a short list.
        """
        self._compared += 1
        if self._compared > _MAX_COMPARED:
            return self._few
        close = nearest(word, self.words)
        return f"did you mean `{close}`?" if close else self._many

    @cached_property
    def _many(self) -> str:
        return self._listed(_MAX_LISTED)

    @cached_property
    def _few(self) -> str:
        return self._listed(_FEW_LISTED)

    def _listed(self, limit: int) -> str:
        listed = ", ".join(f"`{word}`" for word in self.words[:limit])
        omitted = len(self.words) - limit
        if omitted > 0:
            return f"expected one of {listed} and {omitted:,} others"
        return f"expected one of {listed}" if len(self.words) > 1 else f"expected {listed}"


_MAX_LISTED = 40
_FEW_LISTED = 5
_MAX_COMPARED = 200


@cache
def _fields(*templates: str) -> frozenset[str]:
    """Return the names of the parameters of templates."""
    parsed = (part for template in templates for part in Formatter().parse(template))
    return frozenset(name for _, name, _, _ in parsed if name)
