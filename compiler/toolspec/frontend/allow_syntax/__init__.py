"""Reads `toolspec: allow` comments and `x-toolspec-allow` members for `lint/suppressions.py`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.shared.keywords import ALLOW
from toolspec.syntax.limits import limited

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.allow_syntax.parsed import DocumentSuppression
    from toolspec.syntax.nodes import Document

# A document without such a text, or a member, has no suppression.
_COMMENT = re.compile(r"#[ \t]*(?i:toolspec)\b")


def read(document: Document) -> Checked[tuple[DocumentSuppression, ...]]:
    """Return the suppressions of a document in the order of its text, with their diagnostics."""
    text = document.source.text
    if not _COMMENT.search(text) and ALLOW not in text:
        return Checked(())
    from toolspec.frontend.allow_syntax import in_comments, in_members

    diagnostics: list[Diagnostic] = []
    suppressions = (
        *in_comments.read(document, _COMMENT, diagnostics),
        *in_members.read(document, diagnostics),
    )
    return Checked(
        tuple(sorted(suppressions, key=lambda suppression: suppression.span.start)),
        limited(diagnostics),
    )
