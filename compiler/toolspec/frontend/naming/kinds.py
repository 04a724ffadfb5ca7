"""Diagnostic kinds of naming."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

AMBIGUOUS_JOIN = DiagnosticKind(
    code="naming/ambiguous-join",
    severity=Severity.ERROR,
    message=(
        "`{service}` + `{tool}` and `{other_service}` + `{other_tool}` both make the name `{name}`"
    ),
    hint="choose the separator `_` or `__`, which no service name can contain, or rename one",
    why=(
        "A client knows a tool only by service, separator and tool written as one name. The compiler "
        "proves that no two pairs of the language make the same name. This separator can be a part "
        "of a service name, so there is a counterexample, and it is printed."
    ),
    example='# with separator = "-"\nservice: {name: my-app}\ntools: [{name: get}]',
)

DUPLICATE_SERVICE = DiagnosticKind(
    code="naming/duplicate-service",
    severity=Severity.ERROR,
    message="two services are named `{name}`",
    hint="rename one of them, or make its file an `include` of the other",
    why=(
        "A service's name begins the names of all its tools and is the name of its generated package. "
        "Two documents with one name would write the same files."
    ),
    example="service: {name: github}   # in specs/github.yaml and in specs/copy.yaml",
)

DUPLICATE_TOOL = DiagnosticKind(
    code="naming/duplicate-tool",
    severity=Severity.ERROR,
    message="two tools are named `{name}`",
    hint="rename one of them, or give each its own `version`",
    why="A call names its tool by the full name; with two of that name, a call would be ambiguous.",
    example="tools:\n  - name: getIssue\n  - name: getIssue",
)

UNREACHABLE_TOOL = DiagnosticKind(
    code="naming/unreachable-tool",
    severity=Severity.ERROR,
    message="no call can reach this `{name}`: the name resolves to its highest version",
    hint="give it a `version` of its own, or another name",
    why=(
        "A name without a version leads to the highest version of a tool. A tool without a version "
        "counts as the lowest, and no other name leads to it."
    ),
    example="tools:\n  - {name: getIssue}\n  - {name: getIssue, version: 2.0.0}",
)

PYTHON_COLLISION = DiagnosticKind(
    code="naming/python-collision",
    severity=Severity.ERROR,
    message="{first} and {second} both need the Python {what} name `{name}`",
    hint="rename one of them",
    why=(
        "Generated Python spells packages and methods in snake_case and classes in PascalCase, adds "
        "`_` to keywords, and names the methods that check and undo a tool `verify_…` and `revert_…`. "
        "Names that differ in the document can meet there, and one would silently replace the other."
    ),
    example="tools:\n  - name: getIssue\n  - name: get_issue",
)

CASE_COLLISION = DiagnosticKind(
    code="naming/case-collision",
    severity=Severity.ERROR,
    message="`{first}` and `{second}` differ only in upper and lower case",
    hint="rename one of them",
    why=(
        "On a case-insensitive file system their files would collide, and people and models confuse "
        "such names."
    ),
    example="tools:\n  - name: getIssue\n  - name: getissue",
)

SHARED_NAME = DiagnosticKind(
    code="naming/shared-name",
    severity=Severity.ERROR,
    message="two tools have the public name `{name}`",
    hint="give one of them another `wireName`, or rename it",
    why=(
        "With `names: as-written` a public name has no service in front, so tools of different services "
        "can have the same one. A call would be ambiguous."
    ),
    example="service: {name: notes, names: as-written}\ntools: [{name: github_list}]\n"
    "# and in another document\nservice: {name: github}\ntools: [{name: list}]",
)

SENT_NAME = DiagnosticKind(
    code="naming/sent-name",
    severity=Severity.ERROR,
    message="`{first}` and `{second}` become one name for model providers: `{name}`",
    hint="give one of them another `wireName`, or rename it",
    why=(
        "Many providers and clients take letters, digits, `_` and `-` in names and write `_` in place of "
        "any other character. A model could not tell the two tools apart."
    ),
    example="service: {name: notes, names: as-written}\ntools: [{name: github.list}]\n"
    "# and in another document\nservice: {name: github}\ntools: [{name: list}]",
)

UNUSED_WIRE_NAME = DiagnosticKind(
    code="naming/unused-wire-name",
    severity=Severity.ERROR,
    message="`wireName` needs `names: as-written` in service `{service}`: the tool is called `{full}`",
    hint="write `names: as-written` in the service, or delete `wireName`; `aliases: [{name}]` adds the name",
    why=(
        "A service has either names with a prefix or names as written. A `wireName` beside names with "
        "a prefix would be a name that no call can use."
    ),
    example="service: {name: notes}\ntools: [{name: list, wireName: notes.list}]",
)

ALIAS_COLLISION = DiagnosticKind(
    code="naming/alias-collision",
    severity=Severity.ERROR,
    message="the alias `{alias}` of `{tool}` is also {other}",
    hint="remove the alias, or rename the other",
    why=(
        "An alias is a whole name that answers calls as a full name does, so it must lead to one tool "
        "of the build and to no other."
    ),
    example="service: {name: github}\ntools:\n  - name: getIssue\n    aliases: [github_fetchIssue]\n"
    "  - name: fetchIssue",
)

RESERVED_HOOK = DiagnosticKind(
    code="naming/reserved-hook",
    severity=Severity.ERROR,
    message="`{hook}` cannot name a hook: Python reserves it",
    hint="say what the hook does, for example `{hook}_call`",
    why=(
        "A hook is a method of the service's hook class and has there the name that the document "
        "gives it. Keywords can't be methods, and a method named like a built-in type would hide it."
    ),
    example="before: [import]",
)

TOO_LONG = DiagnosticKind(
    code="naming/too-long",
    severity=Severity.ERROR,
    message="the full name `{name}` has {length} characters, {excess} more than the limit of {limit}",
    hint="shorten the name of the tool or of the service by {excess}",
    why=(
        "Model providers refuse function names of more than 64 characters. The full name is service, "
        "separator and tool together."
    ),
    example="service: {name: customer-relationship-management}\ntools:\n"
    "  - name: listOpportunitiesOfAccountByQuarter",
)

LONG_NAME = DiagnosticKind(
    code="naming/long-name",
    severity=Severity.WARNING,
    message="the full name `{name}` has {length} characters; more than {limit} are hard to read",
    hint="shorten the name of the tool or of the service by {excess}",
    why=(
        "A client may put a name of its own before the full name, and lists cut long names off. Up to "
        "40 characters leave room for both."
    ),
    example="service: {name: warehouse}\ntools: [{name: listShipmentsOfCustomerByDate}]",
)

KINDS = (
    AMBIGUOUS_JOIN,
    DUPLICATE_SERVICE,
    DUPLICATE_TOOL,
    UNREACHABLE_TOOL,
    PYTHON_COLLISION,
    CASE_COLLISION,
    SHARED_NAME,
    SENT_NAME,
    UNUSED_WIRE_NAME,
    ALIAS_COLLISION,
    RESERVED_HOOK,
    TOO_LONG,
    LONG_NAME,
)
