"""Options that choose changes: kinds, and tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import console, options

if TYPE_CHECKING:
    from toolspec.driver.contract.policy import Selection

SelectOption = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="CODE",
        help="Report only these changes: codes, families such as prose, or patterns. Repeatable.",
        callback=options.not_empty,
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="CODE",
        help="Leave out these changes. Repeatable.",
        callback=options.not_empty,
    ),
]
ToolOption = Annotated[
    list[str] | None,
    typer.Option(
        "--tool",
        metavar="NAME",
        help="A tool, or a pattern such as `crm_*`: only its changes. Repeatable.",
        callback=options.not_empty,
    ),
]


def selection_of(
    select: list[str] | None, ignore: list[str] | None, tools: list[str] | None
) -> Selection:
    """Return what the options choose; exits with an error for an unknown code."""
    from toolspec.driver.contract.policy import Selection
    from toolspec.rules.selection import Choice

    exact = {*(select or ()), *(ignore or ())}
    choice = Choice(_codes("--select", select, exact), _codes("--ignore", ignore, exact))
    both = sorted(choice.select & choice.ignore)
    if both:
        problem = f"`{both[0]}` is in --select and in --ignore"
        raise typer.Exit(console.usage_error(problem))
    return Selection(choice, tuple(tools or ()))


def _codes(option: str, words: list[str] | None, exact: set[str]) -> frozenset[str]:
    """Return codes and families; a pattern stands for its codes that are not named themselves."""
    from toolspec.changes import catalogue
    from toolspec.driver.contract.policy import change_suggestion

    codes: set[str] = set()
    for word in words or ():
        named = word.removesuffix("/*")
        selected = catalogue.matching(word)
        if not selected:
            problem = f"{option}: no kind or family of changes `{word}`; {change_suggestion(word)}"
            raise typer.Exit(console.usage_error(problem))
        is_pattern = "*" in named or "?" in named
        codes.update((code for code in selected if code not in exact) if is_pattern else (named,))
    return frozenset(codes)
