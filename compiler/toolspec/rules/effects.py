"""Effects of a tool call, judged by the tool's flags and name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import Idempotency
from toolspec.rules.words import DESTROYING, words_of

if TYPE_CHECKING:
    from toolspec.ir import Tool


def destroys(tool: Tool) -> bool:
    """Return whether a tool destroys according to its author or its name.

    A tool that is destructive by default only, without a hint, may just add.
    """
    is_known = "destructiveHint" in tool.annotations.stated or words_of(tool.name)[0] in DESTROYING
    return tool.mutation and tool.annotations.destructive and is_known


def is_repeatable(tool: Tool) -> bool:
    """Return whether a repeated call has no further effect: always, or with a key."""
    return tool.annotations.idempotent or tool.idempotency is not Idempotency.NONE
