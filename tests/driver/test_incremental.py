"""A compile by units against a clean one: the same files, the same findings, whoever does the work."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import pytest
from project_edits import ANY, EDITS, LINT, files, make, spec
from toolspec.cli.exit_codes import Exit
from toolspec.cli.report_options import status
from toolspec.diagnostics import Checked
from toolspec.driver import build, workers, workspace
from toolspec.driver.analysis import Analysis, AnalysisTask, analyse
from toolspec.driver.build import Build, CompileOptions, Request
from toolspec.driver.incremental import cache, last_compile
from toolspec.driver.incremental.diagnostics_json import (
    diagnostics_from_json,
    diagnostics_to_json,
    files_in,
)
from toolspec.driver.incremental.last_compile import FOLDER
from toolspec.driver.lint.baseline import NAME
from toolspec.driver.output import Stage
from toolspec.driver.output.files import InMemory, OnDisk
from toolspec.driver.output.stage import StageFolder
from toolspec.driver.workers import Workers
from toolspec.driver.workspace import ParsedFile
from toolspec.reports import render
from toolspec.syntax import parse
from toolspec.syntax.nodes import Document
from toolspec.targets import discovery
from toolspec.targets.target import EmitContext

T = TypeVar("T")

HERE = Path(__file__).parent


@pytest.fixture
def project(tmp_path: Path) -> Path:
    # Python may have created a `__pycache__` in a folder of the compiler since the first compile.
    cache._compiler_fingerprints.cache_clear()
    return make(tmp_path / "project")


def written(folder: Path) -> dict[str, tuple[int, int]]:
    """Return what the writing of a file changes, by path."""
    seen = {path: (folder / path).stat() for path in files(folder)}
    return {path: (each.st_mtime_ns, each.st_ino) for path, each in seen.items()}


def compiled(folder: Path, ways: CompileOptions | None = None) -> tuple[Build, str]:
    checked = build.compile_specs(Request(folder=folder), options=ways or CompileOptions())
    return checked.value, render("text", checked.diagnostics)


def clean(folder: Path) -> tuple[dict[str, bytes], str]:
    """Return what a compile of the same documents into an empty folder makes and says."""
    out = folder.parent / "clean"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(folder / "specs", out / "specs")
    for name in ("toolspec.toml", NAME):
        if (folder / name).exists():
            shutil.copy(folder / name, out / name)
    checked = build.compile_specs(Request(folder=out))
    return files(out / "generated"), render("text", checked.diagnostics)


def made_units(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of documents that are compiled from now on."""
    names: list[str] = []

    def counted(task: AnalysisTask, *parsed: dict[str, ParsedFile]) -> Analysis:
        names.append(task.name)
        return analyse(task, *parsed)

    monkeypatch.setattr(workers, "analyse", counted)
    return names


