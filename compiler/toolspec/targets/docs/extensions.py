"""Table of `x-` extensions; those of parts are listed by their path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.sinks.markdown import code
from toolspec.sinks.markdown_layout import table
from toolspec.targets.docs.constraints import compact
from toolspec.targets.extensions import for_readers

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject


def extension_table(extensions: JsonObject) -> str:
    """Return the extensions with their values as JSON; empty without any for readers."""
    rows = ((code(name), compact(value)) for name, value in for_readers(extensions).items())
    return table(("Extension", "Value"), rows)
