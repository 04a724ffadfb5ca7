"""Diagnostic kinds specific to JSON: commas, comments, quotes."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

TRAILING_COMMA = DiagnosticKind(
    "syntax/trailing-comma",
    Severity.ERROR,
    "comma before the closing `{bracket}`",
    "delete the comma",
    "JSON allows commas only between members.",
    '{"tools": [],}',
)
COMMENT = DiagnosticKind(
    "syntax/comment",
    Severity.ERROR,
    "JSON has no comments",
    "delete the comment, or write the document as YAML",
    "RFC 8259 has no comments, and other JSON readers reject them.",
    '{"tools": [] // none yet\n}',
)
SINGLE_QUOTES = DiagnosticKind(
    "syntax/single-quotes",
    Severity.ERROR,
    "JSON strings use double quotes",
    "write `\"…\"` instead of `'…'`",
    "RFC 8259 has only double quotes.",
    "{'tools': []}",
)
UNQUOTED = DiagnosticKind(
    "syntax/unquoted",
    Severity.ERROR,
    "`{word}` is not JSON",
    "{suggestion}",
    "In JSON every key and every string is in double quotes; `true`, `false` and `null` are in lower "
    "case.",
    "{tools: []}",
)
NUMBER = DiagnosticKind(
    "syntax/number",
    Severity.ERROR,
    "invalid JSON number `{literal}`",
    "write digits without leading zeros or `+`, and a digit on both sides of a decimal point",
    "RFC 8259 has one form for numbers: `-12.5e3`.",
    '{"maximum": .5}',
)
LINE_END = DiagnosticKind(
    "syntax/line-end",
    Severity.ERROR,
    "a string is not closed at the end of its line",
    'close it with `"`, or write a line end as `\\n`',
    "JSON strings cannot contain raw control characters; a line end inside one usually means that a "
    "quote is missing.",
    '{"title": "one\ntwo"}',
)
RAW_TAB = DiagnosticKind(
    "syntax/raw-tab",
    Severity.ERROR,
    "raw tab in a string",
    "write it as `\\t`",
    "JSON strings cannot contain raw control characters, including tabs.",
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
