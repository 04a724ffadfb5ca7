"""Automatic fixes: chosen without overlaps, tried in memory, checked, then written."""

from toolspec.driver.fixing.rounds import FixResult, fix

__all__ = ["FixResult", "fix"]
