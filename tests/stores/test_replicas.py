"""Two servers of one project, as on two machines: what one has done, the other does not do again."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from posts import call, message
from served import http, make_handled

SERVING = Path(__file__).parent.parent / "serving"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_handled(tmp_path / "project", SERVING / "pay.yaml")


@contextmanager
def replicas(
    project: Path, handlers: str, url: str, workers: int, *options: str
) -> Iterator[list[str]]:
    with ExitStack() as servers:
        common = ("--handlers", f"app:{handlers}", "--no-auth", "--store", url, *options)
        count = ("--workers", str(workers))
        yield [servers.enter_context(http(project, *common, *count)) for _ in range(2)]


def many(addresses: list[str], count: int, tool: str, arguments: Any) -> Counter[str]:
    """Make so many calls at once, of all servers in turn."""
    turns = itertools.islice(itertools.cycle(addresses), count)
    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda address: message(call(address, tool, arguments)), turns))
    errors = [answer["result"].get("_meta", {}).get("toolspec", {}) for answer in answers]
    return Counter(each["error"]["code"] if "error" in each else "ok" for each in errors)


def try_replicas(project: Path, url: str, workers: int, count: int) -> None:
    ledger = project / "ledger.txt"
    with replicas(project, "plain", url, workers) as addresses:
        question = message(call(addresses[0], "pay_note", {"text": "once"}))["result"]
        (key,) = question["inputRequests"]
        answered = {
            "requestState": question["requestState"],
            "inputResponses": {key: {"action": "accept", "content": {}}},
        }
        endings = Counter(
            message(call(address, "pay_note", {"text": "once"}, **answered))["result"]["resultType"]
            for address in addresses[::-1] * 10
        )
    assert endings == {"complete": 1, "input_required": 19}
    with replicas(project, "plain", url, workers, "--approve", "auto") as addresses:
        arguments = {"amount": 5, "idempotency_key": "k"}
        endings = many(addresses, count, "pay_send", arguments)
    assert endings["ok"] == 1
    assert set(endings) <= {"ok", "in_progress", "not_replayed"}
    lines = [line.split(" by ")[0] for line in ledger.read_text().splitlines()]
    assert lines == ["noted once", "sent 5"]
    with replicas(project, "limited", url, workers) as addresses:
        endings = many(addresses, 20, "pay_look", {})
    assert endings == {"ok": 5, "too_often": 15}


@pytest.mark.prove
@pytest.mark.parametrize("workers", [1, 2])
def test_two_replicas_have_one_effect(project: Path, url: str, workers: int) -> None:
    try_replicas(project, url, workers, 200)
