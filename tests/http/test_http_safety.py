"""Where requests may go: redirects, addresses, cookies and proxies."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requests_of_tools import AUTH, Api, compiled, document, tool
from toolspec.runtime import ToolError
from toolspec.runtime.http import HttpRequest
from toolspec.runtime.http.client import may_connect
from upstream import Upstream, json_response, response

if TYPE_CHECKING:
    from types import ModuleType

TOOLS = (
    tool("read", {"method": "GET", "path": "/a/b"}),
    tool("write", {"method": "POST", "path": "/a/b"}, arguments={"x": {"type": "integer"}}),
)


def refused(api: Api, name: str = "read") -> ToolError:
    with pytest.raises(ToolError) as caught:
        api.call(name)
    return caught.value


# Arguments.

KEY = "key-0123456789"
SECURITY = [
    {"apiKey": {"in": "query", "name": "key"}, "user": {"in": "cookie", "name": "sid"}},
]
OPEN = tool(
    "open",
    {
        "method": "GET",
        "path": "/users/{id}/posts",
        "security": SECURITY,
        "in": {"trace": {"in": "header"}, "theme": {"in": "cookie"}},
    },
    "id",
    arguments={"id": {}, "trace": {}, "theme": {}},
    closed=False,
)
HOSTILE = st.one_of(
    st.sampled_from(
        ["..", "%2e%2e", "a/../b", "key", "sid", "x; sid=mine", "1\r\nHost: evil", "a&key=mine"]
    ),
    st.text(max_size=6),
    st.text("./\\%2eE;&=?#\r\n\0 ", max_size=6),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | HOSTILE,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(HOSTILE, inner, max_size=2),
    max_leaves=4,
)
NAMES = st.sampled_from(["id", "trace", "theme", "key", "sid", "other", "Cookie"]) | HOSTILE


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, upstream: Upstream) -> Iterator[Api]:
    with pytest.MonkeyPatch.context() as patch:
        package = compiled(tmp_path_factory.mktemp("open"), patch, document(OPEN, auth=AUTH))
        yield Api(package, f"{upstream.url}/v1", {"apiKey": KEY, "user": "ada"})


@settings(max_examples=300, deadline=None)
@given(arguments=st.dictionaries(NAMES, VALUES, max_size=4), own=VALUES)
def test_no_argument_changes_more_than_its_place(
    arguments: dict[str, Any], own: Any, opened: Api, upstream: Upstream
) -> None:
    upstream.answers(json_response("1"))
    try:
        opened.call("open", **{**arguments, "id": own})
    except ToolError as error:
        assert error.category == "validation", error  # noqa: PT017 - refused or sent
        assert upstream.requests == []
        return
    (received,) = upstream.requests
    path, _, query = received.target.partition("?")
    first, second, third, segment, last = path.split("/")
    assert (first, second, third, last) == ("", "v1", "users", "posts")
    while (decoded := unquote(segment)) != segment:
        segment = decoded
    assert {".", ".."}.isdisjoint(re.split(r"[/\\]", segment))
    assert [value for name, value in parse_qsl(query, keep_blank_values=True) if name == "key"] == [
        KEY
    ]
    cookies = (received.header("cookie") or "").split("; ")
    assert [each for each in cookies if each.partition("=")[0] == "sid"] == ["sid=ada"]
    names = [name.lower() for name, _ in received.headers]
    assert set(names) <= {"host", "accept", "trace", "cookie", "accept-encoding"}
    assert len(names) == len(set(names))
    assert received.header("host") == f"127.0.0.1:{upstream.port}"


# Redirects.


@pytest.mark.parametrize(
    ("location", "target"),
    [("/c", "/c"), ("c?d=1#e", "/a/c?d=1"), ("//127.0.0.1:{port}/f", "/f"), ("{url}/g", "/g")],
)
def test_a_redirect_stays_on_its_server(
    location: str, target: str, package: ModuleType, upstream: Upstream
) -> None:
    location = location.format(port=upstream.port, url=upstream.url)
    upstream.answers(response("", 307, Location=location), json_response("1"))
    assert Api(package, upstream.url).call("read") == 1
    assert upstream.last.target == target


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:1/",
        "http://localhost:{port}/",
        "http://127.0.0.2:{port}/",
        "https://127.0.0.1:{port}/",
        "http://user@127.0.0.1:{port}/",
        "//example.com/",
        "file:///etc/passwd",
        "http://[::1",
        "http://127.0.0.1:{port}x/",
        "/ü",
    ],
)
def test_a_redirect_elsewhere_is_refused(
    location: str, package: ModuleType, upstream: Upstream
) -> None:
    location = location.format(port=upstream.port)
    upstream.answers(response("", 302, Location=location), json_response("1"))
    error = refused(Api(package, upstream.url))
    assert (error.code, error.retryable) == ("redirect_refused", False)
    assert len(upstream.requests) == 1


def test_redirects_come_to_an_end(package: ModuleType, upstream: Upstream) -> None:
    upstream.answers(response("", 307, Location="/a/b"))
    assert refused(Api(package, upstream.url)).code == "redirects"
    assert len(upstream.requests) == 6


@pytest.mark.parametrize(
    ("status", "method", "body"), [(303, "GET", b""), (307, "POST", b'{"x":1}')]
)
def test_a_redirect_keeps_method_and_body_or_reads(
    status: int, method: str, body: bytes, package: ModuleType, upstream: Upstream
) -> None:
    upstream.answers(response("", status, Location="/c"), json_response("1"))
    assert Api(package, upstream.url).call("write", x=1) == 1
    assert (upstream.last.method, upstream.last.body) == (method, body)


# Addresses.


@pytest.mark.parametrize(
    ("address", "public", "private"),
    [
        ("93.184.216.34", True, True),
        ("2606:2800:220:1::1", True, True),
        ("10.1.2.3", False, True),
        ("127.0.0.1", False, True),
        ("::1", False, True),
        ("fd00::1", False, True),
        ("100.64.0.1", False, False),
        ("169.254.169.254", False, False),
        ("fe80::1", False, False),
        ("0.0.0.0", False, False),  # noqa: S104 - refused
        ("::", False, False),
        ("224.0.0.1", False, False),
        ("ff02::1", False, False),
        ("::ffff:10.1.2.3", False, True),
        ("::ffff:169.254.169.254", False, False),
        ("::ffff:93.184.216.34", True, True),
        ("64:ff9b::a9fe:a9fe", False, False),
        ("64:ff9b::a01:203", False, True),
        ("2002:a9fe:a9fe::", False, False),
    ],
)
def test_addresses_that_may_be_connected_to(address: str, public: bool, private: bool) -> None:
    assert may_connect(ip_address(address), allow_private=False) is public
    assert may_connect(ip_address(address), allow_private=True) is private


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "[::1]",
        "localhost",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f.1",
        "169.254.169.254",
    ],
)
def test_private_addresses_are_refused(host: str, package: ModuleType, upstream: Upstream) -> None:
    upstream.answers(json_response("1"))
    error = refused(Api(package, f"http://{host}:{upstream.port}", allow_private=False))
    assert (error.code, error.category) == ("forbidden_address", "permission")
    assert upstream.requests == []


def test_metadata_is_refused_where_private_addresses_are_allowed(package: ModuleType) -> None:
    assert refused(Api(package, "http://169.254.169.254")).code == "forbidden_address"
    assert refused(Api(package, "http://[::ffff:a9fe:a9fe]")).code == "forbidden_address"


def test_the_host_of_an_ipv6_address_has_brackets(package: ModuleType, upstream: Upstream) -> None:
    upstream.answers(json_response("1"))
    host = f"[::ffff:127.0.0.1]:{upstream.port}"
    assert Api(package, f"http://{host}").call("read") == 1
    assert upstream.last.header("host") == host


def test_a_name_is_resolved_once(
    package: ModuleType, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second answer of a rebinding server would be another address."""
    asked: list[object] = []
    answers = ["127.0.0.1", "169.254.169.254"]
    resolve = socket.getaddrinfo

    def getaddrinfo(host: Any, *rest: Any, **options: Any) -> Any:
        if host not in ("api.test", b"api.test"):
            return resolve(host, *rest, **options)
        asked.append(host)
        address = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, upstream.port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    upstream.answers(json_response("1"))
    api = Api(package, f"http://api.test:{upstream.port}")
    assert api.call("read") == 1
    assert upstream.last.header("host") == f"api.test:{upstream.port}"
    assert len(asked) == 1
    error = refused(Api(package, f"http://api.test:{upstream.port}"))
    assert error.code == "forbidden_address"
    assert len(upstream.requests) == 1


