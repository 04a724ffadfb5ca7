"""Whose a file is: what a build replaces, removes, keeps and refuses."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.diagnostics import Diagnostic
from toolspec.driver.output import drift, publish
from toolspec.driver.output.lockfile import parse
from toolspec.driver.write_options import OverwritePolicy, WriteOptions
from trees import Emission, emission, files_of, made, roomy, snapshot

CONFLICT = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> theirs\nd\n"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "generated"


def names(out: Path) -> set[str]:
    return set(snapshot(out)) - {"toolspec.lock.json"}


def locked(out: Path) -> dict[str, str]:
    entries = parse((out / "toolspec.lock.json").read_text())
    return {path: entry.target for path, entry in entries.items()}


def test_a_first_compile_writes_files_and_their_lock(out: Path) -> None:
    assert made(out, emission(a_py="a\n", b__c_py="c\n")) == ()
    assert names(out) == {"a.py", "b/c.py"}
    assert locked(out) == {"a.py": "python", "b/c.py": "python"}


def test_nothing_to_do_touches_nothing(out: Path) -> None:
    made(out, emission(a_py="a\n", b__c_py="c\n"))
    times = {path: path.stat().st_mtime_ns for path in (out, *out.rglob("*"))}
    assert made(out, emission(a_py="a\n", b__c_py="c\n")) == ()
    assert {path: path.stat().st_mtime_ns for path in (out, *out.rglob("*"))} == times


def test_only_what_differs_is_written(out: Path) -> None:
    made(out, emission(a_py="a\n", b_py="b\n"))
    before = (out / "a.py").stat()
    made(out, emission(a_py="a\n", b_py="B\n"))
    after = (out / "a.py").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert (out / "b.py").read_text() == "B\n"


def test_an_edited_file_stops_everything(out: Path) -> None:
    made(out, emission(a_py="a\n", b_py="b\n"))
    (out / "a.py").write_text("mine\n")
    before = snapshot(out)
    assert made(out, emission(a_py="A\n", b_py="B\n")) == ("output/edited-file",)
    assert snapshot(out) == before
    assert not (out / ".toolspec").exists()


def test_an_edit_stops_even_a_build_that_makes_the_same_again(out: Path) -> None:
    made(out, emission(a_py="a\n"))
    (out / "a.py").write_text("mine\n")
    assert made(out, emission(a_py="a\n")) == ("output/edited-file",)


def test_a_deleted_file_comes_back(out: Path) -> None:
    made(out, emission(a_py="a\n"))
    (out / "a.py").unlink()
    assert made(out, emission(a_py="a\n")) == ()
    assert (out / "a.py").read_text() == "a\n"


def test_every_foreign_file_is_told_at_once(out: Path) -> None:
    out.mkdir()
    (out / "a.py").write_text("mine\n")
    (out / "b.py").write_bytes(b"\xff")
    files = emission(a_py="a\n", b_py="b\n", c_py="c\n")
    assert made(out, files) == ("output/foreign-file", "output/foreign-file")
    assert names(out) == {"a.py", "b.py"}


def test_a_foreign_file_of_the_same_text_is_taken_over_silently(out: Path) -> None:
    out.mkdir()
    (out / "a.py").write_text("a\n")
    assert made(out, emission(a_py="a\n")) == ()
    assert made(out, emission(a_py="A\n")) == ()
    assert (out / "a.py").read_text() == "A\n"


def test_adopt_replaces(out: Path) -> None:
    out.mkdir()
    (out / "a.py").write_text("mine\n")
    assert made(out, emission(a_py="a\n"), overwrite_policy=OverwritePolicy.ADOPT) == ()
    assert names(out) == {"a.py"}
    assert (out / "a.py").read_text() == "a\n"
    assert made(out, emission(a_py="A\n")) == ()


def test_overwrite_keeps_every_backup(out: Path) -> None:
    out.mkdir()
    for text in ("one", "two", "three"):
        (out / "a.py").write_text(text)
        (out / "a.py").chmod(0o640)
        codes = made(out, emission(a_py="a\n"), overwrite_policy=OverwritePolicy.OVERWRITE)
        assert codes == ("output/kept-file",)
    kept = {path: data for path, data in snapshot(out).items() if "orig" in path}
    assert kept == {"a.py.orig": b"one", "a.py.orig.1": b"two", "a.py.orig.2": b"three"}
    assert (out / "a.py.orig").stat().st_mode & 0o777 == 0o640
    assert (out / "a.py").read_text() == "a\n"


def test_overwrite_keeps_no_backup_of_what_is_ours(out: Path) -> None:
    made(out, emission(a_py="a\n"))
    made(out, emission(a_py="A\n"), overwrite_policy=OverwritePolicy.OVERWRITE)
    assert names(out) == {"a.py"}


def test_line_ends_that_version_control_changed_are_no_edit(out: Path) -> None:
    made(out, emission(a_py="a\nb\n", b_py="b\n"))
    (out / "a.py").write_bytes(b"a\r\nb\r\n")
    (out / "b.py").write_bytes(b"b\r\n")
    assert made(out, emission(a_py="A\n")) == ()
    assert names(out) == {"a.py"}


def test_orphans_go_with_the_folders_they_leave_empty(out: Path) -> None:
    made(out, emission(a_py="a\n", b__c__d_py="d\n", e__f_py="f\n"))
    (out / "e" / "mine.txt").write_text("mine")
    assert made(out, emission(a_py="a\n")) == ()
    assert names(out) == {"a.py", "e/mine.txt"}
    assert not (out / "b").exists()
    assert locked(out) == {"a.py": "python"}


def test_a_folder_changes_all_its_files(out: Path) -> None:
    made(out, emission(a__b_py="b\n", c__d__e_py="e\n"))
    assert made(out, emission(a__c_py="c\n", c__f_py="f\n")) == ()
    assert names(out) == {"a/c.py", "c/f.py"}


def test_an_edited_orphan_stays_and_is_told_once(out: Path) -> None:
    made(out, emission(a_py="a\n", b_py="b\n"))
    (out / "b.py").write_text("mine\n")
    assert made(out, emission(a_py="a\n")) == ("output/edited-orphan",)
    assert made(out, emission(a_py="a\n")) == ()
    assert (out / "b.py").read_text() == "mine\n"


def test_an_orphan_that_became_a_link_stays(out: Path, tmp_path: Path) -> None:
    made(out, emission(a_py="a\n", b_py="b\n"))
    (tmp_path / "outside").write_text("b\n")
    (out / "b.py").unlink()
    (out / "b.py").symlink_to(tmp_path / "outside")
    assert made(out, emission(a_py="a\n")) == ("output/edited-orphan",)
    assert (out / "b.py").is_symlink()
    assert (tmp_path / "outside").read_text() == "b\n"


def test_chosen_targets_leave_the_files_of_the_others(out: Path) -> None:
    made(out, emission(a_py="a\n", b_py="b\n"), emission("docs", a_md="a\n"))
    assert made(out, emission(a_py="a\n"), narrowed=True) == ()
    assert names(out) == {"a.py", "a.md"}
    assert locked(out) == {"a.py": "python", "a.md": "docs"}


def test_files_of_a_target_that_nobody_names_stay_with_one_warning(out: Path) -> None:
    made(out, emission(a_py="a\n"), emission("docs", a_md="a\n", b_md="b\n"))
    for _ in range(2):
        codes = made(out, emission(a_py="A\n"), configured=("python",))
        assert codes == ("output/unnamed-target",)
        assert names(out) == {"a.py", "a.md", "b.md"}
        assert locked(out) == {"a.py": "python", "a.md": "docs", "b.md": "docs"}


def test_one_warning_names_all_targets_and_both_ways_out(out: Path) -> None:
    made(out, emission(a_py="a\n"), emission("docs", a_md="a\n"), emission("mistral", a_js="a\n"))
    terms = WriteOptions(configured=frozenset(["python"]))
    (only,) = publish(out, files_of([emission(a_py="a\n")]), terms).diagnostics
    assert only.message == (
        "2 files of the targets `docs`, `mistral` remain unchanged: the configuration does not name them"
    )
    assert only.help == (
        "add them to `targets` in the configuration to keep the files current, or remove the files "
        "with `toolspec compile --prune`"
    )


def test_prune_removes_the_files_of_targets_that_nobody_names(out: Path) -> None:
    made(out, emission(a_py="a\n"), emission("docs", a_md="a\n", b_md="b\n"))
    (out / "b.md").write_text("mine\n")
    codes = made(out, emission(a_py="a\n"), configured=("python",), prune=True)
    assert codes == ("output/edited-orphan",)
    assert names(out) == {"a.py", "b.md"}
    assert locked(out) == {"a.py": "python"}


def test_prune_keeps_what_a_narrowed_build_does_not_make(out: Path) -> None:
    every = (emission("docs", a_md="a\n"), emission("mistral", a_js="a\n"))
    made(out, emission(a_py="a\n"), *every)
    named = ("python", "docs")
    made(out, emission(a_py="a\n"), narrowed=True, configured=named, prune=True)
    assert names(out) == {"a.py", "a.md"}


def test_a_narrowed_build_says_nothing_of_other_targets(out: Path) -> None:
    made(out, emission(a_py="a\n"), emission("mistral", a_js="a\n"))
    assert made(out, emission(a_py="A\n"), narrowed=True, configured=("python",)) == ()
    assert names(out) == {"a.py", "a.js"}


def test_a_deleted_file_of_an_unnamed_target_leaves_the_lock(out: Path) -> None:
    made(out, emission(a_py="a\n"), emission("docs", a_md="a\n"))
    (out / "a.md").unlink()
    assert made(out, emission(a_py="a\n"), configured=("python",)) == ()
    assert locked(out) == {"a.py": "python"}


def test_an_orphan_of_a_configured_target_goes_beside_one_that_stays(out: Path) -> None:
    made(out, emission(old__a_py="a\n", b_py="b\n"), emission("docs", old__a_md="a\n"))
    codes = made(out, emission(b_py="b\n"), configured=("python",))
    assert codes == ("output/unnamed-target",)
    assert names(out) == {"b.py", "old/a.md"}


def test_two_outputs_nested_leave_each_other_alone(out: Path) -> None:
    inner = out / "inner"
    made(out, emission(a_py="a\n", old__b_py="b\n"))
    made(inner, emission(a_py="a\n", b_py="b\n"))
    assert made(out, emission(a_py="A\n")) == ()
    assert made(inner, emission(a_py="A\n")) == ()
    assert names(out) == {"a.py", "inner/a.py", "inner/toolspec.lock.json"}


@pytest.mark.parametrize("edited", ["a.py", "toolspec.lock.json"])
def test_a_merge_conflict_is_told_as_one(out: Path, edited: str) -> None:
    made(out, emission(a_py="a\n"))
    (out / edited).write_text(CONFLICT)
    before = snapshot(out)
    assert made(out, emission(a_py="A\n")) == ("output/merge-conflict",)
    assert snapshot(out) == before
    assert made(out, emission(a_py="A\n"), overwrite_policy=OverwritePolicy.ADOPT) == ()
    assert made(out, emission(a_py="B\n")) == ()


def found(out: Path, text: str) -> Diagnostic:
    (finding,) = publish(out, files_of([emission(a_py=text)]), WriteOptions()).diagnostics
    return finding


def test_the_first_differences_are_shown_where_they_are(out: Path) -> None:
    lines = [f"line {number}" for number in range(40)]
    made(out, emission(a_py="\n".join(lines)))
    edited = [*lines[:5], "  mine", *lines[6:10], *lines[12:20], "added", *lines[20:30], "last"]
    (out / "a.py").write_text("\n".join(edited))
    finding = found(out, "\n".join(lines))
    assert finding.span
    assert (finding.span.text, finding.label) == ("mine", "the compiler writes `line 5`")
    assert [(each.span.text, each.text) for each in finding.labels] == [
        ("line 12", "before this the compiler writes `line 10` and 1 more"),
        ("added", "not the compiler's"),
    ]


def test_a_byte_that_is_no_text_differs_from_what_it_is_shown_as(out: Path) -> None:
    out.mkdir()
    (out / "a.py").write_bytes(b"\xff\n")
    assert found(out, "\N{REPLACEMENT CHARACTER}\n").code == "output/foreign-file"


def test_a_long_file_full_of_beginnings_is_no_conflict(out: Path) -> None:
    out.mkdir()
    (out / "a.py").write_text("<<<<<<< HEAD\n" * 100_000)
    assert found(out, "a\n" * 100_000).code == "output/foreign-file"


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "null", "{}", '{"lock": 2, "files": {}}', '{"lock": 1}', "[" * 100_000),
        '{"lock": 1, "files": {"a.py": 1}}',
        '{"lock": 1, "files": {"a.py": {"target": "python", "sha256": "AA"}}}',
        *(
            f'{{"lock": 1, "files": {{"{path}": {{"target": "t", "sha256": "{"0" * 64}"}}}}}}'
            for path in ("../a", "/etc/passwd", "a//b", "", ".", "a/..", "c:/a", ".toolspec/lock")
        ),
    ],
)
def test_a_lock_that_is_none_stops_everything(out: Path, text: str) -> None:
    out.mkdir()
    (out / "toolspec.lock.json").write_text(text)
    assert made(out, emission(a_py="a\n")) == ("output/damaged-lock",)
    assert snapshot(out) == {"toolspec.lock.json": text.encode()}
    assert made(out, emission(a_py="a\n"), overwrite_policy=OverwritePolicy.ADOPT) == ()


def test_drift_counts_orphans_edits_and_a_missing_lock(out: Path) -> None:
    def drifted(*emissions: Emission) -> set[str]:
        checked = drift(out, files_of(emissions), WriteOptions())
        assert checked.ok
        return {change.path for change in checked.value if change.is_needed}

    made(out, emission(a_py="a\n", b_py="b\n"))
    assert drifted(emission(a_py="a\n", b_py="b\n")) == set()
    assert drifted(emission(a_py="a\n")) == {"b.py", "toolspec.lock.json"}
    (out / "a.py").write_text("mine\n")
    assert drifted(emission(a_py="a\n", b_py="b\n")) == {"a.py"}
    edited, *_ = drift(out, files_of([emission(a_py="a\n", b_py="b\n")]), WriteOptions()).value
    assert edited.keeps
    (out / "toolspec.lock.json").unlink()
    (out / "a.py").write_text("a\n")
    assert drifted(emission(a_py="a\n", b_py="b\n")) == {"toolspec.lock.json"}


PATHS = st.sampled_from(["a.py", "b.py", "c/d.py", "c/e.py", "f/g/h.md"])
STEPS = st.one_of(
    st.tuples(st.just("compile"), st.dictionaries(PATHS, st.sampled_from("xyz"), max_size=4)),
    st.tuples(st.just("write"), PATHS, st.sampled_from("xyzm")),
    st.tuples(st.just("delete"), PATHS),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.sampled_from(["adopt", "overwrite"]), st.dictionaries(PATHS, st.just("x"))),
)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.lists(STEPS, max_size=12))
def test_no_history_of_edits_loses_a_byte(steps: list[tuple[object, ...]]) -> None:
    """What somebody wrote stands until somebody says that it may go."""
    with tempfile.TemporaryDirectory(dir=roomy()) as folder:
        out = Path(folder)
        written: dict[str, bytes] = {}
        for verb, *arguments in steps:
            if verb in {"write", "delete", "move"}:
                _edit(out, verb, arguments, written)
                continue
            overwrite_policy = OverwritePolicy("refuse" if verb == "compile" else verb)
            files = emission()
            for path, text in dict(arguments[0]).items():
                files = type(files)("python", (*files.artifacts, _artifact(path, text)))
            before = snapshot(out)
            codes = made(out, files, overwrite_policy=overwrite_policy)
            after = snapshot(out)
            emitted = {each.path: each.text.encode() for each in files.artifacts}
            for path, data in written.items():
                if before.get(path) != data or data == emitted.get(path):
                    continue
                if verb == "adopt" and path in emitted:
                    continue
                kept = after.get(path) == data
                assert kept or (verb == "overwrite" and data in after.values()), (verb, path)
            if set(codes) - {"output/edited-orphan", "output/kept-file"}:
                assert after == before
            else:
                assert all(after[path] == data for path, data in emitted.items())


def _artifact(path: str, text: str) -> object:
    from toolspec.targets.target import Artifact

    return Artifact(path, f"generated {text}\n")


def _edit(out: Path, verb: object, arguments: list[object], written: dict[str, bytes]) -> None:
    path = out / str(arguments[0])
    if verb == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"mine {arguments[1]}\n")
        written[str(arguments[0])] = path.read_bytes()
    elif verb == "delete":
        path.unlink(missing_ok=True)
        written.pop(str(arguments[0]), None)
    elif path.exists() and arguments[0] != arguments[1]:
        to = out / str(arguments[1])
        to.parent.mkdir(parents=True, exist_ok=True)
        path.replace(to)
        # What the compiler made stays its own wherever a person moves it.
        written.pop(str(arguments[1]), None)
        if str(arguments[0]) in written:
            written[str(arguments[1])] = written.pop(str(arguments[0]))
