"""Seed 003, Synthetiq: the page's own example, clients, streams, the mutation flag, settings, scopes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from projects import catalog, written
from specs_bound import MAIN, agreeing, bound, failure
from toolspec.runtime import ToolError

PAGE: dict[str, Any] = {
    "listRepositories": {
        "name": "listRepositories",
        "description": "List repositories for the authenticated user",
        "inputSchema": {
            "type": "object",
            "properties": {
                "per_page": {"type": "number", "description": "Results per page (max 100)"},
                "sort": {
                    "type": "string",
                    "enum": ["created", "updated", "pushed", "full_name"],
                    "description": "Sort field",
                },
            },
        },
        "outputSchema": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "number"},
                    "full_name": {"type": "string"},
                    "language": {"type": "string"},
                },
            },
        },
        "streaming": False,
        "mutation": False,
    },
    "createRepository": {
        "name": "createRepository",
        "description": "Create a new repository",
        "inputSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Repository name"},
                "private": {"type": "boolean", "description": "Whether the repo is private"},
            },
            "required": ["name"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "id": {"type": "number"},
                "full_name": {"type": "string"},
                "html_url": {"type": "string"},
            },
        },
        "streaming": False,
        "mutation": True,
    },
}
"""The TOOLS of the page, as JSON."""

PAGE_AS_YAML = """\
toolspec: 1
service:
  name: github
  description: Repositories.
tools:
  listRepositories:
    name: listRepositories
    description: List repositories for the authenticated user
    inputSchema:
      type: object
      properties:
        per_page: {type: number, description: Results per page (max 100)}
        sort:
          type: string
          enum: [created, updated, pushed, full_name]
          description: Sort field
    outputSchema:
      type: array
      items:
        type: object
        properties:
          id: {type: number}
          full_name: {type: string}
          language: {type: string}
    streaming: false
    mutation: false
  createRepository:
    name: createRepository
    description: Create a new repository
    inputSchema:
      type: object
      properties:
        name: {type: string, description: Repository name}
        private: {type: boolean, description: Whether the repo is private}
      required: [name]
    outputSchema:
      type: object
      properties:
        id: {type: number}
        full_name: {type: string}
        html_url: {type: string}
    streaming: false
    mutation: true
