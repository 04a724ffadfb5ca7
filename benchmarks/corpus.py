"""The documents that are measured: services of 20 tools, the same bytes on every machine.

    python benchmarks/corpus.py FOLDER TOOLS [--own]

writes FOLDER/yaml and FOLDER/json (a project each, `specs/` with one document a service), and the
same tools as FOLDER/openapi, FOLDER/typespec, FOLDER/proto and FOLDER/schemas for other compilers.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import foreign
import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TOOLS_OF_A_SERVICE = 20
SEED = 20_261_121
# A property holds an object at most this often below a schema's root.
DEPTH = 2

READS = ("list", "get", "find", "count", "export", "compare", "preview", "watch")
WRITES = ("create", "update", "delete", "archive", "restore", "approve", "assign", "merge")
THINGS = (
    "Invoice", "Order", "Customer", "Shipment", "Refund", "Ticket", "Report", "Contract", "Device",
    "Campaign", "Branch", "Release", "Meeting", "Folder", "Message", "Payment", "Project", "Quote",
)  # fmt: skip
DOMAINS = (
    "billing", "orders", "support", "shipping", "people", "sales", "storage", "calendar", "fleet",
    "market", "archive", "ledger", "travel", "health", "energy", "supply", "legal", "media",
)  # fmt: skip
QUALIFIERS = (
    "billing", "shipping", "primary", "previous", "external", "internal", "requested", "approved",
    "estimated", "total", "remote", "local", "archived", "pending", "customer", "supplier",
)  # fmt: skip
NOUNS = (
    "address", "amount", "status", "owner", "region", "reference", "deadline", "channel", "label",
    "quantity", "currency", "contact", "window", "category", "priority", "location", "account",
    "version", "comment", "summary", "schedule", "discount", "language", "carrier", "source",
)  # fmt: skip
TEXT = (
    "the record that a caller asked for is returned as it was last stored, with every change since "
    "midnight taken into account; values outside of the range are refused and nothing is written "
    "until each part has been confirmed by its owner, which may take several minutes on busy days "
    "because remote systems answer slowly and partial answers are never merged silently"
)
WORDS = TEXT.replace(";", ",").split()
STATES = (
    "draft", "open", "sent", "paid", "late", "closed", "failed", "queued", "running", "done",
    "low", "normal", "high", "north", "south", "east", "west", "daily", "weekly", "monthly",
)  # fmt: skip
FORMATS = {
    "date-time": "2026-11-21T09:30:00Z",
    "date": "2026-11-21",
    "uri": "https://example.com/records/17",
    "email": "someone@example.com",
    "uuid": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
}
Json = dict[str, Any]


class Maker:
    """Random services that are the same in every run: each has a generator of its own."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.random = random.Random(SEED + number)
        self.shared: Json = {}

    def service(self) -> Json:
        """Return one document: a service with its shared schemas and its tools."""
        domain = DOMAINS[self.number % len(DOMAINS)]
        for thing in self.random.sample(THINGS, 4):
            self.shared[thing] = self.record(0)
        pairs = [(verb, thing) for verb in READS + WRITES for thing in THINGS]
        chosen = self.random.sample(pairs, TOOLS_OF_A_SERVICE)
        return {
            "toolspec": 1,
            "service": {
                "name": f"{domain}{self.number:03}",
                "version": f"1.{self.number % 10}.0",
                "description": self.text(),
            },
            "$defs": self.shared,
            "tools": [self.tool(verb, thing) for verb, thing in chosen],
        }

    def tool(self, verb: str, thing: str) -> Json:
        """Return one tool with schemas of its own and an example that satisfies them."""
        takes = self.record(self.random.randrange(DEPTH))
        gives = self.record(1 + self.random.randrange(DEPTH))
        if verb in {"list", "find", "compare"}:
            gives = {"type": "array", "description": self.text(), "items": gives}
        example = {"title": f"{verb.title()} one", "input": self.instance(takes)}
        return {
            "name": f"{verb}{thing}",
            "description": self.text(),
            "mutation": verb in WRITES,
            **_hints(verb),
            "inputSchema": takes,
            "outputSchema": gives,
            "examples": [example | {"output": self.instance(gives)}],
        }

    def record(self, depth: int) -> Json:
        """Return a schema of an object; one below the other at most `depth` times."""
        # Small records are the usual ones, as in real catalogues.
        count = min(self.random.randrange(5, 16) for _ in range(6))
        names = self.random.sample([f"{q}_{n}" for q in QUALIFIERS for n in NOUNS], count)
        properties = {name: self.property() for name in names}
        # What is nested stands in one known place, so that all documents are about as large.
        if depth:
            inner = self.record(depth - 1) | {"description": self.text()}
            properties[names[-1]] = inner
            if depth > 1:
                rows = {"type": "array", "items": self.record(0), "description": self.text()}
                properties[names[-2]] = rows
        required = [name for name in names if self.random.random() < 0.4] or names[:1]
        for name, schema in properties.items():
            _settle(schema, is_required=name in required)
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    def property(self) -> Json:
        """Return a schema without properties of its own, with a description."""
        return self.random.choice(self.kinds()) | {"description": self.text()}

    def kinds(self) -> list[Json]:
        """Return a schema of each of the kinds that a property has; those used more stand twice."""
        low, high = self.random.randrange(10), self.random.randrange(100, 1000)
        text: Json = {"type": "string", "minLength": 1, "maxLength": high}
        choice: Json = {"type": "string", "enum": self.random.sample(STATES, 3 + low % 4)}
        named = (
            [{"$ref": f"#/$defs/{self.random.choice(list(self.shared))}"}] if self.shared else []
        )
        return [
            text,
            text,
            choice,
            choice,
            {"type": "string", "format": self.random.choice(list(FORMATS))},
            {"type": "integer", "minimum": low, "maximum": high, "default": low + 1},
            {"type": "number", "minimum": low},
            {"type": "boolean", "default": bool(low % 2)},
            {"type": "array", "items": {"type": "string"}, "maxItems": high},
            {"type": ["string", "null"]},
            *named,
        ]

    def text(self) -> str:
        """Return sentences of 80 to 300 characters."""
        size = self.random.randrange(90, 300)
        start = self.random.randrange(len(WORDS))
        words = [WORDS[(start + step * 7) % len(WORDS)] for step in range(60)]
        self.random.shuffle(words)
        text = " ".join(words)[:size].rsplit(" ", 1)[0].rstrip(",")
        return text[0].upper() + text[1:] + "."

    def instance(self, schema: Json) -> Any:
        """Return a value that a schema of this maker admits: what it requires, nothing more."""
        if "$ref" in schema:
            return self.instance(self.shared[schema["$ref"].rpartition("/")[2]])
        match schema:
            case {"properties": properties}:
                return {name: self.instance(properties[name]) for name in schema["required"]}
            case {"items": items}:
                return [self.instance(items)]
            case {"enum": [first, *_]} | {"default": first}:
                return first
            case {"minimum": least}:
                return least + 1
            case _:
                is_flag = schema.get("type") == "boolean"
                return True if is_flag else FORMATS.get(schema.get("format", ""), "north gate")


