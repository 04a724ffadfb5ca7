"""A compile that finds nothing to do: what it says, loads and writes, and what ends it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import toolspec
from sampling import sampled
from toolspec.driver import build as driver
from toolspec.driver.incremental import fingerprints, last_compile
from toolspec.driver.incremental.compiler_files import compiler_files
from toolspec.driver.incremental.store_last_compile import store_output
from toolspec.schema.shipped import schema_folder
from toolspec.version import __version__

SPEC = """toolspec: 1
service: {name: demo, description: A demo service.}
include: [parts/*.yaml]
tools:
  - name: ping
    description: Answer a call.
    mutation: false
    outputSchema: {type: string}
"""
PART = """tools:
  - name: send_later
    description: Send it later.
    mutation: true
    outputSchema: true
  - name: sendNow
    description: Send it now.
    mutation: true
    outputSchema: {type: string}
"""
START = "import sys; sys.argv[0] = 'toolspec'; from toolspec.cli.main import main; main()"
LOADED = {
    "__future__",
    "gc",
    "toolspec",
    "toolspec.version",
    "toolspec.cli",
    "toolspec.cli.main",
    "toolspec.cli.fast_path",
    "toolspec.cli.color",
    "toolspec.driver",
    "toolspec.driver.incremental",
    "toolspec.driver.incremental.last_compile",
    "toolspec.driver.incremental.fingerprints",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "specs" / "parts").mkdir(parents=True)
    (folder / "specs" / "demo.yaml").write_text(SPEC)
    (folder / "specs" / "parts" / "more.yaml").write_text(PART)
    # A file that was written just now proves nothing by its times.
    time.sleep(2 * fingerprints.FINE_TICK / 1e9)
    return folder


def run(folder: Path, *arguments: str, flags: tuple[str, ...] = ()) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, *flags, "-c", START, *(arguments or ("compile",))],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def kept(folder: Path) -> Path:
    """Compile in this process, and return the record that is kept of it."""
    done = driver.compile_specs(driver.Request(folder=folder))
    assert done.ok
    store_output(done.value, "key", 0, "all unchanged\n")
    return folder / last_compile.FOLDER / last_compile.NAME


def loaded(folder: Path, *arguments: str, status: int = 0) -> set[str]:
    ended, _, report = run(folder, *arguments, flags=("-X", "importtime"))
    assert ended == status
    bare = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "pass"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    return names(report) - names(bare)


def names(report: str) -> set[str]:
    return {line.rpartition("|")[2].strip() for line in report.splitlines() if "|" in line}


def everything(folder: Path) -> dict[str, tuple[int, int, int]]:
    paths = [folder, *folder.rglob("*")]
    seen = {str(path): path.stat() for path in paths}
    return {path: (s.st_mtime_ns, s.st_ctime_ns, s.st_ino) for path, s in seen.items()}


def is_answered(folder: Path, *arguments: str, status: int = 0) -> bool:
    return "toolspec.driver.build" not in loaded(folder, *arguments, status=status)


def test_it_loads_nothing_but_the_front_door(project: Path) -> None:
    run(project)
    assert loaded(project) <= LOADED


@pytest.mark.parametrize(
    "words", ["--version", "--help", "-h", "compile -h", "import mcp-tools -h"]
)
def test_what_never_changes_loads_no_more(words: str, tmp_path: Path) -> None:
    assert loaded(tmp_path, *words.split()) <= LOADED


def test_the_compiler_is_all_that_a_compile_loads(project: Path) -> None:
    known = set(compiler_files())
    ours = {each for each in loaded(project, "compile", "-v") if each.startswith("toolspec.")}
    assert len(ours) > len(LOADED)
    for name in ours:
        path = str(Path(toolspec.__file__).parent.joinpath(*name.split(".")[1:]))
        assert {f"{path}.py", f"{path}/__init__.py"} & known, name


def test_built_in_templates_count_beside_those_of_a_user(project: Path) -> None:
    assert b"/docs/templates/service.md.jinja" not in kept(project).read_bytes()
    (project / "own").mkdir()
    (project / "own" / "service.md.jinja").write_text("# {{ service.title }}\n")
    (project / "toolspec.toml").write_text('[target.docs]\ntemplates = "own"\n')
    time.sleep(2 * fingerprints.FINE_TICK / 1e9)
    assert b"/docs/templates/service.md.jinja" in kept(project).read_bytes()
    assert last_compile.load_record(str(project), "key") == (0, "all unchanged\n")


@pytest.mark.prove
def test_an_installed_compiler_is_known_by_the_lists_of_its_distributions(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    package = Path(toolspec.__file__).parent
    shutil.copytree(package, site / "toolspec", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(schema_folder(), site / "toolspec" / "schemas", dirs_exist_ok=True)
    records = [
        site / f"toolspec_{name}-{__version__}.dist-info" / "RECORD"
        for name in ("compiler", "runtime")
    ]
    for record in records:
        record.parent.mkdir()
        record.write_text("toolspec/__init__.py,,\n")
    time.sleep(2 * fingerprints.FINE_TICK / 1e9)
    monkeypatch.setenv("PYTHONPATH", str(site))
    assert run(project)[0] == 0
    known = last_compile.read_entry(str(project), last_compile.NAME).decode()
    assert [str(record) in known for record in records] == [True, True]
    assert f"{site}/toolspec/" not in known.split("\0\0")[1]
    assert is_answered(project)
    for record in records:
        record.write_text("toolspec/__init__.py,sha256=other,\n")
        assert not is_answered(project)
        time.sleep(2 * fingerprints.FINE_TICK / 1e9)
        run(project)
        assert is_answered(project)


def test_it_writes_nothing(project: Path) -> None:
    run(project)
    before = everything(project)
    assert is_answered(project)
    assert everything(project) == before


@pytest.mark.parametrize("form", sampled(["text", "short", "json", "github"], 1))
def test_it_says_what_the_long_way_says(project: Path, form: str) -> None:
    arguments = ("compile", "--format", form, "-v")
    run(project, *arguments)
    assert is_answered(project, *arguments)
    short = run(project, *arguments)
    (project / last_compile.FOLDER / last_compile.NAME).unlink()
    assert run(project, *arguments) == short
    assert "send_later" in short[1] or "naming/mixed-style" in short[1]


def test_the_status_that_warnings_ask_for_comes_again(project: Path) -> None:
    arguments = ("compile", "--fail-on", "warning")
    assert run(project, *arguments)[0] == 1
    assert is_answered(project, *arguments, status=1)
    assert run(project, *arguments)[0] == 1


def _edit(project: Path) -> None:
    path = project / "specs" / "demo.yaml"
    path.write_text(SPEC.replace("Answer", "answer"))


def _edit_a_part(project: Path) -> None:
    (project / "specs" / "parts" / "more.yaml").write_text(PART.replace("Send it now", "Send now"))


def _touch(project: Path) -> None:
    os.utime(project / "specs" / "demo.yaml")


def _keep_the_times(project: Path) -> None:
    path = project / "specs" / "demo.yaml"
    seen = path.stat()
    path.write_text(SPEC.replace("Answer", "answer"))
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def _add_a_part(project: Path) -> None:
    (project / "specs" / "parts" / "new.yaml").write_text("tools: []\n")


def _add_a_folder(project: Path) -> None:
    (project / "specs" / "sub").mkdir()


def _configure(project: Path) -> None:
    (project / "toolspec.toml").write_text('targets = ["docs"]\n')


def _configure_above(project: Path) -> None:
    (project.parent / "pyproject.toml").write_text("[tool.toolspec]\n")


def _remove_output(project: Path) -> None:
    (project / "generated" / "catalog.json").unlink()


def _damage_output(project: Path) -> None:
    path = project / "generated" / "catalog.json"
    path.write_text(path.read_text().replace("demo", "omed"))


def _leave_a_state_folder(project: Path) -> None:
    (project / "generated" / ".toolspec").mkdir()


CHANGES = [
    _edit,
    _edit_a_part,
    _touch,
    _keep_the_times,
    _add_a_part,
    _add_a_folder,
    _configure,
    _configure_above,
    _remove_output,
    _damage_output,
    _leave_a_state_folder,
]


@pytest.mark.parametrize("change", sampled(CHANGES, 5))
def test_any_change_takes_the_long_way(project: Path, change: object) -> None:
    assert callable(change)
    kept(project)
    assert last_compile.load_record(str(project), "another key") is None
    assert last_compile.load_record(str(project / "specs"), "key") == (0, "all unchanged\n")
    change(project)
    assert last_compile.load_record(str(project), "key") is None


@pytest.mark.parametrize(
    "other", sampled([("compile", "-v"), ("compile", "--check"), ("check",)], 1)
)
def test_another_command_takes_the_long_way(project: Path, other: tuple[str, ...]) -> None:
    run(project)
    status = 1 if "--check" in other else 0
    (project / "generated" / "catalog.json").unlink()
    assert not is_answered(project, *other, status=status)


DAMAGES = [
    lambda _: b"",
    lambda data: data[:-1],
    lambda data: data[: len(data) // 2],
    lambda data: data.replace(b"unchanged", b"unchained"),
    lambda _: b"\xff\x00" * 50,
    lambda data: data.partition(b"\n")[2],
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_is_none(project: Path, damage: object) -> None:
    assert callable(damage)
    path = kept(project)
    path.write_bytes(damage(path.read_bytes()))
    assert last_compile.load_record(str(project), "key") is None
    kept(project)
    assert last_compile.load_record(str(project), "key") is not None


def test_a_record_is_worth_nothing_in_a_copy(project: Path) -> None:
    kept(project)
    original = project.with_name("original")
    project.rename(original)
    subprocess.run(["cp", "-a", original, project], check=True)
    assert last_compile.load_record(str(project), "key") is None


def test_the_cache_is_ignored_by_git_and_never_followed(project: Path) -> None:
    kept(project)
    assert (project / last_compile.FOLDER / ".gitignore").read_text() == "*\n"
    elsewhere = project / "elsewhere"
    (project / last_compile.FOLDER).rename(elsewhere)
    before = everything(elsewhere)
    (project / last_compile.FOLDER).symlink_to(elsewhere)
    kept(project)
    assert everything(elsewhere) == before


def test_a_cache_that_cannot_be_written_is_done_without(project: Path) -> None:
    (project / last_compile.FOLDER).write_text("a file of somebody's")
    kept(project)
    kept(project)
    assert (project / last_compile.FOLDER).read_text() == "a file of somebody's"


def test_a_file_written_this_moment_proves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "young"
    path.write_text("1")
    assert fingerprints.fingerprint_to_read(str(path)).endswith(fingerprints.UNRELIABLE)
    os.utime(path, ns=(1_000_000_001, 1_000_000_001))
    assert not fingerprints.fingerprint_to_read(str(path)).endswith(fingerprints.UNRELIABLE)


@pytest.mark.prove
def test_diff_prints_what_check_prints_and_passes(project: Path) -> None:
    checked = run(project, "compile", "--check")
    shown = run(project, "compile", "--diff")
    assert checked[0] == 1
    assert shown[0] == 0
    assert checked[1] == shown[1]
    assert "+++ b/demo/handlers.py" in shown[1]
    assert not (project / "generated").exists()
    assert not (project / last_compile.FOLDER).exists()
    run(project)
    assert run(project, "compile", "--diff")[1] == run(project, "compile", "--check")[1]


@pytest.mark.prove
def test_diff_fails_for_findings_only(project: Path) -> None:
    assert run(project, "compile", "--diff", "--fail-on", "warning")[0] == 1
    (project / "specs" / "demo.yaml").write_text(SPEC.replace("mutation", "muation"))
    status, text, _ = run(project, "compile", "--diff")
    assert status == 1
    assert "shape/unknown-key" in text
    assert "+++" not in text


def test_the_end_of_a_suppression_ends_the_answer(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last_day = 1_769_817_600  # 2026-01-31
    allowed = "true  # toolspec: allow schema/any-output until 2026-01-31 -- it is open"
    (project / "specs" / "demo.yaml").write_text(SPEC.replace("{type: string}", allowed))
    (project / "specs" / "parts" / "more.yaml").write_text(PART.replace(": true\n  -", ": {}\n  -"))
    time.sleep(2 * fingerprints.FINE_TICK / 1e9)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(last_day + 86_399))
    assert run(project)[0] == 0
    assert is_answered(project)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(last_day + 86_400))
    status, said, _ = run(project)
    assert status == 1
    assert "meta/expired-suppression" in said
