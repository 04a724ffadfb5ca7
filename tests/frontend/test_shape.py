"""A broken document is explained at the place that is to blame, in words, each cause once."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.diagnostics import Diagnostic
from toolspec.frontend.bind.parts import first_sentence, title
from toolspec.frontend.shape.document import Form, check
from toolspec.syntax import parse
from toolspec.syntax.nodes import Document, JsonObject, JsonValue

SERVICE = "toolspec: 1\nservice: {name: github, description: Code.}\n"
TOOL = """\
tools:
  - name: ping
    description: Say whether it is up.
    outputSchema: true
    mutation: false
"""


def document(text: str, path: str = "service.yaml") -> Document:
    read = parse(path, text.encode())
    assert read.ok, read.diagnostics
    assert read.value is not None
    return read.value


def findings(text: str, form: Form = Form.SERVICE) -> tuple[Diagnostic, ...]:
    return check(document(text), form)


def tool(*lines: str) -> str:
    """The document of a right tool with further lines."""
    return SERVICE + TOOL + textwrap.indent("\n".join(lines), "    ")


def service(member: str) -> str:
    """The document of a right service with one more member."""
    return SERVICE.replace("Code.", f"Code., {member}") + TOOL


@dataclass(frozen=True)
class Broken:
    text: str
    code: str
    at: str
    hint: str
    message: str = ""


def replaced(old: str, new: str) -> str:
    return (SERVICE + TOOL).replace(old, new)


BROKEN = {
    "misspelt key": Broken(
        replaced("mutation", "muation"), "unknown-key", "muation", "did you mean `mutation`?"
    ),
    "key of another convention": Broken(
        tool("input_schema: {type: object}"), "unknown-key", "input_schema", "`inputSchema`"
    ),
    "hint in the wrong case": Broken(
        tool("annotations: {readonlyHint: true}"), "unknown-key", "readonlyHint", "`readOnlyHint`"
    ),
    "key of another place": Broken(
        service("mutation: true"), "unknown-key", "mutation", "`mutation` belongs in a tool"
    ),
    "key of nobody": Broken(tool("colour: red"), "unknown-key", "colour", "`x-colour`"),
    "misspelt root key": Broken(
        replaced("toolspec", "toolspc"), "unknown-key", "toolspc", "`toolspec`"
    ),
    "missing key": Broken(
        replaced("    mutation: false\n", ""),
        "missing-key",
        "ping",
        "`mutation: false` if",
        "tool `ping` lacks `mutation`",
    ),
    "missing key of a tool without name": Broken(
        replaced("  - name: ping\n    d", "  - d"), "missing-key", "description", "give it a `name`"
    ),
    "missing key of a tool in a map": Broken(
        SERVICE + "tools: {ping: {description: d, outputSchema: true}}",
        "missing-key",
        "ping",
        "`mutation: false` if",
        "tool `ping` lacks `mutation`",
    ),
    "missing language version": Broken(
        replaced("toolspec: 1\n", ""), "missing-key", "service", "write `toolspec: 1`"
    ),
    "no tools at all": Broken(SERVICE, "missing-key", "toolspec", "one of `tools`, `include`"),
    "no kind of permission": Broken(
        tool("permissions: [{op: read}]"), "missing-key", "op", "one of `file`, `web`, `tool`"
    ),
    "misspelt kind of permission": Broken(
        tool("permissions: [{flie: a, op: read}]"), "unknown-key", "flie", "`file`"
    ),
    "unknown kind of permission": Broken(
        tool("permissions: [{disk: a}]"),
        "unknown-key",
        "disk",
        "expected one of `file`, `web`, `tool`",
    ),
    "two kinds of permission": Broken(
        tool("permissions: [{file: a, web: b, op: GET}]"), "misplaced-key", "web", "one of the two"
    ),
    "permission to call with an operation": Broken(
        tool("permissions: [{tool: a, op: read}]"), "misplaced-key", "op", "delete `op`"
    ),
    "operation of another kind": Broken(
        tool("permissions: [{file: a, op: GET}]"), "not-one-of", "GET", "expected one of `read`"
    ),
    "output and error": Broken(
        tool("examples: [{output: 1, error: e}]"), "misplaced-key", "error", "one of the two"
    ),
    "YAML 1.1 truth": Broken(
        replaced("false", "no"), "wrong-type", "no", "YAML 1.2: write `true` or `false`"
    ),
    "quoted truth": Broken(
        replaced("false", '"false"'), "wrong-type", '"false"', "take the quotes off: `false`"
    ),
    "number for a text": Broken(tool("version: 1.0"), "wrong-type", "1.0", 'quote it: `"1.0"`'),
    "empty value": Broken(
        tool("summary:"),
        "wrong-type",
        "summary",
        "delete the key",
        "`summary` must be a text, not empty",
    ),
    "text for a list": Broken(tool("tags: read"), "wrong-type", "read", "write a list"),
    "list for a mapping": Broken(
        tool("annotations: [readOnlyHint]"),
        "wrong-type",
        "annotations",
        '{"destructiveHint": false}',
    ),
    "text for a tool": Broken(
        SERVICE + "tools: [ping]", "wrong-type", "ping", "write `name: ping`"
    ),
    "text for a schema": Broken(
        replaced("outputSchema: true", "outputSchema: string"),
        "wrong-type",
        "string",
        "write `{type: string}`",
        "`outputSchema` must be a mapping or true or false, not the text `string`",
    ),
    "misspelt value": Broken(
        tool("taskSupport: optinal"), "not-one-of", "optinal", "did you mean `optional`?"
    ),
    "unknown effect": Broken(
        tool("effects: [love]"), "not-one-of", "love", "expected one of `money`"
    ),
    "unknown auth": Broken(
        service("auth: {type: oauth}"), "not-one-of", "oauth", "did you mean `oauth2`?"
    ),
    "settings that are no object": Broken(
        service("settings: {type: string}"), "not-one-of", "string", "write `object`"
    ),
    "risk tier that does not exist": Broken(
        tool("risk: {tier: 1, reason: r}"), "not-one-of", "1", "`0`, `2`, `3`"
    ),
    "service name with underscore": Broken(
        replaced("github", "my_service"), "bad-name", "my_service", "`my-service` would do"
    ),
    "tool name with double underscore": Broken(
        replaced("ping", "_ping__x"), "bad-name", "_ping__x", "`ping_x` would do"
    ),
    "key that is no tool name": Broken(
        SERVICE + "tools: {a b: {description: d, outputSchema: true, mutation: true}}",
        "bad-name",
        "a b",
        "`a_b` would do",
    ),
    "hook name": Broken(tool("before: [checkQuota]"), "bad-name", "checkQuota", "`check_quota`"),
    "icon name": Broken(tool("icon: GitBranch"), "bad-name", "GitBranch", "`git-branch`"),
    "service version": Broken(service("version: v1"), "bad-version", "v1", "write `1.0.0`"),
    "tool version": Broken(tool("version: latest"), "bad-version", "latest", "write `1.0`"),
    "duration in words": Broken(
        tool("timeout: {idle: 5 minutes}"), "bad-duration", "5 minutes", "`30s`"
    ),
    "duration of nothing": Broken(tool("timeout: {total: 0s}"), "bad-duration", "0s", "`30s`"),
    "negative duration": Broken(tool("timeout: {total: -1}"), "bad-duration", "-1", "`30s`"),
    "results of no bytes": Broken(
        tool("limits: {resultBytes: 0}"), "too-small", "0", "at least 1", "`resultBytes` is 0"
    ),
    "script for an icon": Broken(
        tool("icons: [{src: 'javascript:alert(1)'}]"),
        "bad-url",
        "'javascript:alert(1)'",
        "https://",
    ),
    "scriptable image": Broken(
        tool("icons: [{src: 'data:image/svg+xml;base64,AA'}]"),
        "bad-url",
        "'data:image/svg+xml;base64,AA'",
        "data:image/png",
    ),
    "credentials in a URL": Broken(
        service(
            "auth: {type: oauth2, authorizationUrl: https://a.example, tokenUrl: https://u:p@a.example}"
        ),
        "bad-url",
        "https://u:p@a.example",
        "without user name or password",
    ),
    "media type": Broken(
        tool("outputContentType: markdown"), "bad-text", "markdown", "such as text/plain"
    ),
    "icon size": Broken(
        tool("icons: [{src: https://a.example, sizes: [big]}]"), "bad-text", "big", "such as 48x48"
    ),
    "blank text": Broken(
        replaced("Say whether it is up.", '" "'), "empty", '" "', "", "`description` is empty"
    ),
    "empty title": Broken(tool('title: ""'), "empty", '""', ""),
    "no tools in the list": Broken(SERVICE + "tools: []", "empty", "tools", ""),
    "no scope to choose": Broken(tool("scopes: [{any: []}]"), "empty", "any", ""),
    "repeated tag": Broken(tool("tags: [a, b, a]"), "repeated", "a", "delete one"),
    "later language": Broken(
        replaced("toolspec: 1", "toolspec: 2"), "unsupported-version", "2", "upgrade the compiler"
    ),
    "quoted language version": Broken(
        replaced("toolspec: 1", 'toolspec: "1"'), "wrong-type", '"1"', "take the quotes off"
    ),
    "another name than the key": Broken(
        SERVICE + "tools: {ping: {name: pong, description: d, outputSchema: true, mutation: true}}",
        "map-name-differs",
        "pong",
        "in a map the key is the name",
    ),
    "list for a document": Broken("- a\n", "not-a-service", "- a", "is a mapping"),
    "some other mapping": Broken("a: 1\n", "not-a-service", "a", "begin with `toolspec: 1`"),
    "OpenAPI": Broken("openapi: 3.1.0\n", "not-a-service", "openapi", "OpenAPI"),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_document_has_one_finding_that_says_what_to_do(case: Broken) -> None:
    (finding,) = findings(case.text)
    assert finding.code == f"shape/{case.code}"
    assert finding.span is not None
    assert finding.span.text.strip() == case.at
    assert case.hint in finding.help
    assert case.message in finding.message


FIXED = (
    "misspelt key",
    "YAML 1.1 truth",
    "quoted truth",
    "number for a text",
    "misspelt value",
    "quoted language version",
    "misspelt root key",
    "misspelt kind of permission",
)


@pytest.mark.parametrize("name", FIXED)
def test_a_safe_fix_makes_the_document_right(name: str) -> None:
    (finding,) = findings(BROKEN[name].text)
    assert finding.fix is not None
    assert finding.fix.safe
    assert findings(applied(finding)) == ()


@pytest.mark.parametrize("name", ["service name with underscore", "hook name", "service version"])
def test_a_proposed_name_is_legal_and_no_safe_fix(name: str) -> None:
    (finding,) = findings(BROKEN[name].text)
    assert finding.fix is not None
    assert not finding.fix.safe
    assert findings(applied(finding)) == ()


def applied(finding: Diagnostic) -> str:
    assert finding.fix is not None
    (edit,) = finding.fix.edits
    text = edit.span.source.text
    return text[: edit.span.start] + edit.new_text + text[edit.span.end :]


def test_a_key_that_two_known_ones_resemble_is_not_renamed() -> None:
    (finding,) = findings(tool("icn: star"))
    assert finding.fix is None


def test_all_problems_are_told_at_once() -> None:
    text = tool("streaming: yes", "tags: [1]", "icon: A B", "risk: {tier: 3}", "colour: red")
    assert {each.span.text for each in findings(text) if each.span} == {
        "yes",
        "1",
        "A B",
        "risk",
        "colour",
    }


def test_a_finding_says_which_service_and_tool_it_is_about() -> None:
    (finding,) = findings(BROKEN["misspelt value"].text)
    assert finding.subject.service == "github"
    assert finding.subject.tool == "github_ping"
    assert finding.subject.pointer == "/tools/0/taskSupport"


def test_extensions_are_free_everywhere() -> None:
    text = tool("x-team: {a: 1}", "annotations: {x-a: 1}", "timeout: {x-b: 2}")
    assert findings(text + "\nx-root: true\n") == ()


@pytest.mark.parametrize("form", list(Form))
@pytest.mark.parametrize("end", ["json", "yaml"])
def test_a_document_may_name_the_schema_that_editors_read(form: Form, end: str) -> None:
    whole = document(SERVICE + TOOL if form is Form.SERVICE else TOOL).value
    assert isinstance(whole, dict)

    def naming(schema: JsonValue) -> Document:
        value: JsonObject = {"$schema": schema, **whole}
        text = json.dumps(value) if end == "json" else yaml.safe_dump(value)
        return document(text, f"service.{end}")

    assert check(naming("https://example.com/any"), form) == ()
    (finding,) = check(naming(1), form)
    assert finding.code == "shape/wrong-type"
    assert finding.subject.pointer == "/$schema"


def test_only_the_document_itself_names_its_schema() -> None:
    (finding,) = findings(service("$schema: a.json"))
    assert finding.code == "shape/unknown-key"
    (finding,) = findings(tool("$schema: a.json"))
    assert finding.code == "shape/unknown-key"


def test_a_fragment_is_held_to_its_own_form() -> None:
    assert findings(TOOL, Form.FRAGMENT) == ()
    (finding,) = findings(TOOL + "include: [a.yaml]", Form.FRAGMENT)
    assert finding.code == "shape/unknown-key"
    assert finding.message == "`include` is not a key of the included part"


@pytest.mark.parametrize(
    ("name", "expected"),
    {
        "listRepositories": "List Repositories",
        "send_message": "Send Message",
        "my-app": "My App",
        "getURL": "Get URL",
        "getHTTPStatus": "Get HTTP Status",
        "listPRs": "List PRs",
        "oauth2Login": "Oauth2 Login",
        "copyAFile": "Copy A File",
        "x": "X",
    }.items(),
)
def test_derived_titles_are_in_title_case_and_keep_acronyms(name: str, expected: str) -> None:
    assert title(name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    {
        "List all. Then sort.": "List all.",
        "Is it up? Yes": "Is it up?",
        "Use a cursor, e.g. the last one. Or none.": "Use a cursor, e.g. the last one.",
        "Version 1.2 of\n it": "Version 1.2 of it",
        "First\n\nSecond": "First",
        "一覧。並べる。": "一覧。",
    }.items(),
)
def test_a_summary_is_the_first_sentence_on_one_line(text: str, expected: str) -> None:
    assert first_sentence(text) == expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["", "read", "yes", "a b"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "toolspec",
                    "service",
                    "tools",
                    "name",
                    "description",
                    "mutation",
                    "scopes",
                    "any",
                    "permissions",
                    "file",
                    "web",
                    "op",
                    "auth",
                    "type",
                    "oauth2",
                    "timeout",
                    "idle",
                    "examples",
                    "output",
                    "error",
                    "icons",
                    "risk",
                    "annotations",
                    "outputSchema",
                    "x-y",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(JSON)
def test_whatever_is_wrong_is_explained_with_a_place(value: object) -> None:
    import json

    for path in ("a.json", "a.yaml"):
        read = parse(path, json.dumps(value).encode())
        assert read.value is not None
        for finding in check(read.value, Form.SERVICE) + check(read.value, Form.FRAGMENT):
            assert finding.span is not None
            assert finding.message
