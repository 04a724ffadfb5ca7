"""Resolves references: every schema of a service checked and made self-contained."""

from toolspec.frontend.resolve.service import resolve

__all__ = ["resolve"]
