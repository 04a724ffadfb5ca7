"""Python spellings are legal, stable and what a person expects."""

from __future__ import annotations

import builtins
import keyword

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.frontend.naming import identifiers as names

SERVICE = st.from_regex(r"[a-z][A-Za-z0-9]{0,12}(-[a-z0-9]{1,6}){0,3}", fullmatch=True)
TOOL = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,12}([_-][A-Za-z0-9]{1,6}){0,3}", fullmatch=True)
ANYTHING = st.text(max_size=20)
PROPERTY = settings(derandomize=True, max_examples=150, deadline=None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("listRepositories", "list_repositories"),
        ("getHTTPResponse", "get_http_response"),
        ("get-issue", "get_issue"),
        ("get_issue", "get_issue"),
        ("listURLs", "list_urls"),
        ("listIDsOfUser", "list_ids_of_user"),
        ("getS3Object", "get_s3_object"),
        ("base64Decode", "base64_decode"),
        ("HTTP2Push", "http2_push"),
        ("get2", "get2"),
        ("x", "x"),
        ("ABC", "abc"),
        ("import", "import_"),
        ("None", "none"),
        ("list", "list_"),
        ("type", "type_"),
        ("print", "print"),
        ("1abc", "x_1abc"),
        ("__init__", "init"),
        ("_private", "private"),
        ("", "value"),
        ("..", "value"),
    ],
)
def test_method(name: str, expected: str) -> None:
    assert names.method_name(name) == expected


@pytest.mark.parametrize(
    ("name", "module", "stem"),
    [
        ("github", "github", "Github"),
        ("my-app", "my_app", "MyApp"),
        ("myApp", "my_app", "MyApp"),
        ("s3", "s3", "S3"),
        ("my-2fa", "my_2fa", "My2fa"),
        ("docs", "docs_", "Docs"),
        ("catalog", "catalog_", "Catalog"),
        ("toolspec", "toolspec_", "Toolspec"),
        ("build-registry", "build_registry_", "BuildRegistry"),
        ("annotations", "annotations_", "Annotations"),
        ("require-runtime", "require_runtime_", "RequireRuntime"),
        ("service", "service", "Service_"),
        ("sync-service", "sync_service", "SyncService_"),
        ("class", "class_", "Class"),
        ("match", "match_", "Match"),
        ("con", "con_", "Con"),
        ("list", "list_", "List"),
        ("com1", "com1_", "Com1"),
        ("none", "none", "None"),
    ],
)
def test_service(name: str, module: str, stem: str) -> None:
    assert (names.module_name(name), names.class_stem(name)) == (module, stem)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("perPage", "perPage"),
        ("per_page", "per_page"),
        ("a.b", "a_b"),
        ("$x", "x"),
        ("x[]", "x"),
        ("", "value"),
        ("价格", "value"),
        ("_", "_"),
        ("__", "value"),
        ("__class__", "_class__"),
        ("_private", "_private"),
        ("class", "class_"),
        ("1st", "x_1st"),
        ("ﬁle", "le"),
        ("type", "type"),
        ("self", "self"),
    ],
)
def test_identifier(text: str, expected: str) -> None:
    assert names.identifier(text) == expected


def test_the_caller_reserves_more() -> None:
    assert names.identifier("self", frozenset({"self", "self_"})) == "self__"


def test_the_tables_hold_what_this_python_reserves() -> None:
    assert set(keyword.kwlist) == names.KEYWORDS
    assert set(keyword.softkwlist) <= names.SOFT_KEYWORDS
    assert all(hasattr(builtins, name) for name in names.BUILTIN_TYPES)


@PROPERTY
@given(ANYTHING)
def test_any_text_gives_a_legal_identifier_that_stays(text: str) -> None:
    name = names.identifier(text)
    assert name.isascii()
    assert name.isidentifier()
    assert not keyword.iskeyword(name)
    assert names.is_identifier(name)
    assert names.identifier(name) == name


@PROPERTY
@given(ANYTHING | SERVICE | TOOL)
def test_conversions_are_idempotent(text: str) -> None:
    for convert in (names.snake_case, names.method_name, names.module_name):
        once = convert(text)
        assert convert(once) == once


@PROPERTY
@given(SERVICE, TOOL)
def test_made_names_are_legal_and_not_reserved(service: str, tool: str) -> None:
    module, method = names.module_name(service), names.method_name(tool)
    assert module.isidentifier()
    assert method.isidentifier()
    assert module not in names.RESERVED_MODULES | names.KEYWORDS
    assert method not in names.RESERVED_METHODS | names.KEYWORDS
    assert not keyword.issoftkeyword(method)
    assert names.pascal_case(service).isidentifier()
    assert names.pascal_case(tool).isidentifier()
