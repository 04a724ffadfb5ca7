"""Nothing is written, and nothing quoted, outside the output folder: whatever lies in it or is asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import TypeAlias

import pytest
from forked_runs import Run, run_all
from toolspec.driver.output import check_paths, files_of
from toolspec.targets.target import Artifact

Obstacle: TypeAlias = Callable[[Path, Path], None]
Case: TypeAlias = tuple[Obstacle, str]
HIDDEN = "what nobody may see or change"
LONGEST = 64  # characters of a full name
DEVICES = ("con", "nul", "prn", "aux", "com1", "lpt9")


def spec(name: str, tool: str = "ping") -> str:
    return json.dumps(
        {
            "toolspec": 1,
            "service": {"name": name, "description": "A demo."},
            "tools": [
                {
                    "name": tool,
                    "description": "Answer a call.",
                    "mutation": False,
                    "outputSchema": {"type": "string"},
                }
            ],
        }
    )


def project(folder: Path, **documents: str) -> Path:
    """Return a project with some documents, and beside its output a folder with a like name."""
    (folder / "specs").mkdir(parents=True)
    for name, text in documents.items():
        (folder / "specs" / f"{name}.json").write_text(text)
    (folder / "generated-else").mkdir()
    (folder / "generated-else" / "file").write_text(HIDDEN)
    return folder


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def generated(folder: Path) -> list[str]:
    """Return the artifacts below a project's output folder, without what the compiler keeps there."""
    paths = tree(folder / "generated")
    return [path for path in paths if path != "toolspec.lock.json" and path[0] != "."]


def compiled(projects: Iterable[Path], *arguments: str) -> list[Run]:
    runs = run_all([(each, ["compile", *arguments]) for each in projects])
    check(runs)
    return runs


def check(runs: Iterable[Run]) -> None:
    for run in runs:
        assert run.status in {0, 1, 2}, run
        assert "Traceback" not in run.stdout + run.stderr
        assert run.events == ()


def link_to_file(path: Path, outside: Path) -> None:
    path.symlink_to(outside / "file")


def link_to_folder(path: Path, outside: Path) -> None:
    path.symlink_to(outside)


def dangling_link(path: Path, outside: Path) -> None:
    path.symlink_to(outside / "nothing")


def loop(path: Path, outside: Path) -> None:
    del outside
    path.symlink_to(path.name)


def hard_link(path: Path, outside: Path) -> None:
    os.link(outside / "file", path)


def pipe(path: Path, outside: Path) -> None:
    del outside
    os.mkfifo(path)


def folder(path: Path, outside: Path) -> None:
    del outside
    (path / "mine").mkdir(parents=True)


OBSTACLES = (link_to_file, link_to_folder, dangling_link, loop, hard_link, pipe, folder)
LOCATIONS = ("catalog.json", "demo", "demo/types.py", "docs", "docs/README.md")


IN_THE_WAY = [*product(OBSTACLES, LOCATIONS)]


@pytest.mark.parametrize(
    "cases",
    [
        pytest.param(IN_THE_WAY[::4], id="some"),
        pytest.param(IN_THE_WAY, id="all", marks=pytest.mark.prove),
    ],
)
def test_what_lies_in_the_way_leads_nowhere(tmp_path: Path, cases: list[Case]) -> None:
    obstacles: dict[Path, Obstacle] = {}
    for number, (obstacle, location) in enumerate(cases):
        at = project(tmp_path / str(number), demo=spec("demo"))
        path = at / "generated" / location
        path.parent.mkdir(parents=True)
        obstacle(path, at / "generated-else")
        obstacles[at] = obstacle
    commands = [["compile", *each] for each in (["--check"], [], ["--check"])]
    jobs = [(at, command) for at in obstacles for command in commands]
    runs = run_all(jobs)
    check(runs)
    for (at, _), run in zip(jobs, runs, strict=True):
        assert tree(at / "generated-else") == {"file": HIDDEN}
        # A hard link is no way out of the folder: the file is in both.
        assert obstacles[at] is hard_link or HIDDEN not in run.stdout + run.stderr


