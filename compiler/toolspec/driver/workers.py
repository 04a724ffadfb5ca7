"""Runs analyses in this process, in a process pool, or in the user's executor."""

from __future__ import annotations

import os
import sys
from collections import deque
from contextlib import contextmanager
from importlib import import_module
from traceback import format_exc
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver import kinds
from toolspec.driver.analysis import analyse
from toolspec.shared.processes import can_start_processes
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Executor

    from toolspec.driver.analysis import Analysis, AnalysisTask
    from toolspec.driver.output import Stage
    from toolspec.driver.output.stage import StageFolder
    from toolspec.driver.output.tree import FileDigests
    from toolspec.driver.workspace import ParsedFile

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

    def analyse(
        self,
        tasks: Sequence[AnalysisTask],
        parsed: dict[str, ParsedFile],
        stage: Stage | None = None,
    ) -> Iterator[Analysis]:
        """Yield the analyses of some tasks in order.

        `parsed` are files that this process has read. Workers that share the disk of the `stage`
        write the files of their analyses there; others return the bytes. Raises ExecutorError if
        the executor fails, whichever exception it raises.
        """
        jobs = min(self.jobs or _jobs_for(tasks), len(tasks)) if can_start_processes() else 1
        if self.engine is None and jobs <= 1:
            yield from _analyse_here(tasks, parsed)
            return
        with (
            self._blaming_engine(),
            self.engine() if self.engine else _processes(jobs) as executor,
        ):
            shared = stage.shared() if stage else None
            if self.engine and shared and not shared.path:
                shared = None  # nothing tells whether the workers of an executor share the disk
            futures = deque(executor.submit(_analyse, task, shared) for task in tasks)
            try:
                while futures:  # a future keeps its analysis alive
                    result = futures.popleft().result()
                    if isinstance(result, str):
                        raise _WorkerError(result)
                    analysis, digests = result
                    if stage:
                        stage.digests.update(digests)
                    yield analysis
            finally:
                # The pool cancels tasks itself; its thread fails at others' cancelling in Python 3.11.
                for future in futures if self.engine else ():
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


def _analyse_here(
    tasks: Iterable[AnalysisTask], parsed: dict[str, ParsedFile]
) -> Iterator[Analysis]:
    """Yield analyses made in this process, which share parsed files.

    The document of a finished service is freed, unless its service is wanted.
    """
    for task in tasks:
        analysis = analyse(task, parsed)
        if not (analysis.is_part or task.has_service):
            parsed.pop(task.name, None)
        yield _compact(analysis, task)


def _compact(analysis: Analysis, task: AnalysisTask) -> Analysis:
    """Return an analysis as it is held until all are made, when nothing else of it is left."""
    return analysis.compressed() if task.emits else analysis


def _analyse(task: AnalysisTask, stage: StageFolder | None) -> tuple[Analysis, FileDigests] | str:
    """Return an analysis, its files in the stage, and digests of files on the disk.

    Return the traceback if the compiler failed and not the executor.
    """
    try:
        analysis = _compact(analyse(task), task)
        if stage is None:
            return analysis, {}
        files, digests = stage.store(task.name, analysis.files)
        return replace(analysis, files=files), digests
    except Exception:  # noqa: BLE001 - raised again where the analysis is wanted
        return format_exc()


def find_engine(name: str) -> Checked[Engine | None]:
    """Return the factory `module:factory`, searched in the working folder too.

    Reports a name that cannot be imported. The factory is called when there is work.
    """
    module, _, factory = name.partition(":")
    with _working_folder():
        try:
            engine: Engine = getattr(import_module(module), factory)
        except (ImportError, AttributeError, ValueError) as error:
            return Checked(None, (kinds.NO_ENGINE.at(None, name=name, reason=str(error)),))
    return Checked(engine)


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # A forked process has the compiler loaded already; elsewhere workers import it.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    others = set(multiprocessing.active_children())

    class Pool(ProcessPoolExecutor):
        def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
            # An interrupted pool may wait for the result of a task that no worker has.
            is_interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
            self.shutdown(wait=not is_interrupted, cancel_futures=True)

    try:
        with Pool(jobs, context, _end_with_parent) as executor:
            yield executor
    finally:
        # An interrupted pool does not end its workers, and the interpreter would wait for them.
        for process in set(multiprocessing.active_children()) - others:
            process.kill()


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


def _jobs_for(tasks: Iterable[AnalysisTask]) -> int:
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
