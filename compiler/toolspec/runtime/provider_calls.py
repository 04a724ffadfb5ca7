"""Calls in a provider's form: finds the tool, and decodes the arguments that a model passed.

`<target>.decode.json` maps each provider name to the tool's full name (`tool`) and the operations
that decode the arguments (`decode`). Operations undo the changes made to the tool's schema:

| op | effect on each value at `at` |
|---|---|
| `drop-null` | remove members named in `keys` that are null |
| `rename` | rename members as given in `keys` |
| `pairs` | turn a list of `{key, value}` into an object; duplicate keys are an error |
| `spread` | turn the pairs in the member `key` into members, except those named in `except` |
| `each-other` | apply `do` to every member not in `except` |
| `choose` | apply `do` of the first of `forms` whose `when` matches |
| `apply` | apply the operations of `rule` in `define` |

`at` is a JSON Pointer in which `*` is every item of an array, and `~2` a key that is itself `*`.
Values of another type than an operation expects are left alone; validation reports them.
"""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from pathlib import Path

from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.names import entry_of, unknown
from toolspec.runtime.values import NotJsonError, copied
from toolspec.shared.json_values import as_texts, path_text

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.shared.json_values import JsonObject, JsonValue

    Holder: TypeAlias = dict[str, JsonValue] | list[JsonValue]
    Slot: TypeAlias = tuple[Holder, str | int, tuple[str | int, ...]]


def decode(operations: Sequence[JsonObject], value: JsonValue) -> JsonValue:
    """Apply operations in order, in place, and return the resulting value.

    Raises ToolError `validation` for pairs with duplicate keys.
    """
    rules = {
        str(operation["rule"]): operation["do"]
        for operation in operations
        if operation["op"] == "define"
    }
    root: list[JsonValue] = [value]
    _Decoding(rules).run(operations, (root, 0, ()))
    return root[0]


class _Decoding:
    """Applies operations, with the rules that they may refer to."""

    def __init__(self, rules: Mapping[str, JsonValue]) -> None:
        self._rules = rules

    def run(self, operations: JsonValue | Sequence[JsonObject], slot: Slot) -> None:
        for operation in _objects(operations):
            apply = _OPERATIONS.get(str(operation["op"]))
            if apply is not None:
                for item in _slots(slot, str(operation["at"]).split("/")[1:]):
                    apply(self, operation, item)

    def apply(self, operation: JsonObject, slot: Slot) -> None:
        self.run(self._rules[str(operation["rule"])], slot)

    def choose(self, operation: JsonObject, slot: Slot) -> None:
        value = _at(slot)
        for form in _objects(operation["forms"]):
            if fits(form["when"], value):
                self.run(form["do"], slot)
                return

    def each_other(self, operation: JsonObject, slot: Slot) -> None:
        value, named = _at(slot), as_texts(operation["except"])
        if isinstance(value, dict):
            for name in [item for item in value if item not in named]:
                self.run(operation["do"], (value, name, (*slot[2], name)))

    def drop_null(self, operation: JsonObject, slot: Slot) -> None:
        value = _at(slot)
        if isinstance(value, dict):
            for name in as_texts(operation["keys"]):
                if name in value and value[name] is None:
                    del value[name]

    def rename(self, operation: JsonObject, slot: Slot) -> None:
        value, names = _at(slot), operation["keys"]
        if isinstance(value, dict) and isinstance(names, dict):
            _put(slot, {str(names.get(name, name)): item for name, item in value.items()})

    def pairs(self, _: JsonObject, slot: Slot) -> None:
        value = _at(slot)
        if isinstance(value, list) and all(map(_is_pair, value)):
            _put(slot, _folded(value, (), slot[2]))

    def spread(self, operation: JsonObject, slot: Slot) -> None:
        value, name = _at(slot), str(operation["key"])
        pairs = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, dict) and isinstance(pairs, list) and all(map(_is_pair, pairs)):
            del value[name]
            reserved = {*value, *as_texts(operation["except"])}
            value.update(_folded(pairs, reserved, (*slot[2], name)))


_OPERATIONS: dict[str, Callable[[_Decoding, JsonObject, Slot], None]] = {
    "apply": _Decoding.apply,
    "choose": _Decoding.choose,
    "drop-null": _Decoding.drop_null,
    "each-other": _Decoding.each_other,
    "pairs": _Decoding.pairs,
    "rename": _Decoding.rename,
    "spread": _Decoding.spread,
}


def fits(test: JsonValue, value: JsonValue) -> bool:
    """Return whether a value matches a test of its type and, for an object, its members."""
    if not isinstance(test, dict) or _type(value) not in as_texts(test["types"]):
        return False
    if isinstance(value, list) and isinstance(test.get("items"), list):
        return all(_type(item) in as_texts(test["items"]) for item in value)
    if not isinstance(value, dict):
        return True
    keys, types, limits = (test.get(word) for word in ("keys", "members", "values"))
    if not all(name in value for name in as_texts(test.get("required"))):
        return False
    if isinstance(keys, list) and not all(name in keys for name in value):
        return False
    typed = types.items() if isinstance(types, dict) else ()
    limited = limits.items() if isinstance(limits, dict) else ()
    return all(
        _type(value[name]) in as_texts(allowed) for name, allowed in typed if name in value
    ) and all(_is_one_of(value[name], allowed) for name, allowed in limited if name in value)


