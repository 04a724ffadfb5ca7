"""What a large API costs: CPU and bytes of its compile, time and memory of a first call.

    python benchmarks/size.py SCRATCH

Compiles the program of `large.py` without and with its MCP manifests and calls one tool.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import rmtree
from typing import Any

import large

WITHOUT = ("python", "catalog", "docs")
_CALL = """
import asyncio, json, os, sys, time
sys.path.insert(0, sys.argv[1])
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
started = time.process_time()
from generated.large import SERVICE, bind
result = json.loads(sys.argv[2])
registry = bind({tool.method: (lambda *_: result) for tool in SERVICE.tools})
ready, bound = time.process_time(), resident()
assert "generated.large.schemas" not in sys.modules
name = SERVICE.tools[0].full_name
import jsonschema_rs
imported, before = time.process_time(), resident()
asyncio.run(registry.call(name, {}))
called, after = time.process_time(), resident()
asyncio.run(registry.call(name, {}))
again = time.process_time()
text = SERVICE.tools[0].output_schema
print(json.dumps({
    "import and bind, ms": round((ready - started) * 1e3, 1),
    "import jsonschema_rs, ms": round((imported - ready) * 1e3, 1),
    "import jsonschema_rs, MiB": round(before - bound, 1),
    "first call, ms": round((called - imported) * 1e3, 1),
    "second call, ms": round((again - called) * 1e3, 1),
    "first call, MiB": round(after - before, 1),
    "definitions it loads": len(json.loads(text)["$defs"]),
    "definitions there are": len(
        SERVICE.definitions | sys.modules["generated.large.schemas"].DEFINITIONS
    ),
}))
"""


def compiled(folder: Path, targets: tuple[str, ...]) -> tuple[float, float]:
    """Compile a folder and return the CPU seconds and the MB that were written."""
    out = folder / "generated"
    rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "toolspec", "compile", "--no-cache", "--jobs", "1"]
    before = os.times()
    subprocess.run(
        [*command, *(word for name in targets for word in ("--target", name))],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    after = os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    return spent, sum(each.stat().st_size for each in out.rglob("*") if each.is_file()) / 1e6


def result() -> object:
    """Return a result that the first tool may have."""
    program: Any = large.program()
    definition = program["$defs"][program["tools"][0]["outputSchema"]["$ref"].rpartition("/")[2]]
    values = {"string": "a", "integer": 1, "boolean": True, "array": []}
    made = {}
    for name in definition["required"]:
        field = definition["properties"][name]
        kind = field["type"][0] if isinstance(field["type"], list) else field["type"]
        made[name] = field["enum"][0] if "enum" in field else values[kind]
    return made


def main() -> None:
    """Print all figures."""
    folder = Path(sys.argv[1]) / "large"
    rmtree(folder, ignore_errors=True)
    large.write(folder)
    (folder / "toolspec.toml").touch()
    source = sum(each.stat().st_size for each in (folder / "specs").rglob("*.json")) / 1e6
    print(f"{large.TOOLS} tools, {large.DEFINITIONS} definitions, {source:.1f} MB")
    for targets in ((*WITHOUT, "mcp-2026-07-28"), WITHOUT):
        seconds, written = compiled(folder, targets)
        print(f"{' '.join(targets)}: {seconds:.2f} s CPU, {written:.1f} MB")
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(2):  # the first one compiles the package to bytecode
        done = subprocess.run(
            [sys.executable, "-c", _CALL, str(folder), json.dumps(result())],
            check=True,
            capture_output=True,
            text=True,
            env=environment,
        )
    for name, figure in json.loads(done.stdout).items():
        print(f"{name}: {figure}")


if __name__ == "__main__":
    main()
