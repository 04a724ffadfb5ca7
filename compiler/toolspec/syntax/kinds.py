"""The findings of the readers: bytes, characters, YAML, JSON, numbers and keys."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

FILE_TYPE = DiagnosticKind(
    "syntax/file-type",
    Severity.ERROR,
    "`{path}` is neither YAML nor JSON by its name",
    "name it `.yaml`, `.yml` or `.json`",
    "The end of the name decides which reader is used. A JSON file is never read as YAML, because "
    "the two disagree about escapes and numbers.",
    "# a file called github.txt\ntoolspec: 1",
)
TOO_LARGE = DiagnosticKind(
    "syntax/too-large",
    Severity.ERROR,
    "the file has {size} bytes, the limit is {limit}",
    "split the service with `include`",
    "A document of that size is a mistake or an attack. Large services are split into several files.",
    "# a file of more than 1 MiB",
)
ENCODING = DiagnosticKind(
    "syntax/encoding",
    Severity.ERROR,
    "the file is not UTF-8: {detail}",
    "save the file as UTF-8",
    "Documents are UTF-8 and nothing else, so that every tool reads the same characters.",
    "# a file saved as UTF-16 or Latin-1",
)
CHARACTER = DiagnosticKind(
    "syntax/character",
    Severity.ERROR,
    "{character} may not stand in a document",
    "delete the character, or write it as an escape inside a double-quoted string",
    "Control characters and line ends that only some tools know are invisible to a reviewer and can "
    "change what a line means or what a terminal shows.",
    'description: "a raw escape character stands here"',
)
EMPTY = DiagnosticKind(
    "syntax/empty",
    Severity.ERROR,
    "the document is empty",
    "begin with `toolspec: 1` and a `service`",
    "A file without content cannot be told from one that was lost or truncated.",
    "# only a comment",
)
SEVERAL_DOCUMENTS = DiagnosticKind(
    "syntax/several-documents",
    Severity.ERROR,
    "a second document begins here",
    "keep one document in a file, and move the other to a file of its own",
    "One file holds one document. What stands after a second `---` would be ignored by many tools.",
    "toolspec: 1\n---\ntoolspec: 1",
)
TAB = DiagnosticKind(
    "syntax/tab",
    Severity.ERROR,
    "a tab indents this line",
    "indent with spaces; YAML allows no tabs there",
    "YAML counts columns to see what belongs to what, and a tab has no agreed width.",
    "service:\n\tname: github",
)
MISSING_COLON = DiagnosticKind(
    "syntax/missing-colon",
    Severity.ERROR,
    "a `:` is missing after a key",
    "write `key: value`, with a colon and a space",
    "A line inside a mapping is a key, a colon and a value. Without the colon the line is plain text.",
    "service\n  name: github",
)
UNEXPECTED_COLON = DiagnosticKind(
    "syntax/unexpected-colon",
    Severity.ERROR,
    "`: ` stands inside plain text",
    "put the text in quotes; if this is a key, give it the indentation of its neighbours",
    "In YAML a colon and a space make a key of what stands before them, so a text that holds them "
    "must be quoted, and a key must stand where a key may begin.",
    "description: Note: reads only",
)
UNEXPECTED_ITEM = DiagnosticKind(
    "syntax/unexpected-item",
    Severity.ERROR,
    "a list cannot begin here",
    "begin the list on a line of its own, below the key",
    "The first `- ` of a list must be the first thing on its line.",
    "tags: - a",
)
QUOTE_NEEDED = DiagnosticKind(
    "syntax/quote-needed",
    Severity.ERROR,
    "plain text cannot begin with {character}",
    "put the text in quotes",
    "The characters `@`, `` ` ``, `%`, `*`, `&` and others mean something of their own at the start "
    "of a YAML value.",
    "title: @mentions",
)
UNCLOSED = DiagnosticKind(
    "syntax/unclosed",
    Severity.ERROR,
    "{what} is never closed",
    "add the missing `{closing}`",
    "What is opened must be closed before the text around it ends.",
    "tags: [a, b\ntitle: x",
)
UNEXPECTED_CLOSE = DiagnosticKind(
    "syntax/unexpected-close",
    Severity.ERROR,
    "`{bracket}` closes nothing",
    "delete it, or open it before",
    "Every closing bracket needs an opening one of the same shape.",
    "tags: [a, b]]",
)
INDENTATION = DiagnosticKind(
    "syntax/indentation",
    Severity.ERROR,
    "this line does not fit the lines above",
    "give all keys of one mapping, and all `-` of one list, the same indentation",
    "YAML sees by the indentation what belongs to what. A line between two levels belongs to neither.",
    "service:\n    name: github\n  title: GitHub",
)
AFTER_QUOTE = DiagnosticKind(
    "syntax/after-quote",
    Severity.ERROR,
    "text follows a value that was already complete",
    "quote the whole text; inside '…' a quote is written '', inside \"…\" it is \\\"",
    "After a quoted text or a closing bracket the value is complete.",
    "title: 'it's'",
)
ESCAPE = DiagnosticKind(
    "syntax/escape",
    Severity.ERROR,
    "`{escape}` is no escape of {language}",
    "write a backslash as `\\\\`",
    "Inside double quotes a backslash begins an escape, and only a few letters may follow it.",
    'pattern: "\\d+"',
)
INVALID_YAML = DiagnosticKind(
    "syntax/yaml",
    Severity.ERROR,
    "this is not YAML: {problem}",
    "",
    "The reader met something that YAML 1.2 does not allow, and could not tell what was meant.",
    "? - : x: [",
)
TAG = DiagnosticKind(
    "syntax/tag",
    Severity.ERROR,
    "the tag `{tag}` is not allowed",
    "delete the tag; quote a value that has to be a string",
    "Tags can make objects, include files or change types behind a reviewer's back. None is honoured, "
    "not even `!!str`: quotes say the same.",
    "name: !!str 42",
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
    "the key `{key}` stands twice in one mapping",
    "delete or rename one of them",
    "Of two equal keys most readers silently keep the last, so half of what was written is lost.",
    "service:\n  name: github\n  name: gitlab",
)
DEPTH = DiagnosticKind(
    "syntax/depth",
    Severity.ERROR,
    "values are nested more than {limit} levels deep",
    "move inner schemas to `$defs`",
    "Deeper nesting is not read by people and breaks tools that walk a document.",
    "[[[[ … ]]]]",
)
UNKNOWN_ALIAS = DiagnosticKind(
    "syntax/unknown-alias",
    Severity.ERROR,
    "no anchor `&{name}` stands before `*{name}`",
    "{suggestion}",
    "An alias repeats a value that was marked with an anchor further up in the same file.",
    "a: *missing",
)
ALIAS_CYCLE = DiagnosticKind(
    "syntax/alias-cycle",
    Severity.ERROR,
    "the alias `*{name}` stands inside the value that it repeats",
    "use a `$ref` for a schema that contains itself",
    "The value would have no end.",
    "a: &a [*a]",
)
EXPANSION = DiagnosticKind(
    "syntax/expansion",
    Severity.ERROR,
    "with its aliases written out the document has more than {limit} characters",
    "use `$defs` and `$ref` for shared schemas",
    "A few lines of nested aliases can stand for gigabytes. Written out, a document may be no larger "
    "than a file may be.",
    "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
)
MERGE = DiagnosticKind(
    "syntax/merge",
    Severity.ERROR,
    "`<<` takes a mapping or a list of mappings",
    "write `<<: *anchor`, or quote the key when it is meant as text",
    "`<<` copies the entries of other mappings into this one.",
    "service:\n  <<: github",
)
NOT_FINITE = DiagnosticKind(
    "syntax/not-finite",
    Severity.ERROR,
    "`{literal}` is not a finite number",
    "leave the limit out, or write a number that JSON can hold",
    "JSON has no infinity, no NaN, and no number beyond the range of a 64-bit float.",
    "maximum: .inf",
)
INTEGER_RANGE = DiagnosticKind(
    "syntax/integer-range",
    Severity.ERROR,
    "`{literal}` does not fit into 64 bits",
    "write it as a string, or as a float such as 1.0e20",
    "Integers are read as 64-bit numbers everywhere; a longer one is rounded, refused or overflows, "
    "depending on the reader.",
    "maximum: 99999999999999999999",
)
UNSAFE_INTEGER = DiagnosticKind(
    "syntax/unsafe-integer",
    Severity.WARNING,
    "`{literal}` is beyond 2^53 and changes in clients that use floats",
    "stay within ±9007199254740991",
    "JavaScript and many JSON readers hold numbers as floats, which round integers beyond 2^53 - 1.",
    "maximum: 9007199254740993",
)
SURROGATE = DiagnosticKind(
    "syntax/surrogate",
    Severity.ERROR,
    "`{escape}` is half a character",
    "write the character itself",
    "JSON writes a character beyond U+FFFF as two escapes; one alone cannot be stored as UTF-8. YAML "
    "has no such halves at all: there it is `\\U0001F600`.",
    '{"title": "\\ud83d"}',
)
TRAILING_COMMA = DiagnosticKind(
    "syntax/trailing-comma",
    Severity.ERROR,
    "a comma stands before the closing `{bracket}`",
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
    "JSON strings stand in double quotes",
    "write `\"…\"` instead of `'…'`",
    "RFC 8259 knows double quotes only.",
    "{'tools': []}",
)
UNQUOTED = DiagnosticKind(
    "syntax/unquoted",
    Severity.ERROR,
    "`{word}` is not JSON",
    "{suggestion}",
    "In JSON every key and every text stands in double quotes; `true`, `false` and `null` are written "
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
MISSING_COMMA = DiagnosticKind(
    "syntax/missing-comma",
    Severity.ERROR,
    "a comma is missing before the next {what}",
    "add `,` at the end of the one before",
    "Members of an object and items of an array are separated by commas.",
    '{"a": 1\n "b": 2}',
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
    "a raw tab stands in a string",
    "write it as `\\t`",
    "JSON strings hold no raw control characters, a tab included.",
    '{"title": "one\ttwo"}',
)
AFTER_VALUE = DiagnosticKind(
    "syntax/after-value",
    Severity.ERROR,
    "something follows the end of the document",
    "keep one value in a file",
    "A JSON file holds one value.",
    "{} {}",
)
MISSING_VALUE = DiagnosticKind(
    "syntax/missing-value",
    Severity.ERROR,
    "a value is missing before `{before}`",
    "write a value there",
    "A key needs a value, and a comma stands between two values.",
    '{"title": , "name": "x"}',
)

KINDS = (
    FILE_TYPE,
    TOO_LARGE,
    ENCODING,
    CHARACTER,
    EMPTY,
    SEVERAL_DOCUMENTS,
    TAB,
    MISSING_COLON,
    UNEXPECTED_COLON,
    UNEXPECTED_ITEM,
    QUOTE_NEEDED,
    UNCLOSED,
    UNEXPECTED_CLOSE,
    INDENTATION,
    AFTER_QUOTE,
    ESCAPE,
    INVALID_YAML,
    TAG,
    KEY_TYPE,
    DUPLICATE_KEY,
    DEPTH,
    UNKNOWN_ALIAS,
    ALIAS_CYCLE,
    EXPANSION,
    MERGE,
    NOT_FINITE,
    INTEGER_RANGE,
    UNSAFE_INTEGER,
    SURROGATE,
    TRAILING_COMMA,
    COMMENT,
    SINGLE_QUOTES,
    UNQUOTED,
    NUMBER,
    MISSING_COMMA,
    LINE_END,
    RAW_TAB,
    AFTER_VALUE,
    MISSING_VALUE,
)
