"""The way to what an error of jsonschema-rs is about: a key `1` is a number to it, an empty one nothing."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    import jsonschema_rs

    from toolspec.runtime.values import JsonObject, JsonValue

    _Steps: TypeAlias = tuple[str | int, ...]
    _Found: TypeAlias = tuple[_Steps, JsonValue]


def steps_to(error: jsonschema_rs.ValidationError, value: JsonValue) -> _Steps:
    """Return the way from the value that was checked to the place that an error speaks of."""
    found: list[_Found] = [*_past_empty_keys(((), value))]
    for step in error.instance_path:
        further = (each for place in found for each in _down(place, step))
        found = [each for place in further for each in _past_empty_keys(place)]
    if len(found) > 1:
        found = [each for each in found if each[1] == error.instance] or found
    return found[0][0] if found else tuple(error.instance_path)


def object_at(steps: _Steps, value: JsonValue) -> tuple[_Steps, JsonObject]:
    """Return the object at a place, or the one that what stands there is a member of, with the way."""
    outer = value
    for step in steps:
        outer, value = value, value[step]  # type: ignore[index]  # a step that it has
    if isinstance(value, dict):
        return steps, value
    return steps[:-1], outer if isinstance(outer, dict) else {}


def _down(place: _Found, step: str | int) -> Iterable[_Found]:
    steps, value = place
    if isinstance(value, dict) and str(step) in value:
        return (((*steps, str(step)), value[str(step)]),)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return (((*steps, step), value[step]),)
    return ()


def _past_empty_keys(place: _Found) -> Iterator[_Found]:
    """Yield a place, and those below it to which only empty keys lead."""
    steps, value = place
    yield place
    while isinstance(value, dict) and "" in value:
        steps, value = (*steps, ""), value[""]
        yield steps, value
