"""Where units are made: here, in processes of this machine, or by an engine that somebody names."""

from __future__ import annotations

import os
import sys
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver import kinds
from toolspec.driver.unit import make_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor

    from toolspec.driver.unit import Task, Unit

    Engine = Callable[[], Executor]

# Bytes of documents from which a second process pays for its start: some 300 tools.
WORTHWHILE = 3_000_000


@dataclass(frozen=True, slots=True)
class Workers:
    """How many processes (None: as many as pay), or the engine that takes their place."""

    jobs: int | None = None
    engine: Engine | None = None

    def make(self, tasks: list[Task]) -> Iterator[Unit]:
        """Yield the units of some tasks in their order, whoever makes them."""
        jobs = min(self.jobs or _pays(tasks), len(tasks))
        if self.engine is None and jobs <= 1:
            yield from map(make_unit, tasks)
            return
        with self.engine() if self.engine else _processes(jobs) as executor:
            made = deque(executor.submit(make_unit, task) for task in tasks)
            try:
                while made:  # a future holds its unit for as long as it is held itself
                    yield made.popleft().result()
            finally:
                for future in made:
                    future.cancel()


def find_engine(name: str) -> Checked[Engine | None]:
    """Return the factory that `module:factory` names; modules of the working folder are found too.

    Complains of a name that leads to none. The factory is called when there is work.
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

    # A forked process has the compiler loaded already; elsewhere it is started anew.
    method = "fork" if sys.platform == "linux" else None
    return ProcessPoolExecutor(jobs, multiprocessing.get_context(method), _end_with_parent)


def _end_with_parent() -> None:
    """Let this process end when the one that wants its work is gone, even if it was killed."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _pays(tasks: Iterable[Task]) -> int:
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
