"""How many tokens a definition costs a model, as an estimate that needs no tokenizer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.ir import Tool

# Of compact JSON with English texts, the common tokenizers make a token of about four bytes.
BYTES = 4


def tokens(text: str) -> int:
    """Return the estimate for a text: a token for every four bytes of UTF-8, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES)


def tokens_of(tool: Tool) -> int:
    """Return the estimate for a definition as a model reads it: name, description, arguments."""
    spelt = json.dumps(tool.arguments, ensure_ascii=False, separators=(",", ":"))
    return tokens(f"{tool.names.full}{tool.description}{spelt}")
