"""Diagnostic kinds specific to YAML: indentation, colons, tags, aliases."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

SEVERAL_DOCUMENTS = DiagnosticKind(
    "syntax/several-documents",
    Severity.ERROR,
    "a second document begins here",
    "keep one document in a file, and move the other to a file of its own",
    "A file contains one document. Many tools ignore everything after a second `---`.",
    "toolspec: 1\n---\ntoolspec: 1",
)
TAB = DiagnosticKind(
    "syntax/tab",
    Severity.ERROR,
    "a tab indents this line",
    "indent with spaces; YAML allows no tabs there",
    "YAML expresses nesting by columns, and a tab has no agreed width.",
    "service:\n\tname: github",
)
UNEXPECTED_COLON = DiagnosticKind(
    "syntax/unexpected-colon",
    Severity.ERROR,
    "`: ` inside plain text",
    "put the text in quotes; if this is a key, align it with the other keys of its mapping",
    "In YAML a colon and a space end a key. A text that contains them must be quoted, and a key must "
    "be where a key is allowed.",
    "description: Note: reads only",
)
UNEXPECTED_ITEM = DiagnosticKind(
    "syntax/unexpected-item",
    Severity.ERROR,
    "a list cannot begin here",
    "begin the list on a line of its own, below the key",
    "The first `- ` of a list must begin a line.",
    "tags: - a",
)
QUOTE_NEEDED = DiagnosticKind(
    "syntax/quote-needed",
    Severity.ERROR,
    "plain text cannot begin with {character}",
    "put the text in quotes",
    "The characters `@`, `` ` ``, `%`, `*`, `&` and others have a special meaning at the start of a "
    "YAML value.",
    "title: @mentions",
)
INDENTATION = DiagnosticKind(
    "syntax/indentation",
    Severity.ERROR,
    "the indentation of this line matches no line above",
    "give all keys of one mapping, and all `-` of one list, the same indentation",
    "YAML expresses nesting by indentation. A line between two levels belongs to neither.",
    "service:\n    name: github\n  title: GitHub",
)
INVALID_YAML = DiagnosticKind(
    "syntax/yaml",
    Severity.ERROR,
    "invalid YAML: {problem}",
    "",
    "The text is not YAML 1.2, and no other diagnostic describes the error.",
    "description: | on the same line\n  below",
)
TAG = DiagnosticKind(
    "syntax/tag",
    Severity.ERROR,
    "the tag `{tag}` is not allowed",
    "delete the tag; quote a value that has to be a string",
    "Tags can create objects, include files or change types unnoticed. None is supported, not even "
    "`!!str`: quotes mean the same.",
    "name: !!str 42",
)
UNKNOWN_ALIAS = DiagnosticKind(
    "syntax/unknown-alias",
    Severity.ERROR,
    "no anchor `&{name}` before `*{name}`",
    "{suggestion}",
    "An alias repeats a value that has an anchor earlier in the same file.",
    "a: *missing",
)
ALIAS_CYCLE = DiagnosticKind(
    "syntax/alias-cycle",
    Severity.ERROR,
    "the alias `*{name}` is inside the value that it repeats",
    "use a `$ref` for a schema that contains itself",
    "The value would be infinite.",
    "a: &a [*a]",
)
EXPANSION = DiagnosticKind(
    "syntax/expansion",
    Severity.ERROR,
    "the document has more than {limit} characters once its aliases are expanded",
    "use `$defs` and `$ref` for shared schemas",
    "A few lines of nested aliases can expand to gigabytes. The limit of an expanded document is "
    "that of a file.",
    "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]",
)
MERGE = DiagnosticKind(
    "syntax/merge",
    Severity.ERROR,
    "`<<` requires a mapping or a list of mappings",
    "write `<<: *anchor`, or quote the key if it is meant as text",
    "`<<` copies the entries of other mappings into this one.",
    "service:\n  <<: github",
)
LEADING_ZERO = DiagnosticKind(
    "syntax/leading-zero",
    Severity.NOTE,
    "`{literal}` is {value} here, and {octal} in YAML 1.1",
    "write `0o{digits}` for the octal number, quotes for a string, or no leading zero",
    "YAML 1.2 reads an integer with a leading zero as decimal, YAML 1.1 as octal. Readers of both "
    "versions are in use, and they read different numbers from the same file.",
    "mode: 0777",
)

SURROGATE_PAIR = DiagnosticKind(
    "syntax/surrogate-pair",
    Severity.ERROR,
    "`{escape}` is a surrogate pair, which YAML does not have",
    "write the character itself, or `{character}`",
    "JSON writes a character beyond U+FFFF as two escapes. In YAML each escape is a whole character, "
    "and no half of a pair is one. The document can also be a `.json` file.",
    'title: "\\ud83d\\ude00"',
)

LONG_KEY = DiagnosticKind(
    "syntax/long-key",
    Severity.ERROR,
    "a key has more than {limit:,} characters, which YAML does not allow",
    "shorten the key",
    "A YAML parser finds a key by its colon, and looks no further for it than 1,024 characters after "
    "the start of the key. JSON has no such limit.",
    "kkkk…kkkk: 1",
)

KINDS = (
    SEVERAL_DOCUMENTS,
    TAB,
    UNEXPECTED_COLON,
    UNEXPECTED_ITEM,
    QUOTE_NEEDED,
    INDENTATION,
    INVALID_YAML,
    TAG,
    UNKNOWN_ALIAS,
    ALIAS_CYCLE,
    EXPANSION,
    MERGE,
    LEADING_ZERO,
    SURROGATE_PAIR,
    LONG_KEY,
)
