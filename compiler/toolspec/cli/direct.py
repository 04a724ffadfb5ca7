"""Verbs asked for with paths alone, run without the application: it takes longer to load than they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.cli.exit_codes import Exit


def run(words: Sequence[str]) -> Exit | None:
    """Do what some words ask for and return the exit status; None where the application has to read them.

    That is wherever a word looks like an option. Without any, a verb gets its records as they are
    by default, which are those of the options too: a test holds the two together.
    """
    if any(word.startswith("-") for word in words):
        return None
    match words:
        case ["check", *paths]:
            return _check(tuple(paths))
        case ["compile", *paths]:
            return _compile(tuple(paths))
        case _:
            return None


def _check(paths: tuple[str, ...]) -> Exit:
    from toolspec.cli.checking import check
    from toolspec.cli.telling import Telling
    from toolspec.driver.build import Request

    return check(Request(paths), Telling())


def _compile(paths: tuple[str, ...]) -> Exit:
    from toolspec.cli.compiling import compile_specs
    from toolspec.cli.telling import Telling
    from toolspec.driver.build import Request
    from toolspec.driver.incremental import Ways

    return compile_specs(Request(paths), Ways(), Telling())
