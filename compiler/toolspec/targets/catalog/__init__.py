"""The catalogue of a build: every tool with its names, flags, digests and source, in one JSON file."""

from toolspec.targets.catalog.catalog import PATH, emit_notes, note
from toolspec.targets.target import Shared, Target

TARGET = Target(
    name="catalog",
    summary="every service and tool of the build for other programs to read, as catalog.json",
    shared=Shared((PATH,), note, emit_notes),
)
