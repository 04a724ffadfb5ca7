"""Parameters of paging, recognised by their names: the size of a page, and the position."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache


class PagingRole(StrEnum):
    """The meaning of a paging parameter: the size of a page, or a position."""

    SIZE = "size"
    PAGE = "page"
    OFFSET = "offset"
    CURSOR = "cursor"


POSITIONS = frozenset({PagingRole.PAGE, PagingRole.OFFSET, PagingRole.CURSOR})
_NAMES = {
    PagingRole.SIZE: (
        "limit", "max items", "max results", "page size", "per page", "top k", "max num results",
        "num results", "max count", "page limit", "max page size", "results per page",
        "items per page",
    ),
    PagingRole.PAGE: ("page", "page number", "page num", "page index"),
    PagingRole.OFFSET: ("offset", "skip", "start at", "start index", "page offset"),
    PagingRole.CURSOR: (
        "cursor", "page token", "next token", "next page token", "starting after", "ending before",
        "start cursor", "next cursor", "marker", "continuation token", "page cursor", "page after",
        "page before", "skip token",
    ),
}  # fmt: skip
_ROLES = {name.replace(" ", ""): role for role, names in _NAMES.items() for name in names}
# Options of OData, whose plain words mean other things elsewhere.
_ROLES |= {"$top": PagingRole.SIZE, "$skip": PagingRole.OFFSET, "$skiptoken": PagingRole.CURSOR}
_SEPARATOR = re.compile(r"[\W_]+")


@lru_cache(maxsize=1 << 12)
def paging_role(name: str) -> PagingRole | None:
    """Return the role of a parameter in paging, in any spelling: `pageSize`, `page[size]`."""
    name = name.lower()
    return _ROLES.get(name) or _ROLES.get(_SEPARATOR.sub("", name))
