"""`toolspec revert` over the journal that a server has written."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from pathlib import Path

import pytest
from served import LEGACY, TOOLSPEC, connected, http, make_handled, signed_in

HERE = Path(__file__).parent
OWN = ("--handlers", "app:Ledger")
STORE = ("--store", "sqlite:///calls.sqlite3")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("ledger") / "project", HERE / "ledger.yaml")


@pytest.fixture
def ledger(compiled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(compiled, tmp_path / "project"))


def revert(
    folder: Path, *words: str, stdin: int | None = subprocess.DEVNULL
) -> tuple[int, str, str]:
    done = subprocess.run(
        [*TOOLSPEC, "revert", *words],
        cwd=folder,
        stdin=stdin,
        text=True,
        capture_output=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def lines(folder: Path) -> list[str]:
    file = folder / "ledger.txt"
    return file.read_text().split() if file.exists() else []


def served(folder: Path, *options: str, calls: dict[str, list[tuple[str, str]]]) -> None:
    """Call tools of a server over HTTP, as the callers that the tokens name."""
    with http(folder, *options, "--verifier", "app:verify") as address:
        for caller, made in calls.items():
            with connected(signed_in(address, caller), LEGACY) as client:
                for tool, text in made:
                    assert not client.call(f"ledger_{tool}", {"text": text}).is_error


def test_calls_of_a_server_are_reverted_newest_first(ledger: Path) -> None:
    calls = {"ann": [("add", "a"), ("pin", "b")], "bob": [("add", "c"), ("pin", "d")]}
    served(ledger, *OWN, *STORE, calls=calls)
    assert lines(ledger) == ["a", "b", "c", "d"]
    words = (*OWN, *STORE)
    status, out, _ = revert(ledger, "all", *words, "--dry-run")
    shown = [line.split(", ")[0] for line in out.splitlines()]
    assert (status, shown) == (
        0,
        [
            'ledger_pin {"text": "d"} by bob',
            'ledger_add {"text": "c"} by bob',
            'ledger_pin {"text": "b"} by ann',
            'ledger_add {"text": "a"} by ann',
        ],
    )
    status, out, err = revert(ledger, *words)
    assert (status, out) == (2, "")
    assert "allow it with --yes" in err
    assert lines(ledger) == ["a", "b", "c", "d"]
    assert revert(ledger, *words, "--yes")[1].startswith("reverted  ledger_pin  ")
    assert lines(ledger) == ["a", "b", "c"]
    assert revert(ledger, "--caller", "ann", "--tool", "ledger_add", *words, "--yes")[0] == 0
    assert lines(ledger) == ["b", "c"]
    assert revert(ledger, "all", *words, "--yes")[0] == 0
    assert lines(ledger) == []
    assert revert(ledger, "all", *words, "--yes") == (0, "", "toolspec: no call to revert\n")


def test_an_entry_is_forgotten_by_its_id_and_shows_no_secret(ledger: Path) -> None:
    own = (*OWN, *STORE)
    with (
        http(ledger, *own, "--verifier", "app:verify") as address,
        connected(signed_in(address, "ann"), LEGACY) as client,
    ):
        assert not client.call("ledger_pin", {"text": "a", "code": "1234"}).is_error
    listed = revert(ledger, *own, "--dry-run")[1]
    assert listed.startswith('ledger_pin {"text": "a", "code": "***"} by ann, ')
    entry = listed.strip().rpartition(", ")[2]
    assert revert(ledger, *own, "--forget", "other")[0] == 2
    assert revert(ledger, *own, "--forget", entry) == (0, "", f"toolspec: forgot {entry}\n")
    assert revert(ledger, *own, "--yes") == (0, "", "toolspec: no call to revert\n")
    assert lines(ledger) == ["a"]


def test_one_that_fails_is_reported_and_kept(ledger: Path) -> None:
    served(ledger, *OWN, *STORE, calls={"ann": [("add", "a"), ("add", "stuck")]})
    status, out, _ = revert(ledger, "all", *OWN, *STORE, "--yes")
    assert status == 1
    assert [line.split("  ")[0] for line in out.splitlines()] == ["failed", "reverted"]
    assert "it is stuck" in out
    assert lines(ledger) == ["stuck"]
    assert "stuck" in revert(ledger, *OWN, *STORE, "--dry-run")[1]


def test_a_finished_registry_has_its_own_journal(ledger: Path) -> None:
    own = ("--handlers", "app:registry")
    served(ledger, *own, calls={"ann": [("add", "a")]})
    assert revert(ledger, *own, "--yes")[0] == 0
    assert lines(ledger) == []


def test_a_person_is_asked_before_anything_is_reverted(ledger: Path) -> None:
    served(ledger, *OWN, *STORE, calls={"ann": [("add", "a")]})
    for answer, status, left in (("n", 1, ["a"]), ("y", 0, [])):
        person, terminal = pty.openpty()
        with subprocess.Popen(
            [*TOOLSPEC, "revert", *OWN, *STORE],
            cwd=ledger,
            stdin=terminal,
            stderr=terminal,
            stdout=subprocess.DEVNULL,
        ) as process:
            os.close(terminal)
            said = b""
            while b"[y/N]" not in said:
                said += os.read(person, 1000)
            os.write(person, f"{answer}\n".encode())
            assert process.wait(60) == status
        os.close(person)
        assert b"Revert this call?" in said
        assert b'ledger_add {"text": "a"} by ann' in said
        assert lines(ledger) == left


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "reverts need the handlers of the calls: name them with --handlers"),
        ((*OWN, "--tool", "ledger_ad"), "did you mean `ledger_add`?"),
        ((*OWN, "--store", "nowhere:"), "the store cannot be opened"),
        (("first", *OWN), "first"),
    ],
)
def test_wrong_usage_is_explained(ledger: Path, words: tuple[str, ...], said: str) -> None:
    status, out, err = revert(ledger, *words)
    assert (status, out) == (2, "")
    assert said in err
