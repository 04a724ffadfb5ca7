"""Bytes on the wire: the tables of OpenAPI 3.1 and RFC 6570, and the serializer of schemathesis."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

import pytest
import requests
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from requests_of_tools import Api, compiled, document, tool
from schemathesis.specs.openapi.serialization import serialize_openapi3_parameters
from toolspec.runtime import ToolError
from upstream import Upstream, json_response

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

ARRAY = ["blue", "black", "brown"]
OBJECT = {"R": 100, "G": 200, "B": 150}
# Style, explode, and what an empty string, a string, an array and an object are (OpenAPI 3.1, "Style Examples").
PATH = {
    ("matrix", False): (
        ";color",
        ";color=blue",
        ";color=blue,black,brown",
        ";color=R,100,G,200,B,150",
    ),
    ("matrix", True): (
        ";color",
        ";color=blue",
        ";color=blue;color=black;color=brown",
        ";R=100;G=200;B=150",
    ),
    ("label", False): (None, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("label", True): (None, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("simple", False): (None, "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("simple", True): (None, "blue", "blue,black,brown", "R=100,G=200,B=150"),
}
QUERY = {
    ("form", False): ("color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("form", True): (
        "color=",
        "color=blue",
        "color=blue&color=black&color=brown",
        "R=100&G=200&B=150",
    ),
    ("spaceDelimited", False): (
        ...,
        ...,
        "color=blue%20black%20brown",
        "color=R%20100%20G%20200%20B%20150",
    ),
    ("pipeDelimited", False): (
        ...,
        ...,
        "color=blue%7Cblack%7Cbrown",
        "color=R%7C100%7CG%7C200%7CB%7C150",
    ),
    ("deepObject", True): (..., ..., ..., "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
}
HEADER = {
    ("simple", False): ("", "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("simple", True): ("", "blue", "blue,black,brown", "R=100,G=200,B=150"),
}
COOKIE = {
    ("form", False): ("color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("form", True): (
        "color=",
        "color=blue",
        "color=blue; color=black; color=brown",
        "R=100; G=200; B=150",
    ),
}
# OpenAPI 3.2 has a style that writes cookies as they are.
COOKIE |= {("cookie", explode): COOKIE["form", explode] for explode in (False, True)}
TABLES = {"path": PATH, "query": QUERY, "header": HEADER, "cookie": COOKIE, "form": QUERY}


def name_of(place: str, style: str, explode: bool, *, reserved: bool = False) -> str:
    return f"{place}{style.title()}{'Exploded' if explode else ''}{'Reserved' if reserved else ''}"


def styled(place: str, style: str, explode: bool, *, reserved: bool = False) -> dict[str, Any]:
    """Return a tool with the argument `color`."""
    where = {"style": style, "explode": explode, **({"allowReserved": True} if reserved else {})}
    http: dict[str, Any] = {"method": "GET", "path": "/c", "in": {"color": {"in": place, **where}}}
    if place == "path":
        http["path"] = "/c/{color}/end"
    if place == "form":
        body = {"contentType": "application/x-www-form-urlencoded"}
        http |= {"method": "POST", "body": body, "in": {"color": where}}
    return tool(
        name_of(place, style, explode, reserved=reserved), http, "color", arguments={"color": {}}
    )


TOOLS = [styled(place, *each) for place, table in TABLES.items() for each in table]
TOOLS += [styled(place, "form", explode=True, reserved=True) for place in ("query", "form")]
TOOLS += [styled("path", "simple", explode=False, reserved=True)]
LAST = {"method": "GET", "path": "/c/{color}", "in": {"color": {"in": "path", "style": "matrix"}}}
TOOLS += [tool("lastSegment", LAST, "color", arguments={"color": {}})]
QUERYSTRINGS = {"form": "", "json": "application/json", "text": "application/jsonpath"}
TOOLS += [
    tool(
        f"{kind}Querystring",
        {
            "method": "GET",
            "path": "/c",
            "in": {"color": {"in": "querystring", **({"contentType": content} if content else {})}},
        },
        arguments={"color": {}},
    )
    for kind, content in QUERYSTRINGS.items()
]


@pytest.fixture(scope="module")
def api(package: ModuleType, upstream: Upstream) -> Api:
    upstream.answers(json_response("1"))
    return Api(package, upstream.url)


def sent(api: Api, upstream: Upstream, place: str, name: str, value: object) -> str:
    """Return the part of the request that carries `color`."""
    api.call(name, color=value)
    received = upstream.last
    match place:
        case "path":
            assert (received.target[:3], received.target[-4:]) == ("/c/", "/end")
            return received.target[3:-4]
        case "query":
            return received.query
        case "target":
            return received.target
        case "form":
            return received.body.decode()
        case _:
            return received.header("color" if place == "header" else "cookie") or ""


def rows() -> Iterator[Any]:
    values = ("", "blue", ARRAY, OBJECT)
    for place, table in TABLES.items():
        for (style, explode), texts in table.items():
            for value, text in zip(values, texts, strict=True):
                if text is not ...:
                    name = name_of(place, style, explode)
                    yield pytest.param(place, name, value, text, id=f"{name}-{value!r}")


@pytest.mark.parametrize(("place", "name", "value", "text"), [*rows()])
def test_the_table_of_openapi(  # noqa: PLR0913, PLR0917 - columns of a table
    place: str, name: str, value: object, text: str | None, api: Api, upstream: Upstream
) -> None:
    if text is None:  # `.` or an empty segment would be another path
        with pytest.raises(ToolError):
            api.call(name, color=value)
    else:
        assert sent(api, upstream, place, name, value) == text


@pytest.mark.parametrize(
    ("place", "name", "value", "text"),
    [
        # RFC 6570, 3.2.2 and 3.2.3, with the delimiters of a query left out as OpenAPI says.
        ("path", "pathSimple", "Hello World!", "Hello%20World%21"),
        ("path", "pathSimple", "50%", "50%25"),
        ("path", "pathSimpleReserved", "Hello World!", "Hello%20World!"),
        ("path", "pathSimpleReserved", "50%2F", "50%252F"),
        ("path", "pathSimpleReserved", "a/b?c#d", "a%2Fb%3Fc%23d"),
        ("path", "pathSimpleReserved", "a:b@c", "a:b@c"),
        ("query", "queryFormExploded", "/foo/bar?x=1&y", "color=%2Ffoo%2Fbar%3Fx%3D1%26y"),
        ("query", "queryFormExplodedReserved", "/foo/bar?x:1,(y)", "color=/foo/bar?x:1,(y)"),
        ("query", "queryFormExplodedReserved", "a&b=c#d+e[f]", "color=a%26b%3Dc%23d%2Be%5Bf%5D"),
        ("query", "queryFormExplodedReserved", "a%20b%zz", "color=a%20b%25zz"),
        ("form", "formFormExplodedReserved", "a b&c/d", "color=a%20b%26c/d"),
        (
            "query",
            "queryFormExploded",
            [None, True, 1.5, {"a": None}],
            "color=true&color=1.5&color=%7B%22a%22%3Anull%7D",
        ),
        ("query", "queryFormExploded", [], ""),
        ("query", "queryForm", [], ""),
        ("query", "queryForm", ["a,b", "c"], "color=a%2Cb,c"),
        (
            "query",
            "queryDeepobjectExploded",
            {"a": {"b": [1, None, {"c": 2}]}, "c d": None},
            "color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D%5Bc%5D=2",
        ),
        ("query", "queryDeepobjectExploded", ["a", "b"], "color%5B0%5D=a&color%5B1%5D=b"),
        ("header", "headerSimple", ["a b", 'c"d'], 'a b,c"d'),
        ("cookie", "cookieForm", "a; b=c", "color=a%3B%20b%3Dc"),
        # OpenAPI 3.2, "Parameter Object Examples" and "Style Values".
        ("cookie", "cookieForm", "Hello, world!", "color=Hello%2C%20world%21"),
        ("cookie", "cookieCookie", "Hello, world!", "color=Hello, world!"),
        ("cookie", "cookieCookie", 'a=b%20c"d\\', 'color=a=b%20c"d\\'),
        ("query", "formQuerystring", {"foo": "a + b", "bar": True}, "foo=a+%2B+b&bar=true"),
        (
            "query",
            "formQuerystring",
            {"tag": ["a", None, "b"], "city": {"name": "New York"}, "none": None, "": "é&"},
            "tag=a&tag=b&city=%7B%22name%22%3A%22New+York%22%7D&=%C3%A9%26",
        ),
        (
            "query",
            "jsonQuerystring",
            {"numbers": [1, 2], "flag": None},
            "%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
        ),
        ("query", "jsonQuerystring", "a b", "%22a%20b%22"),
        ("query", "textQuerystring", "$.a.b[1:1]", "%24.a.b%5B1%3A1%5D"),
        ("target", "formQuerystring", {}, "/c"),
        ("target", "jsonQuerystring", None, "/c"),
    ],
)
def test_characters_that_are_encoded(  # noqa: PLR0913, PLR0917 - columns of a table
    place: str, name: str, value: object, text: str, api: Api, upstream: Upstream
) -> None:
    assert sent(api, upstream, place, name, value) == text


def test_the_last_segment_is_whole(api: Api, upstream: Upstream) -> None:
    api.call("lastSegment", color="blue")
    assert upstream.last.target == "/c/;color=blue"


@pytest.mark.parametrize(
    ("sentence", "place", "name", "value", "text"),
    [
        (
            "A space in a query or form is `%20`.",
            "query",
            "queryFormExploded",
            "a b",
            "color=a%20b",
        ),
        ("A space in a query or form is `%20`.", "form", "formFormExploded", "a b", "color=a%20b"),
        (
            "JSON has no spaces and no characters beyond ASCII.",
            "query",
            "queryFormExploded",
            [{"ü": [1, 2]}],
            "color=%7B%22%5Cu00fc%22%3A%5B1%2C2%5D%7D",
        ),
        (
            "Null in an array or object is left out, except in JSON.",
            "path",
            "pathSimple",
            ["a", None, {"b": None}],
            "a,%7B%22b%22%3Anull%7D",
        ),
        (
            "An array or object inside of another is written as JSON",
            "form",
            "formForm",
            {"R": [1, 2]},
            "color=R,%5B1%2C2%5D",
        ),
        (
            "with `deepObject` as `a[b][0][c]`, without those that are empty",
            "query",
            "queryDeepobjectExploded",
            {"b": [{"c": 1, "d": [], "e": {}}]},
            "color%5Bb%5D%5B0%5D%5Bc%5D=1",
        ),
        (
            "Values of cookies are percent-encoded; an exploded array is several cookies of one name.",
            "cookie",
            "cookieFormExploded",
            ["a b", "c"],
            "color=a%20b; color=c",
        ),
    ],
)
def test_what_the_page_says_of_values(  # noqa: PLR0913, PLR0917 - columns of a table
    sentence: str,
    place: str,
    name: str,
    value: object,
    text: str,
    api: Api,
    upstream: Upstream,
    repository: Path,
) -> None:
    assert sentence in " ".join((repository / "docs" / "http.md").read_text().split())
    assert sent(api, upstream, place, name, value) == text


FAST = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
KEYS = st.from_regex(r"\A[a-z]{1,4}[0-9]\Z")


@pytest.mark.parametrize(
    "value", ["a;b", "a\r\nb", " a", "a ", "é", "\x00", "\x7f", {"a;b": 1}, {"a=b": 1}, {"a b": 1}]
)
def test_a_cookie_that_would_need_escapes_is_refused(value: object, api: Api) -> None:
    with pytest.raises(ToolError) as caught:
        api.call("cookieCookieExploded", color=value)
    assert caught.value.code == "not_sendable"


@FAST
@given(value=st.dictionaries(KEYS, st.text(st.characters(codec="utf-8")), min_size=1, max_size=3))
def test_a_whole_query_is_a_form(value: dict[str, str], api: Api, upstream: Upstream) -> None:
    mine = sent(api, upstream, "query", "formQuerystring", value)
    assert parse_qsl(mine, keep_blank_values=True, strict_parsing=True) == [*value.items()]


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=8)
ASCII = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=8)


def values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, Any]]:
    """Return values with their types, without what schemathesis leaves to its HTTP library."""
    items = texts | st.integers(-999, 999)
    return st.one_of(
        st.tuples(st.just("string"), texts),
        st.tuples(st.just("array"), st.lists(items, min_size=2, max_size=3)),
        st.tuples(st.just("object"), st.dictionaries(KEYS, items, min_size=1, max_size=3)),
    )


def expected(place: str, form: tuple[str, bool], kind: str, value: Any) -> Any:
    """Return what schemathesis makes of a parameter: its dictionary of names and values."""
    style, explode = form
    definition = {
        "name": "color",
        "in": place,
        "style": style,
        "explode": explode,
        "schema": {"type": kind},
    }
    serialize = serialize_openapi3_parameters([definition])
    item = {"color": copy.deepcopy(value)}
    return serialize(item) if serialize else item


@pytest.mark.parametrize(("style", "explode"), QUERY)
@FAST
@given(case=values(TEXTS))
def test_queries_are_those_of_schemathesis(
    style: str, explode: bool, case: tuple[str, Any], api: Api, upstream: Upstream
) -> None:
    kind, value = case
    if kind == "object" and style in ("spaceDelimited", "pipeDelimited"):
        return  # it writes the keys alone
    if kind == "array" and style == "deepObject":
        return  # it repeats the name, without brackets
    mine = sent(api, upstream, "query", name_of("query", style, explode), value)
    prepared = requests.Request(
        "GET", "http://h/", params=expected("query", (style, explode), kind, value)
    )
    theirs = (prepared.prepare().url or "").partition("?")[2]
    assert parse_qsl(mine, keep_blank_values=True) == parse_qsl(theirs, keep_blank_values=True)
    if explode:
        assert mine == theirs.replace("+", "%20")


@pytest.mark.parametrize(("style", "explode"), PATH)
@FAST
@given(case=values(ASCII.filter(lambda text: not set(text) & set("./\\%"))))
def test_paths_are_those_of_schemathesis(
    style: str, explode: bool, case: tuple[str, Any], api: Api, upstream: Upstream
) -> None:
    kind, value = case
    mine = sent(api, upstream, "path", name_of("path", style, explode), value)
    assert unquote(mine) == str(expected("path", (style, explode), kind, value)["color"])


@pytest.mark.parametrize(("style", "explode"), HEADER)
@FAST
@given(case=values(ASCII))
def test_headers_are_those_of_schemathesis(
    style: str, explode: bool, case: tuple[str, Any], api: Api, upstream: Upstream
) -> None:
    kind, value = case
    mine = sent(api, upstream, "header", name_of("header", style, explode), value)
    assert mine == expected("header", (style, explode), kind, value)["color"]


@FAST
@given(case=values(ASCII))
def test_cookies_are_those_of_schemathesis(
    case: tuple[str, Any], api: Api, upstream: Upstream
) -> None:
    kind, value = case
    mine = sent(api, upstream, "cookie", name_of("cookie", "form", explode=False), value)
    theirs = expected("cookie", ("form", False), kind, value)["color"]
    assert unquote(mine) == f"color={theirs}"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)


@FAST
@given(value=JSON)
def test_a_json_body_is_the_value(value: Any, bodies: Api, upstream: Upstream) -> None:
    bodies.call("body", color=value)
    theirs = requests.Request("POST", "http://h/", json={"color": value}).prepare().body
    assert theirs is not None
    assert json.loads(upstream.last.body) == json.loads(theirs)


@FAST
@given(case=values(TEXTS))
def test_forms_are_those_of_schemathesis(
    case: tuple[str, Any], api: Api, upstream: Upstream
) -> None:
    kind, value = case
    mine = sent(api, upstream, "form", name_of("form", "form", explode=True), value)
    data = expected("query", ("form", True), kind, value)
    theirs = requests.Request("POST", "http://h/", data=data).prepare().body
    assert mine == str(theirs).replace("+", "%20")


@pytest.fixture(scope="module")
def bodies(tmp_path_factory: pytest.TempPathFactory, upstream: Upstream) -> Iterator[Api]:
    with pytest.MonkeyPatch.context() as patch:
        value = document(tool("body", {"method": "POST", "path": "/"}, arguments={"color": {}}))
        yield Api(compiled(tmp_path_factory.mktemp("http"), patch, value), upstream.url)
