"""Changes that `toolspec diff` cannot report, since no field of a document says what they change."""

from __future__ import annotations

from typing import NamedTuple


class UnsupportedChange(NamedTuple):
    """A change by its id in a list of changes of tool contracts, and what the language lacks for it."""

    id: str
    change: str
    missing: str


UNSUPPORTED = (
    UnsupportedChange(
        "BT13",
        "a name is no longer reserved",
        "a list of reserved names in a document; a contract keeps the names of removed tools, and "
        "`tool/name-reused` reports their reuse",
    ),
    UnsupportedChange(
        "BI40",
        "the positional order of a generated client changed",
        "positional arguments: methods of clients and handlers take the arguments as one object",
    ),
    UnsupportedChange(
        "BO11",
        "a value was added to an extensible enum",
        "a mark for an extensible enum; each new value is `result/value-added`",
    ),
    UnsupportedChange(
        "BO13",
        "an enum became extensible, or no longer is",
        "a mark for an extensible enum; with `anyOf`, a branch is added or removed",
    ),
    UnsupportedChange(
        "BR05",
        "chunks may come in another order, or twice",
        "a promise of order or of delivery; chunks come in order and once",
    ),
    UnsupportedChange(
        "BR06",
        "a stream can no longer be resumed or cancelled",
        "a mark of a stream that resumes; every call can be cancelled",
    ),
    UnsupportedChange(
        "BS17",
        "an audit or redaction setting was removed",
        "a setting of the audit trail, which belongs to the server; the mark of a secret member has its "
        "own kinds",
    ),
    UnsupportedChange(
        "BS26",
        "an approval is bound to other arguments",
        "a binding of approvals: each is bound to the name of the tool and to the arguments of one call",
    ),
    UnsupportedChange(
        "BE03",
        "an error was added to an extensible catalogue",
        "a mark for an extensible list of errors; each new code is `error/code-added`",
    ),
    UnsupportedChange(
        "BE06",
        "the details of an error have another schema",
        "a schema for the details of an error",
    ),
    UnsupportedChange(
        "BE07",
        "invalid arguments are a protocol error now, or no longer are",
        "a choice: each revision of MCP has one answer to invalid arguments",
    ),
    UnsupportedChange("BL06", "the stability of a tool decreased", "a stability level of a tool"),
    UnsupportedChange(
        "BL08",
        "an experimental tool changed",
        "a stability level of a tool; a version below 1.0 is one for the whole service",
    ),
    UnsupportedChange(
        "BL09",
        "an unchanged document means something else in another version of the language",
        "a second version of the language: `toolspec` is always 1; what a newer compiler writes otherwise "
        "is `target/definition-changed`",
    ),
)
