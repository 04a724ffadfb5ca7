r"""A text holds characters that nobody sees.

A model reads what a reviewer cannot: tag characters spell whole sentences without a trace, bidi
controls show text in another order than it has, zero-width and control characters split words or
steer a terminal, and a carriage return alone lets it overwrite the line. What a script or an emoji needs is let through: joiners between Arabic, Persian or
Indic letters and inside emoji, marks beside right-to-left letters, variation selectors after the
symbols that have variants, the flags of England, Scotland and Wales.

Reported:

    tools:
      - name: search
        description: "Search notes.\U000E0049\U000E0067\U000E006E"
    ---
    tools:
      - name: search
        inputSchema: {type: object, properties: {by: {enum: ["a \u202Eb\u202C"], description: By.}}}
    ---
    tools:
      - name: search
        description: "\x1b[2JSearch\u200B notes."
    ---
    tools:
      - name: search
        description: "Deletes all notes.\rSearch notes."

Accepted:

    tools:
      - name: search
        description: "Family \U0001F468\u200D\U0001F469\u200D\U0001F467 and \u2764\uFE0F."
    ---
    tools:
      - name: search
        description: "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u200Fa\u200E \u05E9"
    ---
    tools:
      - name: search
        description: "First line.\n\tSecond line.\r\nThird line."
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.invisible import SUSPECT, described, hidden, tag_text
from toolspec.rules.rule import declare
from toolspec.rules.visits import DocumentVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.ERROR,
    "this {what} contains invisible characters: {characters}",
    "delete them",
)
VISITS = DocumentVisit


def check(visit: DocumentVisit) -> Iterator[Diagnostic]:
    """Yield a finding for each text with hidden characters."""
    for text in visit.texts(SUSPECT):
        found = sorted(set(hidden(text.text)))
        spelt = tag_text(text.text) if found else ""
        if found:
            yield KIND.at(
                visit.span(text),
                f"tag characters spell `{spelt}`" if spelt else "",
                subject=visit.about(text),
                what="key" if text.is_key else "text",
                characters=described(found),
            )
