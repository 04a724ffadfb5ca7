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
        "2019-09, draft-07, draft-06 and draft-04 are converted. The compiler fetches no metaschema "
        "of another dialect, since it never uses the network."
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
    why="The metaschema of JSON Schema defines the values of each keyword; validators reject any other.",
    example="properties: {name: {type: string, minLength: -1}}",
)

MISPLACED_REQUIRED = DiagnosticKind(
    code="schema/misplaced-required",
    severity=Severity.ERROR,
    message="`required` is a list in the object, not a flag in the property",
    hint="{suggestion}",
    why=(
        "In JSON Schema the object lists the names of its required properties under `required`. A flag "
        "in the property belongs to other schema languages."
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
        "JSON Schema treats an unknown keyword as an annotation, so a misspelt keyword is silently "
        "ignored. A word similar to a keyword is most likely a misspelling."
    ),
    example="inputSchema: {type: object, propertes: {name: {type: string}}}",
)

IGNORED_KEYWORD = DiagnosticKind(
    code="schema/ignored-keyword",
    severity=Severity.WARNING,
    message="`{keyword}` is ignored: {dialect} does not define it",
    hint="{suggestion}",
    why=(
        "A dialect ignores the keywords that it does not define. Validators that support `$schema` "
        "ignore them, and so does the compiler. Without `$schema` a schema is 2020-12."
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
        "A schema may come from an untrusted source. Following a reference to a host, or to a file "
        "outside the project, would let the schema choose what the compiler reads. The compiler never "
        "uses the network."
    ),
    example='properties: {owner: {$ref: "https://example.com/owner.json"}}',
)

DYNAMIC_REFERENCE = DiagnosticKind(
    code="schema/dynamic-reference",
    severity=Severity.ERROR,
    message="this `{keyword}` can resolve to more than one schema",
    hint="write `$ref` with a pointer to the intended schema",
    why=(
        "A dynamic reference resolves to the outermost schema with the same dynamic anchor among those "
        "that a validator entered before it. With one such anchor it is equivalent to `$ref`. With "
        "several its target depends on the path of the validation, which types, docs and many "
        "validators cannot express."
    ),
    example=(
        "{$dynamicAnchor: node, $defs: {list: {$id: list, $dynamicAnchor: node, "
        'items: {$dynamicRef: "#node"}}}}'
    ),
)

NO_SCHEMA_THERE = DiagnosticKind(
    code="schema/reference-to-no-schema",
    severity=Severity.ERROR,
    message="{reference} refers to {found}, not to a schema",
    hint="correct the pointer: its target must be an object of keywords, `true` or `false`",
    why="A reference must refer to a schema: an object of keywords, or `true` (anything) or `false` (nothing).",
    example='{properties: {name: {type: string}, alias: {$ref: "#/properties/name/type"}}}',
)

TOO_COMPLEX = DiagnosticKind(
    code="schema/too-complex",
    severity=Severity.ERROR,
    message="the schema is too complex: {measure}, the limit is {limit}",
    hint="{suggestion}",
    why=(
        "With a few definitions that refer to each other twice in `allOf` or `anyOf`, a validation takes "
        "2^n steps. The complexity of a schema is computed first, and a schema that could stop a server "
        "is an error. Complexity is a bound on the subschemas that apply to one part of a value. Of "
        "alternatives with different types, or with different constants of a required property, only "
        "the most complex counts; all others add up."
    ),
    example=(
        "$defs:\n  a: {type: string}\n"
        '  b: {allOf: [{$ref: "#/$defs/a"}, {$ref: "#/$defs/a"}]}   # and so on, 40 times'
    ),
)

ENDLESS_REFERENCE = DiagnosticKind(
    code="schema/endless-reference",
    severity=Severity.ERROR,
    message="circular reference for the same value",
    hint="delete the reference, or move it below `properties` or `items`, where recursion is allowed",
    why=(
        "To validate a value against such a schema, a validator would have to validate the same value "
        "against the same schema first. In a tree each step validates a smaller part of the value."
    ),
    example='$defs: {A: {anyOf: [{$ref: "#/$defs/A"}]}}',
)

ENDLESS_DEFAULT = DiagnosticKind(
    code="schema/endless-default",
    severity=Severity.ERROR,
    message="the default is filled into itself without end",
    hint="delete the default: a member without one is absent until it is passed",
    why=(
        "Defaults are filled in at every depth, in defaults too. Where an object gets another object of "
        "the same kind as a default, that one gets one as well, and no call could begin."
    ),
    example="$defs:\n  Node: {properties: {next: {$ref: '#/$defs/Node', default: {}}}}",
)

