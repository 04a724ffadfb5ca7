"""Ledger of a lowered tool: one entry for every keyword of its source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import Formats
from toolspec.providers.draft import IMPOSSIBLE, location_of
from toolspec.providers.features import references
from toolspec.providers.ledger import RANK, Entry, Outcome
from toolspec.providers.node import every, read
from toolspec.shared.encodings import ENCODINGS
from toolspec.shared.keywords import ANNOTATIONS, ASSERTED_FORMATS, CONTAINERS
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.ir import Tool
    from toolspec.providers.draft import Draft
    from toolspec.providers.features import Feature
    from toolspec.providers.node import Node
    from toolspec.providers.profile import Profile

_INVERTING = frozenset({"oneOf", "not", "if"})
_REMOVING = frozenset({"keep", "drop"})
"""Steps that leave out a keyword without replacing it."""
_SENT = {"E": Outcome.KEPT, "H": Outcome.HINT, "?": Outcome.HINT}


class Source:
    """The arguments of a tool as a tree, with all keywords and those that the runtime checks.

    `keywords` are pointers and names; `checked` are the pointers of formats and encodings.
    """

    __slots__ = ("checked", "keywords", "root")

    def __init__(self, tool: Tool) -> None:
        self.root = read(tool.arguments)
        self.keywords = tuple(
            (pointer, word)
            for node in every(self.root)
            for word, (pointer,) in node.origins.items()
        )
        self.checked = _checked(tool, self.root)


def build_ledger(
    draft: Draft, profile: Profile, source: Source, features: Iterable[Feature]
) -> tuple[Entry, ...]:
    """Return the ledger: entries recorded by steps, and the support for kept keywords.

    `features` are those of the draft's schema.

    A keyword with several outcomes, because it was copied, has the gravest. A keyword without any
    entry is a bug of a step; it counts as widened, which guarantees nothing.
    """
    recorded = tuple(
        _with_check(entry, source.checked)
        for entry in (*draft.entries, *_present(features, profile))
    )
    draft = replace(draft, entries=recorded)
    ledger: dict[tuple[str, str], Entry] = {}
    for entry in (*recorded, *_inverted(draft)):
        key = (entry.pointer, entry.keyword)
        other = ledger.get(key)
        ledger[key] = other.joined(entry) if other else entry
    missing = [key for key in source.keywords if key not in ledger]
    if missing:
        ledger |= _UnsentDefinitions(draft, source, ledger).entries(missing)
    return tuple(ledger[key] for key in sorted(ledger))


def _checked(tool: Tool, source: Node) -> frozenset[str]:
    """Return the pointers of formats and encodings that the runtime checks."""
    if tool.formats is not Formats.ASSERT:
        return frozenset()
    return frozenset(
        pointer
        for node in every(source)
        for word, checked in (("format", ASSERTED_FORMATS), ("contentEncoding", ENCODINGS))
        if word in node and node.value(word) in checked
        for pointer in node.of(word)
    )


def _with_check(entry: Entry, checked: frozenset[str]) -> Entry:
    """Return an entry, marked if the runtime checks a format that the provider does not enforce."""
    if entry.pointer not in checked or entry.detail == IMPOSSIBLE:
        return entry
    if entry.outcome is not Outcome.MOVED and entry.outcome is not Outcome.DROPPED:
        return entry
    outcome = (
        Outcome.WIDENED
        if entry.outcome is Outcome.DROPPED and entry.step in _REMOVING
        else entry.outcome
    )
    detail = "; ".join(filter(None, (entry.detail, "checked by the runtime")))
    return replace(entry, outcome=outcome, detail=detail, is_checked=True)


class _UnsentDefinitions:
    """Finds the outcome of keywords that no step recorded: those of unsent definitions."""

    def __init__(
        self, draft: Draft, source: Source, ledger: Mapping[tuple[str, str], Entry]
    ) -> None:
        self._outcome = draft.outcome
        self._ledger = dict(ledger)
        self._containers = {at for at, word in source.keywords if word in CONTAINERS}
        # Targets of references, with the pointers of those references.
        self._references: dict[str, list[str]] = {}
        for node in every(source.root):
            to = location_of(str(node.value("$ref"))) if "$ref" in node else None
            if to is not None:
                self._references.setdefault(to, []).extend(node.of("$ref"))

    def entries(self, missing: list[tuple[str, str]]) -> dict[tuple[str, str], Entry]:
        """Return the entries of keywords, with the outcome of references to their definition."""
        return {key: self._entry(*key) for key in missing}

    def _entry(self, pointer: str, word: str) -> Entry:
        if pointer in self._containers:
            inner = [to for to in self._references if to.startswith(f"{pointer}/")]
            if any(self._referring(to) for to in inner):
                return Entry(pointer, word, self._outcome, "definitions", "inlined")
            return Entry(pointer, word, Outcome.DROPPED, "definitions", "unused")
        if not self._container(pointer):
            return Entry(pointer, word, Outcome.WIDENED, "lost", "no step accounts for it")
        referring = self._referring(pointer.rpartition("/")[0])
        if not referring:
            return Entry(pointer, word, Outcome.DROPPED, "definitions", "unused")
        last = max(referring, key=lambda entry: RANK[entry.outcome])
        if RANK[last.outcome] < RANK[Outcome.DROPPED]:
            return Entry(pointer, word, Outcome.WIDENED, "lost", "no step accounts for it")
        return Entry(pointer, word, last.outcome, last.step, "follows its reference")

    def _container(self, pointer: str) -> str:
        """Return the pointer of the innermost `$defs` that contains a location."""
        while pointer and pointer not in self._containers:
            pointer = pointer.rpartition("/")[0]
        return pointer

    def _referring(self, location: str) -> list[Entry]:
        """Return the relevant entries of the references to a location in a definition."""
        waiting, met, ledger = [location], set[str](), list[Entry]()
        while waiting:
            for at in self._pointers(waiting.pop()):
                if at in met:
                    continue
                met.add(at)
                entry = self._ledger.get((at, "$ref"))
                # A reference inlined into another definition has the outcome of that definition.
                if entry is None or (
                    self._container(at) and RANK[entry.outcome] < RANK[Outcome.DROPPED]
                ):
                    waiting.append(at.rpartition("/")[0])
                else:
                    ledger.append(entry)
        return ledger

    def _pointers(self, location: str) -> Iterator[str]:
        """Yield the pointers of references to a location or to a schema that contains it."""
        container = self._container(location)
        while container and len(location) > len(container):
            yield from self._references.get(location, ())
            location = location.rpartition("/")[0]


def _present(features: Iterable[Feature], profile: Profile) -> Iterator[Entry]:
    for feature, node, word in features:
        outcome, detail = _support_for(profile, feature, word)
        for pointer in node.origins.get(word, ()):
            keyword = _keyword(pointer)
            renamed = f"written as `{word}`" if keyword != word else ""
            yield Entry(pointer, keyword, outcome, "keep", detail or renamed)


def _inverted(draft: Draft) -> Iterator[Entry]:
    """Yield entries for `oneOf`, `not` and `if` around a change, which reverse its effect."""
    if draft.lacks(*_INVERTING):
        return
    inverting = [
        (pointer, word, references(node.only({word})))
        for node in (every(draft.root) if draft.root else ())
        for word in _INVERTING & node.words.keys()
        for pointer in node.origins.get(word, ())
    ]
    for pointer, word, refers in inverting:
        locations = (f"{pointer}/", "/$defs/") if refers else (f"{pointer}/",)
        below = [entry for entry in draft.entries if entry.pointer.startswith(locations)]
        if any(entry.widens for entry in below):
            yield Entry(
                pointer,
                _keyword(pointer),
                Outcome.NARROWED,
                "keep",
                f"an option of `{word}` is wider",
            )
        if any(entry.outcome is Outcome.NARROWED for entry in below):
            yield Entry(
                pointer,
                _keyword(pointer),
                Outcome.WIDENED,
                "keep",
                f"an option of `{word}` is narrower",
            )


def _keyword(pointer: str) -> str:
    return pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def _support_for(profile: Profile, feature: str, word: str) -> tuple[Outcome, str]:
    treatment = profile.treatment(feature)
    if treatment.sent in _SENT:
        return _SENT[treatment.sent], ""
    refuses = word not in ANNOTATIONS and feature != "x"
    return (Outcome.WIDENED if refuses else Outcome.DROPPED), "the provider ignores it"
