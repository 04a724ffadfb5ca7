"""The catalogue of a build: every tool with its names, flags, digests and source, in one JSON file."""

from toolspec.targets.catalog.catalog import emit
from toolspec.targets.target import Target

TARGET = Target(
    name="catalog",
    summary="every service and tool of the build for other programs to read, as catalog.json",
    emit=emit,
)
