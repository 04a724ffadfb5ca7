"""Small projects that a test writes: checked, compiled, and what came of them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from served import TOOLSPEC

SERVICE = {"toolspec": 1, "service": {"name": "my-chat", "description": "Sends things."}}
TOOL = {
    "name": "send_message",
    "description": "Post a text to a channel and tell whether it arrived.",
    "inputSchema": {"type": "object", "additionalProperties": False},
    "outputSchema": {"type": "boolean"},
    "mutation": True,
}


def service(*tools: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return a document of a service with these tools."""
    return {**SERVICE, "service": {**SERVICE["service"], **members}, "tools": list(tools)}


def written(folder: Path, document: object, name: str = "chat.json") -> Path:
    """Return a project with one document, given as a value or as text."""
    text = document if isinstance(document, str) else json.dumps(document)
    (folder / "specs").mkdir(parents=True, exist_ok=True)
    (folder / "specs" / name).write_text(text)
    return folder


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    """Return the exit status of a command of toolspec and what it says."""
    done = subprocess.run(
        [*TOOLSPEC, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    return done.returncode, done.stdout + done.stderr


def codes(folder: Path) -> list[str]:
    """Return the codes of everything that `check` finds."""
    _, said = run(folder, "check", "--format", "json")
    report = json.loads(said)
    return [each["code"] for each in report["diagnostics"]]


def catalog(folder: Path) -> dict[str, Any]:
    """Return the catalog's tools by name, of a project that compiles."""
    status, said = run(folder, "compile")
    assert status == 0, said
    found = json.loads((folder / "generated" / "catalog.json").read_text())
    return {tool["name"]: tool for tool in found["tools"]}
