"""Text to tree: YAML and JSON readers whose values remember where they stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.source import SourceFile
from toolspec.syntax import kinds
from toolspec.syntax.decoding import decode

if TYPE_CHECKING:
    from toolspec.syntax.nodes import Document


def parse(path: str, data: bytes) -> Checked[Document | None]:
    """Return the document that a file holds, with every problem of its text.

    The end of `path` chooses the reader: `.json`, `.yaml` or `.yml`. The value is None where the
    text has no readable whole (wrong encoding, a syntax error, a limit); after other errors it is a
    best effort.
    """
    _, dot, suffix = path.lower().rpartition(".")
    if not dot or suffix not in {"json", "yaml", "yml"}:
        span = SourceFile(path, "").span(0, 0)
        return Checked(None, (kinds.FILE_TYPE.at(span, path=path.rpartition("/")[2]),))
    source = decode(path, data, is_yaml=suffix != "json")
    if source.diagnostics:
        return Checked(None, source.diagnostics)
    if suffix == "json":
        from toolspec.syntax.json_reader import read_json

        return read_json(source.value)
    from toolspec.syntax.yaml_reader import read_yaml

    return read_yaml(source.value)
