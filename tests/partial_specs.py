"""Parts of documents, made whole and sent through the front end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from toolspec.frontend import bind, includes, normalise, resolve, shape
from toolspec.frontend.shape.contract import Form
from toolspec.syntax import parse

if TYPE_CHECKING:
    from toolspec.diagnostics import Checked
    from toolspec.ir import Service
    from toolspec.syntax.nodes import Document, Location

TOOL = {"description": "Do it.", "mutation": False, "outputSchema": {"type": "string"}}


class NoFiles:
    """The files of a project that has none besides the document itself."""

    def read(self, path: str, referrer: Location) -> Checked[Document | None]:
        raise AssertionError(path, referrer)

    def is_folder(self, path: str) -> bool:
        raise AssertionError(path)

    def glob(self, pattern: str, referrer: Location) -> Checked[tuple[str, ...]]:
        raise AssertionError(pattern, referrer)


def whole(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document that has what every document must have."""
    service = {"name": "notes", "description": "Notes.", **document.get("service", {})}
    tools = [{**TOOL, **tool} for tool in document["tools"]]
    return {"toolspec": 1, **document, "service": service, "tools": tools}


def bound(document: dict[str, Any]) -> Service:
    """Return the service of a document that has to pass every stage before the rules."""
    name = document["service"]["name"]
    parsed = parse(f"specs/{name}.json", json.dumps(document).encode())
    assert parsed.ok, parsed.diagnostics
    assert parsed.value is not None
    assert not shape.check(parsed.value, Form.SERVICE)
    checked = bind.bind(includes.Unit(parsed.value))
    assert checked.ok, checked.diagnostics
    checked = resolve.resolve(checked.value, NoFiles())
    assert checked.ok, checked.diagnostics
    service = checked.value
    for derive in normalise.PASSES:
        service = derive(service).value
    return service
