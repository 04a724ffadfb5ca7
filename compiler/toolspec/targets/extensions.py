"""The `x-` members of a spec that are meant for readers of what is made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject

# What an importer put aside of the original, for the target of the same protocol.
KEPT = "x-mcp"
# What an author says to this compiler.
_OWN = "x-toolspec-"


def for_readers(extensions: JsonObject) -> JsonObject:
    """Return the extensions without those that are meant for a compiler; of parts, all of them."""
    return {
        name: value
        for name, value in extensions.items()
        if name != KEPT and not name.startswith(_OWN)
    }
