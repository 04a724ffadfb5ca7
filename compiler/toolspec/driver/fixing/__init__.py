"""Automatic fixes: chosen without overlaps, tried in memory, checked, then written."""

from toolspec.driver.fixing.rounds import Fixed, fix

__all__ = ["Fixed", "fix"]
