"""The services of `specs/`, compiled, bound to handlers and called: what a user of the output does."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from toolspec.runtime import BindError, Context, Registry, ToolError


@pytest.fixture(scope="module")
def generated() -> Iterator[ModuleType]:
    sys.path.insert(0, str(Path(__file__).parent.parent))
    yield importlib.import_module("generated")
    sys.path.pop(0)


class Github:
    """Only what is called; the rest comes from the stubs."""

    async def list_repositories(self, input: Any, ctx: Context[Any, Any]) -> list[dict[str, Any]]:
        assert ctx.settings["apiVersion"] == "2022-11-28"
        return [
            {"id": number, "full_name": f"me/{number}"} for number in range(int(input["per_page"]))
        ]

    async def create_repository(self, input: Any) -> dict[str, Any]:
        return {"id": "not a number", "full_name": input["name"]}

    async def stream_message(self, input: Any, ctx: Any) -> AsyncIterator[str]:
        for word in ("to ", "be ", "continued"):
            yield word


@pytest.fixture(scope="module")
def github(generated: ModuleType) -> Registry:
    from generated.github import GithubStubs, bind

    handlers = type("Mine", (Github, GithubStubs), {})()
    settings = {"baseUrl": "https://github.example/api"}
    return bind(handlers, settings=settings, credentials={"access_token": "s3cret"})


def test_a_plain_tool(github: Registry) -> None:
    result = asyncio.run(github.call("github_listRepositories", {"per_page": 2}))
    assert result == [{"id": 0, "full_name": "me/0"}, {"id": 1, "full_name": "me/1"}]


def test_a_streaming_tool_as_chunks_and_as_a_whole(github: Registry) -> None:
    async def both() -> tuple[list[object], object]:
        arguments = {"prompt": "To be?"}
        chunks = [each async for each in github.stream("github_streamMessage", arguments)]
        return chunks, await github.call("github_streamMessage", arguments)

    chunks, whole = asyncio.run(both())
    assert chunks == ["to ", "be ", "continued"]
    assert whole == "to be continued"


def test_wrong_input_names_every_field(github: Registry) -> None:
    with pytest.raises(ToolError) as caught:
        asyncio.run(github.call("github_listRepositories", {"per_page": "many", "sort": "size"}))
    assert caught.value.category == "validation"
    assert {(each.path, each.code) for each in caught.value.field_errors} == {
        ("$.per_page", "type"),
        ("$.sort", "enum"),
    }


def test_a_mutation_wants_a_yes(github: Registry) -> None:
    with pytest.raises(ToolError) as caught:
        asyncio.run(github.call("github_createRepository", {"name": "new"}))
    assert (caught.value.category, caught.value.code) == ("permission", "approval_required")


def test_wrong_output_is_never_a_result(github: Registry) -> None:
    consenting = github.with_controls(approver=lambda _: True)
    with pytest.raises(ToolError) as caught:
        asyncio.run(consenting.call("github_createRepository", {"name": "new"}))
    assert caught.value.category == "output"
    assert not caught.value.retryable


def test_an_unknown_tool_is_told_with_the_nearest(github: Registry) -> None:
    with pytest.raises(ToolError, match="github_listRepositories") as caught:
        asyncio.run(github.call("github_listRepos", {}))
    assert caught.value.category == "not_found"


def test_a_stub_says_that_it_is_one(github: Registry) -> None:
    with pytest.raises(ToolError) as caught:
        asyncio.run(github.call("github_getRepository", {"repository": "me/1"}))
    assert caught.value.code == "not_implemented"


def test_the_generated_client_calls_in_process(github: Registry) -> None:
    from generated.github import GithubClient

    client = GithubClient(github)
    assert asyncio.run(client.list_repositories({"per_page": 1})) == [
        {"id": 0, "full_name": "me/0"}
    ]


def test_one_registry_over_two_services(generated: ModuleType, github: Registry) -> None:
    from generated.billing import BillingStubs

    registry = generated.build_registry(github=github, billing=_billing(BillingStubs))
    names = [tool.full_name for tool in registry.tools]
    assert "billing_get_customer" in names
    assert "github_listRepositories" in names


def _billing(stubs: type) -> object:
    from generated.billing import bind

    credentials = {"secretKey": "sk_test_0123456789abcdef"}
    return bind(stubs(), credentials=credentials)


def test_missing_settings_and_hooks_are_told_all_at_once(generated: ModuleType) -> None:
    from generated.notes import SERVICE, NotesStubs, bind

    with pytest.raises(BindError) as caught:
        bind(NotesStubs())
    assert SERVICE.hooks
    for hook in SERVICE.hooks:
        assert hook in str(caught.value)


def test_free_text_reaches_the_handler_as_a_string(generated: ModuleType) -> None:
    from generated.workspace import WorkspaceStubs, bind

    seen: list[object] = []

    class Workspace(WorkspaceStubs):
        async def search_v1_0(self, input: str, ctx: object) -> Any:
            seen.append(input)
            raise ToolError.unavailable("later")

    registry = bind(Workspace()).with_controls(approver=lambda _: True)
    with pytest.raises(ToolError, match="later"):
        asyncio.run(registry.call("workspace_search@1.0", {"input": "needle"}))
    assert seen == ["needle"]