def _is_one_of(value: JsonValue, allowed: JsonValue) -> bool:
    listed = allowed if isinstance(allowed, list) else []
    return any(
        item == value and isinstance(item, bool) == isinstance(value, bool) for item in listed
    )


_TYPES = {type(None): "null", bool: "boolean", int: "integer", str: "string", list: "array"}


def _type(value: JsonValue) -> str:
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return _TYPES.get(type(value), "object")


def _slots(slot: Slot, steps: Sequence[str]) -> Iterator[Slot]:
    """Yield the slots that the steps of a pointer lead to."""
    slots = [slot]
    for step in steps:
        slots = [item for one in slots for item in _inside(one, step)]
    return iter(slots)


def _inside(slot: Slot, step: str) -> Iterator[Slot]:
    value, path = _at(slot), slot[2]
    if step == "*":
        if isinstance(value, list):
            yield from ((value, index, (*path, index)) for index in range(len(value)))
        return
    name = step.replace("~2", "*").replace("~1", "/").replace("~0", "~")
    if isinstance(value, dict) and name in value:
        yield value, name, (*path, name)


def _at(slot: Slot) -> JsonValue:
    holder, step, _ = slot
    return holder[step]  # type: ignore[index]  # built for this holder


def _put(slot: Slot, value: JsonValue) -> None:
    holder, step, _ = slot
    holder[step] = value  # type: ignore[index]  # built for this holder


def _folded(
    pairs: list[JsonValue], reserved: Container[str], path: tuple[str | int, ...]
) -> JsonObject:
    """Return the object made of a list of pairs."""
    folded: JsonObject = {}
    for at, pair in enumerate(pairs):
        if not isinstance(pair, dict):
            continue
        key = str(pair["key"])
        if key in folded or key in reserved:
            message = f"the key {json.dumps(key)} is there twice"
            path_of_key = path_text((*path, at, "key"))
            field = FieldError(path=path_of_key, code="uniqueKeys", message=message)
            line = f"{path_of_key}: {message}"
            raise ToolError.validation(line, field_errors=[field])
        folded[key] = pair["value"]
    return folded


def _is_pair(value: JsonValue) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"key", "value"}
        and isinstance(value["key"], str)
    )


def _objects(value: JsonValue | Sequence[JsonObject]) -> list[JsonObject]:
    listed = value if isinstance(value, (list, tuple)) else []
    return [item for item in listed if isinstance(item, dict)]


_ENDING = ".decode.json"


def decode_call(
    services: Iterable[ServiceDefinition],
    target: str,
    name: str,
    arguments: Mapping[str, object] | str | None,
) -> tuple[str, Mapping[str, object]]:
    """Return the full name of the tool that a provider's call refers to, and its arguments.

    `target` is a target of the compiler, or its first words if only one such was compiled
    (`openai`). Arguments are an object, or its JSON text as sent by providers. Raises ValueError if
    nothing was compiled for the target; ToolError `not_found` for an unknown name, `validation` for
    arguments that are not an object or have duplicate keys.
    """
    tools = _tools(tuple(_folders(services)), target)
    tool = entry_of(tools, name)
    if tool is None:
        raise unknown(tools, name)
    sent = _object(arguments)
    operations, full = tool["decode"], str(tool["tool"])
    if not isinstance(operations, list) or not operations:
        return full, sent
    try:
        value = copied(sent)
    except NotJsonError:
        return full, sent  # the call itself reports it
    return full, decode(operations, value)  # type: ignore[return-value, arg-type]  # objects


def _object(arguments: Mapping[str, object] | str | None) -> Mapping[str, object]:
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        parsed = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as problem:
        message = f"the arguments are not JSON: {problem}"
        raise ToolError.validation(message) from None
    if not isinstance(parsed, dict):
        message = "the arguments are not a JSON object"
        raise ToolError.validation(message)
    return parsed


def _folders(services: Iterable[ServiceDefinition]) -> Iterator[Path]:
    """Yield the folders of the generated packages of the services."""
    for service in services:
        packages = (tool.package for tool in service.tools)
        module = sys.modules.get(next(packages, ""))
        file = getattr(module, "__file__", None)
        if file:
            yield Path(file).parent


@lru_cache(maxsize=64)
def _tools(folders: tuple[Path, ...], target: str) -> Mapping[str, JsonObject]:
    """Return the entries of a target's decode files, by provider name."""
    targets = {
        path.name.removesuffix(_ENDING) for folder in folders for path in folder.glob(f"*{_ENDING}")
    }
    chosen = (
        [target]
        if target in targets
        else sorted(name for name in targets if name.startswith(f"{target}-"))
    )
    if len(chosen) != 1:
        raise ValueError(_no_target(target, chosen, sorted(targets)))
    tools: dict[str, JsonObject] = {}
    for folder in folders:
        file = folder / f"{chosen[0]}{_ENDING}"
        if file.is_file():
            tools |= json.loads(file.read_text(encoding="utf-8"))
    return tools


def _no_target(target: str, chosen: list[str], targets: list[str]) -> str:
    if chosen:
        return f"`{target}` is several targets here; say which: {', '.join(chosen)}"
    if not targets:
        return (
            f"nothing was generated for `{target}`: add the target to `targets` in the configuration "
            "and compile again"
        )
    return f"nothing was generated for `{target}`; there is: {', '.join(targets)}"
