"""Settings and credentials for a server: a file of settings by service, and environment variables."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.faults import ServeError, listed, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.runtime.values import JsonObject, JsonValue


def read_settings(name: str, services: Sequence[str]) -> dict[str, JsonObject]:
    """Return what a TOML or JSON file sets, by service; a table for each.

    Complains (ServeError) of a file that cannot be read, and of tables of no service.
    """
    path = Path(name)
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        text = f"the settings in {name} cannot be read: {problem}"
        raise ServeError(text) from problem
    found = _parsed(path, content)
    wrong = [
        f"`{key}` is no service{nearest(key, services)}" for key in found if key not in services
    ]
    wrong += [
        f"`{key}` is not a table" for key, each in found.items() if not isinstance(each, dict)
    ]
    if wrong:
        heading = f"{name}: a table for each service, of {listed(services)}"
        raise ServeError(heading, wrong)
    return {key: each for key, each in found.items() if isinstance(each, dict)}


def _parsed(path: Path, content: str) -> JsonObject:
    try:
        if path.suffix == ".json":
            found = json.loads(content)
        else:
            import tomllib

            # Through JSON text: TOML has dates, which no setting is.
            found = json.loads(json.dumps(tomllib.loads(content), default=str))
    except ValueError as problem:
        text = f"{path}: {problem}"
        raise ServeError(text) from problem
    if not isinstance(found, dict):
        text = f"{path} is not a table of services"
        raise ServeError(text)
    return found


def settings_of(service: ServiceDefinition, file: JsonObject) -> JsonObject | None:
    """Return the settings of a service: the file's, over them those of the environment."""
    if service.settings_schema is None:
        return file or None
    return {**file, **_of_environment(service.name, service.settings_schema)}


def credentials_of(service: ServiceDefinition) -> JsonObject | None:
    """Return credentials from the environment; None where it has none. They stand in no file."""
    if service.credentials_schema is None:
        return None
    return _of_environment(service.name, service.credentials_schema) or None


def variable(service: str, name: str) -> str:
    """Return the environment variable of a setting or credential: `TOOLSPEC_NOTES_READ_ONLY`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", f"{service}_{name}")
    return f"TOOLSPEC_{re.sub(r'[^A-Za-z0-9]+', '_', spaced).upper()}"


def _of_environment(service: str, schema: str) -> JsonObject:
    properties = json.loads(schema).get("properties", {})
    found: JsonObject = {}
    for name, member in properties.items():
        stated = os.environ.get(variable(service, name))
        if stated is not None:
            found[name] = _value(stated, member)
    return found


def _value(stated: str, schema: JsonValue) -> JsonValue:
    """Return a variable's text as the schema's type; text where it says string, or nothing."""
    kind = schema.get("type", "string") if isinstance(schema, dict) else "string"
    if kind == "string" or (isinstance(kind, list) and "string" in kind):
        return stated
    try:
        value: JsonValue = json.loads(stated)
    except ValueError:
        return stated  # whatever it is, the schema's own check says what it should be
    return value
