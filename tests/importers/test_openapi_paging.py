"""Paging of OpenAPI operations: the import reports it, and the rules about paging see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_documents import TEXT, api, imported, operation, result
from toolspec.driver.build import Request, build
from toolspec.shared.paging_names import PagingRole, paging_role

NUMBER = {"type": "integer"}
ITEMS = {"type": "array", "items": TEXT}


def query(**schemas: Any) -> list[dict[str, Any]]:
    """Query parameters by name; `__` in a name is a bracket."""
    return [
        {"name": name.replace("__", "[") + "]" * ("__" in name), "in": "query", "schema": schema}
        for name, schema in schemas.items()
    ]


def page(**members: Any) -> dict[str, Any]:
    return result({"type": "object", "properties": {"items": ITEMS, **members}})


LINKED = result(ITEMS)
LINKED["200"]["headers"] = {"Link": {"schema": TEXT}}
PAGED: dict[str, tuple[dict[str, Any], str]] = {
    "cursor": (
        operation(parameters=query(cursor=TEXT, limit=NUMBER), responses=page(next_cursor=TEXT)),
        "`cursor` is the cursor, `limit` is the size; `next_cursor` of the result leads to the next one",
    ),
    "inside": (
        operation(
            parameters=query(starting_after=TEXT),
            responses=page(meta={"type": "object", "properties": {"hasMore": {"type": "boolean"}}}),
        ),
        "`starting_after` is the cursor; `meta.hasMore` of the result leads to the next one",
    ),
    "page": (
        operation(parameters=query(page=NUMBER, per_page=NUMBER), responses=result(ITEMS)),
        "`page` is the page, `per_page` is the size; nothing in the result names the next one",
    ),
    "brackets": (
        operation(parameters=query(page__offset=NUMBER, page__size=NUMBER), responses=page()),
        "`page_offset` is the offset, `page_size` is the size; nothing in the result names the next one",
    ),
    "header": (
        operation(parameters=query(after=TEXT), responses=LINKED),
        "`after` is the cursor; the header `Link`, which is not in the result, leads to the next one",
    ),
    "size only": (
        operation(parameters=query(limit=NUMBER), responses=result(ITEMS)),
        "`limit` is the size; no argument chooses a later one",
    ),
    "x-ms-pageable": (
        operation(
            parameters=query(**{"$skip": NUMBER, "$top": NUMBER}),
            responses=page(),
            **{"x-ms-pageable": {"nextLinkName": "more"}},
        ),
        "`skip` is the offset, `top` is the size; `more` of the result leads to the next one",
    ),
    "x-speakeasy-pagination": (
        operation(
            parameters=query(since=TEXT),
            responses=page(),
            **{"x-speakeasy-pagination": {"inputs": [{"name": "since", "type": "cursor"}]}},
        ),
        "`since` is the cursor; nothing in the result names the next one",
    ),
}


@pytest.mark.parametrize("case", PAGED)
def test_paging_is_reported(tmp_path: Path, case: str) -> None:
    listed, expected = PAGED[case]
    done = imported(tmp_path, api({"/pets": {"get": {"operationId": "listPets", **listed}}}))
    (message,) = done.messages("import/paging")
    assert message == f"`list_pets` returns a page of its results: {expected}"
    (text,) = done.texts.values()
    assert ("review: the next page is in the header `Link`" in text) == (case == "header")


@pytest.mark.parametrize("parameters", [{}, {"after": TEXT}, {"pageant": TEXT}, {"top": NUMBER}])
def test_other_operations_do_not_page(tmp_path: Path, parameters: dict[str, Any]) -> None:
    listed = operation(parameters=query(**parameters), responses=result(ITEMS))
    assert imported(tmp_path, api({"/pets": {"get": listed}})).messages("import/paging") == []


@pytest.mark.parametrize("method", ["post", "put"])
def test_what_changes_something_pages_only_with_a_next_page(tmp_path: Path, method: str) -> None:
    for responses, count in ((result(ITEMS), 0), (page(next_cursor=TEXT), 1)):
        item = {method: operation(parameters=query(offset=NUMBER), responses=responses)}
        done = imported(tmp_path, api({"/pets": item}))
        assert len(done.messages("import/paging")) == count


def test_rules_see_the_paging_of_an_import(tmp_path: Path) -> None:
    """Rules know any spelling, and names of the request."""
    paths = {
        f"/{name}s": {
            "get": operation(
                operationId=f"list{name.title()}s", parameters=parameters, responses=result(ITEMS)
            )
        }
        for name, parameters in {
            "pet": query(page__cursor=TEXT, PageSize=NUMBER),
            "dog": query(**{"$skip": NUMBER, "$top": NUMBER}),
            "cat": [],
        }.items()
    }
    imported(tmp_path, api(paths))
    (tmp_path / "toolspec.toml").write_text(
        'specs = ["specs"]\n[lint]\nselect = ["schema/mixed-paging", "schema/cursor-without-source",'
        ' "schema/list-without-paging", "schema/unbounded-limit"]\n'
    )
    found = build(Request(folder=tmp_path)).diagnostics
    messages = {each.code: each.message for each in found}
    assert "schema/mixed-paging" in messages
    assert "`page_cursor`" in messages["schema/cursor-without-source"]
    assert "`list_cats`" in messages["schema/list-without-paging"]
    assert "`PageSize`" in messages["schema/unbounded-limit"]


def test_a_long_name_costs_little(tmp_path: Path) -> None:
    """A name that almost matches, in many ways, does not keep the import busy."""
    members = {"next" + "pagetoken" * 100 + "!": TEXT, "cursor" * 100: TEXT}
    listed = operation(parameters=query(limit=NUMBER), responses=page(**members))
    (message,) = imported(tmp_path, api({"/pets": {"get": listed}})).messages("import/paging")
    assert "no argument chooses a later one" in message


def test_roles_do_not_depend_on_spelling() -> None:
    names = ("pageSize", "page_size", "page-size", "page[size]", "page.size", "PageSize")
    assert {paging_role(name) for name in names} == {PagingRole.SIZE}
    assert [paging_role(name) for name in ("top", "$top", "pages", "", "first")] == [
        None,
        PagingRole.SIZE,
        None,
        None,
        None,
    ]


RETRYABLE = {
    "408": {"description": "Slow."},
    "429": {"description": "Often."},
    "503": {"description": "Down."},
    "200": {"description": "Done."},
}
KEY = {"name": "Idempotency-Key", "in": "header", "schema": TEXT}
REPEATABLE = {
    "get": ("get", {}, True),
    "put": ("put", {}, True),
    "post": ("post", {}, False),
    "patch": ("patch", {}, False),
    "post with a key": ("post", {"parameters": [KEY]}, True),
    "idempotent post": ("post", {"x-mcp-annotations": {"idempotentHint": True}}, True),
}


@pytest.mark.parametrize("case", REPEATABLE)
def test_errors_are_retryable_where_a_repeated_call_is_safe(tmp_path: Path, case: str) -> None:
    method, members, is_retryable = REPEATABLE[case]
    done = imported(tmp_path, api({"/a": {method: operation(responses=RETRYABLE, **members)}}))
    assert {each.get("retryable", False) for each in done.tool["errors"]} == {is_retryable}
    codes = {each.code for each in build(Request(folder=tmp_path)).diagnostics}
    assert "safety/unsafe-retry" not in codes
