"""A tool takes a cursor that its result does not contain."""

import re

from toolspec.rules.api import (
    Diagnostics,
    JsonValue,
    PagingRole,
    Severity,
    ToolVisit,
    declare,
    paging_roles,
    survey,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{tool}` takes the cursor `{name}`, but its result contains none",
    "describe the next cursor in `outputSchema`",
)
VISITS = ToolVisit
_PAGE_NAME = re.compile(r"cursor|token|next|after|marker|more|link|page", re.IGNORECASE)


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a cursor among the arguments if the described result contains none."""
    roles = paging_roles(visit.tool)
    names = [name for name, role in roles.items() if role is PagingRole.CURSOR]
    if not names or not _lacks_cursor(visit.tool.output.bundle):
        return
    span = visit.at("inputSchema", "properties", min(names))
    yield KIND.at(span, name=min(names), tool=visit.tool.name)


def _lacks_cursor(schema: JsonValue) -> bool:
    """Return whether a result is described, but no name in it suggests a next page."""
    nodes = (node for _, node in survey(schema).nodes if isinstance(node, dict))
    declared = [node["properties"] for node in nodes if "properties" in node]
    names = [name for properties in declared if isinstance(properties, dict) for name in properties]
    is_list = isinstance(schema, dict) and schema.get("type") == "array"
    return (bool(names) or is_list) and not any(map(_PAGE_NAME.search, names))
