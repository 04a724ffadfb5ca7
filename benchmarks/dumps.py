"""The tools of real servers as a corpus: `python benchmarks/dumps.py FOLDER DUMP …`.

Imports dumps of `tools/list` into FOLDER/yaml/specs, and writes the same tools for other compilers,
as `corpus.py` does.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml
from corpus import others, write

Json = dict[str, Any]


def shared_definitions(document: Json) -> Json:
    """Return a document for other compilers: its name is an identifier, its schemas have no `$defs`.

    All definitions are those of the document, under new names.
    """
    definitions: Json = {}
    tools = []
    for number, tool in enumerate(document["tools"]):
        sides = {}
        for side in ("inputSchema", "outputSchema"):
            schema = dict(tool[side]) if isinstance(tool[side], dict) else {}
            stem = f"T{number}{side[:-6].title()}"
            own = schema.pop("$defs", {})
            names = {f"#/$defs/{key}": f"{stem}N{index}" for index, key in enumerate(own)}
            for key, each in own.items():
                definitions[names[f"#/$defs/{key}"]] = _renamed(each, names)
            sides[side] = _renamed(schema, names)
        tools.append(tool | sides)
    service = document["service"] | {"name": document["service"]["name"].replace("-", "_")}
    return document | {"service": service, "tools": tools, "$defs": definitions}


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    if not isinstance(value, dict):
        return value
    # Other compilers resolve references against the document, never against an inner `$id`.
    kept = {key: each for key, each in value.items() if key != "$id" or not isinstance(each, str)}
    renamed = {key: _renamed(each, names) for key, each in kept.items()}
    if isinstance(value.get("properties"), dict):  # not all of them read a schema that is `true`
        members = renamed["properties"].items()
        renamed["properties"] = {key: {} if each is True else each for key, each in members}
    if value.get("$ref") in names:
        renamed["$ref"] = f"#/$defs/{names[value['$ref']]}"
    return renamed


def main(folder: Path, dumps: list[str]) -> None:
    """Write the corpus into a folder."""
    program = Path(sys.executable).with_name("toolspec")
    specs = folder / "yaml" / "specs"
    specs.mkdir(parents=True)
    subprocess.run(
        [program, "import", "mcp-tools", *dumps, "--to", "specs"],
        cwd=specs.parent,
        check=True,
        capture_output=True,
    )
    documents = [
        shared_definitions(yaml.load(path.read_bytes(), yaml.CSafeLoader))
        for path in sorted(specs.iterdir())
    ]
    write(folder, others(documents))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), [str(Path(each).resolve()) for each in sys.argv[2:]])
