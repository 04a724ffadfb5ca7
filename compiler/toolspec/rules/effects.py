"""What a call of a tool does to the world, as far as its flags and its name tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import Idempotency
from toolspec.rules.words import DESTROYING, words_of

if TYPE_CHECKING:
    from toolspec.ir import Tool


def destroys(tool: Tool) -> bool:
    """Whether a tool is known to destroy: its author says so, or its name does.

    One that counts as destructive for want of a hint may only add.
    """
    is_known = "destructiveHint" in tool.annotations.stated or words_of(tool.name)[0] in DESTROYING
    return tool.mutation and tool.annotations.destructive and is_known


def is_repeatable(tool: Tool) -> bool:
    """Whether the same call twice does what it does once: by itself, or with a key."""
    return tool.annotations.idempotent or tool.idempotency is not Idempotency.NONE
