"""Lowered tools of a build and their sizes, each made once for all targets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.profile import find_profile
from toolspec.providers.tool_sizes import tokens_of, tokens_sent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from toolspec.ir import Service, Tool
    from toolspec.providers.lowering import LoweredTool
    from toolspec.providers.profile import Profile
    from toolspec.providers.tool_sizes import Lengths, Sizes


class LoweredTools:
    """Lowered forms of tools for the targets of a build, shared by rules and targets.

    Targets without a profile (`python`, `docs` …) are skipped. `declared` are the targets of the
    project: sizes are reported for all of them, whichever targets a command makes.
    """

    __slots__ = ("_lengths", "_made", "_neutral", "_sizes", "declared", "profiles")

    def __init__(self, targets: Iterable[str] = (), declared: Iterable[str] = ()) -> None:
        self.profiles = _profiles(targets)
        self.declared = _profiles((*declared, *(profile.name for profile in self.profiles)))
        # Each value includes its tool, so that the tool's id is not reused.
        self._neutral: dict[int, tuple[Tool, int]] = {}
        self._sizes: dict[int, tuple[Service, Sizes]] = {}
        self._made: dict[tuple[int, str], tuple[Tool, LoweredTool]] = {}
        self._lengths: Lengths = {}

    @property
    def targets(self) -> tuple[str, ...]:
        """The names of the targets that have a profile, in the order passed."""
        return tuple(profile.name for profile in self.profiles)

    def lowered(self, tool: Tool, profile: Profile) -> LoweredTool:
        """Return a tool as a profile sends it, cached; the first call lowers it for all declared."""
        key = (id(tool), profile.name)
        if key not in self._made:
            from toolspec.providers.lowering import Lowering

            lowering = Lowering(tool)
            for each in (profile, *self.declared):
                if (id(tool), each.name) not in self._made:
                    self._made[id(tool), each.name] = (tool, lowering.to(each))
        return self._made[key][1]

    def of(self, tool: Tool) -> Iterator[tuple[Profile, LoweredTool]]:
        """Yield each profile with the tool as it sends it."""
        for profile in self.profiles:
            yield profile, self.lowered(tool, profile)

    def neutral(self, tool: Tool) -> int:
        """Return the tokens of a tool as written in its document."""
        if id(tool) not in self._neutral:
            self._neutral[id(tool)] = (tool, tokens_of(tool, self._lengths))
        return self._neutral[id(tool)][1]

    def tokens(self, lowered: LoweredTool) -> int:
        """Return the tokens of a lowered tool."""
        return tokens_sent(lowered.name, lowered.description, lowered.schema, self._lengths)

    def sizes(self, service: Service, measure: Callable[[Service, LoweredTools], Sizes]) -> Sizes:
        """Return the sizes of a service's tools, cached."""
        if id(service) not in self._sizes:
            self._sizes[id(service)] = (service, measure(service, self))
        return self._sizes[id(service)][1]


def _profiles(targets: Iterable[str]) -> tuple[Profile, ...]:
    profiles = (find_profile(name) for name in dict.fromkeys(targets))
    return tuple(profile for profile in profiles if profile)