BAD_PATTERN = DiagnosticKind(
    code="schema/bad-pattern",
    severity=Severity.ERROR,
    message="the pattern is not portable: {problem}",
    hint="{suggestion}",
    why=(
        "JSON Schema uses the regular expressions of ECMA-262. Clients in many languages compile them, "
        "so a pattern may use only the syntax that all of them support. Python's own syntax is not "
        "part of it."
    ),
    example='properties: {code: {type: string, pattern: "(?P<a>x)"}}',
)

SLOW_PATTERN = DiagnosticKind(
    code="schema/slow-pattern",
    severity=Severity.WARNING,
    message="the pattern has a nested repetition: `{part}`",
    hint="repeat once, or put a fixed character between the repetitions",
    why=(
        "A backtracking engine tries every division of the text between the two repetitions, and their "
        "number doubles with each character. One long argument can stop a client."
    ),
    example='properties: {name: {type: string, pattern: "^(a+)+$"}}',
)

UNSATISFIABLE = DiagnosticKind(
    code="schema/unsatisfiable",
    severity=Severity.ERROR,
    message="no value can satisfy this schema: {reason}",
    hint="{suggestion}",
    why=(
        "An unsatisfiable schema rejects every call, or every result. It is always a mistake; often the "
        "contradicting keywords are far apart."
    ),
    example="properties: {count: {type: integer, minimum: 10, maximum: 1}}",
)

UNDECLARED_REQUIRED = DiagnosticKind(
    code="schema/undeclared-required",
    severity=Severity.WARNING,
    message="`required` names `{name}`, which `properties` does not describe",
    hint="{suggestion}",
    why=(
        "A caller must send an undescribed property, with any value. Most often the name is misspelt, "
        "or the property was renamed."
    ),
    example="{type: object, properties: {id: {type: string}}, required: [ident]}",
)

DEFAULT_MISMATCH = DiagnosticKind(
    code="schema/default-mismatch",
    severity=Severity.ERROR,
    message="the default does not satisfy its own schema: {problem}",
    hint="correct the default, or the schema{formats}",
    why=(
        "A handler gets the default where a call omits the argument. This default is a value that "
        "neither the schema nor the handler's types allow. The schema itself is valid, so the error can "
        "be suppressed with a reason; the handler then gets the default unchanged."
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
        "The regex engine stops after a million attempts to match a pattern. It would stop at a call "
        "too, and the call would fail although its argument may be valid. The validation also stops "
        "where it would compare a value with the values of an `enum` millions of times."
    ),
    example='properties: {word: {type: string, pattern: "^(?:(?=a)a|a)+$", default: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!}}',
)

NULL_DEFAULT = DiagnosticKind(
    code="schema/null-default",
    severity=Severity.NOTE,
    message="the default is null, and null is not of {types}",
    hint="delete the default, or allow null: `type: [string, 'null']`",
    why=(
        "Python servers write `default: null` for an optional argument. The compiler reads it as no "
        "default. A call that sends null is rejected."
    ),
    example="properties: {cursor: {type: string, default: null}}",
)

EXAMPLE_MISMATCH = DiagnosticKind(
    code="schema/example-mismatch",
    severity=Severity.ERROR,
    message="{example} does not satisfy {schema}: {problem}",
    hint="correct the example, or the schema{formats}",
    why=(
        "The examples of a schema show a model what to send, and the examples of a tool are calls for "
        "docs and mocks: an invalid one shows a call that is rejected. Examples are not part of the "
        "contract, so the error can be suppressed with a reason. Mocks, docs and the schemas sent to a "
        "model then omit the example."
    ),
    example="properties: {state: {enum: [open, closed], examples: [opened]}}",
    is_rule=True,
)

NO_PROOFS = DiagnosticKind(
    code="schema/no-proofs",
    severity=Severity.NOTE,
    message="contradictory keywords are not detected: the validator is `jsonschema`",
    hint="run `pip install jsonschema-rs` if it has a wheel for the platform, and unset `TOOLSPEC_VALIDATOR`",
    why=(
        "Only `jsonschema-rs` proves that no value satisfies a schema (`schema/unsatisfiable`). All "
        "other checks run without it. The note never fails a run, with any `--fail-on`."
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
        "limit of time. After that the schema counts as satisfiable. The note never fails a run, with any "
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
    ENDLESS_DEFAULT,
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
