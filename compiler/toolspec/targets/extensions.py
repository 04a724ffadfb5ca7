"""The `x-` members of a spec that generated output shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject

# Members of the original that an importer preserved, for the target of the same protocol.
PRESERVED = "x-mcp"
# Prefix of extensions addressed to this compiler.
_OWN = "x-toolspec-"


def for_readers(extensions: JsonObject) -> JsonObject:
    """Return the extensions without those addressed to a compiler; those of parts are complete."""
    return {
        name: value
        for name, value in extensions.items()
        if name != PRESERVED and not name.startswith(_OWN)
    }
