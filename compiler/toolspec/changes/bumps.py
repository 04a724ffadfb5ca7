"""Bumps of versions: which one the changes of a service need, and whether its version has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.changes.catalogue import entry
from toolspec.changes.change import Change, Place
from toolspec.changes.kind import OUTSIDE, Audience, Level
from toolspec.changes.versions import is_early, is_lower, release
from toolspec.shared.ranked import Ranked
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.changes.side import Side

_VERSION = "lifecycle/version-"
"""Begin of the codes of changes of a version, which need no bump themselves."""

RENAMED = frozenset({"lifecycle/service-renamed", "lifecycle/service-renamed-keeping-names"})
"""Codes of changes of a service's name."""


class Bump(Ranked):
    """Part of a version that is raised, the gravest first."""

    MAJOR = "major"
    MINOR = "minor"
    PATCH = "patch"


@dataclass(frozen=True, slots=True)
class VersionAdvice:
    """The bump that the changes of a service need.

    `advised` is the lowest release that has it; `breaks` says that a change is a break, which below
    1.0 needs a minor bump.
    """

    service: str
    old: str
    new: str
    bump: Bump
    advised: str
    breaks: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the new version has the bump; after a pre-release any later version has."""
        if is_early(self.old):
            return is_lower(self.old, self.new)
        return not is_lower(self.new.partition("-")[0], self.advised)


def advise(
    changes: Iterable[Change], old: Side, new: Side, audiences: frozenset[Audience] = OUTSIDE
) -> tuple[VersionAdvice, ...]:
    """Return an advice for each service with a version on both sides that has changes."""
    counted = [change for change in changes if not change.code.startswith(_VERSION)]
    renamed = {
        change.old.service: change.new.service
        for change in counted
        if change.code in RENAMED and change.old and change.new
    }
    former = {now: before for before, now in renamed.items()}
    bumps: dict[tuple[str, str], Bump] = {}
    for change in counted:
        needed = _bump(change, audiences)
        pairs = {
            *(
                (place.service, renamed.get(place.service, place.service))
                for place in (change.old,)
                if place
            ),
            *(
                (former.get(place.service, place.service), place.service)
                for place in (change.new,)
                if place
            ),
        }
        for names in pairs:
            bumps[names] = min(bumps.get(names, needed), needed, key=lambda bump: bump.rank)
    advice = (
        _advice(now, _version(old, before), _version(new, now), bump)
        for (before, now), bump in sorted(bumps.items())
        if before in old.services and now in new.services and now not in new.unversioned
    )
    return tuple(each for each in advice if each)


def missing_bumps(advice: Iterable[VersionAdvice]) -> Iterator[Change]:
    """Yield a change for each version that lacks its bump; one that went back has a kind of its own."""
    for each in advice:
        if each.is_met or is_lower(each.new, each.old):
            continue
        if each.breaks:
            slug = "break-without-bump"
        else:
            slug = "version-unchanged" if each.new == each.old else "bump-too-small"
        place = Place(service=each.service, path=("version",))
        values = {
            "service": each.service,
            "before": each.old,
            "after": each.new,
            "bump": str(each.bump),
            "advised": each.advised,
        }
        yield Change(entry(f"lifecycle/{slug}").kind, place, place, values)


def _version(side: Side, service: str) -> str:
    return str(side.services[service].get("version") or "")


def _bump(change: Change, audiences: frozenset[Audience]) -> Bump:
    """Return the bump of one change: minor if it gives callers something, patch for texts."""
    if change.level(audiences) is Level.BREAK:
        return Bump.MAJOR
    return Bump.PATCH if change.levels[Audience.CALLERS] is Level.NONE else Bump.MINOR


def _advice(service: str, old: str, new: str, bump: Bump) -> VersionAdvice | None:
    numbers = release(old)
    if numbers is None or release(new) is None:
        return None
    major, minor, patch = numbers
    breaks = bump is Bump.MAJOR
    if not major:
        bump = Bump.MINOR if breaks else Bump.PATCH
    advised = {
        Bump.MAJOR: f"{major + 1}.0.0",
        Bump.MINOR: f"{major}.{minor + 1}.0",
        Bump.PATCH: f"{major}.{minor}.{patch + 1}",
    }
    version = f"{major}.{minor}.{patch}" if is_early(old) else advised[bump]
    return VersionAdvice(service, old, new, bump, version, breaks)
