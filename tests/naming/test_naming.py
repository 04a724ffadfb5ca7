"""Programs get their names, and every meeting of two names is found once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.frontend.naming import name_program
from toolspec.frontend.naming.join import full_name, is_proven, other_readings
from toolspec.ir import (
    Annotations,
    Hooks,
    InputForm,
    Naming,
    Provenance,
    Risk,
    Schema,
    Service,
    ServiceNames,
    Tool,
    ToolNames,
)

PROPERTY = settings(derandomize=True, max_examples=150, deadline=None)
SERVICE = st.from_regex(r"[a-c][a-c1C]{0,3}(-[a-c1]{1,2}){0,3}", fullmatch=True)
TOOL = st.from_regex(r"[a-cA-C][a-cC1]{0,3}([_-][a-c1]{1,2}){0,3}", fullmatch=True)


def a_tool(name: str, **changes: object) -> Tool:
    tool = Tool(
        name=name,
        names=ToolNames("", "", ""),
        title=name,
        description="What it does.",
        summary="What it does.",
        input=Schema.of({"type": "object"}),
        input_form=InputForm.OBJECT,
        arguments={"type": "object"},
        output=Schema.of({"type": "string"}),
        mutation=False,
        annotations=Annotations(
            name, read_only=True, destructive=False, idempotent=True, open_world=True
        ),
        risk=Risk(0),
        provenance=Provenance("x.yaml", "/tools/0", 1, "0" * 64),
    )
    return replace(tool, **changes)


def a_service(name: str, *tools: Tool | str, **changes: object) -> Service:
    made = tuple(a_tool(tool) if isinstance(tool, str) else tool for tool in tools)
    return replace(
        Service(name, ServiceNames("", ""), "1.0.0", name, "What it is.", made), **changes
    )


def found(*services: Service, separator: str = "_") -> list[str]:
    diagnostics = name_program(services, separator).diagnostics
    return [f"{each.code}: {each.message}" for each in diagnostics]


def test_all_names_are_filled_in_and_services_sorted() -> None:
    program = name_program([a_service("slack", "send"), a_service("myApp", "getHTTPResponse")])
    assert program.ok
    assert [service.name for service in program.value.services] == ["myApp", "slack"]
    assert program.value.services[0].names == ServiceNames("my_app", "MyApp", "myApp_")
    assert program.value.services[0].tools[0].names == ToolNames(
        "myApp_getHTTPResponse", "get_http_response", "GetHttpResponse"
    )


def test_tools_keep_the_order_of_the_document() -> None:
    program = name_program([a_service("slack", "send", "archive")], "__").value
    assert program.separator == "__"
    assert [tool.names.full for _, tool in program.tools] == ["slack__send", "slack__archive"]


def test_versions_of_one_name_live_together() -> None:
    tools = [
        a_tool("search", version="1.0"),
        a_tool("search", version="2.0-beta.1"),
        a_tool("search", version="3"),
        a_tool("list", version="3"),
    ]
    program = name_program([a_service("notes", *tools)])
    assert program.diagnostics == ()
    assert [tool.names for _, tool in program.value.tools] == [
        ToolNames("notes_search", "search_v1_0", "SearchV1_0"),
        ToolNames("notes_search", "search_v2_0_beta_1", "SearchV2_0_beta_1"),
        ToolNames("notes_search", "search_v3", "SearchV3"),
        ToolNames("notes_list", "list_", "List"),
    ]


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        (
            ["getIssue", "get_issue"],
            (
                "naming/python-collision: tool `getIssue` and tool `get_issue` both need the Python "
                "method name `get_issue`"
            ),
        ),
        (
            ["getIssue", "getissue"],
            "naming/case-collision: `getIssue` and `getissue` differ only in upper and lower case",
        ),
        (
            ["get2", "get_2"],
            (
                "naming/python-collision: tool `get2` and tool `get_2` both need the Python type name "
                "`Get2`"
            ),
        ),
        (["getIssue", "getIssue"], "naming/duplicate-tool: two tools are named `getIssue`"),
    ],
)
def test_two_tools_that_meet_are_one_finding(tools: list[str], expected: str) -> None:
    assert found(a_service("github", *tools)) == [expected]


def test_of_many_tools_that_meet_some_are_reported() -> None:
    codes = [each.partition(":")[0] for each in found(a_service("jira", *["getIssue"] * 300))]
    assert codes.count("naming/duplicate-tool") == 200
    assert codes.count("syntax/too-many") == 1


def test_what_a_tool_declares_beside_itself_needs_a_name_too() -> None:
    service = a_service(
        "github", a_tool("merge", verify=True, revert=True), "verify_merge", "revertMerge"
    )
    assert found(service) == [
        (
            "naming/python-collision: `verify` of tool `merge` and tool `verify_merge` both need the "
            "Python method name `verify_merge`"
        ),
        (
            "naming/python-collision: `revert` of tool `merge` and tool `revertMerge` both need the "
            "Python method name `revert_merge`"
        ),
    ]


def test_a_hook_has_the_name_of_a_method() -> None:
    hooks = Hooks(before=("class",), after=("class", "list", "log_call"))
    service = a_service("github", a_tool("log_call", hooks=hooks), a_tool("get", hooks=hooks))
    assert found(service) == [
        "naming/reserved-hook: `class` cannot name a hook: Python reserves it",
        "naming/reserved-hook: `list` cannot name a hook: Python reserves it",
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("github", "github", "naming/duplicate-service: two services are named `github`"),
        (
            "my-app",
            "myApp",
            (
                "naming/python-collision: service `my-app` and service `myApp` both need the Python "
                "package name `my_app`"
            ),
        ),
        (
            "myApp",
            "myapp",
            "naming/case-collision: `myApp` and `myapp` differ only in upper and lower case",
        ),
        (
            "a-2",
            "a2",
            (
                "naming/python-collision: service `a-2` and service `a2` both need the Python class "
                "name `A2`"
            ),
        ),
    ],
)
def test_two_services_that_meet_are_one_finding(first: str, second: str, expected: str) -> None:
    assert found(a_service(first, "get"), a_service(second, "get")) == [expected]


def test_aliases_lead_to_one_tool() -> None:
    service = a_service(
        "github",
        a_tool("get", aliases=("fetch", "github_read", "github_get")),
        a_tool("list", aliases=("fetch",)),
        "read",
    )
    assert found(service) == [
        "naming/alias-collision: the alias `github_read` of `get` is also the full name of tool `read`",
        "naming/alias-collision: the alias `github_get` of `get` is also its full name",
        "naming/alias-collision: the alias `fetch` of `list` is also an alias of `github_get`",
    ]


def test_an_alias_is_compared_with_the_names_of_all_services() -> None:
    one = a_service("github", a_tool("get", aliases=("notes_list", "notes.list")))
    two = a_service("notes", "list", a_tool("open", aliases=("notes.list",)))
    assert found(one, two) == [
        "naming/alias-collision: the alias `notes_list` of `get` is also the full name of tool `list`",
        "naming/alias-collision: the alias `notes.list` of `open` is also an alias of `github_get`",
    ]


def test_a_plain_name_is_an_alias_beside_the_tool_of_that_name() -> None:
    assert found(a_service("notes", a_tool("list", aliases=("list", "open")), "open")) == []


def test_versions_of_one_name_share_an_alias() -> None:
    tools = [a_tool("search", version=version, aliases=("find",)) for version in ("1.0", "2.0")]
    assert found(a_service("notes", *tools)) == []


def as_written(name: str, *tools: Tool | str) -> Service:
    return a_service(name, *tools, naming=Naming.AS_WRITTEN)


def test_names_as_written_have_no_prefix() -> None:
    tools = ("create_note", "notes.list", a_tool("find", wire_name="notes/find"), "2fa")
    program = name_program([as_written("notes", *tools)])
    assert program.diagnostics == ()
    assert [tool.names for _, tool in program.value.tools] == [
        ToolNames("create_note", "create_note", "CreateNote"),
        ToolNames("notes.list", "notes_list", "NotesList"),
        ToolNames("notes/find", "find", "Find"),
        ToolNames("2fa", "x_2fa", "X2fa"),
    ]


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (
            a_service("notes", "list"),
            "naming/shared-name: two tools have the public name `notes_list`",
        ),
        (
            as_written("memos", "notes_list"),
            "naming/shared-name: two tools have the public name `notes_list`",
        ),
        (
            as_written("memos", a_tool("all", wire_name="notes_list")),
            "naming/shared-name: two tools have the public name `notes_list`",
        ),
        (
            a_service("memos", a_tool("all", aliases=("notes_list",))),
            (
                "naming/alias-collision: the alias `notes_list` of `all` is also the full name of tool "
                "`notes_list`"
            ),
        ),
        (
            a_service("notes", "List"),
            "naming/case-collision: `notes_List` and `notes_list` differ only in upper and lower case",
        ),
        (
            as_written("memos", "notes.list"),
            (
                "naming/sent-name: `notes.list` and `notes_list` become one name for model providers: "
                "`notes_list`"
            ),
        ),
    ],
)
def test_names_as_written_are_compared_with_all_others(other: Service, expected: str) -> None:
    (only,) = found(other, as_written("old", "notes_list"))
    assert only == expected


def test_a_wire_name_is_compared_inside_its_service_too() -> None:
    tools = ("get", a_tool("fetch", wire_name="get"), a_tool("old", wire_name="Get"))
    assert found(as_written("notes", *tools)) == [
        "naming/shared-name: two tools have the public name `get`",
        "naming/case-collision: `get` and `Get` differ only in upper and lower case",
    ]


def test_versions_as_written_are_one_tool() -> None:
    tools = [a_tool("search.all", version=version) for version in ("1.0", "2.0")]
    assert found(as_written("notes", *tools)) == []


def test_a_wire_name_beside_a_prefix_is_an_error() -> None:
    assert found(a_service("notes", a_tool("list", wire_name="notes.list"))) == [
        (
            "naming/unused-wire-name: `wireName` needs `names: as-written` in service `notes`: the tool "
            "is called `notes_list`"
        )
    ]


@PROPERTY
@given(
    st.lists(st.tuples(SERVICE, st.booleans(), st.lists(TOOL, min_size=1, max_size=3)), max_size=4)
)
def test_services_without_a_diagnostic_have_no_public_name_twice(
    services: list[tuple[str, bool, list[str]]],
) -> None:
    made = [
        a_service(name, *tools, naming=Naming.AS_WRITTEN if flat else Naming.PREFIXED)
        for name, flat, tools in services
    ]
    program = name_program(made)
    names = [tool.names.full for _, tool in program.value.tools]
    assert program.diagnostics or len(set(names)) == len(names)


def test_long_names() -> None:
    service = a_service("s", "t" * 38, "t" * 39, "u" * 62, "u" * 64)
    assert found(service) == [
        (
            f"naming/long-name: the full name `s_{'t' * 39}` has 41 characters; more than 40 are hard "
            "to read"
        ),
        (
            f"naming/long-name: the full name `s_{'u' * 62}` has 64 characters; more than 40 are hard "
            "to read"
        ),
        (
            f"naming/too-long: the full name `s_{'u' * 64}` has 66 characters, 2 more than the limit "
            "of 64"
        ),
    ]


def test_a_service_that_leaves_no_room_is_one_finding() -> None:
    (finding,) = found(a_service("s" * 64, "get", "list"))
    assert finding == (
        f"naming/too-long: the full name `{'s' * 64}_list` has 69 characters, 5 more than the limit "
        "of 64"
    )
    (finding,) = found(a_service("s" * 300, "get", "list"))
    assert f"`{'s' * 100}…` has 305 characters" in finding


def test_an_ambiguous_separator_is_shown_by_its_counterexample() -> None:
    assert found(a_service("my-app", "get"), separator="-") == [
        (
            "naming/ambiguous-join: `my-app` + `get` and `my` + `app-get` both make the name "
            "`my-app-get`"
        )
    ]


def test_two_tools_of_one_name_are_the_counterexample() -> None:
    services = [a_service("my", "app-get"), a_service("my-app", "get")]
    assert found(*services, separator="-") == [
        (
            "naming/ambiguous-join: `my` + `app-get` and `my-app` + `get` both make the name "
            "`my-app-get`"
        )
    ]


def test_a_service_name_outside_the_grammar_is_not_covered_by_the_proof() -> None:
    assert found(a_service("my_app", "get")) == [
        (
            "naming/ambiguous-join: `my_app` + `get` and `my` + `app_get` both make the name "
            "`my_app_get`"
        )
    ]


@pytest.mark.parametrize(
    ("separator", "proven"), [("_", True), ("__", True), (".", True), ("-", False), ("", False)]
)
def test_what_is_proven(separator: str, proven: bool) -> None:
    assert is_proven(separator) is proven


@PROPERTY
@given(SERVICE, TOOL, st.sampled_from(["_", "__", ".", "-_"]))
def test_legal_names_have_one_reading(service: str, tool: str, separator: str) -> None:
    assert is_proven(separator)
    assert list(other_readings(service, tool, separator)) == []


@PROPERTY
@given(st.lists(st.tuples(SERVICE, TOOL), unique=True), st.sampled_from(["_", "__"]))
def test_the_join_is_injective(pairs: list[tuple[str, str]], separator: str) -> None:
    names = {full_name(service, tool, Naming.PREFIXED, "", separator) for service, tool in pairs}
    assert len(names) == len(pairs)


@PROPERTY
@given(st.lists(st.tuples(SERVICE, TOOL), unique=True, max_size=12))
def test_a_program_without_findings_has_distinct_names(pairs: list[tuple[str, str]]) -> None:
    tools: dict[str, list[str]] = {}
    for service, tool in pairs:
        tools.setdefault(service, []).append(tool)
    checked = name_program([a_service(service, *names) for service, names in tools.items()])
    if checked.ok:
        every = [tool.names.full.casefold() for _, tool in checked.value.tools]
        assert len(set(every)) == len(pairs)
        for service in checked.value.services:
            assert len({tool.names.method for tool in service.tools}) == len(service.tools)
            assert len({tool.names.type_stem for tool in service.tools}) == len(service.tools)
        assert len({service.names.module for service in checked.value.services}) == len(tools)
