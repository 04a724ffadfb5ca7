"""The ledger of a tool made to fit: one entry for every keyword of its source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.features import features, references
from toolspec.providers.ledger import Entry, Fate
from toolspec.providers.node import every
from toolspec.schema.keywords import ANNOTATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.providers.draft import Draft
    from toolspec.providers.node import Node
    from toolspec.providers.profile import Profile

_TURNING = frozenset({"oneOf", "not", "if"})
_DEFINED = frozenset({"$defs", "definitions"})
_SENT = {"E": Fate.KEPT, "H": Fate.HINT, "?": Fate.HINT}


def settle(draft: Draft, source: Node) -> tuple[Entry, ...]:
    """Return the ledger: what steps recorded, and for what is still there what the provider does with it.

    A keyword that met several fates, because it was copied, has the gravest. One that is nowhere to be
    found would be a mistake of a step; it counts as widened, which promises nothing.
    """
    found: dict[tuple[str, str], Entry] = {}
    for entry in (*draft.entries, *_present(draft), *_turned(draft)):
        key = (entry.pointer, entry.keyword)
        other = found.get(key)
        found[key] = other.joined(entry) if other else entry
    for key in keywords(source):
        if key not in found:
            found[key] = _missing(*key)
    return tuple(found[key] for key in sorted(found))


def _missing(pointer: str, word: str) -> Entry:
    # Steps copy definitions to where they are referred to, and account for the copies.
    if not _DEFINED.isdisjoint(pointer.split("/")):
        return Entry(pointer, word, Fate.DROPPED, "unused", "nothing refers to it")
    return Entry(pointer, word, Fate.WIDENED, "lost", "no step accounts for it")


def keywords(source: Node) -> Iterator[tuple[str, str]]:
    """Yield every keyword of a schema as it was read, at every place: its pointer and its name."""
    for node in every(source):
        for word, (pointer,) in node.origins.items():
            yield pointer, word


def _present(draft: Draft) -> Iterator[Entry]:
    for feature, node, word in features(draft.root) if draft.root else ():
        fate, detail = _fate(draft.profile, feature, word)
        for pointer in node.origins.get(word, ()):
            keyword = _keyword(pointer)
            renamed = f"written as `{word}`" if keyword != word else ""
            yield Entry(pointer, keyword, fate, "keep", detail or renamed)


def _turned(draft: Draft) -> Iterator[Entry]:
    """Yield what a change below `oneOf`, `not` or `if` does to these, which is the opposite."""
    turning = [
        (pointer, word, references(node.only({word})))
        for node in (every(draft.root) if draft.root else ())
        for word in _TURNING & node.words.keys()
        for pointer in node.origins.get(word, ())
    ]
    for pointer, word, refers in turning:
        places = (f"{pointer}/", "/$defs/") if refers else (f"{pointer}/",)
        below = [each for each in draft.entries if each.pointer.startswith(places)]
        if any(each.widens for each in below):
            yield Entry(
                pointer, _keyword(pointer), Fate.NARROWED, "keep", f"a form of `{word}` is wider"
            )
        if any(each.fate is Fate.NARROWED for each in below):
            yield Entry(
                pointer, _keyword(pointer), Fate.WIDENED, "keep", f"a form of `{word}` is narrower"
            )


def _keyword(pointer: str) -> str:
    return pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def _fate(profile: Profile, feature: str, word: str) -> tuple[Fate, str]:
    treatment = profile.treatment(feature)
    if treatment.sent in _SENT:
        return _SENT[treatment.sent], ""
    refuses = word not in ANNOTATIONS and feature != "x"
    return (Fate.WIDENED if refuses else Fate.DROPPED), "the provider ignores it"
