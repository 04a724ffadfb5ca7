"""What all tests share: the `--accept` switch, and where the shared corpora lie."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard

import forkserver
import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
CORPUS = ROOT.parent / "shared" / "corpus"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="rewrite the expected texts of cases")
    parser.addoption("--all-examples", action="store_true", help="run every example of properties")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--accept") and os.environ.get("CI"):
        message = "CI never accepts: run it yourself, then read the diff"
        raise pytest.UsageError(message)
    if "PYTEST_XDIST_WORKER" not in os.environ:  # which inherits it
        state = tempfile.TemporaryDirectory(prefix="toolspec-state-", ignore_cleanup_errors=True)
        config.add_cleanup(state.cleanup)
        os.environ["XDG_STATE_HOME"] = state.name
        if config.getoption("numprocesses", None):
            os.environ[forkserver.SHARED] = str(forkserver.toolspec())
    # How fast a busy machine makes examples is no property of what is tested.
    settings.register_profile("toolspec", suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("toolspec")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A job in the background of a script ignores interrupts, and so would all that it starts.
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exempt what is collected from garbage collection: it lives to the end."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave an eighth of the examples of each property to `make test`; `make prove` runs all."""
    if config.getoption("--all-examples"):
        return
    functions = {each.function for each in items if is_reduced(each)}
    for test in functions:
        stated = test._hypothesis_internal_use_settings
        count = max(stated.max_examples // 8, min(stated.max_examples, 5))
        test._hypothesis_internal_use_settings = settings(stated, max_examples=count)


def is_reduced(item: pytest.Item) -> TypeGuard[pytest.Function]:
    """Return whether an item is a property that is a function, and no proof."""
    return (
        isinstance(item, pytest.Function)
        and hasattr(item.function, "_hypothesis_internal_use_settings")
        and item.get_closest_marker("prove") is None
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one worker more than there are cores, since many tests wait for servers."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--accept"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Yield Chromium; of a module, since no loop of asyncio runs in the thread beside it."""
    from browsing import chromium

    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def repository() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    if not CORPUS.is_dir():
        pytest.skip("the shared corpus does not lie beside this checkout")
    return CORPUS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail what would be skipped where only the long proofs run: there nothing may be missing."""
    report = yield
    is_skip = report.skipped and not hasattr(report, "wasxfail")
    if is_skip and item.config.getoption("markexpr") == "prove":
        report.outcome = "failed"
        report.longrepr = f"skipped, and the long proofs skip nothing: {report.longrepr}"
    return report
