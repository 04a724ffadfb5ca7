"""Calls of a server of real handlers, by clients of both eras over both transports."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from lab_server import LAB
from mcp.shared.exceptions import MCPError
from served import LEGACY, MODERN, Connection, connected, http, pause, stdio
from toolspec.runtime import Progress
from toolspec.serving.client import McpTransport


@pytest.fixture(scope="module")
def address(lab: Path) -> Iterator[str]:
    with http(lab, *LAB, "--no-auth") as found:
        yield found


@pytest.fixture(
    scope="module",
    params=[("stdio", LEGACY), ("stdio", MODERN), ("http", LEGACY), ("http", MODERN)],
    ids=" ".join,
)
def client(request: pytest.FixtureRequest, lab: Path) -> Iterator[Connection]:
    transport, mode = request.param
    if transport == "stdio":
        server: Any = stdio(lab, *LAB, TOOLSPEC_LAB_LOUD="true")
    else:
        server = request.getfixturevalue("address")
    with connected(server, mode) as connection:
        yield connection


@pytest.fixture(autouse=True)
def calm(client: Connection) -> None:
    client.person.asked.clear()
    client.person.action = "accept"


def is_modern(client: Connection) -> bool:
    return client.client.protocol_version == "2026-07-28"


def test_the_server_says_who_it_is(client: Connection) -> None:
    assert client.client.instructions == "Wash your hands first."
    info = client.client.server_info
    assert (info.name, info.version, info.title) == ("lab", "2.1.0", "The lab")
    assert [icon.src for icon in info.icons or ()] == ["https://example.com/lab.png"]
    tasks = client.client.server_capabilities.tasks
    assert (tasks is None) is is_modern(client)


def test_the_list_is_the_generated_one(client: Connection, lab: Path) -> None:
    listed = client.portal.call(client.client.list_tools)
    file = "mcp.json" if is_modern(client) else "mcp-2025-11-25.json"
    manifest = json.loads((lab / "generated" / "lab" / file).read_text())
    found = [
        each.model_dump(by_alias=True, exclude_none=True, mode="json") for each in listed.tools
    ]
    assert found == manifest["tools"]
    if is_modern(client):
        assert (listed.ttl_ms, listed.cache_scope) == (manifest["ttlMs"], manifest["cacheScope"])


def test_a_result_is_structured_and_the_same_as_text(client: Connection) -> None:
    result = client.call("lab_echo", {"text": "hé"})
    expected = {"text": "hello hé" if client_is_loud(client) else "hé", "stamped": True}
    assert result.structured_content == expected
    (block,) = result.content
    assert block.text == json.dumps(expected, ensure_ascii=False, separators=(",", ":"))


def client_is_loud(client: Connection) -> bool:
    return bool(client.call("lab_who").structured_content["kind"] == "stdio")


@pytest.mark.parametrize(
    ("tool", "value", "wrapped"),
    [
        ("lab_list", [1, 2], False),
        ("lab_maybe", None, True),
        ("lab_find", [1, 2], False),
        ("lab_find@2.0.0", [1, 2], False),
    ],
)
def test_what_is_no_object_is_wrapped_where_it_must_be(
    client: Connection, tool: str, value: object, wrapped: bool
) -> None:
    result = client.call(tool)
    expected = value if is_modern(client) and not wrapped else {"result": value}
    assert result.structured_content == expected
    assert json.loads(result.content[0].text) == expected


def test_another_version_and_an_undescribed_result(client: Connection) -> None:
    old = client.call("lab_find@1.0.0")
    expected = 1 if is_modern(client) else {"result": 1}
    assert old.structured_content == json.loads(old.content[0].text) == expected
    anything = client.call("lab_anything")
    assert anything.content[0].text == "[1,null]"


def test_a_document_is_its_own_text(client: Connection) -> None:
    assert client.call("lab_prose").content[0].text == "# A page\n\nwith “words”"


def test_bytes_are_what_they_are(client: Connection) -> None:
    (image,) = client.call("lab_picture").content
    assert (image.type, image.data, image.mime_type) == ("image", "iVBORw0KGgo=", "image/png")
    (document,) = client.call("lab_report").content
    assert (document.type, document.resource.blob) == ("resource", "JVBERi0=")
    assert document.resource.mime_type == "application/pdf"


def test_bytes_inside_a_result_stand_beside_it(client: Connection) -> None:
    result = client.call("lab_album")
    cover = {"title": "a/b", "pages/all": [{"scan": "iVBORw0KGgo="}, {"scan": None}], "raw": "AA=="}
    album = {**cover, "sound": "UklGRg=="}
    expected = [album] if is_modern(client) else {"result": [album]}
    assert result.structured_content == expected
    text, picture, sound = result.content
    left = [{**cover, "pages/all": [{}, {"scan": None}]}]
    assert json.loads(text.text) == (left if is_modern(client) else {"result": left})
    assert (picture.type, picture.data) == ("image", "iVBORw0KGgo=")
    assert (sound.type, sound.resource.blob) == ("resource", "UklGRg==")
    assert sound.resource.uri == "toolspec:lab_album#/0/sound"


def test_wrong_arguments_are_told_field_by_field(client: Connection) -> None:
    result = client.call("lab_echo", {"text": "", "times": 9, "more": 1})
    assert result.is_error
    line, machine = (block.text for block in result.content)
    assert "\n" not in line
    envelope = json.loads(machine)
    assert result.meta["toolspec"] == envelope
    error = envelope["error"]
    assert (error["code"], error["category"]) == ("validation", "validation")
    assert error["request_id"] in line
    assert {each["path"] for each in error["field_errors"]} == {"$.text", "$.times", "$.more"}


def test_an_unknown_tool_is_a_protocol_error_with_near_names(client: Connection) -> None:
    with pytest.raises(MCPError) as caught:
        client.call("lab_ecko")
    assert caught.value.code == types.INVALID_PARAMS
    assert caught.value.data["nearest"][0] == "lab_echo"


@pytest.mark.parametrize(
    ("how", "code", "category"),
    [
        ("told", "broken_glass", "internal"),
        ("crash", "internal", "internal"),
        ("exit", "internal", "internal"),
        ("shape", "output", "output"),
    ],
)
def test_a_failure_is_a_result_and_the_server_goes_on(
    client: Connection, how: str, code: str, category: str
) -> None:
    result = client.call("lab_fail", {"how": how})
    assert result.is_error
    error = result.meta["toolspec"]["error"]
    assert (error["code"], error["category"]) == (code, category)
    assert error["retryable"] is (how == "told")
    assert "s3cret" not in result.model_dump_json()
    assert client.call("lab_list").content


def test_progress_grows_and_comes_only_where_asked_for(client: Connection) -> None:
    result, reports = client.reports("lab_count")
    assert result.structured_content in (4, {"result": 4})
    numbers = [number for number, _, _ in reports]
    assert numbers == sorted(set(numbers))
    assert [(total, message) for _, total, message in reports] == [
        (4, "at 0"),
        (4, "at 1"),
        (4, "at 2"),
        (4, "at 2"),
        (4, "at 3"),
    ]
    assert numbers[0] == 0
    assert client.call("lab_count").content  # without a token nothing is sent, and all goes well


def test_progress_without_numbers_leaves_numbers_as_they_are(client: Connection) -> None:
    _, reports = client.reports("lab_mumble")
    numbers = [number for number, _, _ in reports]
    assert numbers == sorted(set(numbers))
    assert [message for _, _, message in reports] == [None, "still here", "half", "back"]
    assert [round(number, 9) for number in numbers] == [0, 0, 0.5, 0.5]
    assert reports[2][:2] == (0.5, 1)


def test_chunks_leave_the_numbers_of_a_handler_as_they_are(client: Connection) -> None:
    _, reports = client.reports("lab_recite")
    numbers = [number for number, _, _ in reports]
    assert numbers == sorted(set(numbers))
    counted = [(number, total) for number, total, _ in reports if total is not None]
    assert [(round(number, 9), total) for number, total in counted] == [(0, 2), (1, 2), (2, 2)]
    assert counted[1:] == [(1, 2), (2, 2)]


def test_a_generated_client_gets_the_reports_of_the_handler(address: str) -> None:
    reports: list[Progress] = []

    async def calls() -> None:
        async with McpTransport(address) as transport:
            await transport.call("lab_mumble", {}, on_progress=reports.append)
            chunks = transport.stream("lab_recite", {}, on_progress=reports.append)
            assert [chunk async for chunk in chunks] == ["a", "b", "c", "d"]

    asyncio.run(calls())
    seen = [(report.value, report.total, report.message) for report in reports]
    assert seen[:3] == [(None, None, None), (None, None, "still here"), (0.5, 1, "half")]
    assert [(value, total) for value, total, _ in seen[4:]] == [(0, 2), (1, 2), (2, 2)]


def test_what_no_message_can_carry_does_not_end_the_connection(client: Connection) -> None:
    result, reports = client.reports("lab_garble")
    assert not result.is_error
    assert {message for _, _, message in reports} == {"reading caf\\udce9"}
    assert {total for _, total, _ in reports} == {None}
    assert "to read caf<U+DCE9>" in client.person.asked[-1]
    assert not client.call("lab_list").is_error


def test_a_stream_comes_as_progress_and_as_a_whole(client: Connection) -> None:
    result, reports = client.reports("lab_speak")
    assert [message for _, _, message in reports] == ["to ", "be ", "continued"]
    assert result.structured_content in ("to be continued", {"result": "to be continued"})
    result, reports = client.reports("lab_deal")
    assert [json.loads(message) for _, _, message in reports] == [{"card": 1}, {"card": 2}]
    assert json.loads(client.call("lab_deal").content[0].text) in (
        [{"card": 1}, {"card": 2}],
        {"result": [{"card": 1}, {"card": 2}]},
    )


def test_a_stream_ends_with_the_result_that_a_hook_replaced(client: Connection) -> None:
    before = seen(client).count("shout ended ok with FIRE, FIRE")
    result, reports = client.reports("lab_shout")
    assert [message for _, _, message in reports] == ["fire, ", "fire"]
    assert json.loads(result.content[0].text) in ("FIRE, FIRE", {"result": "FIRE, FIRE"})
    assert json.loads(client.call("lab_shout").content[0].text) == json.loads(
        result.content[0].text
    )
    deadline = time.monotonic() + 10
    while seen(client).count("shout ended ok with FIRE, FIRE") < before + 2:
        assert time.monotonic() < deadline, seen(client)
        pause(0.05)


def test_a_generated_client_gets_the_result_that_it_compares_with_its_chunks(
    client: Connection, address: str
) -> None:
    async def listen(*_: object) -> None:
        pass

    def answer(**envelope: object) -> object:
        meta = {"toolspec": {"call": "a", **envelope}}
        result = client.call("lab_shout", progress_callback=listen, meta=meta)
        return json.loads(result.content[0].text)

    assert answer() in ("fire, fire", {"result": "fire, fire"})
    assert answer(whole=True) in ("FIRE, FIRE", {"result": "FIRE, FIRE"})

    async def stream() -> list[object]:
        async with McpTransport(address) as transport:
            assert await transport.call("lab_shout", {}) == "FIRE, FIRE"
            return [chunk async for chunk in transport.stream("lab_shout", {})]

    assert asyncio.run(stream()) == ["fire, ", "fire"]


def test_a_question_in_the_middle_of_a_stream_repeats_no_chunk(client: Connection) -> None:
    result, reports = client.reports("lab_pages")
    assert [message for _, _, message in reports] == ["one, ", "two"]
    assert reports[0][0] < reports[1][0]
    assert json.loads(result.content[0].text) in ("one, two", {"result": "one, two"})


def test_a_whole_that_breaks_its_schema_is_no_result(client: Connection) -> None:
    result, _ = client.reports("lab_deal", {"broken": True})
    assert result.is_error
    assert result.meta["toolspec"]["error"]["category"] == "output"


def test_a_mutation_is_asked_for_once(client: Connection) -> None:
    result = client.call("lab_destroy", {"what": "glass"})
    assert not result.is_error
    (question,) = client.person.asked
    assert "lab_destroy" in question
    assert '"what": "glass"' in question
    assert "destroyed glass" in seen(client)


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_no_is_no(client: Connection, action: str) -> None:
    client.person.action = action
    result = client.call("lab_destroy", {"what": action})
    assert result.is_error
    assert result.meta["toolspec"]["error"]["category"] == "permission"
    assert f"destroyed {action}" not in seen(client)


def test_nobody_is_asked_about_wrong_arguments(client: Connection) -> None:
    assert client.call("lab_destroy", {}).is_error
    assert not client.person.asked


def test_a_handler_may_ask_again(client: Connection) -> None:
    result = client.call("lab_write")
    assert not result.is_error, result
    first, second = client.person.asked
    assert "lab_write" in first
    assert "to write it down" in second
    assert "~/lab.txt" in second


def seen(client: Connection) -> list[str]:
    text = client.call("lab_seen").content[0].text
    found = json.loads(text)
    return list(found["result"] if isinstance(found, dict) else found)


def test_cancellation_reaches_the_handler(client: Connection) -> None:
    before = seen(client).count("called off True")

    async def give_up() -> None:
        with anyio.move_on_after(0.3):
            await client.client.call_tool("lab_wait", {})

    client.portal.call(give_up)
    for _ in range(40):
        if seen(client).count("called off True") == before + 1:
            return
        pause(client)
    raise AssertionError(seen(client))


def test_prints_do_not_reach_the_protocol(client: Connection) -> None:
    assert not client.call("lab_print").is_error
    assert client.call("lab_list").content


def test_the_caller_is_nobody_where_nobody_says_who(client: Connection) -> None:
    assert client.call("lab_who").structured_content["caller"] is None
