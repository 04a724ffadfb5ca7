"""The fact `lowered`: what becomes of a tool for each provider."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolspec.shared.json_values import as_object
from toolspec.shared.references import at_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.shared.json_values import JsonObject, JsonValue

_WORDS = {
    "kept": "enforced", "encoded": "enforced", "narrowed": "narrowed", "hint": "described",
    "moved": "described", "dropped": "left out", "widened": "left out", "refused": "refused",
}  # fmt: skip
_RANK = {word: rank for rank, word in enumerate(dict.fromkeys(_WORDS.values()))}


class Pair(NamedTuple):
    """A tool as a target gets it, before and after."""

    target: str
    before: JsonObject
    after: JsonObject

    @property
    def forms(self) -> tuple[JsonValue, JsonValue]:
        """The forms: `strict`, `loose`, or `refused` if the target cannot take the tool."""
        return self.before.get("form"), self.after.get("form")

    @property
    def is_sent(self) -> bool:
        """Whether both are sent in the same form."""
        before, after = self.forms
        return before == after != "refused"

    @property
    def descriptions(self) -> tuple[JsonValue, JsonValue]:
        """Whether the description is `whole`, or `too long` for the target."""
        return self.before.get("description"), self.after.get("description")


class Outcome(NamedTuple):
    """What a target makes of one keyword, before and after, in words."""

    pointer: str
    keyword: str
    before: str
    after: str

    @property
    def is_weaker(self) -> bool:
        """Whether the target enforces less than before."""
        return _RANK[self.before] < _RANK[self.after]


def pairs(old: JsonValue, new: JsonValue) -> list[Pair]:
    """Return the targets of both sides."""
    before, after = as_object(old), as_object(new)
    return [
        Pair(name, as_object(before[name]), as_object(after[name]))
        for name in before
        if name in after
    ]


def outcomes(old: JsonObject, new: JsonObject) -> dict[Outcome, list[str]]:
    """Return the keywords of both sides whose outcome differs, with the targets."""
    found: dict[Outcome, list[str]] = {}
    for pair in pairs(old.get("lowered"), new.get("lowered")):
        for key in _keys(pair) if pair.is_sent else ():
            words = [_WORDS[_outcome(each, key)] for each in pair[1:]]
            if words[0] != words[1] and _is_in_both(key, old, new):
                pointer, _, keyword = key.rpartition("/")
                found.setdefault(Outcome(pointer, keyword, *words), []).append(pair.target)
    return found


def key_names(lowered: JsonObject) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the location and name of each renamed member, with the name that the target gets."""
    for at, names in as_object(lowered.get("keys")).items():
        for sent, own in as_object(names).items():
            yield (at, str(own)), sent


def listed(targets: list[str]) -> str:
    """Return targets in backticks, with commas between them."""
    return ", ".join(f"`{target}`" for target in targets)


def _keys(pair: Pair) -> list[str]:
    """Return the pointers of keywords that one of the sides lists."""
    keys = {**as_object(pair.before.get("keywords")), **as_object(pair.after.get("keywords"))}
    return sorted(key for key in keys if key.startswith("/"))


def _outcome(lowered: JsonObject, key: str) -> str:
    return str(as_object(lowered.get("keywords")).get(key, lowered.get("otherwise")))


def _is_in_both(pointer: str, old: JsonObject, new: JsonObject) -> bool:
    """Return whether both sides have a schema there, and both its keyword or neither."""
    around, _, keyword = pointer.replace("%", "%25").rpartition("/")
    nodes = [at_pointer(facts.get("input"), around) for facts in (old, new)]
    one, other = (isinstance(node, dict) and keyword in node for node in nodes)
    return all(isinstance(node, dict) for node in nodes) and one == other
