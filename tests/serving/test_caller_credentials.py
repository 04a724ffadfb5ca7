"""Credentials of each user over HTTP: those of the caller, whoever else calls at the same time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from issuer import Issuer
from posts import bearer, call, value
from served import LEGACY, MODERN, connected, http, signed_in, stdio
from test_start_checks import start

HERE = Path(__file__).parent
OVER_HTTP = ("--transport", "http", "--handlers", "app:Mail")
VARIABLE = "TOOLSPEC_MAIL_CREDENTIALS_ACCESS_TOKEN"
SERVED = ("--handlers", "app:Mail", "--verifier", "app:verify", "--credentials")


@pytest.fixture(scope="module")
def address(mail: Path) -> Iterator[str]:
    with http(mail, *SERVED, "app:credentials") as address:
        yield address


def read(address: str, token: str) -> str:
    return str(value(call(address, "mail_inbox", headers=bearer(token))))


def test_two_callers_at_once_have_their_own_credentials(address: str) -> None:
    callers = [f"caller{number % 2}" for number in range(40)]
    with ThreadPoolExecutor(8) as threads:
        inboxes = list(threads.map(lambda name: read(address, f"{name}-reader"), callers))
    assert inboxes == [f"{name} reads inbox of {name}" for name in callers]


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_sessions_of_two_callers_keep_apart(address: str, mode: str) -> None:
    with (
        connected(signed_in(address, "ann-reader"), mode) as ann,
        connected(signed_in(address, "bob-reader"), mode) as bob,
    ):
        for client, name in 5 * [(ann, "ann"), (bob, "bob")]:
            assert f"{name} reads inbox of {name}" in client.call("mail_inbox").content[0].text


def test_a_caller_without_credentials_gets_nobody_elses(address: str) -> None:
    assert read(address, "ann-reader") == "ann reads inbox of ann"
    error = failure(call(address, "mail_inbox", headers=bearer("stranger-reader")))
    assert (error["category"], error["code"]) == ("auth", "no_credentials")


def failure(answer: httpx2.Response) -> Any:
    return answer.json()["result"]["_meta"]["toolspec"]["error"]


def test_a_token_can_be_exchanged_for_credentials(
    mail: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer = Issuer()
    monkeypatch.setenv("ISSUER", issuer.url)
    with http(mail, *SERVED, "app:exchange") as address, ThreadPoolExecutor(4) as threads:
        tokens = [f"{name}-reader" for name in ("ann", "bob") * 4]
        inboxes = list(threads.map(lambda token: read(address, token), tokens))
    issuer.server.shutdown()
    issuer.server.server_close()
    assert inboxes == 4 * ["ann reads mail for ann-reader", "bob reads mail for bob-reader"]


def test_credentials_that_fail_name_no_secret(mail: Path) -> None:
    log: list[str] = []
    with http(mail, *SERVED, "app:credentials", log=log) as address:
        answer = call(address, "mail_inbox", headers=bearer("crash-reader"))
    assert failure(answer)["code"] == "credentials_unavailable"
    assert "crash-reader" not in answer.text + log[0]
    assert "the credentials for `mail` failed: KeyError in app.py:" in log[0]
    assert "Traceback" not in log[0]


def test_the_operators_credentials_are_not_for_callers(
    mail: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "operator")
    for more in (("--verifier", "app:verify"), ("--no-auth",)):
        refused = start(mail, *OVER_HTTP, *more)
        assert refused.returncode == 2
        assert "`mail`: uses the credentials of each user" in refused.stderr
        assert "`--credentials MODULE:FUNCTION`" in refused.stderr
    bound = start(mail, "--transport", "http", "--handlers", "app:bound", "--no-auth")
    assert "`mail`: uses the credentials of each user" in bound.stderr
    with http(mail, *SERVED, "app:credentials") as address:
        assert read(address, "ann-reader") == "ann reads inbox of ann"
        answer = call(address, "mail_inbox", headers=bearer("stranger-reader"))
        assert failure(answer)["code"] == "no_credentials"
    with connected(
        stdio(mail, "--handlers", "app:Mail", **{VARIABLE: "operator"}), MODERN
    ) as client:
        assert "None reads operator" in client.call("mail_inbox").content[0].text


def test_a_finished_registry_has_its_own_credentials(mail: Path) -> None:
    refused = start(mail, *OVER_HTTP[:3], "app:provided", "--no-auth", "--credentials", "app:bound")
    assert "a finished registry has its own credentials" in refused.stderr
    unusable = start(mail, *OVER_HTTP, "--no-auth", "--credentials", "app:nothing")
    assert "`app:nothing` is of type NoneType and returns no credentials" in unusable.stderr
    assert os.environ.get(VARIABLE) is None
    with http(mail, "--handlers", "app:provided", "--verifier", "app:verify") as address:
        assert read(address, "ann-reader") == "ann reads own of ann"
