"""Binds documents to a service: everything stated in or derived from one tool alone."""

from toolspec.frontend.bind.unit import bind

__all__ = ["bind"]
