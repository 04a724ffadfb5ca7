"""Diagnostic kinds of both syntaxes; all of the readers are in `KINDS`."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity
from toolspec.syntax import json_kinds, yaml_kinds

FILE_TYPE = DiagnosticKind(
    "syntax/file-type",
    Severity.ERROR,
    "`{path}` has no suffix of YAML or JSON",
    "rename it to end in `.yaml`, `.yml` or `.json`",
    "The suffix selects the reader. A JSON file is never read as YAML, because the two disagree "
    "about escapes and numbers.",
    "# a file called github.txt\ntoolspec: 1",
)
TOO_LARGE = DiagnosticKind(
    "syntax/too-large",
    Severity.ERROR,
    "the file is larger than {limit}",
    "split the service with `include`",
    "A document of that size is a mistake or an attack. Split a large service into several files.",
    "# a file of more than 1 MiB",
)
ENCODING = DiagnosticKind(
    "syntax/encoding",
    Severity.ERROR,
    "the file is not UTF-8: {detail}",
    "save the file as UTF-8",
    "Documents must be UTF-8, so that every tool reads the same characters.",
    "# a file saved as UTF-16 or Latin-1",
)
CHARACTER = DiagnosticKind(
    "syntax/character",
    Severity.ERROR,
    "{character} is not allowed in a document",
    "delete the character, or write it as an escape inside a double-quoted string",
    "Control characters and line ends that only some tools recognize are invisible to a reviewer and can "
    "change what a line means or what a terminal shows.",
    'description: "a raw escape character is here"',
)
EMPTY = DiagnosticKind(
    "syntax/empty",
    Severity.ERROR,
    "the document is empty",
    "begin with `toolspec: 1` and a `service`, or with `tools` in a file that a service includes",
    "An empty file cannot be distinguished from a lost or truncated one.",
    "# only a comment",
)
TOO_MANY = DiagnosticKind(
    "syntax/too-many",
    Severity.ERROR,
    "the file has more than {limit} diagnostics; the rest are not listed",
    "fix those listed, then check again",
    "A file with that many diagnostics is usually not a document, and a longer list is not useful.",
    "# a file of another kind with the name of a document",
)
MISSING_COLON = DiagnosticKind(
    "syntax/missing-colon",
    Severity.ERROR,
    "a `:` is missing after a key",
    "write `key: value`, with a colon and a space",
    "A line inside a mapping is a key, a colon and a value. Without the colon the line is plain text.",
    "service\n  name: github",
)
UNCLOSED = DiagnosticKind(
    "syntax/unclosed",
    Severity.ERROR,
    "{what} is never closed",
    "add the missing `{closing}`",
    "An opening bracket or quote must be closed before the text that contains it ends.",
    "tags: [a, b\ntitle: x",
)
UNEXPECTED_CLOSE = DiagnosticKind(
    "syntax/unexpected-close",
    Severity.ERROR,
    "unmatched `{bracket}`",
    "delete it, or add the opening bracket",
    "Every closing bracket needs an opening one of the same shape.",
    "tags: [a, b]]",
)
AFTER_QUOTE = DiagnosticKind(
    "syntax/after-quote",
    Severity.ERROR,
    "text after a complete value",
    "quote the whole text; inside '…' a quote is written '', inside \"…\" it is \\\"",
    "After a quoted text or a closing bracket the value is complete.",
    "title: 'it's'",
)
ESCAPE = DiagnosticKind(
    "syntax/escape",
    Severity.ERROR,
    "invalid {language} escape `{escape}`",
    "write a backslash as `\\\\`",
    "Inside double quotes a backslash begins an escape, and only a few letters may follow it.",
    'pattern: "\\d+"',
)
KEY_TYPE = DiagnosticKind(
    "syntax/key-type",
    Severity.ERROR,
    "a key is {what}, not a string",
    "put the key in quotes",
    "Keys are strings, as in JSON. YAML reads `true`, `null` and `200` without quotes as other types.",
    "errors:\n  200: fine",
)
DUPLICATE_KEY = DiagnosticKind(
    "syntax/duplicate-key",
    Severity.ERROR,
    "the key `{key}` occurs twice in one mapping",
    "delete or rename one of them",
    "Most readers silently keep only the last of two equal keys.",
    "service:\n  name: github\n  name: gitlab",
)
DEPTH = DiagnosticKind(
    "syntax/depth",
    Severity.ERROR,
    "values are nested more than {limit} levels deep",
    "move inner schemas to `$defs`",
    "Deeper nesting is unreadable and breaks tools that traverse a document.",
    "[[[[ … ]]]]",
)
NOT_FINITE = DiagnosticKind(
    "syntax/not-finite",
    Severity.ERROR,
    "`{literal}` is not a finite number",
    "omit the limit, or write a finite number",
    "JSON has no infinity, no NaN, and no number beyond the range of a 64-bit float.",
    "maximum: .inf",
)
INTEGER_RANGE = DiagnosticKind(
    "syntax/integer-range",
    Severity.ERROR,
    "`{literal}` does not fit into 64 bits",
    "write it as a string, or as a float such as 1.0e20",
    "Many readers store integers in 64 bits, and round, reject or overflow longer ones. A longer one "
    "is accepted where no call depends on it: in `default`, `examples` and `x-` keys, and as a bound "
    "that excludes no 64-bit integer.",
    "const: 99999999999999999999",
)
UNSAFE_INTEGER = DiagnosticKind(
    "syntax/unsafe-integer",
    Severity.WARNING,
    "`{literal}` is beyond 2^53 and changes in clients that use floats",
    "stay within ±9007199254740991",
    "JavaScript and many JSON readers store numbers as floats, which round integers beyond 2^53 - 1.",
    "maximum: 9007199254740993",
)
SURROGATE = DiagnosticKind(
    "syntax/surrogate",
    Severity.ERROR,
    "`{escape}` is a lone surrogate, half of a character",
    "write the character itself",
    "JSON writes a character beyond U+FFFF as two escapes; one alone cannot be stored as UTF-8. YAML "
    "has no surrogate escapes: write `\\U0001F600`.",
    '{"title": "\\ud83d"}',
)
MISSING_COMMA = DiagnosticKind(
    "syntax/missing-comma",
    Severity.ERROR,
    "a comma is missing before the next {what}",
    "add `,` after the previous value",
    "Members of an object and items of an array are separated by commas.",
    '{"a": 1\n "b": 2}',
)
AFTER_VALUE = DiagnosticKind(
    "syntax/after-value",
    Severity.ERROR,
    "text after the end of the document",
    "keep one value in a file",
    "A JSON file contains one value.",
    "{} {}",
)
MISSING_VALUE = DiagnosticKind(
    "syntax/missing-value",
    Severity.ERROR,
    "a value is missing before `{before}`",
    "write a value there",
    "A key needs a value, and a comma separates two values.",
    '{"title": , "name": "x"}',
)
MERGE_CONFLICT = DiagnosticKind(
    "syntax/merge-conflict",
    Severity.ERROR,
    "unresolved merge conflict",
    "keep one side or combine both, and delete the three marker lines",
    "Two branches changed the same lines, and the file contains both versions between "
    "`<<<<<<<`, `=======` and `>>>>>>>`. Nothing is checked until one version is left.",
    "<<<<<<< HEAD\n  title: Issues\n=======\n  title: Tickets\n>>>>>>> feature",
)

KINDS = (
    *json_kinds.KINDS,
    *yaml_kinds.KINDS,
    FILE_TYPE,
    TOO_LARGE,
    ENCODING,
    CHARACTER,
    EMPTY,
    TOO_MANY,
    MISSING_COLON,
    UNCLOSED,
    UNEXPECTED_CLOSE,
    AFTER_QUOTE,
    ESCAPE,
    KEY_TYPE,
    DUPLICATE_KEY,
    DEPTH,
    NOT_FINITE,
    INTEGER_RANGE,
    UNSAFE_INTEGER,
    SURROGATE,
    MISSING_COMMA,
    AFTER_VALUE,
    MISSING_VALUE,
    MERGE_CONFLICT,
)
