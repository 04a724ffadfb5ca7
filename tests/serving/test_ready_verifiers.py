"""Verifiers that come with the server: what they accept, and what they cost an issuer."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from issuer import AUDIENCE, CURVE, OURS, THEIRS, Issuer, claims, public, signed
from posts import bearer, call, value
from served import http
from test_start_checks import start
from toolspec.serving.errors import ServeError
from toolspec.serving.introspection import IntrospectionVerifier
from toolspec.serving.issuers import VerificationError
from toolspec.serving.jwt_verifier import JwtVerifier, KeySet

HERE = Path(__file__).parent


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    issuer = Issuer()
    yield issuer
    issuer.server.shutdown()
    issuer.server.server_close()


def part(content: Any) -> bytes:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=")


def unsigned(issuer: Issuer, head: dict[str, str], secret: bytes = b"") -> str:
    start = part({"kid": "ours", **head}) + b"." + part(claims(issuer))
    mac = hmac.new(secret, start, hashlib.sha256).digest() if secret else b""
    return (start + b"." + base64.urlsafe_b64encode(mac).rstrip(b"=")).decode()


def test_a_signed_token_says_who_calls(issuer: Issuer) -> None:
    verifier = JwtVerifier(issuer=issuer.url, audience=AUDIENCE)

    async def main() -> list[Any]:
        tokens = [
            signed(issuer),
            signed(issuer, head={"typ": "at+JWT"}, aud=["x", AUDIENCE], scope=None, scp=["a", "b"]),
            signed(issuer, CURVE, {"alg": "ES256", "kid": "curve"}, client_id=None, azp="tool"),
        ]
        return [await verifier.verify_token(token) for token in tokens]

    first, second, third = asyncio.run(main())
    assert (first.client_id, first.subject, first.scopes) == ("app", "ann", ["mail:read"])
    assert (first.resource, first.token, first.claims) == (AUDIENCE, "", {"iss": issuer.url})
    assert (second.scopes, third.client_id) == (["a", "b"], "tool")
    assert issuer.paths == ["/.well-known/oauth-authorization-server", "/keys"]


def test_a_token_that_is_not_the_issuers_is_refused(issuer: Issuer) -> None:
    verifier = JwtVerifier(issuer=issuer.url, audience=AUDIENCE)
    pem = OURS.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    now = int(time.time())
    theirs = f"{issuer.url}/theirs"
    tokens = {
        "not signed": unsigned(issuer, {"alg": "none"}),
        "not signed, in capitals": unsigned(issuer, {"alg": "NONE"}),
        "signed with the public key as secret": unsigned(issuer, {"alg": "HS256"}, pem),
        "signed with another key": signed(issuer, THEIRS),
        "its own keys by URL": signed(issuer, THEIRS, {"kid": "theirs", "jku": theirs}),
        "its own certificate": signed(issuer, THEIRS, {"kid": "theirs", "x5u": theirs}),
        "its own key": signed(issuer, THEIRS, {"jwk": public(THEIRS, "ours")}),
        "a key for secrecy": signed(issuer, THEIRS, {"kid": "secrecy"}),
        "a key for another algorithm": signed(issuer, THEIRS, {"kid": "other"}),
        "a critical extension": signed(issuer, head={"crit": ["exp2"], "exp2": 1}),
        "another kind of token": signed(issuer, head={"typ": "logout+jwt"}),
        "another issuer": signed(issuer, iss="https://other.example"),
        "another audience": signed(issuer, aud="https://other.example/mcp"),
        "no audience": signed(issuer, aud=None),
        "no issuer": signed(issuer, iss=None),
        "no end": signed(issuer, exp=None),
        "expired": signed(issuer, exp=now - 60),
        "not yet": signed(issuer, nbf=now + 600),
        "nobody": signed(issuer, sub=None, client_id=None),
        "no token": "a.b.c",
        "one part": "x",
    }

    async def main() -> list[str]:
        verified = {name: await verifier.verify_token(token) for name, token in tokens.items()}
        return [name for name, token in verified.items() if token is not None]

    assert asyncio.run(main()) == []
    assert "/theirs" not in issuer.paths


def test_an_issuer_is_asked_for_keys_only_now_and_then(issuer: Issuer) -> None:
    now = [0.0]
    keys = KeySet(issuer.url, f"{issuer.url}/keys", lambda: now[0])

    async def at(seconds: float, *names: str) -> list[bool]:
        now[0] = seconds
        found = await asyncio.gather(*(keys.key(name, "RS256") for name in names))
        return [key is not None for key in found]

    async def main() -> None:
        assert await at(0, *["ours"] * 20) == [True] * 20
        assert await at(1, *map(str, range(50))) == [False] * 50
        assert len(issuer.paths) == 1
        issuer.keys.append(public(THEIRS, "new"))
        assert await at(11, "new", "old", "new") == [True, False, True]
        assert len(issuer.paths) == 2
        issuer.status = 500
        assert await at(620, "ours", "new") == [True, True]
        with pytest.raises(VerificationError, match="answered with status 500"):
            await at(3800, "ours")
        with pytest.raises(VerificationError, match="a moment ago"):
            await at(3801, "ours")
        assert len(issuer.paths) == 4

    asyncio.run(main())


def test_an_issuer_is_asked_about_a_token_until_it_expires(issuer: Issuer) -> None:
    now = [1000.0]
    verifier = introspecting(issuer, lambda: now[0])
    issuer.claims = claims(issuer, active=True, exp=1030)

    async def at(seconds: float, token: str) -> Any:
        now[0] = seconds
        return await verifier.verify_token(token)

    async def main() -> None:
        first = await at(1000, "token-one")
        assert (first.client_id, first.subject, first.token) == ("app", "ann", "")
        assert await at(1029, "token-one") == first
        assert len(issuer.forms) == 1
        assert await at(1030, "token-one") is None
        issuer.claims = claims(issuer, active=True, exp=None)
        assert await at(1030, "two")
        assert await at(1091, "two")
        assert [form["token"] for form in issuer.forms] == 2 * [["token-one"]] + 2 * [["two"]]

    asyncio.run(main())
    assert "token-one" not in repr(vars(verifier))
    encoded = base64.b64encode(b"server:s3cret").decode()
    assert {headers["authorization"] for headers in issuer.headers} == {f"Basic {encoded}"}
    assert {headers["cookie"] for headers in issuer.headers} == {None}


def introspecting(issuer: Issuer, clock: Any = time.time) -> IntrospectionVerifier:
    client = ("server", "s3cret")
    return IntrospectionVerifier(issuer=issuer.url, audience=AUDIENCE, client=client, clock=clock)


@pytest.mark.parametrize(
    "more",
    [
        {"active": False},
        {"active": "true"},
        {"active": None},
        {"aud": None},
        {"aud": "https://other.example"},
        {"iss": "https://other.example"},
        {"exp": 1},
        {"exp": "soon"},
        {"nbf": 1 << 40},
        {"token_type": "DPoP"},
        {"sub": None, "client_id": None},
    ],
)
def test_what_an_issuer_does_not_state_counts_against_a_token(
    issuer: Issuer, more: dict[str, Any]
) -> None:
    issuer.claims = claims(issuer, **{"active": True, **more})
    assert asyncio.run(introspecting(issuer).verify_token("one")) is None


@pytest.mark.parametrize(("status", "document"), [(500, {}), (302, {}), (200, []), (200, None)])
def test_an_issuer_without_an_answer_is_an_outage(
    issuer: Issuer, status: int, document: Any
) -> None:
    verifier = introspecting(issuer)
    issuer.claims, issuer.status = document, status
    with pytest.raises(VerificationError):
        asyncio.run(verifier.verify_token("one"))


@pytest.mark.parametrize(
    "url", ["http://issuer.example", "ftp://127.0.0.1", "issuer", "https://a@b.example", "https://"]
)
def test_an_issuer_is_asked_over_https(url: str) -> None:
    with pytest.raises(ServeError, match="is not the URL of an authorization server"):
        JwtVerifier(issuer=url, audience=AUDIENCE)


def test_a_server_verifies_tokens_of_its_issuer(
    mail: Path, issuer: Issuer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served = (
        "--handlers",
        "app:Mail",
        "--credentials",
        "app:credentials",
        "--resource",
        AUDIENCE,
        "--issuer",
        issuer.url,
    )
    with http(mail, *served, "--verifier", "jwt") as address:
        token = signed(issuer)
        assert value(call(address, "mail_look", headers=bearer(token))) == ""
        assert (
            call(address, "mail_look", headers=bearer(token[:-8] + "AAAAAAAA")).status_code == 401
        )
        assert call(address, "mail_send", headers=bearer(token)).status_code == 403
    (tmp_path / "secret").write_text("s3cret\n")
    monkeypatch.setenv("TOOLSPEC_INTROSPECTION_CLIENT_ID", "server")
    monkeypatch.setenv("TOOLSPEC_INTROSPECTION_CLIENT_SECRET_FILE", str(tmp_path / "secret"))
    issuer.claims = claims(issuer, active=True)
    with http(mail, *served, "--verifier", "introspection") as address:
        assert call(address, "mail_look", headers=bearer("one")).status_code == 200
        issuer.status = 500
        assert call(address, "mail_look", headers=bearer("one")).status_code == 200
        assert call(address, "mail_look", headers=bearer("two")).status_code == 503


def test_a_verifier_without_its_issuer_is_refused(mail: Path) -> None:
    served = ("--transport", "http", "--handlers", "app:provided", "--verifier")
    assert "`--verifier jwt` needs one `--issuer URL`" in start(mail, *served, "jwt").stderr
    asking = start(mail, *served, "introspection", "--issuer", "https://issuer.example")
    assert "set `TOOLSPEC_INTROSPECTION_CLIENT_ID`" in asking.stderr
    assert "set `TOOLSPEC_INTROSPECTION_CLIENT_SECRET`" in asking.stderr
