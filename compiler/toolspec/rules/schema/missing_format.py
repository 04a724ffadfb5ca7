"""A name says what kind of text it is, and no `format` does.

`format: uri` or `uuid` tells clients what to offer, what to check and what to generate; some providers hold a model to
it. From a name each of them has to guess.

Reported:

    tools:
      - name: fetch
        inputSchema:
          type: object
          properties: {webhookUrl: {type: string}, owner_email: {type: string}}

Accepted:

    tools:
      - name: fetch
        inputSchema:
          type: object
          properties:
            url: {type: string, format: uri}
            order_id: {type: string}
            email: {type: string, pattern: '@example[.]com$'}
            url_path: {type: string, format: uri-reference}
            curl: {type: string}
            short_url: {type: string, description: A URL or the name of a link.}
        outputSchema: {type: object, properties: {url: {type: string}}}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.rule import declare
from toolspec.rules.several import together
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.rules.visits import Property

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "{names} {verb} no `format`",
    "state it: {formats}",
)
VISITS = SchemaVisit
_KIND = re.compile(
    r"(?:(?:.*_)?(url|uri|email|uuid|guid)|.*[a-z](Url|URL|Uri|Email|Uuid|UUID|Guid))"
)
_FORMATS = {"url": "uri", "uri": "uri", "email": "email", "uuid": "uuid", "guid": "uuid"}
_SAYING = frozenset({"format", "pattern", "enum", "const", "contentEncoding"})


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such parameters of a schema."""
    if not visit.is_input:
        return
    found = [(each, named) for each in visit.properties if (named := _format(each))]
    if found:
        made = [
            edits.insert_member(place, "format", named, after="type")
            for each, named in found
            if (place := visit.place(*each.path))
        ]
        fix = edits.fix("state the format", tuple(edit for each in made for edit in each))
        names = listed(dict.fromkeys(each.name for each, _ in found))
        formats = ", ".join(f"`format: {each}`" for each in dict.fromkeys(of for _, of in found))
        verb = "has" if len(found) == 1 else "have"
        paths = [each.path for each, _ in found]
        yield together(visit, KIND, paths, fix=fix, names=names, verb=verb, formats=formats)


def _format(found: Property) -> str:
    """Return the format that a name stands for; empty where it may be something else."""
    schema = found.schema
    if schema.get("type") != "string" or not _SAYING.isdisjoint(schema):
        return ""
    named = _KIND.fullmatch(found.name)
    text = schema.get("description")
    if not named or (isinstance(text, str) and " or " in text):
        return ""
    return _FORMATS[(named[1] or named[2]).casefold()]
