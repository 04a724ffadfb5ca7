"""`toolspec diff` of projects, folders and dumps, as a user runs it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from forkserver import toolspec
from jsonschema import Draft202012Validator
from small_spec import SPEC

SCHEMA = Path(__file__).parents[2] / "schemas" / "changes.v1.schema.json"
# Without a version no bump is needed; `test_policy.py` has projects with versions.
TOOL = SPEC.replace("  version: 1.0.0\n", "").replace(
    "    mutation: false\n", "    mutation: false\n    inputSchema: {INPUT}\n"
)
OLD = TOOL.replace(
    "{INPUT}", "{type: object, properties: {zone: {type: string, enum: [utc, local]}}}"
)
NEW = TOOL.replace("{INPUT}", "{type: object, properties: {zone: {type: string, enum: [utc]}}}")
REPORT = """\
break[argument/value-removed] `zone` of `demo_ping` no longer has the value "local"
  affects: callers break, models risk
  at: demo_ping /input/properties/zone/enum
  in: {new}/demo.yaml:9, was {old}/demo.yaml:9
  proved breaking: {{"zone": "local"}}
  help: keep "local" and handle it like its successor

1 break
"""


def diff(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [toolspec(), "diff", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Path, Path]:
    folders = tmp_path / "old", tmp_path / "new"
    for folder, text in zip(folders, (OLD, NEW), strict=True):
        folder.mkdir()
        (folder / "demo.yaml").write_text(text)
    return folders


def test_a_break_is_reported_with_a_witness_and_fails(versions: tuple[Path, Path]) -> None:
    done = diff(*versions)
    report = REPORT.format(old=versions[0], new=versions[1])
    assert (done.stdout, done.stderr, done.returncode) == (report, "", 1)
    assert diff(*versions, "--format", "short").stdout == report.splitlines()[0] + "\n1 break\n"


def test_the_same_version_is_no_change(versions: tuple[Path, Path]) -> None:
    done = diff(versions[0], versions[0])
    assert (done.stdout, done.returncode) == ("no changes\n", 0)


def test_levels_and_audiences_decide_what_fails(versions: tuple[Path, Path]) -> None:
    old, new = versions
    assert diff(new, old).returncode == 0
    assert diff(new, old, "--fail-on", "note").returncode == 1
    assert diff(new, old, "--fail-on", "risk", "--audience", "handlers").returncode == 1
    assert diff(old, new, "--audience", "operators").returncode == 0


def test_a_project_is_compared_with_a_dump(versions: tuple[Path, Path], tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"zone": {"type": "string", "enum": ["utc"]}}}
    tool = {"name": "demo_ping", "inputSchema": schema, "annotations": {"readOnlyHint": True}}
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps({"tools": [tool]}))
    done = diff(versions[0], dump, "--format", "short")
    assert "break[argument/value-removed]" in done.stdout
    assert "not compared, since one side does not show it: version," in done.stdout
    assert "permissions" not in done.stdout.partition("not compared")[0]


def test_what_does_not_compile_is_named_and_not_called_removed(versions: tuple[Path, Path]) -> None:
    old, new = versions
    other = SPEC.replace("demo", "other", 1)
    (old / "other.yaml").write_text(other)
    (new / "other.yaml").write_text(other.replace("type: string", "type: strin"))
    done = diff(old, new, "--format", "short")
    assert "tool/removed" not in done.stdout
    assert "does not compile: other_ping" in done.stdout
    assert done.returncode == 1
    (new / "other.yaml").write_text("tools: [")
    done = diff(old, new, "--format", "short")
    assert "tool/removed" not in done.stdout
    assert "does not compile: other\n" in done.stdout


def test_a_tool_with_a_wrong_field_is_not_compared(versions: tuple[Path, Path]) -> None:
    old, new = versions
    other = SPEC.replace("demo", "other", 1)
    (old / "other.yaml").write_text(other)
    (new / "other.yaml").write_text(f"{other}    permissions: [{{webb: a.example}}]\n")
    done = diff(old, new, "--format", "short")
    assert "does not compile: other_ping" in done.stdout
    assert "other_ping" not in done.stdout.partition("not compared")[0]


def test_a_single_document_is_a_version(versions: tuple[Path, Path]) -> None:
    old, new = (folder / "demo.yaml" for folder in versions)
    assert "`zone` of `demo_ping`" in diff(old, new).stdout


def test_a_list_of_compiled_tools_is_no_change(versions: tuple[Path, Path]) -> None:
    old, _ = versions
    text = (old / "demo.yaml").read_text()
    more = (
        "    group: Times\n    tags: [clock]\n    version: 1.2.0\n    deprecated: {since: 1.1.0}\n"
    )
    (old / "demo.yaml").write_text(f"{text}{more}")
    names = ("mcp-2026-07-28", "mcp-2025-11-25")
    targets = (word for name in names for word in ("--target", name))
    command = [toolspec(), "compile", ".", "--out", "out", *targets]
    subprocess.run(command, cwd=old, check=True, capture_output=True)
    for name in ("mcp.json", "mcp-2025-11-25.json"):
        done = diff(old / "demo.yaml", old / "out" / "demo" / name)
        assert done.stdout.startswith("no changes\n"), done.stdout


def test_json_is_as_its_schema_describes(versions: tuple[Path, Path]) -> None:
    old, new = versions
    (new / "other.yaml").write_text(SPEC.replace("demo", "other", 1))
    done = diff(*versions, "--format", "json")
    document = json.loads(done.stdout)
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    assert document["counts"] == {"break": 1, "risk": 0, "note": 1, "suppressed": 0}
    removed, added = document["changes"]
    assert removed["proof"]["witness"] == '{"zone": "local"}'
    assert removed["old"]["location"] == f"{old}/demo.yaml:9"
    assert (added["old"], added["new"]["location"]) == (None, f"{new}/other.yaml:7")


def test_markdown_is_a_table_in_which_no_text_is_markup(versions: tuple[Path, Path]) -> None:
    _, new = versions
    text = (new / "demo.yaml").read_text()
    (new / "demo.yaml").write_text(text.replace("Answer a call", "<img src=x> | **Answer**"))
    page = diff(*versions, "--format", "markdown").stdout
    assert "| break | `argument/value-removed` `zone` of `demo_ping`" in page
    assert "<img" not in page
    assert all(line.count(" | ") == 4 for line in page.splitlines() if line.startswith("| "))


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("github", "::error file=demo.yaml,line=9,col="),
        ("sarif", '"ruleId": "argument/value-removed"'),
        ("junit", 'failures="1"'),
    ],
)
def test_formats_of_diagnostics(versions: tuple[Path, Path], form: str, wanted: str) -> None:
    done = diff(*versions, "--format", form)
    assert wanted in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize(
    "arguments", [(), ("old",), ("--against", ""), ("a", "b", "--against", "main")]
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    done = diff(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_kinds_of_changes_are_listed() -> None:
    command = [toolspec(), "changes", "argument/value-removed"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "argument/value-removed  break " in done.stdout
    assert done.stdout.endswith("1 kind\n")
    listed = subprocess.run([*command, "tool", "--format", "json"], check=True, capture_output=True)
    codes = [each["code"] for each in json.loads(listed.stdout)["changes"]]
    assert codes[0] == "argument/value-removed"
    assert "tool/removed" in codes
    wrong = subprocess.run([*command[:-1], "tol"], check=False, capture_output=True, text=True)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "did you mean `tool`?" in wrong.stderr


@pytest.mark.parametrize(
    ("name", "text"), [("absent.json", None), ("text.json", "no JSON"), ("a.json", "{}")]
)
def test_what_is_no_version_is_an_error(
    versions: tuple[Path, Path], tmp_path: Path, name: str, text: str | None
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    done = diff(versions[0], tmp_path / name)
    assert done.returncode == 2
    assert "error[" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
