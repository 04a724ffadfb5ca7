"""Compiled projects with handlers, whose servers are tried."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from served import make_handled

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_handled(tmp_path_factory.mktemp("lab") / "project", HERE / "lab.yaml")
    shutil.copy(HERE / "lab_registry.py", folder / "together.py")
    (folder / "settings.toml").write_text('[lab]\ngreeting = "hello"\n')
    return folder


@pytest.fixture(scope="session")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("mail") / "project", HERE / "mail.yaml")


@pytest.fixture(scope="session")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("office") / "project", HERE / "office.yaml")
