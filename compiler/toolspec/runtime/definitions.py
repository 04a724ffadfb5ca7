"""Assembly of self-contained schemas from the definitions of their service that they reach."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_REFERENCE = '"$ref":"#/$defs/'
"""Start of a reference to a definition in compact JSON; inside a string the quotes are escaped."""


def complete(text: str, definitions: Mapping[str, str]) -> str:
    """Return a schema with every definition that it reaches in its `$defs`.

    Both are compact JSON. The schema's own definitions stay and shadow those of the table.
    """
    own = _own(text)
    needed: dict[str, str] = {}
    waiting = [text]
    for each in waiting:
        for name in _names(each, definitions):
            if name not in needed and name not in own:
                needed[name] = definitions[name]
                waiting.append(definitions[name])
    if not needed:
        return text
    import json

    if own:
        schema = json.loads(text)
        schema["$defs"] = {**{name: json.loads(each) for name, each in needed.items()}, **own}
        return json.dumps(schema, separators=(",", ":"))
    entries = ",".join(f"{json.dumps(name)}:{each}" for name, each in needed.items())
    return f'{text[:-1]},"$defs":{{{entries}}}}}'


def _own(text: str) -> dict[str, object]:
    """Return the definitions that the schema itself contains."""
    if '"$defs":' not in text:
        return {}
    import json

    schema = json.loads(text)
    found = schema.get("$defs") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


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
