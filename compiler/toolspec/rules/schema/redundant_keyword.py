"""A keyword changes nothing.

`minLength: 0` refuses no text and `required: []` asks for nothing; a `then` without `if` is never looked at. Such
words cost tokens, and whoever reads them looks for their reason.

Reported:

    tools:
      - name: search
        inputSchema: {type: object, properties: {query: {type: string, minLength: 0}}, required: []}
    ---
    tools:
      - name: search
        inputSchema: {type: object, then: {required: [query]}}
      - name: find
        inputSchema: {type: object, if: {properties: {a: {type: string}}, required: [a]}}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {query: {type: string, minLength: 1, pattern: '^.*$'}, size: {type: integer, minimum: 0}}
          additionalProperties: true
          if: {required: [query]}
          then: {required: [size]}
      - name: find
        inputSchema:
          type: object
          allOf: [{if: {properties: {b: {type: string}}, required: [b]}}, {$ref: "#/$defs/More"}]
          unevaluatedProperties: false
    $defs: {More: {if: {properties: {c: {type: string}}, required: [c]}}}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.grouping import everywhere, together
from toolspec.rules.noop_keywords import KEYWORDS, changes_nothing, is_seen
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__, __doc__, Severity.NOTE, "{keywords} {verb} nothing here", "delete what says nothing"
)
VISITS = SchemaVisit


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such keywords of a schema, which a fix deletes."""
    seen = is_seen(visit)
    paths: list[Path] = [
        (*path, keyword)
        for keyword in sorted(KEYWORDS & visit.survey.uses.keys())
        for path, node in visit.using(keyword)
        if changes_nothing(keyword, node, is_seen=seen)
    ]
    if paths:
        yield together(paths, partial(_tell, visit))


def _tell(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    edit = everywhere(visit, paths, edits.delete_member)
    fix = edits.fix("delete what says nothing", edit, safe=True)
    keywords = dict.fromkeys(str(path[-1]) for path in paths)
    verb = "says" if len(keywords) == 1 else "say"
    return visit.finding(KIND, paths[0], fix=fix, keywords=listed(keywords), verb=verb)