def test_a_compile_that_meets_something_in_the_way_writes_nothing(tmp_path: Path) -> None:
    obstacles = (link_to_file, link_to_folder, pipe, folder)
    projects = [project(tmp_path / each.__name__, demo=spec("demo")) for each in obstacles]
    for each, obstacle in zip(projects, obstacles, strict=True):
        (each / "generated").mkdir()
        obstacle(each / "generated" / "catalog.json", each / "generated-else")
    for each, run in zip(projects, compiled(projects), strict=True):
        assert run.status == 1
        assert "catalog.json" in run.stdout
        assert generated(each) == []


@pytest.mark.prove
def test_no_file_is_named_like_a_device(tmp_path: Path) -> None:
    projects = [project(tmp_path / f"a-{each}", demo=spec(each, tool=each)) for each in DEVICES]
    for each, run in zip(projects, compiled(projects), strict=True):
        assert run.status == 0, run.stdout
        parts = {part for path in tree(each / "generated") for part in path.split("/")}
        assert not {part.partition(".")[0].casefold() for part in parts} & set(DEVICES)


def test_two_services_never_share_a_file(tmp_path: Path) -> None:
    pairs = (("myApp", "my-app"), ("app", "aPP"), ("demo", "demO"), ("docs", "catalog"))
    projects = [project(tmp_path / "-".join(each), **{n: spec(n) for n in each}) for each in pairs]
    for pair, each, run in zip(pairs, projects, compiled(projects), strict=True):
        paths = generated(each)
        assert len({path.casefold() for path in paths}) == len(paths)
        if run.status:
            assert paths == []
            continue
        known = json.loads((each / "generated" / "catalog.json").read_text())["services"]
        assert sorted(service["name"] for service in known) == sorted(pair)


@pytest.mark.prove
def test_a_service_never_takes_the_place_of_another_file(tmp_path: Path) -> None:
    names = ("readme", "index", "init", "generated", "toolspec", "lock")
    alone = project(tmp_path / "alone", demo=spec("demo"))
    projects = [project(tmp_path / n, demo=spec("demo"), other=spec(n)) for n in names]
    runs = compiled([alone, *projects])
    assert [run.status for run in runs] == [0] * len(runs)
    for each in projects:
        assert set(generated(alone)) < set(generated(each))


@pytest.mark.prove
def test_a_long_name_is_compiled_or_refused(tmp_path: Path) -> None:
    lengths = (41, LONGEST, LONGEST + 1, 255, 5000)
    names = ["a" * (length - len("_ping")) for length in lengths]
    projects = [project(tmp_path / str(len(each)), demo=spec(each)) for each in names]
    for length, each, run in zip(lengths, projects, compiled(projects), strict=True):
        assert run.status == int(length > LONGEST), run.stdout
        assert bool(generated(each)) == (run.status == 0)


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "a/../../x",
        "a/..",
        "..",
        ".",
        "",
        "/x",
        "//x",
        "a//b",
        "a/./b",
        "C:/x",
        "C:x",
        "a\\..\\x",
        "..\\x",
        "a\0b",
        "a\nb",
        "NUL",
        "con.json",
        "a/aux.txt",
        "a.",
        "a ",
    ],
)
def test_a_path_that_some_system_reads_otherwise_is_refused(path: str) -> None:
    assert check_paths(files_of("stray", (Artifact(path, "x"),)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a.py", "A.py"),
        ("a/b", "A/b"),
        ("ﬁ.py", "fi.py"),
        ("é", "e\u0301"),
        ("a", "a/b"),
        ("ß", "ss"),
    ],
)
def test_two_paths_that_some_system_takes_for_one_are_refused(one: str, other: str) -> None:
    first, second = (files_of("x", (Artifact(path, "x"),)) for path in (one, other))
    assert check_paths((*first, *second))
    assert check_paths((*second, *first))
