"""The files that make up one service."""

from toolspec.frontend.includes.unit import Unit, expand

__all__ = ["Unit", "expand"]
