"""Days of the calendar as texts such as `2027-01-31`."""

from __future__ import annotations

from datetime import date


def is_day(text: str) -> bool:
    """Return whether a text is a date of the calendar, as `2027-01-31`."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def days_between(first: str, last: str) -> int:
    """Return the number of days from one day to another."""
    return (date.fromisoformat(last) - date.fromisoformat(first)).days
