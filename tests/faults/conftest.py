"""A compiled project whose handlers go wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from served import make_handled

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_handled(tmp_path_factory.mktemp("faulty") / "project", HERE / "faulty.yaml")
