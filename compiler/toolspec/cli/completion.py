"""Completion scripts for shells, generated from the commands and their options.

A script contains commands, options and targets. For the names of tools and services it runs
`toolspec __complete`, which does not import the compiler (`candidates.py`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.cli.candidates import ASK
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


class Shell(StrEnum):
    """A supported shell."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its spellings, help, whether it takes a value, and the possible values.

    `asks` is the kind of names that are its values: `tools` or `services`.
    """

    spellings: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...] = ()
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Verb:
    """One command: its help, its options, and the words that can follow instead of a file.

    `asks` is the kind of names that can follow, with `choices` after the first of these words.
    """

    name: str
    help: str
    options: tuple[Option, ...]
    choices: tuple[str, ...] = ()
    asks: str = ""


def script(shell: Shell, verbs: Sequence[Verb]) -> str:
    """Return the completion script for a shell, to be sourced or installed."""
    return _SCRIPTS[shell](verbs)


def _bash(verbs: Sequence[Verb]) -> str:
    lines = [
        "# Completion of toolspec for bash: source it, or put it where bash-completion looks.",
        "_toolspec_names() {",
        f'    "${{COMP_WORDS[0]/#\\~/$HOME}}" {ASK} "$1" 2>/dev/null',
        "}",
        "_toolspec() {",
        '    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=""',
        "    COMPREPLY=()",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f'        words="{" ".join(verb.name for verb in verbs)} --help --version"',
        "    else",
        '        case "${COMP_WORDS[1]} $before" in',
        *(f"            {line}" for line in _values(verbs)),
        '            *) case "${COMP_WORDS[1]}" in',
    ]
    for verb in verbs:
        words = (*(s for option in verb.options for s in option.spellings), *verb.choices)
        names = ""
        if verb.asks and not verb.choices:
            names = f'; [[ $word == -* ]] || words="$(_toolspec_names {verb.asks}) $words"'
        lines.append(f'                {verb.name}) words="{" ".join(words)}"{names} ;;')
    lines += [
        "            esac ;;",
        "        esac",
        "    fi",
        '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o bashdefault -o default -F _toolspec toolspec",
    ]
    return "\n".join(lines) + "\n"


def _values(verbs: Sequence[Verb]) -> Iterator[str]:
    """Yield the cases of options with a value: its choices, or nothing, for file completion."""
    for verb in verbs:
        for option in verb.options:
            if option.takes_value:
                cases = "|".join(f'"{verb.name} {spelling}"' for spelling in option.spellings)
                words = (
                    f"$(_toolspec_names {option.asks})" if option.asks else " ".join(option.choices)
                )
                yield f'{cases}) words="{words}" ;;'
        if verb.asks and verb.choices:
            cases = "|".join(f'"{verb.name} {choice}"' for choice in verb.choices)
            yield f'{cases}) words="$(_toolspec_names {verb.asks})" ;;'


def _zsh(verbs: Sequence[Verb]) -> str:
    lines = [
        "#compdef toolspec",
        "# Completion of toolspec for zsh: source it, or save it as _toolspec in a folder of $fpath.",
        "_toolspec() {",
        "    if (( CURRENT == 2 )); then",
        "        local -a verbs=(",
        *(f"            {_quoted(f'{verb.name}:{verb.help}')}" for verb in verbs),
        "        )",
        "        _describe verb verbs",
        "        return",
        "    fi",
        "    local verb=$words[2] toolspec=${words[1]/#\\~/$HOME}",
        "    shift words; (( CURRENT-- ))",
        "    case $verb in",
    ]
    for verb in verbs:
        specs = [_quoted(spec) for option in verb.options for spec in _zsh_options(option)]
        rest = " ".join(map(_quoted, _zsh_arguments(verb)))
        lines.append(f"        {verb.name}) _arguments {' '.join((*specs, rest))} ;;")
    lines += [
        "    esac",
        "}",
        'if [ "$funcstack[1]" = _toolspec ]; then _toolspec "$@"; else compdef _toolspec toolspec; fi',
    ]
    return "\n".join(lines) + "\n"


def _zsh_arguments(verb: Verb) -> Iterator[str]:
    if verb.asks and verb.choices:
        yield f"1:argument:({' '.join(verb.choices)})"
        yield f"2:name:{_zsh_names(verb.asks)}"
    elif verb.asks:
        yield f"*:name:{_zsh_names(verb.asks)}"
    else:
        yield f"*:argument:({' '.join(verb.choices)})" if verb.choices else "*:file:_files"


def _zsh_names(kind: str) -> str:
    return f"{{compadd -- $($toolspec {ASK} {kind} 2>/dev/null)}}"


def _zsh_options(option: Option) -> Iterator[str]:
    text = option.help.translate({ord(sign): " " for sign in "[]:\\"})
    value = ""
    if option.takes_value:
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
        value = f":name:{_zsh_names(option.asks)}" if option.asks else value
    for spelling in option.spellings:
        yield f"*{spelling}[{text}]{value}"


def _fish(verbs: Sequence[Verb]) -> str:
    lines = [
        "# Completion of toolspec for fish: source it, or save it in ~/.config/fish/completions.",
        "function __toolspec_names",
        "    set -l words (commandline -opc)",
        "    string match -q '~/*' -- $words[1]; and set words[1] $HOME(string sub -s 2 -- $words[1])",
        f"    command $words[1] {ASK} $argv 2>/dev/null",
        "end",
        "complete -c toolspec -e",
    ]
    for verb in verbs:
        lines.append(
            f"complete -c toolspec -f -n __fish_use_subcommand -a {verb.name} -d {_fish_quoted(verb.help)}"
        )
        seen = f"-n '__fish_seen_subcommand_from {verb.name}'"
        if verb.choices:
            choices = " ".join(verb.choices)
            before = f"; and not __fish_seen_subcommand_from {choices}" if verb.asks else ""
            when = f"-n '__fish_seen_subcommand_from {verb.name}{before}'"
            lines.append(f"complete -c toolspec -f {when} -a '{choices}'")
        if verb.asks:
            behind = (
                f"; and __fish_seen_subcommand_from {' '.join(verb.choices)}"
                if verb.choices
                else ""
            )
            when = f"-n '__fish_seen_subcommand_from {verb.name}{behind}'"
            lines.append(f"complete -c toolspec -f {when} -a '(__toolspec_names {verb.asks})'")
        for option in verb.options:
            names = " ".join(_fish_name(spelling) for spelling in option.spellings)
            value = " -r" if option.takes_value else ""
            words = f"(__toolspec_names {option.asks})" if option.asks else " ".join(option.choices)
            value += f" -f -a '{words}'" if words else ""
            lines.append(
                f"complete -c toolspec {seen} {names}{value} -d {_fish_quoted(option.help)}"
            )
    return "\n".join(lines) + "\n"


def _fish_name(spelling: str) -> str:
    return f"-l {spelling[2:]}" if spelling.startswith("--") else f"-s {spelling[1:]}"


def _quoted(text: str) -> str:
    """Return a text in single quotes for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SCRIPTS: Mapping[Shell, Callable[[Sequence[Verb]], str]] = {
    Shell.BASH: _bash,
    Shell.ZSH: _zsh,
    Shell.FISH: _fish,
}
