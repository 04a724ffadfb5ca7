"""The least that a compile can do: read, hash and parse in C, and write the same files again.

    python benchmarks/floor.py SPECS GENERATED OUT

GENERATED is what `toolspec compile` made of SPECS; its bytes are held ready before the clock starts,
so the CPU seconds are printed by this script: those of the process less those of getting ready.
"""

from __future__ import annotations

import json
import sys
import time
from hashlib import blake2b
from pathlib import Path

import yaml


def parse(path: Path, data: bytes) -> None:
    """Parse a document without building more than the parser itself does."""
    if path.suffix == ".json":
        json.loads(data)
    else:
        yaml.CLoader(data).raw_parse()


def main(specs: Path, generated: Path, out: Path) -> float:
    """Return the CPU seconds for the work on both folders, start-up of Python included."""
    ready = time.process_time()
    files = {
        path.relative_to(generated): path.read_bytes()
        for path in sorted(generated.rglob("*"))
        if path.is_file()
    }
    ready = time.process_time() - ready
    for path in sorted(specs.iterdir()):
        data = path.read_bytes()
        blake2b(data).digest()
        parse(path, data)
    for name, data in files.items():
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return time.process_time() - ready


if __name__ == "__main__":
    print(main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])))
