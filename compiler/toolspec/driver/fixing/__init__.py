"""Fixes made: chosen so that they do not overlap, tried in memory, proven, then written."""

from toolspec.driver.fixing.rounds import Fixed, fix

__all__ = ["Fixed", "fix"]
