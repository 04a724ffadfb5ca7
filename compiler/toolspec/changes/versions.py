"""Order of versions and dates."""

from __future__ import annotations

from toolspec.shared.versions import order_of_part

_MOST_DIGITS = 1_000


def is_lower(version: str, other: str) -> bool:
    """Return whether a version or date comes before another one (semver.org, 11)."""
    return _key(version) < _key(other)


def is_early(version: str) -> bool:
    """Return whether a version is a pre-release."""
    return "-" in version.partition("+")[0]


def release(version: str) -> tuple[int, int, int] | None:
    """Return major, minor and patch of a semantic version; None for other texts."""
    core = version.partition("+")[0].partition("-")[0].split(".")
    if len(core) != 3 or not all(map(_is_number, core)):  # noqa: PLR2004
        return None
    major, minor, patch = map(int, core)
    return major, minor, patch


def _key(version: str) -> tuple[list[tuple[int, int, str]], int, list[tuple[int, int, str]]]:
    """Return a sort key; a pre-release comes before its release, and build data do not count."""
    text = version.partition("+")[0]
    is_date = text.count("-") > 1 and "." not in text
    release, _, early = (text.replace("-", "."), "", "") if is_date else text.partition("-")
    parts = [order_of_part(part) for part in release.split(".") if part]  # none is lowest
    while parts and parts[-1] == order_of_part("0"):  # `2.0` is `2.0.0`
        parts.pop()
    return parts, 0 if early else 1, [order_of_part(part) for part in early.split(".")]


def _is_number(text: str) -> bool:
    """Return whether a text is a number that Python reads without a limit of its own."""
    return text.isdecimal() and len(text) <= _MOST_DIGITS
