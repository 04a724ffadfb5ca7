"""Tools as they are sent to the providers of a build, and what they cost there, each made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.profile import find
from toolspec.providers.tokens import NEUTRAL, tokens_of, tokens_sent, total

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.ir import Tool
    from toolspec.providers.lowering import Lowered
    from toolspec.providers.profile import Profile


class Offers:
    """The lowered forms of tools for the targets of a build; rules and targets share one.

    Targets without a profile (`python`, `docs` …) are passed over. `declared` are the targets of the
    project: sizes are told of all of them, whichever a command makes.
    """

    __slots__ = ("_declared", "_made", "_sizes", "profiles")

    def __init__(self, targets: Iterable[str] = (), declared: Iterable[str] = ()) -> None:
        self.profiles = _profiles(targets)
        self._declared = _profiles((*declared, *(each.name for each in self.profiles)))
        self._sizes: dict[int, tuple[Tool, dict[str, int]]] = {}
        # A tool is held beside its forms, so that its id stays its own.
        self._made: dict[tuple[int, str], tuple[Tool, Lowered]] = {}

    @property
    def targets(self) -> tuple[str, ...]:
        """The names of the targets that have a profile, in the order given."""
        return tuple(each.name for each in self.profiles)

    def lowered(self, tool: Tool, profile: Profile) -> Lowered:
        """Return a tool as a profile sends it; the second time without any work."""
        key = (id(tool), profile.name)
        if key not in self._made:
            from toolspec.providers.lowering import lower

            self._made[key] = (tool, lower(tool, profile))
        return self._made[key][1]

    def of(self, tool: Tool) -> Iterator[tuple[Profile, Lowered]]:
        """Yield each profile with the tool as it sends it."""
        for profile in self.profiles:
            yield profile, self.lowered(tool, profile)

    def sizes(self, tool: Tool) -> Mapping[str, int]:
        """Return the tokens of a tool (`tokens.py`): `neutral`, and by target where one sends it.

        A target that cannot be sent the tool has no size.
        """
        if id(tool) not in self._sizes:
            self._sizes[id(tool)] = (tool, dict(self._measured(tool)))
        return self._sizes[id(tool)][1]

    def together(self, tools: Iterable[Tool]) -> dict[str, int]:
        """Return the sizes of several tools in one request."""
        return total(map(self.sizes, tools))

    def _measured(self, tool: Tool) -> Iterator[tuple[str, int]]:
        neutral = tokens_of(tool)
        yield NEUTRAL, neutral
        for profile in self._declared:
            if not profile.steps:
                yield profile.name, neutral
                continue
            sent = self.lowered(tool, profile)
            if not sent.refusals:
                yield profile.name, tokens_sent(sent.name, sent.description, sent.schema)


def _profiles(targets: Iterable[str]) -> tuple[Profile, ...]:
    found = (find(name) for name in dict.fromkeys(targets))
    return tuple(each for each in found if each)
