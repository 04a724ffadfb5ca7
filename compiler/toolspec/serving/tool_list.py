"""Results of `tools/list` for each protocol era, from generated manifests."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from toolspec.serving.errors import ServeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.serving.package import GeneratedService
    from toolspec.shared.json_values import JsonObject, JsonValue

MODERN, LEGACY = "mcp.json", "mcp-2025-11-25.json"
_HEADER = "x-mcp-header"
TARGETS = {MODERN: "mcp-2026-07-28", LEGACY: "mcp-2025-11-25"}
"""The targets of the manifests, one for each era."""


def is_modern(version: str) -> bool:
    """Return whether a protocol version has no handshake (2026-07-28 and later)."""
    return version in MODERN_PROTOCOL_VERSIONS


def manifest_of(version: str) -> str:
    """Return the name of the manifest for clients of a protocol version."""
    return MODERN if is_modern(version) else LEGACY


class ToolList:
    """Tool lists of some services: services in the order passed, tools in document order.

    Manifests are read here, so that they are of the same build as the code, whatever is compiled later.
    """

    def __init__(self, services: Sequence[GeneratedService], mode: str = "") -> None:
        missing = [
            f"no {service.folder / name}: add the target `{TARGETS[name]}` and run `toolspec compile`"
            for service in services
            for name in TARGETS
            if not (service.folder / name).is_file()
        ]
        if missing:
            heading = "clients of both protocol eras are served from generated manifests"
            raise ServeError(heading, missing)
        self._services = services
        self._mode = mode
        self._results = {name: self._merged(name) for name in TARGETS}
        self._by_name = cache(self._named)
        self._with_headers: dict[str, JsonObject | None] = {}

    def result(self, version: str) -> JsonObject:
        """Return the shared `tools/list` result of a protocol version; do not change it."""
        return self._results[manifest_of(version)]

    def lists(self, tool: ToolDefinition, version: str) -> bool:
        """Return whether the list of a protocol version has this version of the tool."""
        listed = self._by_name(manifest_of(version)).get(tool.full_name, {})
        meta = listed.get("_meta")
        own_meta = meta.get("toolspec") if isinstance(meta, dict) else None
        members = own_meta if isinstance(own_meta, dict) else {}
        return bool(listed) and members.get("version", "") == tool.version

    def schema_with_headers(self, name: str) -> JsonObject | None:
        """Return the input schema in the 2026-07-28 list if HTTP headers repeat arguments of the tool.

        It is None for all other tools: the SDK would walk their schemas at each call.
        """
        if name not in self._with_headers and (tool := self._by_name(MODERN).get(name)):
            schema = tool["inputSchema"]
            self._with_headers[name] = (
                schema if isinstance(schema, dict) and _HEADER in json.dumps(schema) else None
            )
        return self._with_headers.get(name)

    def tools(self, manifest: str) -> list[JsonObject]:
        """Return the tools in a manifest; do not change them."""
        tools = self._results[manifest]["tools"]
        assert isinstance(tools, list)
        return [tool for tool in tools if isinstance(tool, dict)]

    def _named(self, manifest: str) -> dict[str, JsonObject]:
        return {str(tool["name"]): tool for tool in self.tools(manifest)}

    def _merged(self, manifest: str) -> JsonObject:
        lists: list[JsonObject] = [
            json.loads((service.folder / manifest).read_bytes()) for service in self._services
        ]
        tools: list[JsonValue] = []
        for tool_list in lists:
            part = tool_list["tools"]
            assert isinstance(part, list)
            tools += [_in_mode(tool, self._mode) for tool in part]
        if manifest == LEGACY:
            return {"tools": tools}
        scopes = {tool_list.get("cacheScope") for tool_list in lists}
        return {
            "resultType": "complete",
            "ttlMs": min((_number(tool_list.get("ttlMs")) for tool_list in lists), default=0),
            "cacheScope": "public" if scopes == {"public"} else "private",
            "tools": tools,
        }


def _in_mode(tool: JsonValue, mode: str) -> JsonValue:
    """Return a listed tool marked with its mode; unchanged if that is live."""
    if not mode or not isinstance(tool, dict):
        return tool
    meta = tool.get("_meta")
    members = meta if isinstance(meta, dict) else {}
    own = members.get("toolspec")
    own_meta: JsonObject = {**(own if isinstance(own, dict) else {}), "mode": mode}
    annotations = tool.get("annotations")
    if isinstance(annotations, dict) and not annotations.get("readOnlyHint"):
        own_meta["risk"] = {"tier": 1, "reason": f"Nothing real is changed in the mode {mode}."}
    return {**tool, "_meta": {**members, "toolspec": own_meta}}


def _number(value: JsonValue) -> int:
    return int(value) if isinstance(value, (int, float)) else 0
