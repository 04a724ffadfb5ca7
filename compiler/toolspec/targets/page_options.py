"""Options of the targets that make pages: Markdown, and the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject

_CHOICE: JsonObject = {
    "type": "object",
    "properties": {
        name: {"type": "array", "items": {"type": "string"}, "minItems": 1}
        for name in ("services", "tags", "scopes")
    },
    "additionalProperties": False,
}
OPTIONS: JsonObject = {
    "include": {
        **_CHOICE,
        "description": "What is published alone: `services`, and tools by `tags` or `scopes`.",
    },
    "exclude": {
        **_CHOICE,
        "description": "What is not published: `services`, and tools by `tags` or `scopes`.",
    },
    "package": {
        "type": "string",
        "pattern": r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$",
        "default": "generated",
        "description": "The name under which a program imports the generated package.",
    },
    "server": {
        "type": "string",
        "pattern": "^https?://[!-~]+$",
        "default": "http://127.0.0.1:8000/mcp",
        "description": "Address of the server in examples.",
    },
    "templates": {
        "description": "A folder of templates, each in place of the built-in one of its name.",
        "type": "string",
        "minLength": 1,
    },
}
