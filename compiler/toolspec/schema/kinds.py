"""Diagnostic kinds of schema checks."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

UNKNOWN_DIALECT = DiagnosticKind(
    code="schema/unknown-dialect",
    severity=Severity.ERROR,
    message="`$schema` names {dialect}, an unknown dialect of JSON Schema",
    hint="delete `$schema`: without it a schema is 2020-12",
    why=(
        "The meaning of a schema depends on its dialect. JSON Schema 2020-12 is supported, and "
        "2019-09, draft-07, draft-06 and draft-04 are converted. Any other would be guessed at, or "
        "fetched, and nothing is ever fetched."
    ),
    example='inputSchema: {$schema: "https://example.com/mine", type: object}',
)

UNKNOWN_TYPE = DiagnosticKind(
    code="schema/unknown-type",
    severity=Severity.ERROR,
    message="`{type}` is not a type of JSON Schema",
    hint="{suggestion}",
    why=(
        "JSON Schema has seven types: string, number, integer, boolean, object, array and null. "
        "Dates, identifiers and the like are strings with a `format`."
    ),
    example="properties: {count: {type: intger}}",
)

WRONG_KEYWORD_VALUE = DiagnosticKind(
    code="schema/wrong-keyword-value",
    severity=Severity.ERROR,
    message="`{keyword}` must be {wanted}, not {found}",
    hint="{suggestion}",
    why="The metaschema of JSON Schema says what each keyword takes; a validator refuses all else.",
    example="properties: {name: {type: string, minLength: -1}}",
)

MISPLACED_REQUIRED = DiagnosticKind(
    code="schema/misplaced-required",
    severity=Severity.ERROR,
    message="`required` is a list in the object, not a flag in the property",
    hint="{suggestion}",
    why=(
        "Whether a property must be there is said by the object that holds it: `required` lists the "
        "names. A flag in the property is a habit of other schema languages."
    ),
    example="properties: {name: {type: string, required: true}}",
)

NOT_A_SCHEMA = DiagnosticKind(
    code="schema/not-a-schema",
    severity=Severity.ERROR,
    message="expected a schema, found {found}",
    hint="{suggestion}",
    why="A schema is an object of keywords, or `true` (anything) or `false` (nothing).",
    example="properties: {name: string}",
)

UNKNOWN_KEYWORD = DiagnosticKind(
    code="schema/unknown-keyword",
    severity=Severity.WARNING,
    message="`{keyword}` is not a keyword of JSON Schema and constrains nothing",
    hint="did you mean `{suggestion}`? An annotation of your own begins with `x-`",
    why=(
        "JSON Schema lets any other word stand as an annotation, so that a misspelt keyword is "
        "silently ignored. A word close to a keyword is most likely a slip."
    ),
    example="inputSchema: {type: object, propertes: {name: {type: string}}}",
)

IGNORED_KEYWORD = DiagnosticKind(
    code="schema/ignored-keyword",
    severity=Severity.WARNING,
    message="`{keyword}` is ignored: {dialect} does not define it",
    hint="{suggestion}",
    why=(
        "A keyword of one dialect of JSON Schema means nothing in another: a validator that honours "
        "`$schema` ignores it, and so does the compiler. Without `$schema` a schema is 2020-12."
    ),
    example='{$schema: "http://json-schema.org/draft-07/schema#", prefixItems: [{type: string}]}',
)

REPEATED_IDENTIFIER = DiagnosticKind(
    code="schema/repeated-identifier",
    severity=Severity.ERROR,
    message="two schemas have the identifier `{identifier}`",
    hint="rename one of them, or use a pointer: `#/$defs/…`",
    why=(
        "A reference to the identifier could mean either schema, and validators choose differently. "
        "An anchor may be repeated only below another `$id`."
    ),
    example="$defs: {a: {$anchor: name, type: string}, b: {$anchor: name, type: integer}}",
)

REFUSED_REFERENCE = DiagnosticKind(
    code="schema/refused-reference",
    severity=Severity.ERROR,
    message="{reference} is not followed: it {reason}",
    hint="copy the schema into the project, and refer to it by `#/$defs/…` or a relative path",
    why=(
        "A schema may come from a stranger. Following a reference to a host, or to a file outside "
        "the project, would let the schema choose what the compiler reads. Nothing is ever fetched."
    ),
    example='properties: {owner: {$ref: "https://example.com/owner.json"}}',
)

DYNAMIC_REFERENCE = DiagnosticKind(
    code="schema/dynamic-reference",
    severity=Severity.ERROR,
    message="this `{keyword}` can mean more than one schema",
    hint="write `$ref` with a pointer to the intended schema",
    why=(
        "A dynamic reference means the outermost schema with the same dynamic anchor on the way that "
        "led to it. With one such anchor it is like `$ref`. With several it means different schemas on "
        "different ways, for which types, documents and other validators have no equal."
    ),
    example=(
        "{$dynamicAnchor: node, $defs: {list: {$id: list, $dynamicAnchor: node, "
        'items: {$dynamicRef: "#node"}}}}'
    ),
)

NO_SCHEMA_THERE = DiagnosticKind(
    code="schema/reference-to-no-schema",
    severity=Severity.ERROR,
    message="{reference} leads to {found}, not to a schema",
    hint="correct the pointer: it has to lead to an object of keywords, or to `true` or `false`",
    why="A reference leads to a schema: an object of keywords, or `true` (anything) or `false` (nothing).",
    example='{properties: {name: {type: string}, alias: {$ref: "#/properties/name/type"}}}',
)

TOO_COMPLEX = DiagnosticKind(
    code="schema/too-complex",
    severity=Severity.ERROR,
    message="the schema is too complex: {measure}, the limit is {limit}",
    hint="{suggestion}",
    why=(
        "A few definitions that refer to each other twice in `allOf` or `anyOf` make a check take 2^n "
        "steps. The complexity of a schema is computed first, and one that could stop a server is an "
        "error. Complexity bounds how many subschemas check one part of a value. Of alternatives "
        "that types, or a required property with a constant in each, distinguish, only the most "
        "complex counts; all others add up."
    ),
    example=(
        "$defs:\n  a: {type: string}\n"
        '  b: {allOf: [{$ref: "#/$defs/a"}, {$ref: "#/$defs/a"}]}   # and so on, 40 times'
    ),
)

ENDLESS_REFERENCE = DiagnosticKind(
    code="schema/endless-reference",
    severity=Severity.ERROR,
    message="the reference leads back to itself for the same value",
    hint="delete the reference, or put it below `properties` or `items`: recursion through parts is fine",
    why=(
        "To check a value against such a schema, a validator must check the same value against the "
        "same schema first. A tree is different: each step goes into a smaller part of the value."
    ),
    example='$defs: {A: {anyOf: [{$ref: "#/$defs/A"}]}}',
)

BAD_PATTERN = DiagnosticKind(
    code="schema/bad-pattern",
    severity=Severity.ERROR,
    message="the pattern is not in the part of ECMA-262 that all clients share: {problem}",
    hint="{suggestion}",
    why=(
        "JSON Schema's patterns are ECMA-262's. Clients in many languages compile them, so the "
        "subset that all of them share is what counts; Python's own syntax is not in it."
    ),
    example='properties: {code: {type: string, pattern: "(?P<a>x)"}}',
)

SLOW_PATTERN = DiagnosticKind(
    code="schema/slow-pattern",
    severity=Severity.WARNING,
    message="the pattern has a nested repetition: `{part}`",
    hint="repeat once, or put a fixed character between the repetitions",
    why=(
        "An engine that backtracks tries every way of sharing the text out between the two "
        "repetitions, which doubles with each character. One long argument then stops a client."
    ),
    example='properties: {name: {type: string, pattern: "^(a+)+$"}}',
)

UNSATISFIABLE = DiagnosticKind(
    code="schema/unsatisfiable",
    severity=Severity.ERROR,
    message="no value can satisfy this schema: {reason}",
    hint="{suggestion}",
    why=(
        "A schema that nothing satisfies refuses every call, or every result. It is never meant, and "
        "the contradiction is often two keywords far apart."
    ),
    example="properties: {count: {type: integer, minimum: 10, maximum: 1}}",
)

UNDECLARED_REQUIRED = DiagnosticKind(
    code="schema/undeclared-required",
    severity=Severity.WARNING,
    message="`required` names `{name}`, which `properties` does not describe",
    hint="{suggestion}",
    why=(
        "A caller must send an undescribed property, with a value of any kind. Most "
        "often the name is misspelt, or the property was renamed."
    ),
    example="{type: object, properties: {id: {type: string}}, required: [ident]}",
)

DEFAULT_MISMATCH = DiagnosticKind(
    code="schema/default-mismatch",
    severity=Severity.ERROR,
    message="the default does not satisfy its own schema: {problem}",
    hint="correct the default, or the schema{formats}",
    why=(
        "A handler gets the default where a call leaves the argument out: here a value that the schema, "
        "and the handler's types, do not allow. The schema itself is sound, so the error can be "
        "suppressed with a reason; the handler then gets the default as it is written."
    ),
    example="properties: {limit: {type: integer, default: ten}}",
    is_rule=True,
)

UNCHECKED_VALUE = DiagnosticKind(
    code="schema/unchecked-value",
    severity=Severity.WARNING,
    message="cannot validate this value: {problem}",
    hint="{suggestion}",
    why=(
        "The regex engine tries the ways in which a pattern can match, and gives up after a million. "
        "It would give up at a call as well, and the call would fail though its argument may be right. "
        "It gives up as well where the parts of values would be compared with listed values millions of times."
    ),
    example='properties: {word: {type: string, pattern: "^(?:(?=a)a|a)+$", default: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!}}',
)

NULL_DEFAULT = DiagnosticKind(
    code="schema/null-default",
    severity=Severity.NOTE,
    message="the default is null, and null is not of {types}",
    hint="delete the default, or allow null: `type: [string, 'null']`",
    why=(
        "Python servers write `default: null` for an argument that may be left out. It is understood "
        "so here: the argument has no default. Sent as null it would be refused."
    ),
    example="properties: {cursor: {type: string, default: null}}",
)

EXAMPLE_MISMATCH = DiagnosticKind(
    code="schema/example-mismatch",
    severity=Severity.ERROR,
    message="{example} does not satisfy {schema}: {problem}",
    hint="correct the example, or the schema{formats}",
    why=(
        "The examples of a schema teach a model what to send, and the examples of a tool are worked "
        "calls for documentation and mocks: a wrong one teaches a call that is refused. Examples are no "
        "part of the contract, so the error can be suppressed with a reason. Mocks, the calls that the "
        "documentation shows, and the examples sent to a model then leave the example out."
    ),
    example="properties: {state: {enum: [open, closed], examples: [opened]}}",
    is_rule=True,
)

NO_PROOFS = DiagnosticKind(
    code="schema/no-proofs",
    severity=Severity.NOTE,
    message="contradictory keywords are not detected: the validator is `jsonschema`",
    hint="`pip install jsonschema-rs`, where it has a wheel, and unset `TOOLSPEC_VALIDATOR`",
    why=(
        "Only `jsonschema-rs` proves that no value satisfies a schema (`schema/unsatisfiable`). All "
        "other checks run without it. The note fails nothing, with any `--fail-on`."
    ),
    is_about_run=True,
)

NOT_PROVED = DiagnosticKind(
    code="schema/not-proved",
    severity=Severity.NOTE,
    message="could not decide in time whether any value satisfies the schema",
    hint="no change is needed; fewer overlapping alternatives make the proof faster",
    why=(
        "A proof that no value satisfies a schema (`schema/unsatisfiable`) runs in a process with a "
        "limit of time. Past it the schema counts as satisfiable. The note fails nothing, with any "
        "`--fail-on`, and is not cached: the next run tries again."
    ),
    is_about_run=True,
    is_cached=False,
)

KINDS = (
    UNKNOWN_DIALECT,
    UNKNOWN_TYPE,
    WRONG_KEYWORD_VALUE,
    MISPLACED_REQUIRED,
    NOT_A_SCHEMA,
    UNKNOWN_KEYWORD,
    IGNORED_KEYWORD,
    REPEATED_IDENTIFIER,
    REFUSED_REFERENCE,
    DYNAMIC_REFERENCE,
    NO_SCHEMA_THERE,
    TOO_COMPLEX,
    ENDLESS_REFERENCE,
    BAD_PATTERN,
    SLOW_PATTERN,
    UNSATISFIABLE,
    UNDECLARED_REQUIRED,
    DEFAULT_MISMATCH,
    UNCHECKED_VALUE,
    NULL_DEFAULT,
    EXAMPLE_MISMATCH,
    NO_PROOFS,
    NOT_PROVED,
)
