"""One side of a comparison: facts about services and tools, as plain JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.shared.json_values import JsonObject

SERVICE_FACTS = (
    "version",
    "title",
    "description",
    "instructions",
    "category",
    "icons",
    "names",
    "python",
    "settings",
    "auth",
    "instances",
    "modes",
    "scopes",
    "permissions",
    "hooks",
    "timeout",
    "formats",
    "extensions",
    "targets",
)
"""Names of the facts of a service, in the order of the contract file."""

TOOL_FACTS = (
    "service",
    "tool",
    "version",
    "wireName",
    "aliases",
    "deprecated",
    "title",
    "summary",
    "description",
    "group",
    "tags",
    "icons",
    "icon",
    "mutation",
    "hints",
    "risk",
    "effects",
    "inputForm",
    "input",
    "output",
    "chunk",
    "streaming",
    "reduction",
    "contentType",
    "formats",
    "http",
    "taskSupport",
    "idempotency",
    "verify",
    "revert",
    "scopes",
    "permissions",
    "hooks",
    "instances",
    "timeout",
    "limits",
    "errors",
    "examples",
    "extensions",
    "python",
    "lowered",
    "wire",
)
"""Names of the facts of a tool, in the order of the contract file."""


OF_SETS = frozenset({"removed", "services", "versions"})
"""What specs and contracts show beside facts: removed tools, names of services, all versions."""


@dataclass(frozen=True, slots=True)
class Side:
    """The facts of one version, with the names of the facts that it can show.

    `services` are by name, `tools` by their exact names (`name@version` where a tool has one), each
    with its fact `service`. A fact that a side shows is there in full: defaults are filled in.
    `unresolved` are services and tools that do not compile, `unversioned` services that state no
    version. `removed` has the digests of the facts that removed tools had, by their names. `label`
    names the side in messages.
    """

    label: str
    services: Mapping[str, JsonObject]
    tools: Mapping[str, JsonObject]
    service_facts: frozenset[str] = frozenset(SERVICE_FACTS)
    tool_facts: frozenset[str] = frozenset(TOOL_FACTS)
    unresolved: tuple[str, ...] = field(default=())
    removed: Mapping[str, str] = field(default_factory=dict)
    unversioned: frozenset[str] = frozenset()
