"""The other compilers and linters: how each is installed, run, and asked for its version.

    python benchmarks/peers.py FOLDER

installs them into FOLDER, apart from the project: packages of Python into FOLDER/venv, those of npm
into FOLDER/node_modules. One that can't be installed is named with the reason, and its rows are left
out of the table.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Peer:
    """A program, the packages it needs, and the command that is measured.

    `folder` is the part of the corpus where the command runs; `OUT` stands for a new folder's name.
    `accepted` are the exit statuses of a run to the end, with or without findings.
    """

    name: str
    program: str
    packages: tuple[str, ...]
    arguments: str
    folder: str
    accepted: tuple[int, ...] = (0, 1)

    @property
    def is_python(self) -> bool:
        """Whether pip installs it; npm otherwise."""
        return all("==" in each for each in self.packages)


_TSP = ("compiler", "http", "openapi", "openapi3")
PEERS = {
    peer.name: peer
    for peer in (
        Peer(
            "datamodel-codegen",
            "datamodel-codegen",
            ("datamodel-code-generator==0.89.0",),
            "--input openapi.json --input-file-type openapi --output-model-type typing.TypedDict "
            "--target-python-version 3.11 --output OUT.py",
            "openapi",
        ),
        Peer(
            "openapi-python-client",
            "openapi-python-client",
            ("openapi-python-client==0.29.1",),
            "generate --path openapi.json --output-path OUT --meta none",
            "openapi",
        ),
        Peer(
            "tsp",
            "tsp",
            # The last release for Node.js 20.
            tuple(f"@typespec/{part}@1.5.0" for part in _TSP),
            "compile main.tsp --emit @typespec/openapi3 --output-dir OUT",
            "typespec",
        ),
        Peer(
            "spectral",
            "spectral",
            ("@stoplight/spectral-cli@6.16.3",),
            "lint -q -r spectral.yaml openapi.yaml",
            "openapi",
        ),
        Peer(
            "redocly lint",
            "redocly",
            ("@redocly/cli@2.77.0",),
            "lint openapi.yaml --format=summary",
            "openapi",
        ),
        Peer(
            "redocly build-docs",
            "redocly",
            ("@redocly/cli@2.77.0",),
            "build-docs openapi.json -o OUT.html",
            "openapi",
        ),
        Peer("buf lint", "buf", ("@bufbuild/buf@1.75.0",), "lint", "proto", (0, 100)),
        Peer(
            "check-jsonschema",
            "check-jsonschema",
            ("check-jsonschema==0.39.0",),
            "--check-metaschema */*.json",
            "schemas",
        ),
        Peer(
            "ajv",
            "ajv",
            ("ajv-cli@5.0.0", "ajv-formats@3.0.1"),
            "compile --spec=draft2020 -c ajv-formats -s '*/*.json'",
            "schemas",
        ),
        # The newest for which all that it needs can be had. It is imported, and has no command.
        Peer("fastmcp", "fastmcp", ("fastmcp==4.1.2",), "", ""),
    )
}


def version(peer: Peer) -> str:
    """Return the version that the table names: that of its first package."""
    return re.split(r"(?<=.)(?:==|@)", peer.packages[0])[1]


# With ajv 8.20.0, which spectral asks for, its rules are code that Node.js cannot parse.
OVERRIDES = {"@stoplight/spectral-cli": {"ajv": "8.17.1"}}


def install(folder: Path) -> int:
    """Install every peer, each on its own; return how many could not be."""
    folder.mkdir(parents=True, exist_ok=True)
    pip = folder / "venv" / "bin" / "pip"
    if not pip.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    manifest = folder / "package.json"
    stated = json.loads(manifest.read_text()) if manifest.exists() else {}
    manifest.write_text(json.dumps({**stated, "overrides": OVERRIDES}))
    npm = ["npm", "install", "--prefix", str(folder), "--no-fund", "--no-audit", "--loglevel=error"]
    failed = 0
    for peer in PEERS.values():
        tool = [str(pip), "install", "--quiet"] if peer.is_python else npm
        try:
            done = subprocess.run(
                [*tool, *peer.packages], capture_output=True, text=True, check=False
            )
        except OSError as error:
            reason = str(error)
        else:
            reason = done.stderr.strip()[-400:] if done.returncode else ""
        print(f"{peer.name} {version(peer)}: {reason or 'installed'}")
        failed += bool(reason)
    return failed


if __name__ == "__main__":
    install(Path(sys.argv[1]))
