"""The authorization server of a service: the URL to sign in at, and credentials from its answers."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from toolspec.runtime import OAuth, ToolError

SERVER = OAuth(
    authorization_url="https://id.example/authorize?tenant=a",
    token_url="https://id.example/token",  # noqa: S106 - an address
    scopes=(("read", "Read"), ("write", "Write")),
    authorize_parameters=(("prompt", "consent"), ("state", "fixed")),
    token_response=(("accessToken", "user.token"), ("expiresIn", "user.life")),
)


def signed(**options: Any) -> dict[str, list[str]]:
    url = SERVER.sign_in_url(
        client_id="me", redirect_uri="https://app.example/back?x=1", state="s&1", **options
    )
    parts = urlsplit(url)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "id.example", "/authorize")
    return parse_qs(parts.query, strict_parsing=True)


def test_the_url_has_the_standards_parameters_and_the_services() -> None:
    assert signed() == {
        "tenant": ["a"],
        "prompt": ["consent"],
        "response_type": ["code"],
        "client_id": ["me"],
        "redirect_uri": ["https://app.example/back?x=1"],
        "state": ["s&1"],
        "scope": ["read write"],
    }


def test_scopes_and_a_challenge_are_the_programs() -> None:
    found = signed(scopes=["read"], code_challenge="abc")
    assert found["scope"] == ["read"]
    assert found["code_challenge"] == ["abc"]
    assert found["code_challenge_method"] == ["S256"]
    assert "scope" not in signed(scopes=())


@pytest.mark.parametrize(
    "response",
    [
        {"user": {"token": "t", "life": 60}, "refresh_token": "r", "scope": "read"},
        {"user.token": "t", "user.life": "60", "refresh_token": "r", "scope": "read"},
    ],
)
def test_members_of_an_answer_become_credentials(response: dict[str, object]) -> None:
    assert SERVER.credentials(response) == {
        "access_token": "t",
        "expires_in": 60,
        "refresh_token": "r",
        "scope": "read",
    }


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ({"error": "access_denied"}, "access_denied"),
        ({"access_token": "elsewhere"}, "no access token"),
        ({"user": {"token": ""}}, "no access token"),
        ({"user": ["token"]}, "no access token"),
    ],
)
def test_an_answer_without_a_token_is_an_error(response: dict[str, object], reason: str) -> None:
    with pytest.raises(ToolError, match=reason) as caught:
        SERVER.credentials(response)
    assert (caught.value.category, caught.value.code) == ("auth", "no_token")
