"""YAML and JSON readers that keep the location of every value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label
from toolspec.source import SourceFile
from toolspec.syntax import kinds
from toolspec.syntax.conflicts import merge_conflicts
from toolspec.syntax.decoding import decode
from toolspec.syntax.limits import MAX_BYTES, limited

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Document


def parse(path: str, data: bytes, *, limit: int = MAX_BYTES) -> Checked[Document | None]:
    """Return the document in a file, with the diagnostics of its text.

    The suffix of `path` selects the reader: `.json`, `.yaml` or `.yml`. The value is None if the
    text is unreadable as a whole (wrong encoding, a syntax error, a limit); after other errors it
    is a best effort. `limit` is the maximum size in bytes.
    """
    _, dot, suffix = path.lower().rpartition(".")
    if not dot or suffix not in {"json", "yaml", "yml"}:
        span = SourceFile(path, "").span(0, 0)
        return Checked(None, (kinds.FILE_TYPE.at(span, path=path.rpartition("/")[2]),))
    source = decode(path, data, is_yaml=suffix != "json", limit=limit)
    if source.diagnostics:
        return Checked(None, source.diagnostics)
    if suffix == "json":
        from toolspec.syntax.json_reader import read_json as read
    else:
        from toolspec.syntax.yaml_reader import read_yaml as read
    document = read(source.value)
    if document.value is None and (conflicts := _conflicts(source.value)):
        return Checked(None, conflicts)
    if document.value is None or not document.diagnostics:
        return document
    from toolspec.syntax.big_integers import without_accepted

    return Checked(document.value, without_accepted(document.value.value, document.diagnostics))


def _conflicts(source: SourceFile) -> tuple[Diagnostic, ...]:
    """Return the merge conflicts in a text with a syntax error."""
    return limited(
        kinds.MERGE_CONFLICT.at(
            ours,
            "the first version begins here",
            labels=(
                Label(between, "the second version begins here"),
                Label(theirs, "the conflict ends here"),
            ),
        )
        for ours, between, theirs in merge_conflicts(source)
    )
