"""A compiled project with handlers, and what the tests of its servers use."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from served import (
    LEGACY,
    MODERN,
    TOOLSPEC,
    Connection,
    Person,
    connected,
    http,
    make_project,
    pause,
    stdio,
)

__all__ = [
    "LAB",
    "LEGACY",
    "MODERN",
    "TOOLSPEC",
    "Connection",
    "Person",
    "connected",
    "http",
    "make_project",
    "pause",
    "stdio",
]

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(tmp_path_factory.mktemp("lab") / "project", HERE / "lab.yaml")
    shutil.copy(HERE / "lab_handlers.py", folder / "app.py")
    (folder / "settings.toml").write_text('[lab]\ngreeting = "hello"\n')
    return folder


LAB = ("--handlers", "app:Lab", "--settings", "settings.toml")
