"""The scenarios of the five seeds with a client of MCP: each transport, era and number of workers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from posts import bearer, call
from projects import run
from served import LEGACY, MODERN, Connection, connected, http, pause, signed_in, stdio
from specs_bound import HOOKS_IN_ORDER, MAIN, ORDER_ITEMS, WORKSPACES
from toolspec.shared.error_categories import CATEGORIES

HERE = Path(__file__).parent
SERVICES = ("billing", "github", "notes", "slack", "workspace")
HANDLERS = [word for name in SERVICES for word in ("--handlers", f"{name}=app:{name.capitalize()}")]
STORE = ("--store", "sqlite:///calls.sqlite3")
SERVED = (*HANDLERS, *STORE, "--settings", "settings.toml", "--credentials", "app:credentials")
SETTINGS = '[github]\nbaseUrl = "https://github.example/api"\n' + "".join(
    f"""
[slack.instances.{name}]
address = "https://{name}.slack.example"

[slack.instances.{name}.credentials]
workspaceUrl = "https://{name}.slack.example"
token = "xoxs-{name}"
"""
    for name in WORKSPACES
)
WAYS = [
    pytest.param(
        (transport, workers, mode),
        id=f"{transport}-{workers}-{'2026' if mode == MODERN else '2025'}",
        marks=() if (transport, mode) == ("stdio", MODERN) else pytest.mark.prove,
    )
    for transport, workers in (("stdio", 1), ("http", 1), ("http", 2))
    for mode in (LEGACY, MODERN)
]


class Way:
    """One way to call the services: by two clients of different workers, if there are two.

    Otherwise both are the same client.
    """

    def __init__(
        self, folder: Path, mode: str, workers: int, address: str, stack: ExitStack
    ) -> None:
        self.folder = folder
        self.stack = stack
        self.clients: list[Connection] = []
        self.is_modern = mode == MODERN
        self.mode = mode
        self.workers = workers
        self.address = address
        self.client: Connection
        self.other: Connection

    def reach_workers(self) -> None:
        """Choose clients of different workers; those of 2026 may have changed theirs."""
        reached: dict[int, Connection] = {}
        for number in range(16):
            if number == len(self.clients):
                is_http = bool(self.address)
                server = signed_in(self.address, "ann") if is_http else stdio(self.folder, *SERVED)
                self.clients.append(self.stack.enter_context(connected(server, self.mode)))
            self.clients[number].call("notes_statistics")
            reached.setdefault(self.lines()[-1][0], self.clients[number])
            if len(reached) == self.workers:
                break
        assert len(reached) == self.workers
        self.client, self.other = (list(reached.values()) * 2)[:2]

    def lines(self) -> list[tuple[int, str]]:
        """Return what handlers and hooks have noted in this test, with their processes."""
        file = self.folder / "seen.txt"
        lines = file.read_text().splitlines() if file.exists() else []
        return [(int(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in lines]

    def seen(self) -> list[str]:
        return [text for _, text in self.lines()]

    def await_seen(self, last: str) -> list[str]:
        """Return what was noted once its last line is this one."""
        for _ in range(200):
            if self.seen()[-1:] == [last]:
                break
            pause(self.client)
        assert self.seen()[-1:] == [last], self.seen()
        return self.seen()

    def value(self, result: Any, *, is_object: bool = True) -> Any:
        """Return the structured result of a call, without what wraps it for clients of 2025."""
        assert not result.is_error, result
        is_wrapped = not is_object and not self.is_modern
        return result.structured_content["result"] if is_wrapped else result.structured_content

    def tools(self) -> dict[str, types.Tool]:
        listed = self.client.portal.call(self.client.client.list_tools).tools
        return {tool.name: tool for tool in listed}


@pytest.fixture(scope="module")
def project(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seeds") / "project"
    left_out = shutil.ignore_patterns("docs", "reference", "__pycache__")
    shutil.copytree(repository / "generated", folder / "generated", ignore=left_out)
    shutil.copy(HERE / "seed_handlers.py", folder / "app.py")
    (folder / "settings.toml").write_text(SETTINGS)
    return folder


@pytest.fixture(scope="module")
def address_1(project: Path) -> Iterator[str]:
    with http(project, *SERVED, "--verifier", "app:verify") as address:
        yield address


@pytest.fixture(scope="module")
def address_2(project: Path) -> Iterator[str]:
    with http(project, *SERVED, "--verifier", "app:verify", "--workers", "2") as address:
        yield address


@pytest.fixture(scope="module", params=WAYS)
def connected_way(request: pytest.FixtureRequest, project: Path) -> Iterator[Way]:
    transport, workers, mode = request.param
    address = request.getfixturevalue(f"address_{workers}") if transport == "http" else ""
    with ExitStack() as stack:
        yield Way(project, mode, workers, address, stack)


@pytest.fixture
def way(connected_way: Way) -> Way:
    """Return a way whose people agree to everything, and whose files are gone."""
    connected_way.reach_workers()
    for connection in connected_way.clients:
        connection.person.asked.clear()
        connection.person.declined = None
    for name in ("seen.txt", "go"):
        (connected_way.folder / name).unlink(missing_ok=True)
    shutil.rmtree(connected_way.folder / "files", ignore_errors=True)
    return connected_way


def error(result: Any) -> Any:
    assert result.is_error, result
    return result.meta["toolspec"]["error"]


def paths(result: Any) -> set[str]:
    return {field["path"] for field in error(result)["field_errors"]}


# Redop: hooks, validation, progress, tasks, cancellation


def test_hooks_run_around_the_handler_in_their_order(way: Way) -> None:
    found = way.value(way.client.call("notes_search", {"query": "bread"}))
    assert found["total"] == 3
    assert way.await_seen("afterResponse ok") == HOOKS_IN_ORDER


def test_hooks_of_a_tool_run_inside_those_of_its_service(way: Way) -> None:
    assert way.value(way.client.call("notes_create", {"title": "Salt"}))["title"] == "Salt"
    assert way.await_seen("afterResponse ok")[:2] == ["before", "tool before"]
    (way.folder / "seen.txt").unlink()
    way.value(way.client.call("notes_delete", {"id": "n1"}))
    assert way.await_seen("afterResponse ok")[-2] == "tool afterResponse ok"


@pytest.mark.parametrize(
    ("query", "total", "has_handler"),
    [("cached", 1, False), ("marked", 2, True), ("broken", 3, True)],
    ids=["middleware answers", "after replaces", "after fails"],
)
def test_hooks_may_answer_replace_and_fail(
    way: Way, query: str, total: int, has_handler: bool
) -> None:
    assert way.value(way.client.call("notes_search", {"query": query}))["total"] == total
    assert ("handler" in way.await_seen("afterResponse ok")) is has_handler


def test_a_hook_refuses_before_the_handler(way: Way) -> None:
    refused = error(way.client.call("notes_create", {"title": "Bread"}))
    assert (refused["category"], refused["retryable"]) == ("conflict", False)
    assert "handler" not in way.await_seen("afterResponse failed")


def test_arguments_that_break_the_schema_reach_no_hook(way: Way) -> None:
    call_tool = way.client.call
    assert paths(call_tool("notes_search", {"query": "", "limit": 0})) == {"$.query", "$.limit"}
    assert paths(call_tool("notes_statistics", {"raw": 1})) == {"$.raw"}
    raw = way.value(call_tool("notes_capture", {"a": [1]}))
    assert raw["body"] == "{'a': [1]}"
    assert not call_tool("notes_search", {"query": "bread"}).is_error
    assert way.await_seen("afterResponse ok").count("before") == 1


def test_progress_comes_to_those_who_ask(way: Way) -> None:
    result, reports = way.client.reports("notes_reindex")
    assert way.value(result)["indexed"] == 200
    assert reports == [(100, 200, "100 notes"), (200, 200, "200 notes")]
    way.client.notified.clear()
    assert way.value(way.client.call("notes_reindex"))["indexed"] == 200
    assert way.client.notified == []


def test_tasks_where_the_era_has_them(way: Way) -> None:
    question = {"input": "What is for dinner?"}
    if way.is_modern:
        assert way.client.client.server_capabilities.tasks is None
        assert way.value(way.client.call("notes_ask", question)) == "What is for dinner? Bread."
        return
    for tool, arguments in (("notes_ask", question), ("notes_reindex", {})):
        task = way.client.start(tool, arguments)
        assert not way.client.task_result(task.task_id).is_error
    for begin, tool in ((way.client.call, "notes_ask"), (way.client.start, "notes_search")):
        with pytest.raises(MCPError) as caught:
            begin(tool, question)
        assert caught.value.code == types.METHOD_NOT_FOUND


def test_cancelling_a_call_cancels_its_handler(way: Way) -> None:
    async def give_up() -> None:
        with anyio.CancelScope() as scope:

            async def watch() -> None:
                while "waiting" not in way.seen():  # noqa: ASYNC110 - a file of another process
                    await anyio.sleep(0.02)
                scope.cancel()

            async with anyio.create_task_group() as group:
                group.start_soon(watch)
                await way.client.client.call_tool("notes_reindex", {"language": "de"})

    way.client.portal.call(give_up)
    for _ in range(200):
        if "cancelled" in way.seen():
            break
        pause(way.client)
    assert "cancelled" in way.seen()


# Nao: permissions, approval, verify, revert, versions

PAGE = {"url": "https://a.example.com/"}
FILE = {"path": "a.md", "content": "new"}


def test_permissions_are_asked_in_order_until_one_is_denied(way: Way) -> None:
    client = way.client
    assert not client.call("workspace_save_page", PAGE).is_error
    uses = [question.split("It uses ")[1].splitlines()[0] for question in client.person.asked]
    assert uses == [
        "file ~/projects/** (read).",
        "web *.example.com (GET).",
        "tool workspace_write_file.",
    ]
    client.person.asked.clear()
    client.person.declined = "It uses web"
    denied = error(client.call("workspace_save_page", PAGE))
    assert (denied["category"], denied["code"]) == ("permission", "refused")
    details = denied["details"]
    assert (details["kind"], details["resource"]) == ("web", "*.example.com")
    assert (details["operation"], bool(details["hint"])) == ("GET", True)
    assert len(client.person.asked) == 2
    assert way.seen() == ["saved"]


def test_a_handler_asks_for_a_resource_with_its_reason(way: Way) -> None:
    assert not way.client.call("workspace_read_file", {"path": "hosts"}).is_error
    assert "It says: it is included" in way.client.person.asked[-1]
    way.client.person.declined = "/etc/hosts"
    denied = error(way.client.call("workspace_read_file", {"path": "hosts"}))
    assert (denied["details"]["kind"], denied["details"]["resource"]) == ("file", "/etc/hosts")


def test_an_approval_is_asked_for_once_and_used_once(way: Way) -> None:
    if not way.is_modern:
        for client in (way.client, way.other):
            client.person.asked.clear()
            assert not client.call("workspace_write_file", FILE).is_error
            assert len(client.person.asked) == 1
        assert way.seen() == ["wrote new", "wrote new"]
        return
    question = way.client.send_round("workspace_write_file", FILE)
    (key,) = question.input_requests
    answered: Any = {
        "input_responses": {key: types.ElicitResult(action="accept", content={})},
        "request_state": question.request_state,
    }
    first = way.other.send_round("workspace_write_file", FILE, **answered)
    assert way.value(first)["bytes"] == 3
    for client in (way.client, way.other):
        assert key in client.send_round("workspace_write_file", FILE, **answered).input_requests
    assert way.seen() == ["wrote new"]


def test_a_denied_approval_is_an_error_and_nothing_is_done(way: Way) -> None:
    way.client.person.declined = "workspace_write_file"
    denied = error(way.client.call("workspace_write_file", FILE))
    assert (denied["category"], bool(denied["request_id"])) == ("permission", True)
    assert way.seen() == []


def test_a_failed_verification_keeps_the_output(way: Way) -> None:
    failed = error(way.client.call("workspace_write_file", {**FILE, "content": "lost"}))
    assert failed["category"] == "verification"
    assert "the disk has something else" in failed["message"]
    assert failed["details"]["output"] == {"path": "a.md", "bytes": 4}
    assert (way.folder / "files" / "a.md").read_text() == "lost"


def test_calls_of_every_worker_are_reverted_newest_first(way: Way) -> None:
    file = way.folder / "files" / "b.md"
    file.parent.mkdir()
    file.write_text("old")
    for client, content in ((way.client, "1"), (way.other, "stuck"), (way.client, "3")):
        changed = client.call("workspace_write_file", {"path": "b.md", "content": content})
        assert not changed.is_error
    assert len({process for process, _ in way.lines()}) == way.workers
    words = ("--handlers", "workspace=app:Workspace", *STORE, "--tool", "workspace_write_file")
    status, said = run(way.folder, "revert", "all", *words, "--yes")
    # What other tests have left is older, and follows.
    assert (status, way.seen()[3:6]) == (1, ["undid 3", "undid stuck", "undid 1"])
    outcomes = [line.split("  ")[0] for line in said.splitlines()]
    assert outcomes[:3] == ["reverted", "failed", "reverted"]
    assert "the file is locked" in said
    assert file.read_text() == "old"


def test_a_version_is_exact_and_a_bare_name_the_highest(way: Way) -> None:
    call_tool = way.client.call
    old = call_tool("workspace_search@1.0", {"input": "needle"})
    assert old.content[0].text == "old needle"
    assert paths(call_tool("workspace_search@1.0", {"input": ""})) == {"$.input"}
    for name in ("workspace_search", "workspace_search@2.0"):
        (line,) = way.value(call_tool(name, {"what": "needle"}), is_object=False)
        assert line["text"] == "needle"
    with pytest.raises(MCPError, match=r"workspace_search@3\.0"):
        call_tool("workspace_search@3.0", {"what": "needle"})
    assert call_tool("workspace_read_file@1.0", {"path": "a.md"}).content[0].text == "text"


def test_the_list_shows_version_aliases_and_type_of_content(way: Way) -> None:
    tools = way.tools()
    about = {name: (tools[f"workspace_{name}"].meta or {})["toolspec"] for name in WORKSPACE}
    assert about["search"]["version"] == "2.0"
    assert about["read_file"]["aliases"] == ["workspace_open_file", "fs.cat"]
    assert about["read_file"]["contentType"] == "text/plain"
    (page,) = way.client.call("workspace_save_page", PAGE).content
    assert page.resource.mime_type == about["save_page"]["contentType"] == "application/pdf"


WORKSPACE = ("search", "read_file", "save_page")

# OpenTabs: names, errors, progress, limits


def test_the_list_has_names_titles_icons_and_groups(way: Way) -> None:
    tools = {name: tool for name, tool in way.tools().items() if name.startswith("slack_")}
    shown = {
        name: (tool.title, tool.meta["toolspec"]["icon"], tool.meta["toolspec"]["group"])
        for name, tool in tools.items()
        if tool.meta
    }
    assert shown == {
        "slack_send_message": ("Send Message", "message-square", "Messages"),
        "slack_list_channels": ("List Channels", "hash", "Channels"),
        "slack_search_messages": ("Search Messages", "search", "Messages"),
        "slack_export_channel": ("Export Channel", "download", "Channels"),
        "slack_summarize_thread": ("Summarize Thread", "list-tree", "Messages"),
        "slack_set_reminder": ("Set Reminder", "alarm-clock", "Members"),
    }
    (icon,) = way.tools()["notes_search"].icons or ()
    assert icon.src == "https://example.com/icons/search.svg"


def test_errors_have_code_category_and_whether_to_come_back(way: Way) -> None:
    for category in CATEGORIES:
        told = error(way.client.call("slack_list_channels", {**MAIN, "cursor": category}))
        assert (told["code"], told["category"]) == (category, category)
        assert told["retryable"] is (category in ("rate_limit", "unavailable", "timeout"))
        assert told.get("retry_after_ms") == (1500 if category == "rate_limit" else None)
    bug = way.client.call("slack_list_channels", {**MAIN, "cursor": "bug"})
    assert error(bug)["category"] == "internal"
    assert "10.0.0.1" not in bug.model_dump_json()


def test_all_wrong_fields_are_reported_and_nobody_is_asked(way: Way) -> None:
    wrong = {**MAIN, "channel": 1, "thread_ts": "now"}
    found = paths(way.client.call("slack_send_message", wrong))
    assert found == {"$.channel", "$.text", "$.thread_ts"}
    assert way.client.person.asked == []


def test_a_handler_reports_progress_after_its_permission(way: Way) -> None:
    message = {**MAIN, "channel": "general", "text": "Hello"}
    result, reports = way.client.reports("slack_send_message", message)
    assert way.value(result)["ok"]
    assert [message for *_, message in reports] == ["on its way", "sent"]
    (question,) = way.client.person.asked
    assert "It uses web *.slack.com (POST)." in question


def test_the_26th_call_of_a_worker_is_refused(way: Way) -> None:
    results: list[Any] = []

    async def one(client: Connection) -> None:
        hold = {**MAIN, "cursor": "hold"}
        results.append(await client.client.call_tool("slack_list_channels", hold))
        if len(results) == way.workers:
            (way.folder / "go").touch()  # ends those that were not refused

    async def crowd(client: Connection) -> None:
        async with anyio.create_task_group() as group:
            for _ in range(26):
                group.start_soon(one, client)

    clients = {way.client, way.other}
    for crowded in [client.portal.start_task_soon(crowd, client) for client in clients]:
        crowded.result(30)
    refused = [error(result) for result in results if result.is_error]
    assert len(results) - len(refused) <= 25 * way.workers
    assert len(refused) >= way.workers
    for told in refused:
        assert (told["code"], told["category"]) == ("too_many_calls", "rate_limit")
        assert told["retryable"]
        assert told["retry_after_ms"]


def test_a_call_is_for_the_instance_that_it_names(way: Way) -> None:
    assert "$.instance" in paths(way.client.call("slack_list_channels"))
    for name in WORKSPACES:
        found = way.value(way.client.call("slack_list_channels", {"instance": name}))
        names = [(channel["id"], channel["name"]) for channel in found["channels"]]
        assert names == [(name, f"https://{name}.slack.example"), (name, "general")]
    assert way.seen() == [f"region us, token xoxs-{name}" for name in WORKSPACES]


# Synthetiq: streams, the mutation flag, settings, credentials, scopes


def test_streams_come_as_messages_and_as_the_whole(way: Way) -> None:
    result, reports = way.client.reports("github_streamMessage", {"prompt": "?"})
    assert [message for *_, message in reports] == ["to ", "be ", "continued"]
    assert way.value(result, is_object=False) == "to be continued"
    result, reports = way.client.reports("notes_export")
    items = [json.loads(message) for *_, message in reports]
    assert way.value(result, is_object=False) == items
    assert [item["id"] for item in items] == ["n1", "n2"]
    thread = {**MAIN, "channel": "general", "thread_ts": "1790635538.000200"}
    result, reports = way.client.reports("slack_summarize_thread", thread)
    assert (
        way.value(result)
        == json.loads(reports[-1][2])
        == {"summary": "They agree", "confidence": 1}
    )
    way.client.notified.clear()
    whole = way.client.call("github_streamMessage", {"prompt": "?"})
    assert way.value(whole, is_object=False) == "to be continued"
    assert way.client.notified == []


def test_a_stream_that_fails_is_an_error_after_its_chunks(way: Way) -> None:
    result, reports = way.client.reports("github_streamMessage", {"prompt": "fail"})
    assert [message for *_, message in reports] == ["to "]
    assert error(result)["category"] == "unavailable"


def test_what_changes_nothing_is_read_only_and_writes_run_once(way: Way) -> None:
    catalog = json.loads((way.folder / "generated" / "catalog.json").read_text())
    mutations = {tool["name"]: tool["mutation"] for tool in catalog["tools"]}
    tools = way.tools()
    assert tools.keys() == {name for name in mutations if name.partition("_")[0] in SERVICES}
    for name, tool in tools.items():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is not mutations[name], name
    made = way.value(way.client.call("github_createRepository", {"name": "new"}))
    assert (made["full_name"], way.seen()) == ("me/new", ["created new"])


def test_settings_and_credentials_reach_the_handler_only(way: Way) -> None:
    result = way.client.call("github_listRepositories")
    assert way.value(result, is_object=False) == [{"id": 1, "full_name": "me/one"}]
    caller = "ann" if way.address else "nobody"
    assert way.seen() == [f"https://github.example/api token of {caller}"]
    assert "token of" not in result.model_dump_json()
    broken = error(way.client.call("github_listRepositories", {"sort": "pushed"}))
    assert (broken["category"], broken["field_errors"][0]["path"]) == ("output", "$[0].full_name")


def test_scopes_of_a_token_decide_and_stdio_has_none(way: Way) -> None:
    if not way.address:
        assert not way.client.call("github_streamMessage", {"prompt": "?"}).is_error
        return
    with connected(signed_in(way.address, "guest"), way.mode) as guest:
        assert not guest.call("github_listRepositories").is_error
        with pytest.raises(MCPError):
            guest.call("github_createRepository", {"name": "new"})
    # What the client's SDK was told, of which it shows nothing.
    refused = call(way.address, "github_createRepository", {"name": "new"}, bearer("guest"))
    assert refused.status_code == 403
    assert 'scope="repo"' in refused.headers["www-authenticate"]
    assert way.seen() == ["https://github.example/api token of guest"]


# EPD: hints, approval by risk, idempotency keys

ORDER = {"customer": "cus_8Qa", "items": ORDER_ITEMS}


def test_every_tool_has_the_four_hints_of_its_declaration(way: Way) -> None:
    catalog = json.loads((way.folder / "generated" / "catalog.json").read_text())
    declared = {tool["name"]: tool["hints"] for tool in catalog["tools"]}
    for name, tool in way.tools().items():
        assert tool.annotations is not None
        hints = tool.annotations.model_dump(by_alias=True)
        assert {key: hints[f"{key}Hint"] for key in declared[name]} == declared[name], name
    cancelling = way.tools()["billing_cancel_subscription"].annotations
    assert cancelling is not None
    assert cancelling.title == "Cancel subscription"
    assert (cancelling.destructive_hint, cancelling.idempotent_hint) == (True, True)
    assert (cancelling.read_only_hint, cancelling.open_world_hint) == (False, False)


def test_reading_is_not_asked_for_and_destroying_is_each_time(way: Way) -> None:
    client = way.client
    assert not client.call("billing_get_customer", {"customer": "cus_8Qa"}).is_error
    assert client.person.asked == []
    for _ in range(2):
        ended = client.call("billing_cancel_subscription", {"subscription": "sub_2Lm"})
        assert way.value(ended)["state"] == "active"
    assert len(client.person.asked) == 2
    assert "Allow Cancel subscription (billing_cancel_subscription)?" in client.person.asked[0]
    assert '"subscription": "sub_2Lm"' in client.person.asked[0]
    client.person.declined = "billing_cancel_subscription"
    refused = error(client.call("billing_cancel_subscription", {"subscription": "sub_3"}))
    assert (refused["category"], refused["code"]) == ("permission", "refused")
    assert way.seen() == ["ended sub_2Lm", "ended sub_2Lm"]


def test_a_required_key_has_to_be_there(way: Way) -> None:
    assert paths(way.client.call("billing_create_order", ORDER)) == {"$.idempotency_key"}
    assert way.seen() == []


def test_a_key_sells_once_and_replays_the_first_answer(way: Way, tmp_path: Path) -> None:
    order = {**ORDER, "idempotency_key": str(tmp_path)}
    first = way.value(way.client.call("billing_create_order", order))
    for client in (way.other, way.client):
        assert way.value(client.call("billing_create_order", order)) == first
    used = error(way.other.call("billing_create_order", {**order, "coupon": "TEN"}))
    assert (used["category"], used["code"]) == ("conflict", "key_reused")
    assert way.seen() == ["sold to cus_8Qa"]
