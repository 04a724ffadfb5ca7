"""Keep the patterns that the provider can compile, and describe the others."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.features import looks_around
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Node, rewrite
from toolspec.providers.notes import notes

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Options

NAME = "filter-patterns"


def filter_patterns(draft: Draft, options: Options) -> Draft:
    """Return the draft with only the patterns that Python's `re` compiles.

    With `plain`, those with a lookaround or a backreference are removed as well.
    """
    if draft.root is None or draft.lacks("pattern"):
        return draft
    ledger: list[Entry] = []
    is_plain = options.flag("plain")

    def change(node: Node) -> Node:
        pattern = node.value("pattern")
        if not isinstance(pattern, str) or _is_kept(pattern, is_plain=is_plain):
            return node
        ledger.extend(
            entries(
                node.of("pattern"), Outcome.MOVED, NAME, "the provider cannot compile the pattern"
            )
        )
        return node.without("pattern").noted(*notes(node, ("pattern",)))

    return draft.having(rewrite(draft.root, change), ledger)


def _is_kept(pattern: str, *, is_plain: bool) -> bool:
    if is_plain and looks_around(pattern):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True
