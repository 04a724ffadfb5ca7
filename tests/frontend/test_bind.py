"""What a document states, and what follows from it, is in the program."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import pytest
from documents import SERVICE, bound, read, with_tool
from toolspec import ir
from toolspec.frontend.bind.parts import seconds
from toolspec.frontend.bind.unit import bind
from toolspec.frontend.includes.unit import Unit
from toolspec.ir import Effect, InputForm, PermissionKind, ScopeRule, Timeout

READS = "outputSchema: true\nmutation: false\n"
FLOW = "outputSchema: true, mutation: false"
WRITES = "outputSchema: true\nmutation: true\n"


def tool(lines: str, service: str = "") -> ir.Tool:
    checked = bound(with_tool(lines, service))
    assert checked.ok, checked.diagnostics
    return checked.value.tools[0]


def test_a_service_that_says_little_is_complete() -> None:
    service = bound(with_tool(READS)).value
    assert (service.version, service.title) == ("0.1.0", "Post")
    assert service.auth == ir.Auth()
    assert service.timeout == Timeout(None, None)


def test_a_tool_that_says_little_is_complete() -> None:
    found = tool(READS)
    assert (found.title, found.summary) == ("Send", "Send it.")
    assert found.input.value == {"type": "object", "additionalProperties": False}
    assert found.input_form is InputForm.OBJECT
    assert found.output_content_type == "application/json"
    assert found.names == ir.ToolNames("post_send", "", "")


@pytest.mark.parametrize(
    ("lines", "hints", "tier"),
    [
        (READS, (True, False, True, True), 0),
        (WRITES, (False, True, False, True), 3),
        (WRITES + "annotations: {destructiveHint: false}", (False, False, False, True), 2),
        (WRITES + "annotations: {idempotentHint: true}", (False, True, True, True), 3),
        (READS + "annotations: {openWorldHint: false}", (True, False, True, False), 0),
        (READS + "effects: [money]", (True, False, True, True), 3),
        (READS + "effects: [external]", (True, False, True, True), 0),
    ],
)
def test_hints_and_risk_follow_from_mutation(
    lines: str, hints: tuple[bool, ...], tier: int
) -> None:
    found = tool(lines)
    given = found.annotations
    assert (given.read_only, given.destructive, given.idempotent, given.open_world) == hints
    assert found.risk.tier == tier


def test_stated_hints_are_known_by_name() -> None:
    found = tool(WRITES + "annotations: {destructiveHint: false, title: Sending}")
    assert found.annotations.stated == ("title", "destructiveHint")
    assert (found.title, found.annotations.title) == ("Sending", "Sending")


def test_a_title_of_its_own_stands_before_that_of_the_annotations() -> None:
    found = tool(READS + "title: Send\nannotations: {title: Sending}")
    assert (found.title, found.annotations.title) == ("Send", "Sending")


def test_risk_can_be_raised_with_a_reason() -> None:
    found = tool(READS + "risk: {tier: 3, reason: It tells secrets.}")
    assert found.risk == ir.Risk(3, "It tells secrets.")


OUTER = """\
scopes: [mail]
timeout: {idle: 10s, total: 1m}
permissions: [{web: mail.example, op: POST}]
before: [one]
middleware: [one]
after: [one]
afterResponse: [one]
"""


def test_a_tool_inherits_from_its_service() -> None:
    found = tool(READS, OUTER)
    assert found.scopes == (ScopeRule(("mail",)),)
    assert found.timeout == Timeout(10, 60)
    assert found.permissions == (ir.Permission(PermissionKind.WEB, "mail.example", "POST"),)
    assert found.hooks.names == ("one",)


def test_scopes_and_timeout_are_replaced_permissions_and_hooks_joined() -> None:
    own = (
        "scopes: [{any: [a, b]}]\ntimeout: {total: 2}\npermissions: [{tool: post_ping}]\n"
        "before: [two]\nmiddleware: [two]\nafter: [two]\nafterResponse: [two, one]\n"
    )
    found = tool(READS + own, OUTER)
    assert found.scopes == (ScopeRule(("a", "b")),)
    assert found.timeout == Timeout(None, 2)
    assert [each.resource for each in found.permissions] == ["mail.example", "post_ping"]
    assert found.hooks.before == found.hooks.middleware == ("one", "two")
    assert found.hooks.after == found.hooks.after_response == ("two", "one")


def test_a_tool_without_an_icon_has_a_wrench() -> None:
    assert tool(READS).icon == "wrench"
    assert tool(READS + "icon: hash").icon == "hash"


def test_an_empty_list_of_scopes_asks_for_none() -> None:
    assert tool(READS + "scopes: []", OUTER).scopes == ()


@pytest.mark.parametrize(
    ("written", "wanted"),
    [("500ms", 0.5), ("30s", 30), ("2m", 120), ("1h", 3600), ("1.5s", 1.5), (7, 7), (0.5, 0.5)],
)
def test_durations_are_seconds(written: str | float, wanted: float) -> None:
    assert seconds(written) == wanted


def test_list_and_map_and_json_mean_the_same() -> None:
    listed = bound(with_tool(READS)).value
    member = {"description": "Send it.", "outputSchema": True, "mutation": False}
    document = {
        "toolspec": 1,
        "service": {"name": "post", "description": "Sends things."},
        "tools": {"send": member},
    }
    mapped = bind(Unit(read(json.dumps(document), "post.json"))).value
    locations = ir.Provenance("", "", 0, "")
    one, other = (
        replace(
            each.tools[0], provenance=replace(each.tools[0].provenance, file="", pointer="", line=0)
        )
        for each in (listed, mapped)
    )
    assert locations != one.provenance
    assert one == other


def test_provenance_says_where_a_tool_stands_and_what_it_says() -> None:
    origin = "source: {kind: mcp, location: https://a.example, member: send_it}"
    found = tool(READS + origin).provenance
    assert (found.file, found.pointer, found.line) == ("post.yaml", "/tools/0", 6)
    assert (found.kind, found.location, found.member) == ("mcp", "https://a.example", "send_it")
    value = {
        "name": "send",
        "description": "Send it.",
        "outputSchema": True,
        "mutation": False,
        "source": {"kind": "mcp", "location": "https://a.example", "member": "send_it"},
    }
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    assert found.digest == sha256(text.encode()).hexdigest()


def test_extensions_of_parts_are_kept_by_their_path_and_schemas_keep_their_own() -> None:
    found = tool(
        READS
        + "inputSchema: {type: object, x-of-schema: 1}\n"
        + "annotations: {x-team: blue}\n"
        + 'icons: [{src: "https://example.com/a.png", x-size: 3}]\n'
        + "errors: [{code: gone, description: Gone., x-page: 9}]\n"
        + "examples: [{input: {x-data: 1}, output: 1, x-note: hi}]\n"
    )
    assert found.extensions == {
        "annotations.x-team": "blue",
        "icons.0.x-size": 3,
        "errors.0.x-page": 9,
        "examples.0.x-note": "hi",
    }
    assert found.input.value == {"type": "object", "x-of-schema": 1}


def test_extensions_of_an_included_file_are_the_service_s() -> None:
    own = read("toolspec: 1\nservice: {name: post, description: Post.}\nx-a: 1\n")
    part = read(f"x-a: 2\nx-b: 3\ntools:\n  - {{name: send, description: Send., {FLOW}}}\n")
    assert bind(Unit(own, (part,))).value.extensions == {"x-a": 1, "x-b": 3}


def test_extensions_of_document_service_and_tool_are_kept() -> None:
    service = bound("x-a: 1\nx-b: 1\n" + with_tool(READS + "x-c: [3]", "x-b: 2\n")).value
    assert service.extensions == {"x-a": 1, "x-b": 2}
    assert service.tools[0].extensions == {"x-c": [3]}


def test_everything_else_is_carried() -> None:
    found = tool(
        WRITES
        + "deprecated: {since: 1.1.0, use: post}\neffects: [message]\nicon: mail\n"
        + "errors: [{code: gone, description: Gone.}]\nidempotency: optional\nverify: true\n"
        + "examples: [{output: 1}, {title: T, input: {a: 1}, error: gone}]\nversion: '1.0'\n"
    )
    assert found.deprecated == ir.Deprecation("1.1.0", "post", "")
    assert found.effects == (Effect.MESSAGE,)
    assert found.errors == (ir.DeclaredError("gone", "Gone.", retryable=False),)
    assert found.examples == (
        ir.Example("", {}, 1),
        ir.Example("T", {"a": 1}, None, "gone"),
    )


# One case for each finding: the lines of a tool, the members of its service, what is pointed at.
OAUTH = """\
auth:
  type: oauth2
  authorizationUrl: https://a.example/a
  tokenUrl: https://a.example/t
  scopes: {repo: Read and write, user: Read}
