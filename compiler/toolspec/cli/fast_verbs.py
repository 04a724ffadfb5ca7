"""Fast path for commands with paths alone, since the application takes longer to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.cli.exit_codes import Exit


def run(words: Sequence[str]) -> Exit | None:
    """Run a command and return its exit status, or None if the application has to parse it.

    None is for any word that looks like an option. Without options a command uses its default
    settings, which are those of the options too: a test compares the two.
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
    from toolspec.cli.report_options import ReportOptions
    from toolspec.driver.build import Request

    return check(Request(paths), ReportOptions())


def _compile(paths: tuple[str, ...]) -> Exit:
    from toolspec.cli.compiling import compile_specs
    from toolspec.cli.report_options import ReportOptions
    from toolspec.driver.build import CompileOptions, Request

    return compile_specs(Request(paths), CompileOptions(), ReportOptions())
