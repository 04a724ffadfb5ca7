"""What all tests share: the `--accept` switch, and where the shared corpora lie."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite the expected texts of cases")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--accept") and os.environ.get("CI"):
        message = "CI never accepts: run it yourself, then read the diff"
        raise pytest.UsageError(message)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A job in the background of a script ignores interrupts, and so would all that it starts.
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--accept"))


@pytest.fixture(scope="session")
def repository() -> Path:
    return ROOT


@pytest.fixture
def corpus() -> Path:
    if not CORPUS.is_dir():
        pytest.skip("the shared corpus does not lie beside this checkout")
    return CORPUS
