"""Definitions that a schema reaches, and schemas completed with them."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_REFERENCE = '"$ref":"#/$defs/'
"""Start of a reference to a definition in compact JSON; inside a string the quotes are escaped."""


def reachable(start: Iterable[str], uses: Callable[[str], Iterable[str]]) -> dict[str, None]:
    """Return the names reachable from some, which are included; `uses` returns the next ones.

    A dict serves as an ordered set: first the start, then what it uses.
    """
    reached = dict.fromkeys(start)
    waiting = list(reached)
    for name in waiting:
        for used in uses(name):
            if used not in reached:
                reached[used] = None
                waiting.append(used)
    return reached


def complete(text: str, definitions: Mapping[str, str]) -> str:
    """Return a schema with every definition that it reaches in its `$defs`.

    Both are compact JSON. The schema's own definitions stay and shadow those of the table.
    """
    own = _own(text)
    shared = definitions
    if own:
        shared = {name: body for name, body in definitions.items() if name not in own}
    names = reachable(_names(text, shared), lambda name: _names(shared[name], shared))
    needed = {name: shared[name] for name in names}
    if not needed:
        return text
    if own:
        import json

        schema = json.loads(text)
        schema["$defs"] = {**{name: json.loads(body) for name, body in needed.items()}, **own}
        return json.dumps(schema, separators=(",", ":"))
    entries = ",".join(f"{_quoted(name)}:{body}" for name, body in needed.items())
    return f'{text[:-1]},"$defs":{{{entries}}}}}'


def _quoted(name: str) -> str:
    """Return a name as JSON, for nearly all without the import of `json`, which costs 7 ms."""
    if name.isascii() and name.isidentifier():
        return f'"{name}"'
    import json

    return json.dumps(name)


def _own(text: str) -> dict[str, object]:
    """Return the definitions that the schema itself contains."""
    if '"$defs":' not in text:
        return {}
    import json

    schema = json.loads(text)
    definitions = schema.get("$defs") if isinstance(schema, dict) else None
    return definitions if isinstance(definitions, dict) else {}


def _names(text: str, definitions: Mapping[str, str]) -> Iterator[str]:
    """Yield the definitions of the table that a schema refers to, or into."""
    for rest in text.split(_REFERENCE)[1:]:
        name = rest[: rest.index('"')].partition("/")[0]
        if name not in definitions:
            name = _decoded(name)
        if name in definitions:
            yield name


def _decoded(name: str) -> str:
    """Return a name decoded from its escapes for JSON, URIs and JSON Pointers."""
    import json
    from urllib.parse import unquote

    try:
        plain = json.loads(f'"{name}"')
    except ValueError:  # a backslash before the quote: this is the text of a string
        return name
    return unquote(plain).replace("~1", "/").replace("~0", "~")
