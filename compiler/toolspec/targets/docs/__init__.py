"""Client documentation in Markdown: an index, and one page a service."""

from toolspec.targets.docs.emit import PATH, emit, emit_notes
from toolspec.targets.docs.index_page import note
from toolspec.targets.target import Shared, Target

TARGET = Target(
    name="docs",
    summary="client documentation in Markdown, as docs/README.md and docs/<service>.md",
    emit=emit,
    shared=Shared((PATH,), note, emit_notes),
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
