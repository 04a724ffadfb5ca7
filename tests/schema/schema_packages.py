"""Packages whose source distributions carry suites of schemas that the long proofs run."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

_DOWNLOAD = (
    *(sys.executable, "-m", "pip", "download", "--quiet"),
    *("--no-deps", "--no-binary", ":all:"),
)


def unpacked(package: str, factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Return the folder of a source distribution, such as that of `jsonschema==4.26.0`.

    Skips the test where the package cannot be downloaded.
    """
    cache = getattr(request.config, "cache", None)  # none with `-p no:cacheprovider`
    folder = cache.mkdir("schema-packages") if cache else factory.mktemp("packages")
    stem = package.replace("==", "-")
    archive = folder / f"{stem}.tar.gz"
    if not archive.exists():
        command = [*_DOWNLOAD, package, "--dest", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not archive.exists():
            pytest.skip(f"{package} cannot be downloaded: {done.stderr[-300:]}")
    target = factory.mktemp("unpacked")
    with tarfile.open(archive) as opened:
        opened.extractall(target, filter="data")
    return target / stem
