"""Settings of an OpenTabs plugin, its `configSchema`, as the JSON Schema of a service's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

_TYPES: dict[str, JsonObject] = {
    "url": {"type": "string", "format": "uri"},
    "string": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "select": {"type": "string"},
}


def settings_schema(config: JsonValue) -> JsonObject | None:
    """Return the schema of an object with each setting, or None if one is of an unknown form."""
    if not isinstance(config, dict) or not config:
        return None
    properties: JsonObject = {}
    required: list[JsonValue] = []
    for name, field in config.items():
        schema = _TYPES.get(str(field.get("type"))) if isinstance(field, dict) else None
        if not isinstance(field, dict) or schema is None or not _are_texts(field.get("options")):
            return None
        texts = {"title": field.get("label"), "description": field.get("description")}
        properties[name] = {
            **schema,
            **{word: text for word, text in texts.items() if isinstance(text, str) and text},
            **({"enum": field["options"]} if field.get("options") else {}),
        }
        if field.get("required") is True:
            required.append(name)
    closed: JsonObject = {"type": "object", "properties": properties}
    return {**closed, "required": required} if required else closed


def _are_texts(options: JsonValue) -> bool:
    return options is None or (
        isinstance(options, list) and all(isinstance(option, str) for option in options)
    )
