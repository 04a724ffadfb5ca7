"""Search for unknown values of keywords with standard values: formats, encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from toolspec.rules.visits import SchemaVisit
    from toolspec.syntax.pointer import Path


def unknown_values(
    visit: SchemaVisit, keyword: str, known: Collection[str], meant: Mapping[str, str]
) -> Iterator[tuple[Path, str, str]]:
    """Yield the path of each unknown value of a keyword, the value, and a similar known one or "".

    Names that begin with `x-` are the author's. `meant` maps common misspellings, in lower case, to
    the known name.
    """
    for path, node in visit.using(keyword):
        value = node[keyword]
        if isinstance(value, str) and value not in known and not value.startswith("x-"):
            close = meant.get(value.casefold()) or nearest(value, sorted(known))
            yield (*path, keyword), value, close
