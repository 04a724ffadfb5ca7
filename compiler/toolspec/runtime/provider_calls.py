"""Lookup of tools called in a provider's form, by decode files next to the registry.

`<target>.decode.json` maps each provider name to the tool's full name (`tool`) and the operations
that decode the arguments (`decode`, see `toolspec.runtime.decoding`).
"""

from __future__ import annotations

import json
import sys
from functools import lru_cache
from pathlib import Path

from toolspec.runtime.decoding import decode
from toolspec.runtime.errors import ToolError
from toolspec.runtime.names import entry_of, unknown
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.shared.json_values import JsonObject

_ENDING = ".decode.json"


def decoded(
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
    known = _tools(tuple(_folders(services)), target)
    tool = entry_of(known, name)
    if tool is None:
        raise unknown(known, name)
    given = _object(arguments)
    operations, full = tool["decode"], str(tool["tool"])
    if not isinstance(operations, list) or not operations:
        return full, given
    try:
        value = copied(given)
    except NotJsonError:
        return full, given  # the call itself reports it
    return full, decode(operations, value)  # type: ignore[return-value, arg-type]  # objects


def _object(arguments: Mapping[str, object] | str | None) -> Mapping[str, object]:
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as problem:
        message = f"the arguments are no JSON: {problem}"
        raise ToolError.validation(message) from None
    if not isinstance(given, dict):
        message = "the arguments are no JSON object"
        raise ToolError.validation(message)
    return given


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
    found = {
        path.name.removesuffix(_ENDING) for folder in folders for path in folder.glob(f"*{_ENDING}")
    }
    chosen = (
        [target]
        if target in found
        else sorted(each for each in found if each.startswith(f"{target}-"))
    )
    if len(chosen) != 1:
        raise ValueError(_no_target(target, chosen, sorted(found)))
    tools: dict[str, JsonObject] = {}
    for folder in folders:
        file = folder / f"{chosen[0]}{_ENDING}"
        if file.is_file():
            tools |= json.loads(file.read_text(encoding="utf-8"))
    return tools


def _no_target(target: str, chosen: list[str], found: list[str]) -> str:
    if chosen:
        return f"`{target}` is several targets here; say which: {', '.join(chosen)}"
    if not found:
        return (
            f"nothing was generated for `{target}`: add the target to `targets` in the configuration "
            "and compile again"
        )
    return f"nothing was generated for `{target}`; there is: {', '.join(found)}"