"""
FOUND = {
    "safety/read-only-mutation": (
        WRITES + "annotations: {readOnlyHint: true}",
        "",
        "readOnlyHint: true",
    ),
    "safety/read-not-read-only": (
        READS + "annotations: {readOnlyHint: false, destructiveHint: true}",
        "",
        "readOnlyHint: false",
    ),
    "safety/destructive-read": (
        READS + "annotations:\n  destructiveHint: true",
        "",
        "destructiveHint: true",
    ),
    "safety/read-not-idempotent": (
        READS + "annotations: {idempotentHint: false}",
        "",
        "idempotentHint: false",
    ),
    "safety/revert-of-read": (READS + "revert: true", "", "revert: true"),
    "safety/risk-lowered": (WRITES + "risk: {tier: 2, reason: Why not.}", "", "2"),
    "bind/unknown-scope": (READS + "scopes: [{any: [repo, usr]}]", OAUTH, "usr"),
    "bind/unknown-error": (READS + "examples: [{error: gnoe}]", "", "gnoe"),
    "bind/streaming-task": (
        READS + "streaming: true\nchunkSchema: true\ntaskSupport: required",
        "",
        "taskSupport: required",
    ),
    "shape/chunk-without-streaming": (READS + "chunkSchema: {type: string}", "", "chunkSchema"),
}


@pytest.mark.parametrize("code", FOUND)
def test_a_contradiction_is_found_once_where_it_stands(code: str) -> None:
    lines, service, at = FOUND[code]
    (finding,) = bound(with_tool(lines, service)).diagnostics
    assert finding.code == code
    assert finding.span is not None
    assert finding.span.text == at
    assert (finding.subject.service, finding.subject.tool) == ("post", "post_send")
    assert finding.subject.pointer.startswith("/tools/0/")


def test_a_contradiction_shows_the_tool_and_its_mutation() -> None:
    text = with_tool(WRITES + "annotations:\n  readOnlyHint: true\n")
    (finding,) = bound(text).diagnostics
    labels = [(label.span.text, label.text) for label in finding.labels]
    assert labels == [
        ("send", "compiled as `post_send`"),
        ("mutation: true", "declared mutating here"),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("annotations:\n  readOnlyHint: true\n", ""),
        (
            "annotations:\n  readOnlyHint: true # why?\n  title: Sends\n",
            "annotations:\n  title: Sends\n",
        ),
        ("annotations: {readOnlyHint: true}\n", ""),
        ("annotations: {readOnlyHint: true, title: S}\n", "annotations: {title: S}\n"),
        ("annotations: {title: S, readOnlyHint: true}\n", "annotations: {title: S}\n"),
    ],
)
def test_its_fix_deletes_the_hint_and_nothing_else(before: str, after: str) -> None:
    (finding,) = bound(with_tool(WRITES + before)).diagnostics
    assert finding.fix is not None
    assert finding.fix.safe
    (edit,) = finding.fix.edits
    text = edit.span.source.text
    fixed = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    assert fixed == with_tool(WRITES + after)


def test_what_an_alias_repeats_is_not_deleted() -> None:
    text = with_tool(WRITES + "annotations: &hints {readOnlyHint: true, title: S}\n")
    text += "  - name: other\n    description: d\n    outputSchema: true\n    mutation: true\n"
    text += "    annotations: *hints\n"
    first, second = bound(text).diagnostics
    assert first.fix is not None
    assert second.fix is None


def test_scopes_of_the_service_are_checked_too_and_only_for_oauth() -> None:
    (finding,) = bound(with_tool(READS, OAUTH + "scopes: [repos]\n")).diagnostics
    assert finding.help.startswith("did you mean `repo`?")
    assert finding.subject.pointer == "/service/scopes/0"
    assert bound(with_tool(READS, "scopes: [repos]\n")).ok


def test_shared_schemas_join_across_files_and_clash_with_both_places() -> None:
    text = SERVICE + "$defs: {A: {type: string}}\ninclude: [more.yaml]\n"
    more = "$defs: {B: true, A: true}\ntools: [{name: x, description: d, outputSchema: true, mutation: true}]"
    checked = bound(text, more=more)
    (finding,) = checked.diagnostics
    assert finding.code == "bind/duplicate-definition"
    assert [each.name for each in checked.value.definitions] == ["A", "B", "A"]
    assert [finding.span and finding.span.source.path, finding.labels[0].span.source.path] == [
        "more.yaml",
        "post.yaml",
    ]
    assert [each.provenance.file for each in checked.value.tools] == ["more.yaml"]
