"""Runs units in this process, in a process pool, or in the user's executor."""

from __future__ import annotations

import os
import sys
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from traceback import format_exc
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver import kinds
from toolspec.driver.unit import make_unit
from toolspec.shared.processes import can_start_processes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor

    from toolspec.driver.unit import CompiledUnit, UnitTask

    Engine = Callable[[], Executor]

# Bytes of documents from which a second process is worth its start: some 300 tools.
WORTHWHILE = 3_000_000


class ExecutorError(Exception):
    """The user's executor cannot be started, or returns an unexpected result."""


class _WorkerError(Exception):
    """A compiler error in a worker, with its traceback."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Number of processes (None: chosen by size), or the name of the user's executor.

    Without processes on the platform, everything runs in this one.
    """

    jobs: int | None = None
    engine: Engine | None = None
    name: str = ""

    def make(self, tasks: list[UnitTask]) -> Iterator[CompiledUnit]:
        """Yield the units of some tasks in order.

        Raises ExecutorError if the user's executor fails, whichever exception it raises.
        """
        jobs = min(self.jobs or _pays(tasks), len(tasks)) if can_start_processes() else 1
        if self.engine is None and jobs <= 1:
            yield from map(make_unit, tasks)
            return
        with (
            self._blaming_engine(),
            self.engine() if self.engine else _processes(jobs) as executor,
        ):
            futures = deque(executor.submit(_make_unit, task) for task in tasks)
            try:
                while futures:  # a future keeps its unit alive
                    made = futures.popleft().result()
                    if isinstance(made, str):
                        raise _WorkerError(made)
                    yield made
            finally:
                for future in futures:
                    future.cancel()

    @contextmanager
    def _blaming_engine(self) -> Iterator[None]:
        """Turn every error into an ExecutorError, if there is an executor."""
        try:
            yield
        except Exception as error:
            if self.engine is None or isinstance(error, _WorkerError):
                raise
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise ExecutorError(reason) from error


def _make_unit(task: UnitTask) -> CompiledUnit | str:
    """Return a unit, or the traceback if the compiler failed and not the executor."""
    try:
        return make_unit(task)
    except Exception:  # noqa: BLE001 - raised again where the unit is wanted
        return format_exc()


def find_engine(name: str) -> Checked[Engine | None]:
    """Return the factory `module:factory`, searched in the working folder too.

    Reports a name that cannot be imported. The factory is called when there is work.
    """
    module, _, factory = name.partition(":")
    with _working_folder():
        try:
            found: Engine = getattr(import_module(module), factory)
        except (ImportError, AttributeError, ValueError) as error:
            return Checked(None, (kinds.NO_ENGINE.at(None, name=name, reason=str(error)),))
    return Checked(found)


def _processes(jobs: int) -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # A forked process has the compiler loaded already; elsewhere workers start anew.
    method = "fork" if sys.platform == "linux" else None
    return ProcessPoolExecutor(jobs, multiprocessing.get_context(method), _end_with_parent)


def _end_with_parent() -> None:
    """End this process when its parent has ended, even if that was killed."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _pays(tasks: Iterable[UnitTask]) -> int:
    size = sum(_size(str(task.project.root / task.name)) for task in tasks)
    return (os.cpu_count() or 1) if size >= WORTHWHILE else 1


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)  # noqa: PTH202 - a text, as everything beside it
    except OSError:
        return 0


@contextmanager
def _working_folder() -> Iterator[None]:
    sys.path.insert(0, "")
    try:
        yield
    finally:
        sys.path.remove("")
