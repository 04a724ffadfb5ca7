"""The image of `examples/deploying/Containerfile`; `make prove-image` runs this where a container engine runs."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import httpx2
import pytest
from served import MODERN, connected, free_port

ROOT = Path(__file__).parents[2]
FILE = ROOT / "examples/deploying/Containerfile"


@pytest.mark.container
def test_the_image_serves() -> None:
    docker = shutil.which("docker") or shutil.which("podman")
    assert docker, "a container engine is needed"
    build = [docker, "build", "--file", FILE, "--tag", "toolspec-notes", "."]
    subprocess.run(build, cwd=ROOT, check=True)
    port = free_port()
    run = [docker, "run", "--rm", "--detach", "--publish", f"127.0.0.1:{port}:8000"]
    container = subprocess.run(
        [*run, "toolspec-notes"], check=True, capture_output=True, text=True
    ).stdout.strip()
    try:
        for _ in range(600):
            try:
                if httpx2.get(f"http://127.0.0.1:{port}/readyz").status_code == 200:
                    break
            except httpx2.TransportError:
                time.sleep(0.05)
        with connected(f"http://127.0.0.1:{port}/mcp", MODERN) as client:
            assert not client.call("notes_statistics").is_error
    finally:
        subprocess.run([docker, "kill", container], check=True, capture_output=True)
