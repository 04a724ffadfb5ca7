"""A compiled project whose handlers go wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from served import make_project

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(tmp_path_factory.mktemp("faulty") / "project", HERE / "faulty.yaml")
    shutil.copy(HERE / "faulty_handlers.py", folder / "app.py")
    return folder
