"""Client documentation in Markdown: an index, and one page a service."""

from toolspec.targets.docs.emit import emit
from toolspec.targets.target import Target

TARGET = Target(
    name="docs",
    summary="client documentation in Markdown, as docs/README.md and docs/<service>.md",
    emit=emit,
    options={
        "type": "object",
        "properties": {
            "package": {
                "type": "string",
                "pattern": r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$",
                "default": "generated",
                "description": "The name under which a program imports the generated package.",
            }
        },
        "additionalProperties": False,
    },
)
