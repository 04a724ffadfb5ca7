"""Decode operations undone: what a model could have answered for given arguments."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from toolspec.runtime.provider_calls import fits

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 64


def encoded(operations: tuple[Any, ...], value: Any) -> Iterator[Any]:
    """Yield some values that operations make into the one given."""
    rules = {each["rule"]: each["do"] for each in operations if each["op"] == "define"}
    yield from islice(_undone(list(operations), value, rules), MOST)


def _undone(operations: list[Any], value: Any, rules: dict[str, Any]) -> Iterator[Any]:
    if not operations:
        yield value
        return
    last = operations[-1]
    for each in _everywhere(last, value, rules):
        yield from _undone(operations[:-1], each, rules)


def _everywhere(operation: Any, value: Any, rules: dict[str, Any]) -> Iterator[Any]:
    if operation["op"] == "define":
        yield value
    else:
        yield from _down(operation["at"].split("/")[1:], operation, value, rules)


def _down(steps: list[str], operation: Any, value: Any, rules: dict[str, Any]) -> Iterator[Any]:
    if not steps:
        yield from _inverse(operation, value, rules)
    elif steps[0] == "*":
        yield from _each(steps[1:], operation, value, rules) if isinstance(value, list) else [value]
    else:
        name = steps[0].replace("~2", "*").replace("~1", "/").replace("~0", "~")
        if not isinstance(value, dict) or name not in value:
            yield value
            return
        for inner in _down(steps[1:], operation, value[name], rules):
            yield {**value, name: inner}


def _each(
    steps: list[str], operation: Any, value: list[Any], rules: dict[str, Any]
) -> Iterator[Any]:
    if not value:
        yield []
        return
    for first in _down(steps, operation, value[0], rules):
        for rest in _each(steps, operation, value[1:], rules):
            yield [first, *rest]


def _inverse(operation: Any, value: Any, rules: dict[str, Any]) -> Iterator[Any]:
    match operation["op"], value:
        case "apply", _:
            yield from _undone(list(rules[operation["rule"]]), value, rules)
        case "choose", _:
            yield from _chosen(operation["forms"], value, rules)
        case "drop-null", dict():
            yield {**value, **{name: None for name in operation["keys"] if name not in value}}
            yield value
        case "rename", dict():
            back = {old: new for new, old in operation["keys"].items()}
            yield {back.get(name, name): each for name, each in value.items()}
        case "pairs", dict():
            yield [{"key": name, "value": each} for name, each in value.items()]
        case "spread", dict():
            yield _unspread(operation, value)
            yield value
        case "each-other", dict():
            others = [name for name in value if name not in operation["except"]]
            yield from _others(operation, value, others, rules)
        case _:
            yield value


def _chosen(forms: list[Any], value: Any, rules: dict[str, Any]) -> Iterator[Any]:
    for at, form in enumerate(forms):
        for each in _undone(list(form["do"]), value, rules):
            if fits(form["when"], each) and not any(
                fits(other["when"], each) for other in forms[:at]
            ):
                yield each
    if not any(fits(form["when"], value) for form in forms):
        yield value


def _unspread(operation: Any, value: dict[str, Any]) -> dict[str, Any]:
    named = {name: each for name, each in value.items() if name in operation["except"]}
    others = [{"key": name, "value": value[name]} for name in value if name not in named]
    return {**named, operation["key"]: others}


def _others(operation: Any, value: Any, names: list[str], rules: dict[str, Any]) -> Iterator[Any]:
    if not names:
        yield value
        return
    for inner in _undone(list(operation["do"]), value[names[0]], rules):
        yield from _others(operation, {**value, names[0]: inner}, names[1:], rules)
