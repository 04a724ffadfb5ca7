"""Requests of tools, as a server on loopback receives them."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from email.parser import BytesParser
from typing import TYPE_CHECKING, Any

import pytest
from requests_of_tools import AUTH, Api, compiled, document, tool
from toolspec.runtime import ToolError
from upstream import Upstream, json_response

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

TEXT: dict[str, Any] = {"type": "string"}
ANY: dict[str, Any] = {}
GET = {"method": "GET"}
BYTES = {"type": "string", "contentEncoding": "base64"}
KEY = [{"apiKey": {"in": "header", "name": "X-API-Key"}}]

TOOLS = (
    tool(
        "users",
        {**GET, "path": "/users/{id}", "in": {"id": {"in": "path"}, "trace": {"in": "header"}}},
        "id",
        arguments={"id": ANY, "page": ANY, "trace": ANY},
        closed=False,
    ),
    tool(
        "change",
        {"method": "PATCH", "path": "/users/{id}"},
        "id",
        arguments={"id": TEXT, "name": {"type": ["string", "null"]}, "age": {"type": "integer"}},
        closed=False,
    ),
    tool("anything", {"method": "POST", "path": "/any"}, inputSchema=True),
    tool("say", {"method": "POST", "path": "/say"}, inputSchema={"type": "string"}),
    tool(
        "upload",
        {
            "method": "POST",
            "path": "/files",
            "body": {"contentType": "multipart/form-data"},
            "in": {"about": {"contentType": "application/vnd.about+json"}},
        },
        arguments={
            "file": BYTES,
            "more": {"type": "array", "items": BYTES},
            "note": TEXT,
            "tags": {"type": "array", "items": TEXT},
            "about": {"type": "object"},
            "where": {"type": "object"},
        },
    ),
    tool(
        "put",
        {
            "method": "PUT",
            "path": "/blob",
            "body": {"argument": "data", "contentType": "application/octet-stream"},
        },
        arguments={"data": BYTES, "kind": TEXT},
    ),
    tool(
        "form",
        {
            "method": "POST",
            "path": "/form",
            "body": {"contentType": "application/x-www-form-urlencoded"},
            "in": {
                "filter": {"style": "deepObject"},
                "json": {"contentType": "application/json"},
                "gone": {"nulls": "empty"},
            },
        },
        arguments={"a": ANY, "list": ANY, "filter": ANY, "json": ANY, "gone": ANY, "left": ANY},
    ),
    tool(
        "nulls",
        {
            "method": "POST",
            "path": "/nulls",
            "in": {
                "sent": {"in": "body"},
                "omitted": {"in": "body", "nulls": "omit"},
                "empty": {"in": "query", "nulls": "empty"},
                "json": {"in": "query", "contentType": "application/json", "nulls": "send"},
            },
        },
        arguments=dict.fromkeys(("sent", "omitted", "empty", "json"), ANY),
    ),
    tool(
        "text",
        {
            "method": "POST",
            "path": "/text",
            "body": {"argument": "text", "contentType": "text/plain"},
        },
        "text",
        arguments={"text": TEXT},
    ),
    tool(
        "post",
        {
            "method": "POST",
            "path": "/post",
            "body": {"argument": "form", "contentType": "multipart/form-data"},
        },
        arguments={
            "form": {
                "type": "object",
                "properties": {"file": BYTES, "more": {"type": "array", "items": BYTES}},
            }
        },
    ),
    tool(
        "submit",
        {
            "method": "POST",
            "path": "/submit",
            "body": {"argument": "form", "contentType": "application/x-www-form-urlencoded"},
        },
        arguments={"form": {"type": "object"}},
    ),
    tool("page", {**GET, "path": "/page"}, arguments={"size": {"type": "integer", "default": 5}}),
)


@pytest.fixture
def api(package: ModuleType, upstream: Upstream) -> Api:
    upstream.answers(json_response('{"ok":true}'))
    return Api(package, upstream.url)


def test_arguments_go_where_they_are_bound(api: Api, upstream: Upstream) -> None:
    result = api.call("users", id="a b/c", page=2, trace="t-1", extra=[1, 2])
    assert result == {"ok": True}
    assert upstream.last.method == "GET"
    assert upstream.last.target == "/users/a%20b%2Fc?page=2&extra=1&extra=2"
    assert upstream.last.header("trace") == "t-1"
    assert upstream.last.header("accept") == "application/json"
    assert upstream.last.header("host") == f"127.0.0.1:{upstream.port}"
    assert upstream.last.header("content-length") is None
    assert upstream.last.body == b""


def test_a_cleared_field_reaches_the_wire(api: Api, upstream: Upstream) -> None:
    api.call("change", id="7", name=None, extra=None)
    assert json.loads(upstream.last.body) == {"name": None, "extra": None}
    api.call("change", id="7", age=3)
    assert json.loads(upstream.last.body) == {"age": 3}


def test_null_is_sent_omitted_or_empty(api: Api, upstream: Upstream) -> None:
    api.call("nulls", sent=None, omitted=None, empty=None, json=None)
    assert upstream.last.query == "empty=&json=null"
    assert upstream.last.body == b'{"sent":null}'


def test_raw_arguments_and_free_text_are_json(api: Api, upstream: Upstream) -> None:
    api.call("anything", a=1, b={"c": None})
    assert json.loads(upstream.last.body) == {"a": 1, "b": {"c": None}}
    api.call("say", input="hello")
    assert json.loads(upstream.last.body) == {"input": "hello"}


def test_a_text_and_bytes_are_the_whole_body(api: Api, upstream: Upstream) -> None:
    api.call("text", text="grüß dich")
    assert (upstream.last.body, upstream.last.header("content-type")) == (
        "grüß dich".encode(),
        "text/plain",
    )
    api.call("put", data=b64encode(b"\x00\xff").decode(), kind="k")
    assert upstream.last.body == b"\x00\xff"
    assert upstream.last.target == "/blob?kind=k"
    assert upstream.last.header("content-type") == "application/octet-stream"
    api.call("put")
    assert upstream.last.body == b""
    assert upstream.last.header("content-type") is None


def test_a_form_has_a_field_for_each_argument(api: Api, upstream: Upstream) -> None:
    api.call(
        "form",
        a="1 & 2=ü",
        list=["x", None, "y,z"],
        filter={"k": {"l": 1}, "m": [True, "n"]},
        json={"p": [1]},
        gone=None,
        left=None,
    )
    assert upstream.last.header("content-type") == "application/x-www-form-urlencoded"
    assert upstream.last.body == (
        b"a=1%20%26%202%3D%C3%BC&list=x&list=y%2Cz&filter%5Bk%5D%5Bl%5D=1&filter%5Bm%5D%5B0%5D=true"
        b"&filter%5Bm%5D%5B1%5D=n&json=%7B%22p%22%3A%5B1%5D%7D&gone="
    )


def test_a_default_is_sent(api: Api, upstream: Upstream, repository: Path) -> None:
    page = (repository / "docs" / "http.md").read_text()
    assert "A `default` of the input schema is sent, as is any argument." in page
    api.call("page")
    assert upstream.last.target == "/page?size=5"


def test_files_are_parts_of_a_multipart_body(
    api: Api, upstream: Upstream, repository: Path
) -> None:
    page = " ".join((repository / "docs" / "http.md").read_text().split())
    assert "file name, and the type `application/octet-stream` unless `contentType` names" in page
    first, second = b"\r\n--x\r\n", b"two"
    api.call(
        "upload",
        file=b64encode(first).decode(),
        more=[b64encode(second).decode()],
        note="n",
        tags=["t", "u"],
        about={"a": 1},
        where={"b": 2},
    )
    assert parts_of(upstream) == [
        ("file", "file", "application/octet-stream", first),
        ("more", "more", "application/octet-stream", second),
        ("note", None, None, b"n"),
        ("tags", None, None, b"t"),
        ("tags", None, None, b"u"),
        ("about", None, "application/vnd.about+json", b'{"a":1}'),
        ("where", None, "application/json", b'{"b":2}'),
    ]


def test_members_of_one_argument_are_fields_of_a_form(api: Api, upstream: Upstream) -> None:
    file = b64encode(b"one").decode()
    api.call("post", form={"file": file, "more": [file], "note": "n", "tags": ["t"], "no": None})
    assert parts_of(upstream) == [
        ("file", "file", "application/octet-stream", b"one"),
        ("more", "more", "application/octet-stream", b"one"),
        ("note", None, None, b"n"),
        ("tags", None, None, b"t"),
    ]
    api.call("submit", form={"tags": ["a", "b"], "q": "x y", "no": None})
    assert upstream.last.body == b"tags=a&tags=b&q=x%20y"
    with pytest.raises(ToolError, match="`object` replaces another argument"):
        api.call("submit", form={"object": {"q": 1}, "q": 2})


def parts_of(upstream: Upstream) -> list[tuple[object, ...]]:
    """Return name, file name, type and content of each part of the last request."""
    head = f"Content-Type: {upstream.last.header('content-type')}\r\n\r\n".encode()
    parts = BytesParser().parsebytes(head + upstream.last.body).get_payload()
    assert isinstance(parts, list)
    return [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            part.get("content-type"),
            part.get_payload(decode=True),
        )
        for part in parts
    ]


def test_base64_that_cannot_be_decoded_is_refused(tmp_path: Any, upstream: Upstream) -> None:
    loose = {**TOOLS[5], "formats": "annotate"}
    with pytest.MonkeyPatch.context() as patch:
        api = Api(compiled(tmp_path, patch, document(loose)), upstream.url)
        upstream.answers(json_response("1"))
        with pytest.raises(ToolError) as caught:
            api.call("put", data="!")
    assert (caught.value.code, caught.value.category) == ("not_base64", "validation")
    assert upstream.requests == []


PATHS = [
    ".",
    "..",
    "%2e%2e",
    "%252e%252E",
    "../admin",
    "..%2fadmin",
    "a/../b",
    "..\\admin",
    "",
    None,
]


@pytest.mark.parametrize("value", PATHS)
def test_a_path_argument_stays_in_its_segment(value: object, api: Api, upstream: Upstream) -> None:
    with pytest.raises(ToolError) as caught:
        api.call("users", id=value)
    assert (caught.value.code, caught.value.category) == ("not_sendable", "validation")
    assert upstream.requests == []


@pytest.mark.parametrize(
    ("value", "segment"),
    [
        ("a/b?c#d", "a%2Fb%3Fc%23d"),
        ("%2F", "%252F"),
        ("...", "..."),
        ("{id}", "%7Bid%7D"),
        ("ü", "%C3%BC"),
        (True, "true"),
        (1.5, "1.5"),
        (["a", "b"], "a,b"),
    ],
)
def test_a_path_argument_is_encoded(
    value: object, segment: str, api: Api, upstream: Upstream
) -> None:
    api.call("users", id=value)
    assert upstream.last.target == f"/users/{segment}"


@pytest.mark.parametrize("value", ["zq\r\nX: 1", "zq\nb", "zq\x00", "zqü", " zq", "zq\x7f"])
def test_a_header_argument_is_one_line(value: str, api: Api, upstream: Upstream) -> None:
    with pytest.raises(ToolError) as caught:
        api.call("users", id="1", trace=value)
    assert caught.value.code == "not_sendable"
    assert "zq" not in str(caught.value)
    assert upstream.requests == []


def test_a_lone_surrogate_is_refused(api: Api, upstream: Upstream) -> None:
    with pytest.raises(ToolError):
        api.call("users", id="\ud800")
    assert upstream.requests == []


# Credentials, and arguments that an open schema admits.

SECRETS = {"apiKey": "k-1234567890", "user": "ada", "password": "pass word"}


def secured(security: object, **http: object) -> dict[str, Any]:
    return document(
        tool("go", {**GET, "path": "/go", "security": security, **http}, closed=False), auth=AUTH
    )


def placed(tmp_path: Any, value: dict[str, Any], url: str, credentials: object) -> Api:
    with pytest.MonkeyPatch.context() as patch:
        return Api(compiled(tmp_path, patch, value), url, credentials)


@pytest.mark.parametrize(
    ("security", "header", "value"),
    [
        ({"apiKey": {"in": "bearer"}}, "authorization", "Bearer k-1234567890"),
        ({"apiKey": {"in": "header", "name": "X-Key"}}, "x-key", "k-1234567890"),
        ({"apiKey": {"in": "cookie", "name": "sid"}}, "cookie", "sid=k-1234567890"),
        (
            {"user": {"in": "basicUsername"}, "password": {"in": "basicPassword"}},
            "authorization",
            "Basic YWRhOnBhc3Mgd29yZA==",
        ),
        ({}, "authorization", None),
    ],
)
def test_credentials_have_their_place(
    security: object,
    header: str,
    value: str | None,
    tmp_path: Any,
    upstream: Upstream,
) -> None:
    upstream.answers(json_response("1"))
    placed(tmp_path, secured([security]), upstream.url, SECRETS).call("go")
    assert upstream.last.header(header) == value


def test_the_first_alternative_with_all_fields_is_used(tmp_path: Any, upstream: Upstream) -> None:
    upstream.answers(json_response("1"))
    both = [
        {"apiKey": {"in": "query", "name": "key"}, "user": {"in": "header", "name": "X-User"}},
        {"apiKey": {"in": "query", "name": "key"}},
    ]
    api = placed(tmp_path, secured(both), upstream.url, {"apiKey": "a&b"})
    api.call("go", page=1)
    assert upstream.last.target == "/go?page=1&key=a%26b"
    with pytest.raises(ToolError) as caught:
        api.call("go", key="mine")
    assert caught.value.code == "not_sendable"
    with pytest.raises(ToolError) as caught:
        api.call("go", other={"key": "mine"})
    assert caught.value.code == "not_sendable"
    assert len(upstream.requests) == 1


def test_credentials_without_any_alternative_end_the_call(
    tmp_path: Any, upstream: Upstream
) -> None:
    upstream.answers(json_response("1"))
    api = placed(tmp_path, secured([{"apiKey": {"in": "bearer"}}]), upstream.url, {"user": "ada"})
    with pytest.raises(ToolError) as caught:
        api.call("go")
    assert (caught.value.code, caught.value.category) == ("no_credentials", "auth")
    assert "apiKey" in caught.value.message
    assert upstream.requests == []


def test_credentials_go_over_https_only(tmp_path: Any) -> None:
    api = placed(tmp_path, secured([{"apiKey": {"in": "bearer"}}]), "http://198.51.100.1", SECRETS)
    with pytest.raises(ToolError) as caught:
        api.call("go")
    assert (caught.value.code, caught.value.category) == ("insecure_server", "auth")


BEARER = {"apiKey": {"in": "bearer"}}
COOKIE = {"apiKey": {"in": "cookie", "name": "sid"}}
BASIC = {"apiKey": {"in": "basicUsername"}, "password": {"in": "basicPassword"}}


def test_a_cookie_is_sent_as_the_server_made_it(tmp_path: Any, upstream: Upstream) -> None:
    upstream.answers(json_response("1"))
    secret = 's%3AabcDEF.sig+/="q",x'  # noqa: S105 - of this test
    placed(tmp_path, secured([COOKIE]), upstream.url, {"apiKey": secret}).call("go")
    assert upstream.last.header("cookie") == f"sid={secret}"


@pytest.mark.parametrize(
    ("security", "secret"),
    [
        (BEARER, "key\r\nX-Admin: 1"),
        (COOKIE, "key; admin=1"),
        (COOKIE, "key\r\nX-Admin: 1"),
        (COOKIE, "kéy"),
        (BASIC, "key:admin"),  # RFC 7617, section 2
    ],
)
def test_a_credential_stays_in_its_place(
    security: dict[str, Any], secret: str, tmp_path: Any, upstream: Upstream
) -> None:
    upstream.answers(json_response("1"))
    secrets = {"apiKey": secret, "password": "p"}
    api = placed(tmp_path, secured([security]), upstream.url, secrets)
    with pytest.raises(ToolError) as caught:
        api.call("go")
    assert caught.value.code == "bad_credentials"
    assert "key" not in caught.value.message.replace("keys", "")
    assert upstream.requests == []


def test_a_custom_scheme_is_a_method_to_override(tmp_path: Any, upstream: Upstream) -> None:
    upstream.answers(json_response("1"))
    with pytest.MonkeyPatch.context() as patch:
        package = compiled(tmp_path, patch, secured(["custom"]))
    with pytest.raises(ToolError) as caught:
        Api(package, upstream.url, SECRETS).call("go")
    assert caught.value.code == "custom_security"

    class Signed(package.ApiHttpHandlers):  # type: ignore[misc, name-defined]  # made by the test
        async def _authorize(self, request: Any, credentials: Any) -> Any:
            signature = ("X-Signature", f"{credentials['user']} {request.method}")
            headers = (*request.headers, signature)
            return type(request)(**{**vars(request), "headers": headers})

    Api(package, upstream.url, SECRETS, Signed(allow_private=True)).call("go")
    assert upstream.last.header("x-signature") == "ada GET"


@pytest.mark.parametrize(
    ("server", "setting"),
    [
        ("{baseUrl}", "api.example.com"),
        ("{baseUrl}", "ftp://example.com"),
        ("{baseUrl}", "https://user:pass@example.com"),
        ("{baseUrl}", "https://example.com/?a=b"),
        ("{baseUrl}", "https://ex ample.com"),
        ("{baseUrl}", "https://example.com:port"),
        ("{baseUrl}", "https://[::1"),
        ("{baseUrl}", "https://exämple.com"),
        ("{baseUrl}", "/v1"),
        ("{baseUrl}", "https://{region}.example.com"),
        ("{baseUrl}", "https://{baseUrl}.example.com"),
        ("https://{baseUrl}.example.com", "evil.com/"),
        ("https://{baseUrl}.example.com", "evil.com#"),
    ],
)
def test_a_server_that_is_no_url_is_refused(server: str, setting: str, tmp_path: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        package = compiled(
            tmp_path, patch, document(tool("go", {**GET, "path": "/go", "server": server}))
        )
    with pytest.raises(ToolError) as caught:
        Api(package, setting).call("go")
    assert caught.value.code == "bad_server"


def test_the_url_in_a_setting_has_other_settings(tmp_path: Any, upstream: Upstream) -> None:
    texts = {name: {"type": "string"} for name in ("baseUrl", "version", "port")}
    texts["baseUrl"]["default"] = "http://127.0.0.1:{port}/{version}"
    settings = {"type": "object", "properties": texts}
    value = document(tool("go", {**GET, "path": "/go"}), settings=settings)
    with pytest.MonkeyPatch.context() as patch:
        package = compiled(tmp_path, patch, value)

    async def call(**chosen: Any) -> None:
        handlers = package.ApiHttpHandlers(allow_private=True)
        try:
            await package.bind(handlers, settings=chosen).call("api_go", {})
        finally:
            await handlers._client.aclose()

    asyncio.run(call(port=str(upstream.port), version="v2"))
    assert upstream.last.target == "/v2/go"
    for version in ("", "v/2", "..%2f", "{port}"):
        with pytest.raises(ToolError, match="the setting `version` is not a part of a URL"):
            asyncio.run(call(port=str(upstream.port), version=version))


def test_bytes_of_python_are_base64_where_json_is_sent(tmp_path: Any, upstream: Upstream) -> None:
    fields = {"type": "object", "properties": {"data": BYTES}}
    tools = (
        tool("put", TOOLS[5]["http"], arguments=TOOLS[5]["inputSchema"]["properties"]),
        tool(
            "send", {"method": "POST", "path": "/"}, arguments={"data": BYTES}, outputSchema=fields
        ),
    )
    (tmp_path / "toolspec.toml").write_text('[target.python]\nbase64 = "bytes"\n')
    with pytest.MonkeyPatch.context() as patch:
        package = compiled(tmp_path, patch, document(*tools))
    seen: list[object] = []

    class Mine(package.ApiHttpHandlers):  # type: ignore[misc, name-defined]  # made by the test
        async def send(self, input: Any, ctx: Any) -> object:
            seen.append(input["data"])
            result = await super().send(input, ctx)
            seen.append(result["data"])
            return result

    api = Api(package, upstream.url, handlers=Mine(allow_private=True))
    upstream.answers(json_response('{"data": "AQI="}'))
    api.call("put", data="AP8=")
    assert upstream.last.body == b"\x00\xff"
    assert api.call("send", data="AP8=") == {"data": "AQI="}
    assert upstream.last.body == b'{"data":"AP8="}'
    assert seen == [b"\x00\xff", b"\x01\x02"]


def test_an_instance_has_its_own_server(tmp_path: Any, upstream: Upstream) -> None:
    value = document(
        tool("go", {**GET, "path": "/go", "security": KEY}),
        auth=AUTH,
        instances={"one": {}, "two": {}},
    )
    with pytest.MonkeyPatch.context() as patch:
        package = compiled(tmp_path, patch, value)
    names = ("one", "two")
    registry = package.bind(
        package.ApiHttpHandlers(allow_private=True),
        settings={name: {"baseUrl": f"{upstream.url}/{name}"} for name in names},
        credentials={name: {"apiKey": f"key of {name}"} for name in names},
    )
    upstream.answers(json_response("1"))
    for name in names:
        api = Api.__new__(Api)
        api.registry, api.handlers = registry, registry.bound[0].handlers
        api.call("go", instance=name)
        assert upstream.last.target == f"/{name}/go"
        assert upstream.last.header("x-api-key") == f"key of {name}"


def test_an_idempotency_key_is_sent_where_it_is_bound(tmp_path: Any, upstream: Upstream) -> None:
    http = {"method": "POST", "path": "/pay"}
    bound = {**http, "in": {"idempotency_key": {"in": "header", "name": "Idempotency-Key"}}}
    with pytest.MonkeyPatch.context() as patch:
        tools = (
            tool("pay", bound, idempotency="required"),
            tool("unbound", http, idempotency="required"),
        )
        api = Api(compiled(tmp_path, patch, document(*tools)), upstream.url)
        upstream.answers(json_response("1"))
        api.call("pay", idempotency_key="key-1")
        assert upstream.last.header("idempotency-key") == "key-1"
        api.call("unbound", idempotency_key="key-2")
    assert upstream.last.header("idempotency-key") is None
    assert upstream.last.body == b""


def test_overriding_a_method_is_inheritance(package: ModuleType, upstream: Upstream) -> None:
    class Mine(package.ApiHttpHandlers):  # type: ignore[misc, name-defined]  # made by the test
        async def users(self, input: Any, ctx: Any) -> object:
            return [await super().users(input, ctx), "mine"]

    upstream.answers(json_response("1"))
    api = Api(package, upstream.url, handlers=Mine(allow_private=True))
    assert api.call("users", id="1") == [1, "mine"]


def test_any_client_will_do(package: ModuleType) -> None:
    sent: list[tuple[str, str, dict[str, str], bytes]] = []

    class Answer:
        status = 200
        headers = (("Content-Type", "application/json"),)

        async def chunks(self) -> Any:
            yield b"[1,"
            yield b"2]"

        async def aclose(self) -> None:
            sent.append(("closed", "", {}, b""))

    class Client:
        async def send(self, method: str, url: str, headers: Any, content: bytes) -> Answer:
            sent.append((method, url, dict(headers), content))
            return Answer()

    api = Api(package, "https://api.example.com", handlers=package.ApiHttpHandlers(Client()))
    assert api.call("change", id="7", age=3) == [1, 2]
    headers = {
        "Accept": "application/json",
        "Content-Type": "application/json",
        "Accept-Encoding": "gzip",
    }
    assert sent == [
        ("PATCH", "https://api.example.com/users/7", headers, b'{"age":3}'),
        ("closed", "", {}, b""),
    ]
