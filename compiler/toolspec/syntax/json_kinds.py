"""Diagnostic kinds specific to JSON: commas, comments, quotes."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

TRAILING_COMMA = DiagnosticKind(
    "syntax/trailing-comma",
    Severity.ERROR,
    "comma before the closing `{bracket}`",
    "delete the comma",
    "JSON allows commas between members only.",
    '{"tools": [],}',
)
COMMENT = DiagnosticKind(
    "syntax/comment",
    Severity.ERROR,
    "JSON has no comments",
    "delete the comment, or write the document as YAML",
    "RFC 8259 knows no comments, and other JSON readers stop at them.",
    '{"tools": [] // none yet\n}',
)
SINGLE_QUOTES = DiagnosticKind(
    "syntax/single-quotes",
    Severity.ERROR,
    "JSON strings use double quotes",
    "write `\"…\"` instead of `'…'`",
    "RFC 8259 knows double quotes only.",
    "{'tools': []}",
)
UNQUOTED = DiagnosticKind(
    "syntax/unquoted",
    Severity.ERROR,
    "`{word}` is not JSON",
    "{suggestion}",
    "In JSON every key and every text is in double quotes; `true`, `false` and `null` are written "
    "in lower case.",
    "{tools: []}",
)
NUMBER = DiagnosticKind(
    "syntax/number",
    Severity.ERROR,
    "`{literal}` is not a number in JSON",
    "write digits without leading zeros or `+`, and a digit on both sides of a point",
    "RFC 8259 has one form of numbers: `-12.5e3`.",
    '{"maximum": .5}',
)
LINE_END = DiagnosticKind(
    "syntax/line-end",
    Severity.ERROR,
    "a string runs over the end of its line",
    'close it with `"`, or write a line end as `\\n`',
    "JSON strings hold no raw control characters, so a line end inside one is nearly always a "
    "forgotten quote.",
    '{"title": "one\ntwo"}',
)
RAW_TAB = DiagnosticKind(
    "syntax/raw-tab",
    Severity.ERROR,
    "raw tab in a string",
    "write it as `\\t`",
    "JSON strings hold no raw control characters, a tab included.",
    '{"title": "one\ttwo"}',
)

KINDS = (
    TRAILING_COMMA,
    COMMENT,
    SINGLE_QUOTES,
    UNQUOTED,
    NUMBER,
    LINE_END,
    RAW_TAB,
)
