"""Approvers of a registry that is served: for clients that cannot be asked, and pending ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled
from served import LEGACY, MODERN, connected, http, make_handled, stdio

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("approvers") / "project", HERE / "ledger.yaml")


@pytest.mark.parametrize("mode", sampled([LEGACY, MODERN], 1))
def test_a_pending_approval_is_an_error_and_the_server_lives_on(ledger: Path, mode: str) -> None:
    with http(ledger, "--handlers", "app:pending") as address:
        for _ in range(2):
            with connected(address, mode, can_ask=False) as client:
                for _ in range(2):
                    result = client.call("ledger_add", {"text": "a"})
                    assert result.is_error
                    assert "waits for approval" in result.content[0].text
                    assert "approval_pending" in result.content[0].text
    with connected(
        stdio(ledger, "--handlers", "app:pending", "--approve", "ask"), mode, can_ask=False
    ) as client:
        for _ in range(2):
            assert "approval_pending" in client.call("ledger_add", {"text": "a"}).content[0].text


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_client_that_cannot_be_asked_leaves_the_question_to_the_registry(
    ledger: Path, mode: str
) -> None:
    with connected(
        stdio(ledger, "--handlers", "app:agreed", "--approve", "ask"), mode, can_ask=False
    ) as client:
        assert not client.call("ledger_add", {"text": "a"}).is_error


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_question_shows_no_secret(ledger: Path, mode: str) -> None:
    with connected(stdio(ledger, "--handlers", "app:Ledger", "--approve", "ask"), mode) as client:
        assert not client.call("ledger_pin", {"text": "a", "code": "1234"}).is_error
        (asked,) = client.person.asked
        assert 'code": "***"' in asked
        assert "1234" not in asked
