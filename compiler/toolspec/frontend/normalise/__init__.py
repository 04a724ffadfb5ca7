"""Values derived from resolved schemas: wire arguments, chunks, content types."""

from toolspec.frontend.normalise.passes import PASSES

__all__ = ["PASSES"]
