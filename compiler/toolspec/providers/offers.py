"""Tools as they are sent to the providers of a build, each made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.providers.lowering import lower
from toolspec.providers.profile import find

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.ir import Tool
    from toolspec.providers.lowering import Lowered
    from toolspec.providers.profile import Profile


class Offers:
    """The lowered forms of tools for the targets of a build; rules and targets share one.

    Targets without a profile (`python`, `docs` …) are passed over.
    """

    __slots__ = ("_made", "profiles")

    def __init__(self, targets: Iterable[str]) -> None:
        found = (find(name) for name in targets)
        self.profiles = tuple(each for each in found if each)
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
            self._made[key] = (tool, lower(tool, profile))
        return self._made[key][1]

    def of(self, tool: Tool) -> Iterator[tuple[Profile, Lowered]]:
        """Yield each profile with the tool as it sends it."""
        for profile in self.profiles:
            yield profile, self.lowered(tool, profile)
