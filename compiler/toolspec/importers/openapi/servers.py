"""Servers of an API as settings of a service: `baseUrl`, and one for each variable of a URL."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from toolspec.frontend.naming.identifiers import camel_case
from toolspec.importers.dump import without_credentials
from toolspec.importers.openapi import kinds
from toolspec.schema.bundle import numbered
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from toolspec.importers.draft import Draft
    from toolspec.importers.openapi.model import Api, Operation
    from toolspec.syntax.nodes import JsonObject, JsonValue

_VARIABLE = re.compile(r"\{([^{}]*)\}")
_BASE = "baseUrl"
_TEXT = "Where the API is."
# The runtime accepts these characters in a part of a URL.
_PART = r"^[A-Za-z0-9._~-]+$"
_IS_PART = re.compile(_PART)
_SERVER = re.compile(r"https?://[^/?#@\s]+(/[^?#\s]*)?")


class Servers:
    """Settings with which requests find the servers of an API.

    A variable becomes a setting if each of its values is a part of a URL; others have their default.
    """

    def __init__(self, api: Api) -> None:
        self._stated = _entries(api.root.fields.get("servers"))
        self._variables: dict[str, JsonObject] = {}
        self._names: dict[tuple[str, str], str] = {}
        self._is_uri = compiled({"format": "uri"}, formats=True)

    def of(self, operation: Operation, draft: Draft) -> str:
        """Return the server of an operation or its path where it is not that of the document.

        A relative URL is resolved against the server of the document. Reports servers that no
        request can use; the operation then has the server of the document.
        """
        for part in (operation.part, operation.item):
            entries = _entries(part.fields.get("servers"))
            if not entries:
                continue
            if entries == self._stated:
                return ""
            url = self._first(entries) or self._first([*map(self._absolute, entries)])
            if not url:
                reason = "none is an absolute URL; requests go to `baseUrl`"
                draft.diagnostics.append(part.lost("`servers`", draft.owner, reason, "servers"))
            return url
        return ""

    def _absolute(self, server: JsonObject) -> JsonObject:
        """Return a server with a relative URL on the host of the document's first usable server."""
        base = next((entry for entry in self._stated if self._url(entry)), None)
        url = server.get("url")
        if base is None or not isinstance(url, str):
            return {}
        variables = {**_variables(base), **_variables(server)}
        return {"url": urljoin(f"{base['url']}/", url), "variables": variables}

    def set_settings(self, service: Draft) -> None:
        """Set the settings of the service: `baseUrl` with a default, and the variables."""
        url = self._first(self._stated)
        setting: JsonObject = {
            "type": "string",
            "format": "uri",
            "description": self._described(url),
        }
        if "{" in url:
            setting["format"] = "uri-template"
        required: list[JsonValue] = []
        if url:
            setting["default"] = url
        else:
            template = str(self._stated[0].get("url")) if self._stated else ""
            public = without_credentials(template)
            problem = f"`{public}` is not an absolute URL"
            if not template:
                problem = "the document names no server"
            elif public != template:
                problem = f"the user, query or fragment of `{public}` is no part of a server"
            self._report(service, _BASE, problem)
            required.append(_BASE)
        for name, variable in self._variables.items():
            if "default" not in variable:
                self._report(service, name, "the document states none")
                required.append(name)
        settings: JsonObject = {"type": "object", "properties": {_BASE: setting, **self._variables}}
        if required:
            settings["required"] = required
        service.put("settings", {**settings, "additionalProperties": False})

    def _report(self, service: Draft, setting: str, problem: str) -> None:
        service.report(kinds.SERVER_UNUSABLE, "servers", setting=setting, problem=problem)
        service.comments.setdefault("settings", f"review: no default for `{setting}`: {problem}")

    def _described(self, url: str) -> str:
        """Return the description of `baseUrl`, with the servers that the document names."""
        texts = []
        for entry in self._stated:
            template = without_credentials(str(entry.get("url", "")).strip())
            if not template or (template.rstrip("/") == url and len(self._stated) == 1):
                continue
            about = entry.get("description")
            words = about.strip() if isinstance(about, str) else ""
            texts.append(f"`{template}`" + (f" ({words.rstrip('.')})" if words else ""))
        return f"{_TEXT} The API names {', '.join(texts)}." if texts else _TEXT

    def _first(self, entries: list[JsonObject]) -> str:
        """Return the first usable URL, with settings in braces; empty without one."""
        return next((url for entry in entries if (url := self._url(entry))), "")

    def _url(self, server: JsonObject) -> str:
        url = server.get("url")
        if not isinstance(url, str):
            return ""
        url = url.strip().rstrip("/")
        filled = _VARIABLE.sub(lambda match: _sample(server, match[1]), url)
        if not _SERVER.fullmatch(filled) or not self._is_uri(filled):
            return ""
        return _VARIABLE.sub(lambda match: self._part(server, match[1]), url)

    def _part(self, server: JsonObject, name: str) -> str:
        """Return the setting of a variable in braces, or its default if it cannot be a setting."""
        variable = _variable(server, name)
        default = _default(variable)
        values = variable.get("enum")
        stated = [str(value) for value in values] if isinstance(values, list) else []
        if not all(map(_IS_PART.match, (*stated, *([default] if default else [])))):
            return default
        if len(stated) == 1:
            return stated[0]
        about = variable.get("description")
        setting: JsonObject = {
            "type": "string",
            "description": about.strip()
            if isinstance(about, str) and about.strip()
            else f"`{name}` in the address of the API.",
        }
        if stated and (not default or default in stated):
            setting["enum"] = list(dict.fromkeys(stated))
        else:
            setting["pattern"] = _PART
        if default:
            setting["default"] = default
        return f"{{{self._setting(name, setting)}}}"

    def _setting(self, name: str, setting: JsonObject) -> str:
        """Return the name of a variable's setting; variables that are equal share one."""
        key = name, repr(setting)
        if key not in self._names:
            taken = {_BASE, "credentials", *self._variables}
            self._names[key] = numbered(camel_case(name) or "variable", taken)
            self._variables[self._names[key]] = setting
        return self._names[key]


def _entries(servers: JsonValue) -> list[JsonObject]:
    listed = servers if isinstance(servers, list) else []
    return [entry for entry in listed if isinstance(entry, dict)]


def _variables(server: JsonObject) -> JsonObject:
    variables = server.get("variables")
    return variables if isinstance(variables, dict) else {}


def _variable(server: JsonObject, name: str) -> JsonObject:
    variable = _variables(server).get(name)
    return variable if isinstance(variable, dict) else {}


def _default(variable: JsonObject) -> str:
    default = variable.get("default", "")
    return str(default) if isinstance(default, (str, int)) else ""


def _sample(server: JsonObject, name: str) -> str:
    """Return a value of a variable, to look at the URL with it."""
    variable = _variable(server, name)
    return _default(variable) or ("" if "default" in variable else "x")