"""

PUSHED = [{"id": 1, "full_name": "me/one", "language": "Python"}]
WORDS = ("to ", "be ", "continued")


class Github:
    def __init__(self) -> None:
        self.seen: list[Any] = []

    async def list_repositories(self, input: Any, ctx: Any) -> Any:
        self.seen.append((ctx.settings["baseUrl"], ctx.credentials["access_token"]))
        return PUSHED

    async def create_repository(self, input: Any) -> Any:
        return {"id": 7, "full_name": f"me/{input['name']}"}

    async def stream_message(self, input: Any) -> AsyncIterator[str]:
        for word in WORDS:
            yield word


# The page's example


@pytest.mark.parametrize("syntax", ["json", "yaml"])
def test_the_pages_example_compiles_unchanged(tmp_path: Path, syntax: str) -> None:
    document = {
        "toolspec": 1,
        "service": {"name": "github", "description": "Repositories."},
        "tools": PAGE,
    }
    text = json.dumps(document, indent=2) if syntax == "json" else PAGE_AS_YAML
    found = catalog(written(tmp_path, text, f"github.{syntax}"))
    assert list(found) == ["github_listRepositories", "github_createRepository"]
    assert found["github_listRepositories"]["mutation"] is False
    assert found["github_createRepository"]["mutation"] is True


def test_both_syntaxes_give_the_same_schemas(tmp_path: Path) -> None:
    document = {
        "toolspec": 1,
        "service": {"name": "github", "description": "Repositories."},
        "tools": PAGE,
    }
    one = catalog(written(tmp_path / "json", document, "github.json"))
    other = catalog(written(tmp_path / "yaml", PAGE_AS_YAML, "github.yaml"))
    kinds = ("input", "output")
    assert [[tool["digests"][kind] for kind in kinds] for tool in one.values()] == [
        [tool["digests"][kind] for kind in kinds] for tool in other.values()
    ]


def test_an_array_output_is_validated() -> None:
    class Handlers:
        async def list_repositories(self, input: Any) -> Any:
            return [{"id": "seven"}]

    error = failure(bound("github", Handlers).call("github_listRepositories"))
    assert (error.category, error.field_errors[0].path) == ("output", "$[0].id")
    registry = bound("github", Github)
    assert asyncio.run(registry.call("github_listRepositories")) == PUSHED


# Clients


def test_the_client_has_one_method_for_each_tool() -> None:
    from generated.github import SERVICE, GithubClient, GithubSyncClient

    assert SERVICE.tools
    for tool in SERVICE.tools:
        for client in (GithubClient, GithubSyncClient):
            assert callable(getattr(client, tool.method))


def test_a_stream_comes_as_iterator_and_as_the_joined_whole() -> None:
    from generated.github import GithubClient

    registry = bound("github", Github)

    async def main() -> tuple[list[object], object]:
        client = GithubClient(registry)
        chunks: list[object] = [each async for each in client.stream_message({"prompt": "?"})]
        return chunks, await registry.call("github_streamMessage", {"prompt": "?"})

    assert asyncio.run(main()) == (list(WORDS), "to be continued")


def test_a_stream_comes_to_a_callback_and_the_whole_at_its_end() -> None:
    from generated.github import GithubClient

    seen: list[object] = []

    async def main() -> None:
        client = GithubClient(bound("github", Github))
        await client.stream_message_with_callback(
            {"prompt": "?"}, on_chunk=seen.append, on_complete=seen.append
        )

    asyncio.run(main())
    assert seen == [*WORDS, "to be continued"]


def test_an_error_of_a_stream_comes_to_its_callback() -> None:
    from generated.github import GithubClient

    class Handlers:
        async def stream_message(self, input: Any) -> AsyncIterator[str]:
            yield "to "
            raise ToolError.not_found("no such model")

    seen: list[object] = []
    errors: list[ToolError] = []

    async def main() -> None:
        client = GithubClient(bound("github", Handlers))
        await client.stream_message_with_callback(
            {"prompt": "?"},
            on_chunk=seen.append,
            on_complete=seen.append,
            on_error=errors.append,
        )

    asyncio.run(main())
    assert seen == ["to "]
    assert [each.category for each in errors] == ["not_found"]


def test_a_client_without_asyncio_streams_too() -> None:
    from generated.github import GithubSyncClient

    client = GithubSyncClient(bound("github", Github))
    try:
        assert list(client.stream_message({"prompt": "?"})) == list(WORDS)
        assert client.list_repositories() == PUSHED
    finally:
        client.close()


def test_errors_of_a_stream_are_raised_and_never_a_chunk() -> None:
    class Handlers:
        async def stream_message(self, input: Any) -> AsyncIterator[str]:
            yield "to "
            raise ToolError.unavailable("the model is asleep")

    async def main() -> None:
        stream = bound("github", Handlers).stream("github_streamMessage", {"prompt": "?"})
        assert await anext(stream) == "to "
        with pytest.raises(ToolError, match="asleep"):
            await anext(stream)

    asyncio.run(main())


# The mutation flag


def test_mutation_false_is_callable_without_asking_and_true_asks() -> None:
    asked: list[str] = []

    def approver(question: Any) -> bool:
        asked.append(question.tool.full_name)
        return True

    registry = bound("github", Github).with_controls(approver=approver)

    async def main() -> None:
        await registry.call("github_listRepositories")
        assert asked == []
        await registry.call("github_createRepository", {"name": "new"})

    asyncio.run(main())
    assert asked == ["github_createRepository"]


# Settings, credentials, scopes


def test_settings_and_custom_auth_are_members_of_the_context_that_types_name(
    repository: Path,
) -> None:
    seen: list[Any] = []

    class Handlers:
        async def list_channels(self, input: Any, ctx: Any) -> Any:
            seen.append((ctx.settings["defaultChannel"], ctx.credentials["region"]))
            return {"channels": [], "next_cursor": None}

    asyncio.run(bound("slack", Handlers).call("slack_list_channels", MAIN))
    assert seen == [("general", "us")], "with their defaults"
    handlers = (repository / "generated" / "slack" / "handlers.py").read_text()
    assert "ctx: Context[SlackSettings, SlackCredentials]" in handlers
    types = (repository / "generated" / "slack" / "types.py").read_text()
    assert "class SlackSettings(TypedDict)" in types
    assert "class SlackCredentials(TypedDict)" in types


def test_credentials_show_in_no_text() -> None:
    class Handlers:
        async def list_channels(self, input: Any, ctx: Any) -> Any:
            raise ToolError.internal(f"{ctx!r} {ctx.credentials!r}")

    assert "xoxs" not in str(failure(bound("slack", Handlers).call("slack_list_channels", MAIN)))


@pytest.mark.parametrize(
    ("name", "arguments", "held", "runs"),
    [
        ("github_listRepositories", {}, ("public_repo",), True),
        ("github_listRepositories", {}, ("repo",), True),
        ("github_listRepositories", {}, ("models",), False),
        ("github_streamMessage", {"prompt": "?"}, ("models",), True),
        ("github_streamMessage", {"prompt": "?"}, ("repo",), False),
        ("github_createRepository", {"name": "new"}, ("repo",), True),
        ("github_createRepository", {"name": "new"}, ("public_repo",), False),
    ],
)
def test_scopes_of_a_tool_replace_those_of_the_service(
    name: str, arguments: Any, held: tuple[str, ...], runs: bool
) -> None:
    registry = agreeing(bound("github", Github))
    call = registry.call(name, arguments, scopes=held)
    if runs:
        asyncio.run(call)
        return
    error = failure(call)
    assert (error.category, error.code) == ("auth", "missing_scopes")


def test_a_programs_token_response_becomes_the_credentials_of_a_call() -> None:
    (service,) = bound("github", Github).services
    assert service.oauth is not None
    url = service.oauth.sign_in_url(client_id="me", redirect_uri="https://a.example", state="s")
    assert url.startswith("https://github.com/login/oauth/authorize?allow_signup=false&")
    token = service.oauth.credentials({"access_token": "fresh", "token_type": "bearer"})
    seen: list[Any] = []

    class Handlers(Github):
        async def list_repositories(self, input: Any, ctx: Any) -> Any:
            seen.append(dict(ctx.credentials))
            return PUSHED

    registry = bound("github", Handlers, credentials=lambda caller: token)
    asyncio.run(registry.call("github_listRepositories", {}, scopes=("repo",)))
    assert seen == [{"access_token": "fresh", "token_type": "bearer"}]