def test_a_redirect_is_checked_like_a_request(package: ModuleType, upstream: Upstream) -> None:
    upstream.answers(
        response("", 302, Location="http://169.254.169.254/latest"), json_response("1")
    )
    assert refused(Api(package, upstream.url)).code == "redirect_refused"


def test_a_server_that_is_not_there(package: ModuleType) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    error = refused(Api(package, f"http://127.0.0.1:{port}", retries=0))
    assert (error.code, error.category, error.retryable) == ("unreachable", "unavailable", True)
    error = refused(Api(package, "http://nowhere.invalid", retries=0))
    assert (error.code, error.retryable, error.details) == ("unreachable", True, {})


# What a client keeps or takes from elsewhere.


def test_no_cookies_are_kept(package: ModuleType, upstream: Upstream) -> None:
    upstream.answers(
        response("", 307, Location="/c", Set_Cookie="a=1"), json_response("1", Set_Cookie="b=2")
    )
    api = Api(package, upstream.url)

    async def twice() -> None:
        for _ in range(2):
            assert await api.registry.call("api_read", {}) == 1
        await api.handlers._client.aclose()

    asyncio.run(twice())
    assert len(upstream.requests) == 3
    assert all(each.header("cookie") is None for each in upstream.requests)


def test_proxies_and_netrc_of_the_environment_are_not_used(
    package: ModuleType, upstream: Upstream, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    for name in (
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ada password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    monkeypatch.setenv("HOME", str(tmp_path))
    upstream.answers(json_response("1"))
    assert Api(package, upstream.url).call("read") == 1
    assert upstream.last.header("authorization") is None


def test_the_repr_of_a_request_has_no_values() -> None:
    request = HttpRequest(
        method="GET",
        url="https://a.example/b?key=secret",
        headers=(("Authorization", "Bearer secret"),),
        content=b"secret",
        secrets=("secret",),
    )
    assert "secret" not in repr(request)


def test_handlers_work_on_several_loops(package: ModuleType, upstream: Upstream) -> None:
    upstream.answers(json_response("1"))
    api = Api(package, upstream.url)
    assert [api.call("read") for _ in range(3)] == [1, 1, 1]
