"""Help: the stored pages are what the application draws, and the front door shows each of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import toolspec.cli
from sampling import sampled
from toolspec.cli.app import app
from toolspec.cli.fast_path import END_OF_PAGE, find_page
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

BOOK = Path(toolspec.cli.__file__).with_name("help.txt")
START = "import sys; sys.argv[0] = 'toolspec'; from toolspec.cli.main import main; main()"


def verbs(command: object, *words: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of a command and of all below it."""
    yield words
    if isinstance(command, TyperGroup):
        context = command.make_context("toolspec", [], resilient_parsing=True)
        for name in command.list_commands(context):
            yield from verbs(command.get_command(context, name), *words, name)


VERBS = list(verbs(get_command(app)))


def test_help_has_no_types_of_python() -> None:
    text = BOOK.read_text()
    assert "list[" not in text
    assert "range>" not in text
    assert "TOOLSPEC_NOTES" not in text


def drawn(*words: str) -> str:
    result = CliRunner().invoke(app, [*words, "--help"], prog_name="toolspec")
    assert result.exit_code == 0
    return result.output


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", START, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_pages_are_what_the_application_draws(accept: bool) -> None:
    book = END_OF_PAGE.join(drawn(*words) for words in VERBS)
    if accept:
        BOOK.write_text(book, encoding="utf-8")
    assert BOOK.read_text(encoding="utf-8") == book


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_every_page_is_found_by_its_words(words: tuple[str, ...]) -> None:
    assert find_page(str(BOOK), ("toolspec", *words)) == drawn(*words)


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("words", [(), ("compile",), ("import", "mcp-tools")])
def test_the_front_door_shows_what_is_drawn(words: tuple[str, ...], flag: str) -> None:
    done = run(*words, flag)
    assert (done.returncode, done.stdout, done.stderr) == (0, drawn(*words), "")


def test_no_verb_is_a_mistake_and_shows_the_same() -> None:
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (2, "", drawn())
    asked = CliRunner().invoke(app, [], prog_name="toolspec")
    assert (asked.exit_code, asked.stdout, asked.stderr) == (2, "", drawn())


@pytest.mark.parametrize(
    "words", sampled([("complie",), ("compile", "specs"), ("--version",), ("import",)], 1)
)
def test_the_application_judges_what_has_no_page(words: tuple[str, ...]) -> None:
    done = run(*words, "-h")
    asked = CliRunner().invoke(app, [*words, "-h"], prog_name="toolspec")
    assert (done.returncode, done.stdout, done.stderr) == (
        asked.exit_code,
        asked.stdout,
        asked.stderr,
    )


def test_a_book_that_is_not_there_or_damaged_has_no_page(tmp_path: Path) -> None:
    book = tmp_path / "help.txt"
    assert find_page(str(book), ("toolspec",)) is None
    book.write_bytes(b"\xff\xfe")
    assert find_page(str(book), ("toolspec",)) is None


def test_a_reader_who_had_enough_is_no_mistake_of_ours() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", START, "--help"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")
