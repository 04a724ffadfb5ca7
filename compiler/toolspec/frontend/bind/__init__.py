"""From documents to a service: everything stated or derived from one tool alone."""

from toolspec.frontend.bind.unit import bind

__all__ = ["bind"]
