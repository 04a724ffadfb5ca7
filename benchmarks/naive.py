"""The same compile as one writes it plainly with the same packages: the measure of `toolspec compile`.

    python benchmarks/naive.py SPECS OUT

CSafeLoader reads (no positions), `jsonschema` judges (document, metaschema, examples), jinja2 makes
typed dictionaries, handlers and docs, `json.dumps` three manifests. No lint, no client, no registry.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jinja2
import yaml
from jsonschema import Draft202012Validator

CONTRACT = Path(__file__).parent.parent / "schemas" / "service.v1.schema.json"
Json = dict[str, Any]

TYPES = """\
\"\"\"Types of {{ service.name }}.\"\"\"

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

{% for name, fields in classes %}
class {{ name }}(TypedDict):
{% for key, type, is_required, text in fields %}
    {{ key }}: {{ type if is_required else "NotRequired[" + type + "]" }}
    {{ text | tojson }}
{% endfor %}

{% endfor %}
"""
HANDLERS = """\
\"\"\"Handlers of {{ service.name }}.\"\"\"

from __future__ import annotations

from typing import Protocol

from . import types

class {{ service.name | capitalize }}Handlers(Protocol):
    {{ service.description | tojson }}
{% for tool in tools %}

    async def {{ tool.name }}(self, input: types.{{ tool.name }}Input) -> {{ tool.result }}:
        {{ tool.description | tojson }}
        ...
{% endfor %}
"""
DOCS = """\
# {{ service.name }}

{{ service.description }}

{% for tool in tools %}
## {{ tool.name }}

{{ tool.description }}

| field | type | required | description |
| --- | --- | --- | --- |
{% for key, type, is_required, text in tool.fields %}
| `{{ key }}` | `{{ type }}` | {{ "yes" if is_required else "no" }} | {{ text }} |
{% endfor %}

```json
{{ tool.example }}
```
{% endfor %}
"""


class Types:
    """The typed dictionaries of one service, collected on the way through its schemas."""

    def __init__(self) -> None:
        self.classes: list[tuple[str, list[tuple[str, str, bool, str]]]] = []

    def of(self, name: str, schema: Json) -> str:
        """Return the annotation of a schema; an object becomes a class of this name."""
        if "$ref" in schema:
            return str(schema["$ref"]).rpartition("/")[2]
        if "enum" in schema:
            return f"Literal[{', '.join(map(repr, schema['enum']))}]"
        match schema["type"]:
            case "object":
                self.classes.append((name, self.fields(name, schema)))
                return name
            case "array":
                return f"list[{self.of(name + 'Item', schema['items'])}]"
            case [kind, "null"]:
                return f"{self.of(name, {'type': kind})} | None"
            case kind:
                return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}[
                    kind
                ]

    def fields(self, name: str, schema: Json) -> list[tuple[str, str, bool, str]]:
        """Return the properties of an object: name, annotation, whether required, description."""
        return [
            (key, self.of(f"{name}_{key}", each), key in schema["required"], each["description"])
            for key, each in schema["properties"].items()
        ]


def read(path: Path) -> Json:
    """Return a document's value."""
    text = path.read_bytes()
    value = json.loads(text) if path.suffix == ".json" else yaml.load(text, yaml.CSafeLoader)
    return dict(value)


def problems(document: Json, contract: Draft202012Validator) -> list[str]:
    """Return what is wrong with a document, its schemas and its examples."""
    found = [error.message for error in contract.iter_errors(document)]
    for tool in document["tools"]:
        for side, key in (("inputSchema", "input"), ("outputSchema", "output")):
            Draft202012Validator.check_schema(tool[side])
            validator = Draft202012Validator(tool[side] | {"$defs": document["$defs"]})
            for example in tool["examples"]:
                found += [error.message for error in validator.iter_errors(example[key])]
    for schema in document["$defs"].values():
        Draft202012Validator.check_schema(schema)
    return found


def manifest(document: Json, keys: tuple[str, ...]) -> str:
    """Return a list of tools as JSON; each side of a tool is self-contained."""
    service, shared = document["service"]["name"], {"$defs": document["$defs"]}
    tools = []
    for tool in document["tools"]:
        entry = {key: tool[key] for key in keys}
        entry["name"] = f"{service}_{tool['name']}"
        entry["annotations"] = {"readOnlyHint": not tool["mutation"]}
        for side in ("inputSchema", "outputSchema"):
            entry[side] = tool[side] | (shared if "#/$defs/" in json.dumps(tool[side]) else {})
        tools.append(entry)
    return json.dumps({"tools": tools}, indent=2) + "\n"


def artifacts(document: Json, templates: dict[str, jinja2.Template]) -> dict[str, str]:
    """Return the files of one service by name."""
    types = Types()
    for name, schema in document["$defs"].items():
        types.of(name, schema)
    tools = []
    for tool in document["tools"]:
        takes, gives = tool["inputSchema"], tool["outputSchema"]
        types.of(f"{tool['name']}Input", takes)
        result = types.of(f"{tool['name']}Output", gives)
        fields = Types().fields(tool["name"], takes)
        example = json.dumps(tool["examples"][0], indent=2)
        tools.append(tool | {"result": result, "fields": fields, "example": example})
    values = {"service": document["service"], "tools": tools, "classes": types.classes}
    made = {name: template.render(values) for name, template in templates.items()}
    basic = ("description", "mutation")
    return made | {
        "mcp.json": manifest(document, basic),
        "mcp-2025-11-25.json": manifest(document, basic),
        "catalog.json": manifest(document, (*basic, "examples")),
    }


def main(specs: Path, out: Path) -> None:
    """Compile every document of a folder."""
    contract = Draft202012Validator(json.loads(CONTRACT.read_bytes()))
    environment = jinja2.Environment(trim_blocks=True, autoescape=False)  # noqa: S701 - Python and Markdown
    sources = {"types.py": TYPES, "handlers.py": HANDLERS, "README.md": DOCS}
    templates = {name: environment.from_string(text) for name, text in sources.items()}
    for path in sorted(specs.iterdir()):
        document = read(path)
        if found := problems(document, contract):
            sys.exit("\n".join(found))
        folder = out / document["service"]["name"]
        folder.mkdir(parents=True)
        for name, text in artifacts(document, templates).items():
            (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
