"""Responses of servers as results, chunks and errors of tools."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import tracemalloc
import zlib
from base64 import b64encode
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from requests_of_tools import AUTH, Api, compiled, document, tool
from sampling import sampled
from toolspec.runtime import ToolError
from upstream import Upstream, json_response, response

if TYPE_CHECKING:
    from types import ModuleType

GET = {"method": "GET", "path": "/"}
POST = {"method": "POST", "path": "/"}
STRING = {"type": "string"}
ERRORS = [
    {"code": "not_found", "description": "There is no such thing."},
    {"code": "rate_limit", "description": "Too often.", "retryable": True},
    {"code": "http_418", "description": "It is a teapot."},
]
TOOLS = (
    tool("read", GET, errors=ERRORS),
    tool("write", POST),
    tool("repeat", POST, annotations={"idempotentHint": True}),
    tool(
        "keyed",
        {**POST, "in": {"idempotency_key": {"in": "header", "name": "Idempotency-Key"}}},
        idempotency="optional",
    ),
    tool("kept", POST, idempotency="optional"),
    tool("quick", GET, timeout={"total": "2s"}),
    tool("markdown", GET, outputContentType="text/markdown", outputSchema=STRING),
    tool(
        "picture",
        GET,
        outputContentType="image/png",
        outputSchema={**STRING, "contentEncoding": "base64"},
    ),
    tool("head", {**GET, "method": "HEAD"}),
    tool("words", GET, outputSchema=STRING, streaming=True),
    tool("items", GET, outputSchema={"type": "array"}, streaming=True),
    tool(
        "events",
        GET,
        streaming=True,
        outputSchema={"type": "object"},
        chunkSchema={"type": "object", "properties": {"data": STRING, "event": STRING}},
    ),
    tool(
        "states",
        GET,
        streaming=True,
        outputSchema={"type": "object"},
        chunkSchema={"type": "object"},
    ),
)
SECRETS = {"apiKey": "k-123/456", "user": "ada", "password": 'p"w'}


@pytest.fixture
def api(package: ModuleType, upstream: Upstream) -> Api:
    return Api(package, upstream.url)


def failed(api: Api, name: str, /, **arguments: Any) -> ToolError:
    with pytest.raises(ToolError) as caught:
        api.call(name, **arguments)
    return caught.value


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        (json_response('{"a": [1, null]}'), {"a": [1, None]}),
        (response('{"a":1}', Content_Type="application/hal+json; charset=utf-8"), {"a": 1}),
        (response('{"a":1}'), {"a": 1}),
        (response("", 204), None),
        (response("", 200), None),
        (response("grüß".encode("latin-1"), Content_Type="text/plain; charset=latin-1"), "grüß"),
        (response("x", Content_Type="text/plain; charset=nonsense"), "x"),
    ],
)
def test_a_body_is_a_result(answer: bytes, result: object, api: Api, upstream: Upstream) -> None:
    upstream.answers(answer)
    assert api.call("read") == result


def test_content_that_is_not_json(api: Api, upstream: Upstream) -> None:
    upstream.answers(response("# Title", Content_Type="text/markdown"))
    assert api.call("markdown") == "# Title"
    upstream.answers(response("", Content_Type="text/markdown"))
    assert api.call("markdown") == ""
    upstream.answers(response(b"\x89PNG", Content_Type="image/png"))
    assert api.call("picture") == b64encode(b"\x89PNG").decode()
    upstream.answers(
        response("", 200, Content_Type="application/json").replace(b"Length: 0", b"Length: 9")
    )
    assert api.call("head") is None


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (json_response("{"), "invalid_json"),
        (json_response("[" * 200_000), "invalid_json"),
        (response(b"\x00", Content_Type="image/png"), "content_type"),
        (response("x", Content_Encoding="br"), "content_encoding"),
        (response("x", Content_Encoding="gzip"), "content_encoding"),
        (
            response(gzip.compress(b'{"a":1}', mtime=0)[:-9], Content_Encoding="gzip"),
            "content_encoding",
        ),
    ],
)
def test_a_body_that_cannot_be_read(answer: bytes, code: str, api: Api, upstream: Upstream) -> None:
    upstream.answers(answer)
    error = failed(api, "read")
    assert (error.code, error.category) == (code, "output")


def test_an_answer_that_ends_early(api: Api, upstream: Upstream) -> None:
    upstream.answers(iter([b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"]))
    assert failed(api, "read").code == "unreachable"
    upstream.answers(iter([b"nonsense\r\n\r\n"]))
    assert failed(api, "write").code == "unreachable"


# Limits.


def test_compressed_answers_are_read(api: Api, upstream: Upstream) -> None:
    text = json.dumps(["word"] * 50_000).encode()
    for body, encoding in ((gzip.compress(text), "gzip"), (zlib.compress(text), "deflate")):
        upstream.answers(
            json_response("", Content_Encoding=encoding).replace(
                b"Length: 0", b"Length: %d" % len(body)
            )
            + body
        )
        assert len(api.call("read")) == 50_000
    parts = gzip.compress(b"[1,") + gzip.compress(b"2]")
    upstream.answers(response(parts, Content_Encoding="gzip"))
    assert api.call("read") == [1, 2]


@pytest.mark.prove
def test_the_limit_counts_decompressed_bytes(package: ModuleType, upstream: Upstream) -> None:
    bomb = gzip.compress(b" " * 200_000_000)
    assert len(bomb) < 300_000
    upstream.answers(response(bomb, Content_Encoding="gzip", Content_Type="application/json"))
    api = Api(package, upstream.url, max_response_bytes=1_000_000)
    tracemalloc.start()
    try:
        error = failed(api, "read")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (error.code, error.category, error.retryable) == ("too_large", "output", False)
    assert peak < 20_000_000


def test_a_stream_may_be_long_and_its_lines_not(package: ModuleType, upstream: Upstream) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nConnection: close\r\n\r\n"
    api = Api(package, upstream.url, max_response_bytes=1000)
    upstream.answers(iter([head, *[b'"word"\n'] * 1000]))
    assert len(api.chunks("items")) == 1000
    upstream.answers(iter([head, *[b" " * 500] * 10]))
    with pytest.raises(ToolError) as caught:
        api.chunks("items")
    assert caught.value.code == "too_large"
    events = head.replace(b"application/jsonl", b"text/event-stream")
    upstream.answers(iter([events, *[b"data: abcdefgh\n"] * 500]))
    with pytest.raises(ToolError) as caught:
        api.chunks("items")
    assert caught.value.code == "too_large"


# Streams.

HEAD = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: {}\r\n\r\n"


def stream(kind: str, *pieces: bytes) -> Iterator[bytes]:
    return iter([HEAD.format(kind).encode(), *pieces])


@pytest.mark.parametrize(
    ("name", "kind", "pieces", "chunks"),
    [
        (
            "words",
            "text/event-stream",
            (
                b": hello\n\nda",
                b"ta: one\r",
                b"\ndata:two\r\n\r\nevent: x\ndata\n\n",
                b"data: [DONE]\n\ndata: no\n\n",
            ),
            ["one\ntwo", ""],
        ),
        ("words", "text/plain", (b"a\xc3", b"\xbc", b"b"), ["a", "ü", "b"]),
        ("words", "application/x-ndjson", (b'"a"\n\n"b', b'"'), ["a", "b"]),
        (
            "items",
            "text/event-stream; charset=utf-8",
            (b'data: {"a":\ndata: 1}\n\n', b"data: 2\n\n"),
            [{"a": 1}, 2],
        ),
        ("items", "application/json-seq", (b'\x1e{"a":1}\n\x1e2\n',), [{"a": 1}, 2]),
        ("items", "application/json", (b"[1,", b"2]"), [1, 2]),
        (
            "events",
            "text/event-stream",
            (b"event: x\nid: 7\ndata: {}\n\ndata: y\n\n",),
            [{"event": "x", "id": "7", "data": "{}"}, {"data": "y"}],
        ),
        ("states", "application/jsonl", (b'{"n":1}\n{"n":2}\n',), [{"n": 1}, {"n": 2}]),
        ("states", "application/json", (b'{"n":1}',), [{"n": 1}]),
    ],
)
def test_a_stream_is_read_as_it_comes(  # noqa: PLR0913, PLR0917 - columns of a table
    name: str, kind: str, pieces: Any, chunks: Any, api: Api, upstream: Upstream
) -> None:
    upstream.answers(stream(kind, *pieces))
    read = api.chunks(name)
    assert ("".join(read) if kind == "text/plain" else read) == (
        "".join(chunks) if kind == "text/plain" else chunks
    )


def test_a_chunk_arrives_before_the_next_is_sent(package: ModuleType, upstream: Upstream) -> None:
    seen: list[object] = []

    def pieces() -> Iterator[bytes]:
        yield from stream("application/jsonl", b"1\n")
        while 1 not in seen:
            yield b"\n"
        yield b"2\n"

    async def read() -> None:
        api = Api(package, upstream.url)
        async for chunk in api.registry.stream("api_items", {}):
            seen.append(chunk)  # noqa: PERF401 - the server waits for it
        await api.handlers._client.aclose()

    upstream.answers(pieces())
    asyncio.run(asyncio.wait_for(read(), 30))
    assert seen == [1, 2]


def test_a_stream_that_is_left_closes_its_connection(
    package: ModuleType, upstream: Upstream
) -> None:
    closed: list[bool] = []

    def pieces() -> Iterator[bytes]:
        yield from stream("application/jsonl", b"1\n")
        try:
            while True:
                yield b"2\n" * 10_000
        finally:
            closed.append(True)

    async def read() -> None:
        api = Api(package, upstream.url)
        chunks = api.registry.stream("api_items", {})
        assert await anext(chunks) == 1
        await chunks.aclose()
        await api.handlers._client.aclose()
        while not closed:  # noqa: ASYNC110 - set by the server's thread
            await asyncio.sleep(0.01)

    source = pieces()

    def reply(_: object) -> Iterator[bytes]:
        try:
            yield from source
        finally:
            source.close()

    upstream.requests.clear()
    upstream.reply = reply
    asyncio.run(asyncio.wait_for(read(), 30))
    assert closed == [True]


# Errors.


@pytest.mark.parametrize(
    ("status", "code", "category", "retryable"),
    [
        (400, "bad_request", "validation", False),
        (401, "unauthorized", "auth", False),
        (403, "forbidden", "permission", False),
        (404, "not_found", "not_found", False),
        (409, "conflict", "conflict", False),
        (410, "not_found", "not_found", False),
        (418, "http_418", "validation", False),
        (422, "unprocessable_content", "validation", False),
        (500, "internal_server_error", "unavailable", True),
        (599, "http_599", "unavailable", True),
    ],
)
def test_a_status_is_an_error(  # noqa: PLR0913, PLR0917 - columns of a table
    status: int, code: str, category: str, retryable: bool, api: Api, upstream: Upstream
) -> None:
    upstream.answers(response("", status))
    error = failed(api, "read")
    assert (error.code, error.category, error.retryable) == (code, category, retryable)
    assert error.details == {"status": status}
    assert len(upstream.requests) == 1


@pytest.mark.parametrize(
    ("status", "retryable", "effect"),
    sampled(
        [
            (408, False, "unknown"),
            (425, True, None),
            (429, True, None),
            (500, False, "unknown"),
            (502, False, "unknown"),
            (503, False, "unknown"),
            (504, False, "unknown"),
            (501, False, None),
            (409, False, None),
        ],
        4,
        rows=True,
    ),
)
def test_a_server_that_fails_may_have_acted(
    status: int, retryable: bool, effect: object, api: Api, upstream: Upstream
) -> None:
    upstream.answers(response("", status))
    error = failed(api, "write")
    assert (error.retryable, error.details.get("effect")) == (retryable, effect)
    assert failed(api, "repeat").details == {"status": status}


def test_a_key_that_is_not_sent_admits_one_request(api: Api, upstream: Upstream) -> None:
    upstream.answers(response("", 500), json_response("1"))
    assert failed(api, "kept", idempotency_key="k").code == "internal_server_error"
    assert failed(api, "kept", idempotency_key="k").code == "outcome_unknown"
    assert len(upstream.requests) == 1


@pytest.mark.parametrize("status", [300, 302, 308])
def test_a_redirect_to_nowhere_is_an_error(status: int, api: Api, upstream: Upstream) -> None:
    upstream.answers(response("", status))
    for name in ("read", "write"):
        error = failed(api, name)
        assert (error.code, error.category) == (f"http_{status}", "unavailable")
        assert not error.retryable
    upstream.answers(response("", 304))
    assert api.call("read") is None


def test_a_declared_error_has_its_own_words(api: Api, upstream: Upstream) -> None:
    upstream.answers(json_response('{"message": "No such\\nuser."}', 404))
    assert failed(api, "read").message == "There is no such thing.: No such user."
    upstream.answers(response("<html>", 404, Content_Type="text/html"))
    assert failed(api, "read").message == "There is no such thing."
    upstream.answers(json_response('{"error": {"message": "Broken"}}', 500))
    assert failed(api, "write").message == "the server answered 500: Broken"
    upstream.answers(json_response(json.dumps({"detail": "x" * 5000}), 500))
    assert len(failed(api, "write").message) < 400


def test_an_error_never_shows_credentials(
    tmp_path: Any, upstream: Upstream, caplog: pytest.LogCaptureFixture
) -> None:
    security = [
        {
            "user": {"in": "basicUsername"},
            "password": {"in": "basicPassword"},
            "apiKey": {"in": "query", "name": "key"},
        }
    ]
    value = document(tool("go", {**GET, "security": security}), auth=AUTH)
    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.DEBUG):
        api = Api(compiled(tmp_path, patch, value), upstream.url, SECRETS)

        def echo(received: Any) -> bytes:
            told = f"{received.target} {received.header('authorization')} {SECRETS['password']} k-123/456"
            return json_response(json.dumps({"message": told}), 400)

        upstream.reply = echo
        error = failed(api, "go")
        upstream.answers(response("", 302, Location="http://127.0.0.2/?key=k-123/456"))
        redirected = failed(api, "go")
    assert "key=" in error.message
    logged = [each.getMessage() for each in caplog.records if each.name.startswith("toolspec")]
    shown = f"{error.to_wire()} {redirected.to_wire()} {error!r} {logged}"
    for secret in (
        "k-123",
        "k-123%2F456",
        SECRETS["password"],
        'p\\"w',
        b64encode(b'ada:p"w').decode(),
    ):
        assert secret not in shown


# Repeated requests.


def test_only_requests_that_may_be_repeated_are(api: Api, upstream: Upstream) -> None:
    busy, done = response("", 503, Retry_After="0"), json_response("1")
    for name, arguments in (
        ("read", {}),
        ("repeat", {}),
        ("keyed", {"idempotency_key": "k1"}),
    ):
        upstream.answers(busy, busy, done)
        assert api.call(name, **arguments) == 1
        assert len(upstream.requests) == 3
        assert len({str(each) for each in upstream.requests}) == 1
    for name in ("write", "keyed"):
        upstream.answers(busy, done)
        assert failed(api, name).code == "service_unavailable"
        assert len(upstream.requests) == 1
    upstream.answers(response("", 500, Retry_After="0"), done)
    assert failed(api, "read").category == "unavailable"
    assert len(upstream.requests) == 1


def test_a_broken_connection_is_used_again(api: Api, upstream: Upstream) -> None:
    upstream.answers(iter([]), json_response("1"))
    assert api.call("read") == 1
    upstream.answers(iter([]), json_response("1"))
    error = failed(api, "write")
    assert (error.code, error.retryable, error.details) == (
        "unreachable",
        False,
        {"effect": "unknown"},
    )


@pytest.mark.parametrize("delay", ["3", "86400", "Fri, 31 Dec 2100 23:59:59 GMT"])
def test_a_delay_is_waited_for_within_the_timeout(delay: str, api: Api, upstream: Upstream) -> None:
    upstream.answers(response("", 429, Retry_After=delay), json_response("1"))
    error = failed(api, "quick")
    assert (error.code, error.category) == ("too_many_requests", "rate_limit")
    assert error.retry_after_ms is not None
    assert error.retry_after_ms >= 3000
    assert len(upstream.requests) == 1


@pytest.mark.parametrize("delay", sampled(["", "-1", "soon", "Thu, 01 Jan 1970 00:00:00 GMT"], 1))
def test_a_delay_that_means_nothing(delay: str, api: Api, upstream: Upstream) -> None:
    upstream.answers(response("", 429, Retry_After=delay), json_response("1"))
    assert api.call("quick") == 1
    assert len(upstream.requests) == 2
