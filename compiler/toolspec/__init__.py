"""A compiler for agent tools: one static spec becomes typed Python, manifests and docs."""

from toolspec.version import __version__

__all__ = ["__version__"]
