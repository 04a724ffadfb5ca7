"""Rename properties to names that the provider accepts."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from toolspec.providers.draft import entries
from toolspec.providers.ledger import Outcome
from toolspec.providers.node import Members, Node, Note, rewrite

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.providers.draft import Draft
    from toolspec.providers.ledger import Entry
    from toolspec.providers.profile import Limits, Options
    from toolspec.syntax.nodes import JsonValue

NAME = "rename-keys"
_LONGEST = 64
_UNSAFE = re.compile(r"[^A-Za-z0-9_]")


def rename_keys(draft: Draft, _: Options, limits: Limits) -> Draft:
    """Return the draft with properties whose names match the profile's pattern, in its scope.

    The decode map restores the original names. A note states the original name.
    """
    if draft.root is None or not limits.property_pattern:
        return draft
    pattern = re.compile(limits.property_pattern)
    ledger: list[Entry] = []

    def change(node: Node) -> Node:
        properties = node.named("properties")
        bad = [name for name in properties if not pattern.fullmatch(name)]
        if not bad:
            return node
        names = safe_names(properties, bad)
        detail = ", ".join(f"`{old}` as `{new}`" for old, new in names.items())
        ledger.extend(entries(node.of("properties"), Outcome.ENCODED, NAME, detail))
        return _renamed(node, names)

    if limits.property_scope == "root":
        return draft.having(change(draft.root), ledger)
    return draft.having(rewrite(draft.root, change), ledger)


def safe_names(names: Iterable[str], bad: Iterable[str]) -> dict[str, str]:
    """Return a unique name of letters, digits and `_` for each bad one."""
    unsafe = list(bad)
    used = set(names) - set(unsafe)
    safe: dict[str, str] = {}
    for name in unsafe:
        plain = _UNSAFE.sub("_", name)
        plain = plain if plain[:1].isalpha() or plain[:1] == "_" else f"_{plain}"
        if len(plain) > _LONGEST or plain in used:
            digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:7]
            plain = f"{plain[: _LONGEST - 8]}_{digest}"
        used.add(plain)
        safe[name] = plain
    return safe


def _renamed(node: Node, names: dict[str, str]) -> Node:
    of = {
        names.get(name, name): member.noted(Note(0, f"Its name is {name}."))
        if name in names
        else member
        for name, member in node.named("properties").items()
    }
    renamed = node.having("properties", Members(of))
    if "required" in node:
        renamed = renamed.having("required", [names.get(name, name) for name in node.required])
    dependencies = node.value("dependentRequired")
    if isinstance(dependencies, dict):
        renamed = renamed.having("dependentRequired", _dependent(dependencies, names))
    back: dict[str, JsonValue] = {new: old for old, new in names.items()}
    return renamed.coded({"op": "rename", "keys": back})


def _dependent(dependencies: dict[str, JsonValue], names: dict[str, str]) -> JsonValue:
    return {
        names.get(name, name): [names.get(str(item), str(item)) for item in listed]
        for name, listed in dependencies.items()
        if isinstance(listed, list)
    }