def test_only_what_changed_is_compiled_and_written(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(project)
    names = made_units(monkeypatch)
    before = written(project / "generated")
    (project / "specs" / "alpha.yaml").write_text(spec("alpha", "Answer twice."))
    done, _ = compiled(project)
    assert names == ["specs/alpha.yaml"]
    after = written(project / "generated")
    touched = {path for path in after if after[path] != before[path]}
    assert touched == {change.path for change in done.changes if change.is_needed}
    assert not [path for path in touched if path.startswith(("beta", "gamma", "docs/b"))]


def test_an_error_in_one_service_compiles_no_other(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(project)
    names = made_units(monkeypatch)
    EDITS["an error"](project)
    _, report = compiled(project)
    assert names == ["specs/beta.yaml"]
    assert report == clean(project)[1]
    names.clear()
    EDITS["mended too"](project)
    assert compiled(project)[0].changes
    assert names == []


def test_after_a_first_compile_with_an_error_the_others_are_not_compiled_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    EDITS["an error"](project)
    first = compiled(project)[1]
    assert first == clean(project)[1]
    assert not files(project / "generated")
    names = made_units(monkeypatch)
    assert compiled(project)[1] == first
    assert names == ["specs/beta.yaml"]
    EDITS["mended too"](project)
    names.clear()
    compiled(project)
    assert names == ["specs/beta.yaml"]
    assert files(project / "generated") == clean(project)[0]
    names.clear()
    compiled(project)
    assert names == []
    assert not list((project / FOLDER).glob("*-files"))


@pytest.mark.parametrize("damage", ["cut", "gone", "other bytes"])
def test_unwritten_files_that_the_cache_has_lost_are_made_again(damage: str, project: Path) -> None:
    EDITS["an error"](project)
    compiled(project)
    unwritten = list((project / FOLDER).glob("*-files"))
    assert unwritten
    for path in unwritten:
        if damage == "gone":
            path.unlink()
        else:
            data = (
                b"OURS = 1\n" if damage == "cut" else path.read_bytes().replace(b"class", b"CLASS")
            )
            last_compile.write_entry(str(project), path.name, data)
    EDITS["mended too"](project)
    compiled(project)
    assert files(project / "generated") == clean(project)[0]


def test_services_that_collide_are_analysed_once(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(project)
    names = made_units(monkeypatch)
    EDITS["a service of the same name"](project)
    _, report = compiled(project)
    assert names == ["specs/twin.yaml"]
    assert "naming/duplicate-service" in report


def test_what_was_said_of_a_service_is_kept_with_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    EDITS["a warning"](project)
    EDITS["a note"](project)
    _, first = compiled(project)
    names = made_units(monkeypatch)
    _, said = compiled(project)
    assert names == []
    assert "betaPing" in said
    assert said == first == clean(project)[1]


def test_findings_of_some_cases_are_kept_whole(project: Path, repository: Path) -> None:
    cases = sorted((repository / "tests" / "cases" / "check").iterdir())
    assert_findings_are_kept(project, cases[::150])


@pytest.mark.prove
def test_findings_are_kept_whole(project: Path, repository: Path) -> None:
    assert_findings_are_kept(project, sorted((repository / "tests" / "cases" / "check").iterdir()))


def assert_findings_are_kept(project: Path, cases: list[Path]) -> None:
    EDITS["a slip"](project)
    for folder in (project, *cases):
        # What they come to is settled after they come from the cache.
        told = build.check(Request(folder=folder)).diagnostics
        found = tuple(replace(each, configured=None, suppression=None) for each in told)
        kept = json.loads(json.dumps(diagnostics_to_json(found)))
        assert diagnostics_from_json(kept, files_in(found).__getitem__) == found
        assert folder != project or any(each.fix for each in found)


def test_the_units_of_documents_that_are_gone_go(project: Path) -> None:
    def units() -> set[str]:
        return {path.name for path in (project / FOLDER).glob("analysis-*")}

    compiled(project)
    before = units()
    (project / FOLDER / "analysis-interrupted.123").write_bytes(b"half of o")
    EDITS["a service more"](project)
    compiled(project)
    assert len(units() - before) == 1
    build.compile_specs(Request(("specs/alpha.yaml",), folder=project), options=CompileOptions())
    assert len(units() - before) == 1
    EDITS["a service less"](project)
    compiled(project)
    assert units() == before


def test_a_file_that_is_gone_before_it_is_compared_is_made_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(project)
    (project / "specs" / "beta.yaml").write_text(spec("beta", "Answer twice."))
    link = build.link

    def late(*arguments: object) -> object:
        (project / "generated" / "alpha" / "types.py").unlink(missing_ok=True)
        return link(*arguments)  # type: ignore[arg-type] # as it was called

    monkeypatch.setattr(build, "link", late)
    compiled(project)
    assert files(project / "generated") == clean(project)[0]


def test_a_disk_that_takes_nothing_is_one_finding(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.write", full)
    checked = build.compile_specs(Request(folder=project), options=CompileOptions())
    assert [each.code for each in checked.diagnostics] == ["output/unwritable"]
    assert not (project / "generated").exists()


def test_a_touched_file_is_the_same_file(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(project)
    names = made_units(monkeypatch)
    for path in (project / "specs").glob("*.yaml"):
        path.write_bytes(path.read_bytes())
    compiled(project)
    assert names == []


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def _flip(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"alpha", b"omega"))


def _rubbish(path: Path) -> None:
    path.write_bytes(b"\xff" * 100)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [_truncate, _flip, _rubbish, _empty, Path.unlink])
def test_damage_to_the_cache_costs_time_only(
    project: Path, damage: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled(project)
    names = made_units(monkeypatch)
    for path in (project / FOLDER).glob("analysis-*"):
        damage(path)
    compiled(project)
    assert set(names) >= {"specs/alpha.yaml"}
    assert files(project / "generated") == clean(project)[0]


@pytest.mark.parametrize("body", [[], {}, {"key": 1}, None, {"key": "", "name": ""}])
def test_json_of_another_form_is_no_unit(project: Path, body: object) -> None:
    done, _ = compiled(project)
    analyses = cache.AnalysisCache(done.project, done.out, {})
    assert analyses.find("specs/alpha.yaml") is not None
    cache.write_entry(str(project), cache._file("specs/alpha.yaml"), json.dumps(body).encode())
    assert analyses.find("specs/alpha.yaml") is None


def test_a_cache_that_came_with_the_project_is_not_believed(project: Path) -> None:
    done, _ = compiled(project)
    assert cache.AnalysisCache(done.project, done.out, {}).find("specs/alpha.yaml")
    witness = project / FOLDER / ".gitignore"
    witness.unlink()
    witness.write_text("*\n")
    assert cache.AnalysisCache(done.project, done.out, {}).find("specs/alpha.yaml") is None


def test_another_configuration_asks_for_other_units(project: Path) -> None:
    done, _ = compiled(project)
    config = replace(done.project.config, separator="__")
    other = replace(done.project, config=config)
    assert cache.AnalysisCache(other, done.out, {}).find("specs/alpha.yaml") is None


def test_what_is_allowed_is_kept_with_its_service(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = spec("gamma").replace("{type: string}", "true " + ANY.format(" until 2026-11-30"))
    (project / "specs" / "gamma.yaml").write_text(day)
    (project / "toolspec.toml").write_text(LINT + "until = 2026-12-31\n")
    EDITS["a warning"](project)
    seen = []
    names = made_units(monkeypatch)
    for today in ("2026-11-30", "2026-12-01"):
        checked = build.compile_specs(
            Request(folder=project, today=today), options=CompileOptions()
        )
        seen.append((checked.ok, checked.value.until, len(names)))
        names.clear()
        whole = build.check(Request(folder=project, today=today))
        assert checked.diagnostics == whole.diagnostics
        names.clear()
    assert seen == [(True, "2026-11-30", 3), (False, "2026-12-31", 0)]


class Backwards(Executor):
    """An engine that begins with the last task, to be as unlike a loop as can be."""

    def __init__(self) -> None:
        self._tasks: list[tuple[Future[object], Callable[[], object]]] = []

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN002, ANN003, ANN201
        future: Future[object] = _Lazy(self)
        self._tasks.append((future, lambda: fn(*args, **kwargs)))
        return future

    def run(self) -> None:
        while self._tasks:
            future, task = self._tasks.pop()
            future.set_result(task())


class _Lazy(Future[object]):
    def __init__(self, engine: Backwards) -> None:
        super().__init__()
        self._engine = engine

    def result(self, timeout: float | None = None) -> object:
        self._engine.run()
        return super().result(timeout)


WAYS = {
    "two processes": Workers(2),
    "three processes": Workers(3),
    "as many as pay": Workers(),
    "threads": Workers(engine=lambda: ThreadPoolExecutor(2)),
    "backwards": Workers(engine=Backwards),
}


@pytest.mark.parametrize("way", WAYS)
def test_whoever_does_the_work_the_bytes_are_the_same(project: Path, way: str) -> None:
    EDITS["a warning"](project)
    EDITS["a note"](project)
    _, said = compiled(project, CompileOptions(WAYS[way], is_cached=False))
    assert (files(project / "generated"), said) == clean(project)
    assert "betaPing" in said
    assert not (project / FOLDER).exists()


@pytest.mark.parametrize("way", WAYS)
def test_whoever_does_the_work_errors_are_the_same(project: Path, way: str) -> None:
    EDITS["an error"](project)
    EDITS["no YAML"](project)
    _, said = compiled(project, CompileOptions(WAYS[way]))
    assert said == clean(project)[1]


@pytest.fixture
def dask() -> Iterator[Callable[[], Executor]]:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with (
        patch.dict(os.environ),  # to which it adds variables for its workers
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor


@pytest.mark.prove
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_makes_the_same_bytes(project: Path, dask: Callable[[], Executor]) -> None:
    EDITS["a warning"](project)
    _, said = compiled(project, CompileOptions(Workers(engine=dask), is_cached=False))
    assert (files(project / "generated"), said) == clean(project)


class Distant(ThreadPoolExecutor):
    """Runs tasks where the disk of the parent is not mounted."""

    def submit(self, function: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        task, folder = args
        assert isinstance(folder, StageFolder)
        return super().submit(function, task, replace(folder, path=f"{folder.path}-elsewhere"))


@pytest.mark.parametrize(("engine", "content"), [(ThreadPoolExecutor, OnDisk), (Distant, InMemory)])
def test_workers_stage_their_files_where_they_share_the_disk(
    engine: Callable[[], Executor], content: type, project: Path
) -> None:
    plan = build.plan_build(Request(folder=project))
    tasks = [
        AnalysisTask(plan.build.project, name, {}, emits=True) for name in plan.build.documents
    ]
    with closing(Stage(plan.build.out, {}, writes=True)) as stage:
        analyses = [*Workers(engine=engine).analyse(tasks, {}, stage)]
        assert {type(file.content) for each in analyses for file in each.files} == {content}
    assert not plan.build.out.exists()
    _, report = compiled(project, CompileOptions(Workers(engine=engine), is_cached=False))
    assert (files(project / "generated"), report) == clean(project)


def refused() -> Executor:
    raise ConnectionRefusedError("no scheduler at tcp://127.0.0.1:1")


def nothing() -> None:
    return None


class Expired(Executor):
    """Gets no answer from its workers."""

    def submit(self, function: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        future: Future[T] = Future()
        future.set_exception(TimeoutError())
        return future


class Unwilling(Executor):
    def submit(self, function: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        raise RuntimeError("cannot schedule new futures after shutdown")


def broken() -> Executor:
    executor = ProcessPoolExecutor(1, get_context("fork"))
    with suppress(BrokenProcessPool):
        executor.submit(os._exit, 1).result()
    return executor


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("refused", "ConnectionRefusedError: no scheduler at tcp://127.0.0.1:1"),
        ("nothing", "TypeError: "),
        ("Expired", "TimeoutError"),
        ("Unwilling", "RuntimeError: cannot schedule"),
        ("broken", "BrokenProcessPool: "),
    ],
)
def test_an_executor_that_fails_is_named(name: str, reason: str, project: Path) -> None:
    engine = globals()[name]
    ways = CompileOptions(Workers(engine=engine, name=f"engines:{name}"), is_cached=False)
    done = build.compile_specs(Request(folder=project), options=ways)
    assert [each.code for each in done.diagnostics] == ["config/executor-failed"]
    assert f"`engines:{name}` failed: {reason}" in done.diagnostics[0].message
    assert status(done.diagnostics) is Exit.USAGE
    assert not done.value.out.exists()


@pytest.mark.parametrize("name", ["nowhere:make", "json:nothing", "json", "", ":", "a b:c"])
def test_an_engine_that_is_not_there_is_a_finding(name: str) -> None:
    found = workers.find_engine(name)
    assert found.value is None
    assert [each.code for each in found.diagnostics] == ["config/no-executor"]


def test_an_engine_is_found_by_name() -> None:
    found = workers.find_engine("concurrent.futures:ThreadPoolExecutor")
    assert found.value is ThreadPoolExecutor


def test_notes_are_json_and_enough_for_the_files_that_services_share(repository: Path) -> None:
    program = build.check(Request(folder=repository)).value.program
    context = EmitContext()
    for target in discovery.built_in():
        notes = [target.emit_service(each, context).note for each in program.services]
        made = tuple(target.emit_project(notes, context).value)
        kept = json.loads(json.dumps(notes))
        assert made == tuple(target.emit_project(kept, context).value)
        fewer = tuple(target.emit_project(notes[:1], context).value)
        if target.name != "site":  # it has pages of the kinds of tools that there are
            assert [each.path for each in made] == [each.path for each in fewer]


@pytest.mark.prove
def test_the_command_takes_an_engine_of_the_working_folder(project: Path) -> None:
    (project / "engines.py").write_text(
        "from concurrent.futures import ThreadPoolExecutor\n"
        "def two():\n    print('two threads')\n    return ThreadPoolExecutor(2)\n"
    )
    toolspec = Path(sys.executable).parent / "toolspec"
    for options in (["--executor", "engines:two"], ["--jobs", "2"], ["--no-cache"]):
        done = subprocess.run(
            [toolspec, "compile", *options],
            cwd=project,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert ("two threads" in done.stdout) == ("--executor" in options)
    done = subprocess.run(
        [toolspec, "compile", "--executor", "engines:three"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "config/no-executor" in done.stdout


COUNT = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(args[0]) if event == "open" else None)
from toolspec.driver import build
from toolspec.driver.build import Request
assert build.compile_specs(Request(), options=build.CompileOptions()).ok
for path in opened:
    if isinstance(path, str) and path.endswith(".yaml"):
        print(path.rpartition("/")[2])
"""


def test_a_changed_document_is_opened_once_and_no_other_is(project: Path) -> None:
    for path in (project / "specs").glob("*.yaml"):
        os.utime(path, ns=(1_000_000_001, 1_000_000_001))
    compiled(project)
    (project / "specs" / "alpha.yaml").write_text(spec("alpha", "Answer no."))
    done = subprocess.run(
        [sys.executable, "-c", COUNT], cwd=project, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["alpha.yaml"]


def test_a_replaced_compiler_does_not_trust_what_the_running_one_stores(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A watcher goes on running the code that it has loaded."""
    file = tmp_path / "compiler.py"
    file.write_text("old")
    monkeypatch.setattr(cache, "compiler_files", lambda: iter([str(file)]))
    options = CompileOptions(memory={})
    try:
        cache._compiler_fingerprints.cache_clear()
        compiled(project, options)
        file.write_text("replaced")
        (project / "specs" / "alpha.yaml").write_text(spec("alpha", "Answer twice."))
        compiled(project, options)
        cache._compiler_fingerprints.cache_clear()  # as in a new process
        names = made_units(monkeypatch)
        compiled(project)
        assert "specs/alpha.yaml" in names
    finally:
        cache._compiler_fingerprints.cache_clear()


def test_a_changed_part_is_opened_once(project: Path) -> None:
    EDITS["a part"](project)
    EDITS["includes"](project)
    for path in (project / "specs").rglob("*.yaml"):
        os.utime(path, ns=(1_000_000_001, 1_000_000_001))
    compiled(project)
    EDITS["a part with a note"](project)
    done = subprocess.run(
        [sys.executable, "-c", COUNT], cwd=project, capture_output=True, text=True, check=True
    )
    assert sorted(done.stdout.split()) == ["a.yaml", "alpha.yaml"]


def test_a_process_that_compiles_again_reads_what_changed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = CompileOptions(memory={})
    compiled(project, options)
    names = made_units(monkeypatch)
    (project / "specs" / "alpha.yaml").write_text(spec("alpha", "Answer twice."))
    read: list[str] = []

    def counted(root: str, name: str) -> bytes:
        read.append(name)
        return last_compile.read_entry(root, name)

    with monkeypatch.context() as patch:
        patch.setattr(cache, "read_entry", counted)
        report = compiled(project, options)[1]
    assert names == ["specs/alpha.yaml"]
    assert len(read) == 1  # of the document that changed
    assert (files(project / "generated"), report) == clean(project)
    names.clear()
    (project / "generated" / "beta" / "types.py").unlink()
    compiled(project, options)
    assert names == ["specs/beta.yaml"]
    assert files(project / "generated") == clean(project)[0]


def test_diagnostics_of_project_rules_parse_no_document_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts have the offsets of names: only JSON, and names behind an alias, need the document."""
    for name in ("alpha", "beta"):
        (project / "specs" / f"{name}.yaml").write_text(spec(name, "Answer as all do."))
    parsed: list[str] = []

    def counted(name: str, data: bytes) -> Checked[Document | None]:
        parsed.append(name)
        return parse(name, data)

    monkeypatch.setattr(workspace, "parse", counted)
    cold = compiled(project)[1]
    assert cold.count("[catalog/same-description]") == 1
    assert sorted(parsed) == [f"specs/{name}.yaml" for name in ("alpha", "beta", "gamma")]
    assert compiled(project)[1] == cold
    assert len(parsed) == 3
