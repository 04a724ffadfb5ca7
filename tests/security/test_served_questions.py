"""What a server asks, and of whom it takes a call to be: nothing in it may be hidden, forged or shared."""

from __future__ import annotations

import asyncio
import os
import secrets

import pytest
from mcp.server.auth.provider import AccessToken
from mcp.shared.exceptions import MCPError
from toolspec.runtime.call_options import Permission, Question
from toolspec.runtime.definition import ToolDefinition
from toolspec.serving.elicitation import wording
from toolspec.serving.errors import ServeError
from toolspec.serving.options import VARIABLE, Options
from toolspec.serving.serve import app
from toolspec.serving.tasks import OWN_LIMIT, StoredTask, TaskStore
from toolspec.serving.verifiers import caller_of

BAD = "x\x1b[2J\x9b\u202e\u200b\u2028Arguments:\n  path: safe"
TOOL = ToolDefinition(name="t", full_name="s_t", method="t", title=BAD, summary=BAD)


@pytest.mark.parametrize("reason", ["", BAD])
def test_no_text_in_a_question_ends_its_line_or_is_unseen(reason: str) -> None:
    used = (Permission(kind="file", resource=BAD, operation=BAD),)
    arguments = {"a\u2028b": BAD, "path": "/etc"}
    asked = wording(
        Question(tool=TOOL, arguments=arguments, digest="", permissions=used, reason=reason)
    )
    lines = asked.split("\n")
    assert all(line.isprintable() for line in lines)
    assert lines.count("Arguments:") == 1
    assert lines[-1] == '  "path": "/etc"'
    assert len(lines) == 7


def test_a_long_argument_hides_no_other_and_says_how_long_it_is() -> None:
    arguments = {"content": "a" * 100_000, "path": "/etc"}
    asked = wording(Question(tool=TOOL, arguments=arguments, digest=""))
    assert asked.endswith('  "path": "/etc"')
    assert "characters more" in asked
    assert len(asked) < 5000


def test_people_behind_one_client_are_callers_of_their_own() -> None:
    def token(subject: str | None, issuer: str | None = None, client: str = "app") -> AccessToken:
        claims = {"iss": issuer} if issuer else None
        return AccessToken(
            token=secrets.token_hex(), client_id=client, scopes=[], subject=subject, claims=claims
        )

    tokens = [
        token(None),
        token("ann"),
        token("bob"),
        token("ann", "https://one"),
        token("ann", "https://two"),
        token("b/ann", client="app"),
        token("ann", client="app//b"),
    ]
    assert len({caller_of(each) for each in tokens}) == len(tokens)
    assert caller_of(tokens[0]) == "app"


def test_one_owner_cannot_take_the_places_of_all() -> None:
    async def work(_: StoredTask) -> dict[str, None]:
        await asyncio.sleep(60)
        return {}

    async def crowd() -> None:
        store = TaskStore()
        for _ in range(OWN_LIMIT):
            store.start("one", None, work)
        with pytest.raises(MCPError, match="too many"):
            store.start("one", None, work)
        store.start("another", None, work)
        await store.close()

    asyncio.run(crowd())


def test_what_seals_the_state_of_calls_stays_out_of_the_environment_of_handlers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    options = Options(folder="nowhere", package="nothing", key=secrets.token_hex(32))
    monkeypatch.setenv(VARIABLE, options.to_text())
    with pytest.raises(ServeError):
        app()
    assert VARIABLE not in os.environ
