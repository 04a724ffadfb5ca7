"""Resolution of JSON Schema references: pointers, anchors, embedded resources."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.shared.json_values import JsonObject, JsonValue, Path

_VALUES = frozenset({"const", "default", "enum", "examples"})
"""Keywords whose values are not schemas."""


class References:
    """Resolves the references of one schema within that schema.

    The schema is indexed at the first reference that is more than a pointer.
    """

    def __init__(self, root: JsonValue) -> None:
        self._root = root
        self._paths: dict[int, Path] = {}
        self._bases: dict[int, str] = {}
        self._anchors: dict[tuple[str, str], JsonValue] = {}
        self._dynamic: set[tuple[str, str]] = set()
        self._embedded = 0
        self._is_read = False

    @property
    def is_flat(self) -> bool:
        """Whether the schema has no embedded resources with an `$id`."""
        self._read()
        return not self._embedded

    def path(self, schema: JsonValue) -> Path:
        """Return the path of a subschema from the root."""
        self._read()
        return self._paths.get(id(schema), ())

    def pointer(self, schema: JsonValue) -> str | None:
        """Return the pointer of a subschema from the root, as a URI fragment."""
        from urllib.parse import quote

        self._read()
        path = self._paths.get(id(schema))
        if path is None:
            return None
        steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
        return "".join(f"/{quote(step, safe='~')}" for step in steps)

    def base(self, schema: JsonValue) -> str:
        """Return the URI of the resource that contains a subschema."""
        self._read()
        return self._bases.get(id(schema), "")

    def of(self, schema: JsonObject) -> JsonValue | None:
        """Return the target of a schema's `$ref`; None without one, or if it is external."""
        reference = schema.get("$ref")
        return self.target(schema, reference) if isinstance(reference, str) else None

    def target(self, schema: JsonObject, reference: str) -> JsonValue | None:
        """Return the target of a reference; None if it is not inside the root."""
        if self.is_flat and reference[:2] in {"#", "#/"}:
            return at_pointer(self._root, reference[1:])
        from urllib.parse import unquote

        uri, fragment = _joined(self.base(schema), reference)
        if not fragment or fragment.startswith("/"):
            return at_pointer(self._anchors.get((uri, "")), fragment)
        return self._anchors.get((uri, unquote(fragment)))

    def dynamic_target(
        self, schema: JsonObject, reference: str, scope: Sequence[str]
    ) -> JsonValue | None:
        """Return the target of a dynamic reference; `scope` has the resources entered so far."""
        uri, name = _joined(self.base(schema), reference)
        if (uri, name) in self._dynamic:
            for outer in scope:
                if (outer, name) in self._dynamic:
                    return self._anchors[(outer, name)]
        return self.target(schema, reference)

    def possible_targets(self, schema: JsonObject) -> list[JsonValue]:
        """Return the targets of a schema's references; of a dynamic one, every possible target."""
        targets = [self.of(schema)]
        reference = schema.get("$dynamicRef")
        if isinstance(reference, str):
            targets.append(self.target(schema, reference))
            _, name = _joined("", reference)
            targets += [self._anchors[key] for key in self._dynamic if key[1] == name]
        return targets

    def _read(self) -> None:
        if self._is_read:
            return
        self._is_read = True
        self._anchors["", ""] = self._root
        waiting: list[tuple[JsonValue, str, Path]] = [(self._root, "", ())]
        while waiting:
            node, base, path = waiting.pop()
            if isinstance(node, list):
                waiting += [(item, base, (*path, index)) for index, item in enumerate(node)]
            if not isinstance(node, dict) or id(node) in self._paths:
                continue
            identifier = node.get("$id")
            if isinstance(identifier, str) and not identifier.startswith("#"):
                base, _ = _joined(base, identifier)
                self._anchors[base, ""] = node
                self._embedded += node is not self._root
            self._paths[id(node)], self._bases[id(node)] = path, base
            for keyword in ("$anchor", "$dynamicAnchor"):
                anchor = node.get(keyword)
                if isinstance(anchor, str):
                    self._anchors.setdefault((base, anchor), node)
                    if keyword == "$dynamicAnchor":
                        self._dynamic.add((base, anchor))
            waiting += [
                (item, base, (*path, name))
                for name, item in node.items()
                if isinstance(item, (dict, list)) and name not in _VALUES
            ]


def _joined(base: str, reference: str) -> tuple[str, str]:
    """Return the URI without fragment that a reference means in a resource, and its fragment."""
    from urllib.parse import urldefrag, urljoin

    # `urljoin` drops a base whose scheme has no relative references, such as `urn:`.
    is_local = reference.startswith("#")
    return urldefrag(f"{base}{reference}" if is_local else urljoin(base, reference))


def item_index(step: str, items: Sequence[object]) -> int | None:
    """Return the index that a step of a JSON pointer means in a list; None for no item of it.

    RFC 6901, section 4: digits without leading zeros.
    """
    # Python reads no integer of more than 4,300 digits.
    if not (step.isascii() and step.isdecimal()) or len(step) > len(str(len(items))):
        return None
    index = int(step)
    return index if index < len(items) and str(index) == step else None


def at_pointer(root: JsonValue, fragment: str) -> JsonValue | None:
    """Return the target of a pointer in a URI fragment, or None."""
    if "%" in fragment:
        from urllib.parse import unquote

        fragment = unquote(fragment)
    node = root
    for step in fragment.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and name in node:
            node = node[name]
        elif isinstance(node, list) and (index := item_index(name, node)) is not None:
            node = node[index]
        else:
            return None
    return node
