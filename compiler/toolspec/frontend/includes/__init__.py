"""Collects the files of one service."""

from toolspec.frontend.includes.unit import Unit, expand

__all__ = ["Unit", "expand"]