def _hints(verb: str) -> Json:
    """Return what careful authors say of a tool that writes: it is reading that is measured, not finding."""
    hints = {"destructiveHint": verb == "delete", "idempotentHint": True}
    return {"annotations": hints} if verb in WRITES else {}


def _settle(schema: Json, *, is_required: bool) -> None:
    """Leave no default to a property that must be there, and null to none that may be left out."""
    if is_required:
        schema.pop("default", None)
    elif isinstance(schema.get("type"), list):
        schema["type"] = schema["type"][0]


def services(tools: int) -> Iterator[Json]:
    """Yield the documents of so many tools, 20 each."""
    for number in range(tools // TOOLS_OF_A_SERVICE):
        yield Maker(number).service()


def own(document: Json) -> Iterator[tuple[str, str]]:
    """Yield the files of a document for our side: a name and a text each."""
    name = document["service"]["name"]
    yield f"yaml/specs/{name}.yaml", as_yaml(document)
    yield f"json/specs/{name}.json", json.dumps(document, indent=2) + "\n"


def others(documents: list[Json]) -> Iterator[tuple[str, str]]:
    """Yield the same tools as files for other compilers."""
    for document in documents:
        name = document["service"]["name"]
        yield f"proto/bench/{name}/v1/{name}.proto", foreign.proto(document)
        for schema, text in foreign.schemas(document):
            yield f"schemas/{name}/{schema}.json", text
    openapi = foreign.openapi(documents)
    yield "openapi/openapi.json", json.dumps(openapi, indent=2)
    yield "openapi/openapi.yaml", as_yaml(openapi)
    yield "openapi/spectral.yaml", 'extends: ["spectral:oas"]\n'
    yield "typespec/main.tsp", foreign.typespec(documents)
    yield "proto/buf.yaml", "version: v2\n"


def write(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    """Write files below a folder."""
    for name, text in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Dumper(yaml.CSafeDumper):
    """Writes a value in full wherever it stands, as a person does."""

    def ignore_aliases(self, data: object) -> bool:
        """Whether no anchor is made for a value that occurs twice: always."""
        del data
        return True


def as_yaml(value: Json) -> str:
    """Return a value in block style, in lines of 100 characters."""
    return str(yaml.dump(value, Dumper=Dumper, sort_keys=False, width=100, allow_unicode=True))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("tools", type=int)
    parser.add_argument("--own", action="store_true", help="nothing for other compilers")
    given = parser.parse_args()
    for each in services(given.tools):
        write(given.folder, own(each))
    if not given.own:
        write(given.folder, others(list(services(given.tools))))
