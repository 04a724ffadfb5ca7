"""Diagnostics for unknown values of keywords with standard values: formats, encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.frontend import edits
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.rules.visits import SchemaVisit


def unknown_values(  # noqa: PLR0913 - all that differs between two rules
    visit: SchemaVisit,
    kind: DiagnosticKind,
    keyword: str,
    *,
    standard: Collection[str],
    misspelt: Mapping[str, str],
    otherwise: str,
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each unknown value of a keyword, with a fix that writes a similar one.

    Names that begin with `x-` are the author's. `misspelt` maps common misspellings, in lower case,
    to the standard value; `otherwise` is the hint where nothing is similar. The message of the kind
    has the parameter `value`, its hint `suggestion`.
    """
    for path, node in visit.using(keyword):
        value = node[keyword]
        if not isinstance(value, str) or value in standard or value.startswith("x-"):
            continue
        close = misspelt.get(value.casefold()) or nearest(value, sorted(standard))
        location = visit.location(*path, keyword) if close else None
        yield visit.diagnostic(
            kind,
            (*path, keyword),
            fix=edits.fix(f"write `{close}`", edits.replace_value(location, close))
            if location
            else None,
            value=value,
            suggestion=f"did you mean `{close}`?" if close else otherwise,
        )
