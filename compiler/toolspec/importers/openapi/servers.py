"""Servers of an API as the setting `baseUrl`, and those of single operations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from toolspec.importers.openapi import kinds
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from toolspec.importers.draft import Draft
    from toolspec.importers.openapi.model import Api, Operation
    from toolspec.syntax.nodes import JsonObject, JsonValue

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_TEXT = "Where the API is."


def set_base_url(service: Draft, api: Api) -> None:
    """Set the setting `baseUrl`, with the first server of the document as its default."""
    servers = api.root.fields.get("servers")
    entries = (
        [entry for entry in servers if isinstance(entry, dict)] if isinstance(servers, list) else []
    )
    first = entries[0] if entries else {}
    template = first.get("url") if isinstance(first.get("url"), str) else ""
    url = _url(first)
    description = _TEXT
    if isinstance(template, str) and _VARIABLE.search(template):
        description += f" The API states `{template}`{_choices(first)}."
    others = [str(entry.get("url")) for entry in entries[1:]]
    if others:
        description += f" Others: {', '.join(f'`{other}`' for other in others)}."
    setting: JsonObject = {"type": "string", "format": "uri", "description": description}
    settings: JsonObject = {"type": "object", "properties": {"baseUrl": setting}}
    if url:
        setting["default"] = url
    else:
        problem = (
            f"`{template}` is not an absolute URL" if template else "the document names no server"
        )
        service.report(kinds.SERVER_UNUSABLE, "servers", problem=problem)
        service.comments["settings"] = f"review: {problem}"
        settings["required"] = ["baseUrl"]
    service.put("settings", {**settings, "additionalProperties": False})


def stated_server(api: Api, operation: Operation) -> str:
    """Return the server of an operation or its path where it is not that of the document."""
    for part in (operation.part, operation.item):
        servers = part.fields.get("servers")
        if isinstance(servers, list) and servers and isinstance(servers[0], dict):
            stated = api.root.fields.get("servers")
            if stated == servers:
                return ""
            return _url(servers[0])
    return ""


def _url(server: JsonObject) -> str:
    """Return the absolute URL of a server with the defaults of its variables; empty without one."""
    url = server.get("url")
    if not isinstance(url, str):
        return ""
    url = _VARIABLE.sub(lambda match: _default(server, match[1]), url).strip().rstrip("/")
    parts = urlsplit(url) if "[" not in url else None
    if (
        parts is None
        or parts.scheme not in {"http", "https"}
        or not parts.netloc
        or "@" in parts.netloc
    ):
        return ""
    is_uri = compiled({"format": "uri"}, formats=True)
    return url if is_uri(url) and not parts.query and not parts.fragment else ""


def _default(server: JsonObject, name: str) -> str:
    variable = _variable(server, name)
    default: JsonValue = variable.get("default", "")
    return str(default) if isinstance(default, (str, int)) and default != "" else "{}"


def _choices(server: JsonObject) -> str:
    """Return the values of the variables that list them, as a sentence goes on."""
    texts = [
        f"`{name}` is one of {', '.join(f'`{value}`' for value in values)}"
        for name in _VARIABLE.findall(str(server.get("url")))
        if isinstance(values := _variable(server, name).get("enum"), list) and values
    ]
    return f"; {'; '.join(texts)}" if texts else ""


def _variable(server: JsonObject, name: str) -> JsonObject:
    variables = server.get("variables")
    variable = variables.get(name) if isinstance(variables, dict) else None
    return variable if isinstance(variable, dict) else {}
