"""`toolspec accept` and `toolspec ci`, as a user runs them in a project with a git repository."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from forkserver import toolspec
from small_spec import SPEC
from test_revisions import commit, git

# Without a version no bump is needed; `test_policy.py` has projects with versions.
TWO = (
    SPEC.replace("  version: 1.0.0\n", "").replace(
        "    outputSchema",
        "    inputSchema: {type: object, properties: {zone: {enum: [utc, local]}}}\n    outputSchema",
    )
    + """\
  - name: stop
    description: Stop the service, and answer when it has stopped for good.
    mutation: true
    outputSchema: {type: boolean}
"""
)
FILE = "toolspec.contract.json"
TARGETS = 'targets = ["mcp-2026-07-28", "mcp-2025-11-25"]\n'


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [toolspec(), *arguments]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def edit(folder: Path, before: str, after: str) -> None:
    path = folder / "specs" / "demo.yaml"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))
    assert run(folder, "compile").returncode == 0


def blocks(folder: Path) -> dict[str, dict[str, object]]:
    contract = json.loads((folder / FILE).read_text())
    return {name: block for name, block in contract["tools"].items() if block}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "specs").mkdir()
    (folder / "specs" / "demo.yaml").write_text(TWO)
    (folder / "toolspec.toml").write_text(TARGETS)
    assert run(folder, "compile").returncode == 0
    done = run(folder, "accept")
    assert (done.stdout, done.stderr, done.returncode) == (f"{FILE}: new, with 2 tools\n", "", 0)
    commit(folder)
    git(folder, "tag", "base")
    git(folder, "switch", "--quiet", "--create", "work")
    return folder


def test_a_project_that_keeps_its_contract_passes(project: Path) -> None:
    before = (project / FILE).read_bytes()
    done = run(project, "ci", "--against", "base")
    assert (done.stdout, done.stderr, done.returncode) == ("all checks passed\n", "", 0)
    assert run(project, "accept").stdout == f"{FILE}: 0 changes accepted\n"
    assert (project / FILE).read_bytes() == before


def test_a_break_fails_until_it_is_accepted_with_a_reason(project: Path) -> None:
    edit(project, "[utc, local]", "[utc]")
    done = run(project, "ci", "--format", "short")
    assert done.returncode == 1
    assert done.stdout == (
        'specs/demo.yaml:9:53: error[argument/value-removed] `zone` of `demo_ping` no longer has the value "local" '
        '(proved breaking: {"zone": "local"}; keep "local" and handle it like its successor)\n'
    )
    done = run(project, "accept")
    assert done.returncode == 1
    assert (
        "error[contract/reason] these changes of `demo_ping` need a reason: argument/value-removed"
        in done.stdout
    )
    assert git(project, "status", "--porcelain", "--", FILE) == ""
    done = run(project, "accept", "--reason", "nobody used it", "--today", "2026-11-24")
    assert done.stdout == (
        'break[argument/value-removed] `zone` of `demo_ping` no longer has the value "local"\n'
        f"{FILE}: 1 change accepted\n"
    )
    assert run(project, "ci").stdout == "all checks passed\n"
    history = blocks(project)["demo_ping"]["history"]
    assert isinstance(history, list)
    (accepted,) = history
    assert accepted["day"] == "2026-11-24"
    assert accepted["reason"] == "nobody used it"
    assert accepted["version"] == "0.1.0"
    assert accepted["after"] == blocks(project)["demo_ping"]["digest"] != accepted["before"]
    assert [change["code"] for change in accepted["changes"]] == ["argument/value-removed"]
    assert blocks(project)["demo_stop"]["history"] == []


def test_a_note_needs_no_reason_and_some_tools_can_be_accepted_alone(project: Path) -> None:
    edit(project, "  - name: stop\n", "  - name: stop\n    title: Halt\n")
    edit(project, "[utc, local]", "[utc, local, solar]")
    done = run(project, "accept", "--tool", "*_stop")
    assert done.stdout == (
        'note[prose/title-changed] the title of `demo_stop` changed from "Stop" to "Halt"\n'
        f"{FILE}: 1 change accepted; 1 change not accepted\n"
    )
    done = run(project, "accept", "--tool", "demo_stpo")
    assert done.returncode == 1
    assert "did you mean `demo_stop`?" in done.stdout


def test_an_acceptance_for_a_time(project: Path) -> None:
    edit(project, "[utc, local]", "[utc]")
    done = run(
        project, "accept", "--reason", "a trial", "--until", "2026-01-31", "--today", "2026-02-01"
    )
    assert done.returncode == 2
    assert done.stderr == "toolspec: --until 2026-01-31 is over\n"
    until = ("--reason", "a trial", "--until", "2026-12-31", "--today", "2026-11-24")
    assert run(project, "accept", *until).returncode == 0
    assert run(project, "ci", "--today", "2026-12-31").returncode == 0
    expired = "error[contract/expired] what was accepted of `demo_ping` until 2026-12-31 has ended"
    done = run(project, "ci", "--today", "2027-01-01")
    assert (expired in done.stdout, done.returncode) == (True, 1)
    # A further acceptance of the tool does not prolong it, and one of all tools does not either.
    assert run(project, "accept", "--reason", "all", "--today", "2027-01-01").returncode == 0
    assert run(project, "ci", "--today", "2027-01-01").returncode == 1
    again = ("--tool", "demo_ping", "--reason", "it stays", "--today", "2027-01-01")
    longer = run(project, "accept", *again, "--until", "2027-02-01")
    assert longer.stdout.startswith("demo_ping: accepted again, until 2027-02-01\n")
    assert run(project, "ci", "--today", "2027-02-01").returncode == 0
    done = run(project, "ci", "--today", "2027-02-02")
    assert (expired.replace("2026-12-31", "2027-02-01") in done.stdout, done.returncode) == (
        True,
        1,
    )
    done = run(project, "accept", *again)
    assert done.stdout.startswith("demo_ping: accepted again, for good\n")
    assert run(project, "ci", "--today", "2027-02-02").returncode == 0
    history = json.loads((project / FILE).read_text())["tools"]["demo_ping"]["history"]
    assert [each.get("until") for each in history] == ["2026-12-31", "2027-02-01", None]


def test_a_change_that_is_reverted_ends_its_acceptance(project: Path) -> None:
    edit(project, "[utc, local]", "[utc]")
    until = ("--reason", "a trial", "--until", "2026-12-31", "--today", "2026-11-24")
    assert run(project, "accept", *until).returncode == 0
    edit(project, "[utc]", "[utc, local]")
    done = run(project, "ci", "--today", "2027-01-01")
    assert done.returncode == 0
    assert "argument/value-added" in done.stdout
    assert run(project, "accept", "--today", "2027-01-01").returncode == 0
    assert run(project, "ci", "--today", "2027-01-01").stdout == "all checks passed\n"


def test_a_branch_cannot_hide_what_it_accepts(project: Path) -> None:
    edit(project, "[utc, local]", "[utc]")
    run(project, "accept", "--reason", "nobody used it")
    done = run(project, "ci", "--against", "base", "--comment", "comment.md", "--format", "short")
    assert done.returncode == 0
    assert done.stdout.startswith(
        "note[contract/accepted] this branch accepts changes of `demo_ping`, because: nobody used it: "
        "break argument/value-removed"
    )
    comment = (project / "comment.md").read_text()
    assert "| `demo_ping` | break `argument/value-removed` | nobody used it |  |" in comment
    # The same state without a record of its acceptance.
    contract = json.loads((project / FILE).read_text())
    contract["tools"]["demo_ping"]["history"] = []
    (project / FILE).write_text(json.dumps(contract))
    done = run(project, "ci", "--against", "base")
    assert (
        "error[contract/unaccepted] the contract of `demo_ping` differs from that of `base`"
        in done.stdout
    )
    assert done.returncode == 1


def test_an_edited_contract(project: Path) -> None:
    text = (project / FILE).read_text()
    (project / FILE).write_text(text.replace('["utc", "local"]', '["utc", "local", "solar"]'))
    done = run(project, "ci")
    assert "error[contract/edited] the contract of `demo_ping` was edited" in done.stdout
    assert done.returncode == 1
    assert run(project, "accept").stdout == f"{FILE}: 0 changes accepted\n"
    assert (project / FILE).read_text() == text


def test_tools_that_come_and_go(project: Path) -> None:
    edit(project, "name: stop", "name: halt")
    done = run(project, "accept", "--reason", "a better name")
    assert "break[tool/renamed] `demo_stop` is called `demo_halt` now" in done.stdout
    assert [*blocks(project)] == ["demo_ping", "demo_stop", "demo_halt"]
    assert blocks(project)["demo_stop"]["facts"] is None
    assert run(project, "ci").stdout == "all checks passed\n"
    assert run(project, "ci", "--against", "base").returncode == 0


def test_what_else_ci_checks(project: Path) -> None:
    path = project / "generated" / "demo" / "mcp.json"
    path.write_text(path.read_text() + "\n")
    (project / "toolspec.toml").write_text(TARGETS + 'handlers = {demo = "handlers.py"}\n')
    (project / "handlers.py").write_text(
        "from generated.demo import DemoHandlers\n\n\nclass Demo(DemoHandlers):\n    pass\n"
    )
    done = run(project, "ci", "--format", "short")
    assert done.returncode == 1
    assert (
        "error[output/outdated] generated files are out of date: `generated/demo/mcp.json`"
        in done.stdout
    )
    assert "`Demo` has no `stop`" in done.stdout
    (project / "specs" / "demo.yaml").write_text("tools: [")
    done = run(project, "ci")
    assert "error[syntax/" in done.stdout
    assert done.returncode == 1


def test_the_docs_have_a_changelog(project: Path) -> None:
    (project / "toolspec.toml").write_text('targets = ["docs"]\n')
    edit(project, "[utc, local]", "[utc]")
    page = project / "generated" / "docs" / "changelog.md"
    assert not page.exists()
    reason = "nobody <b>used</b> it"
    run(project, "accept", "--tool", "demo_ping", "--reason", reason, "--today", "2026-11-24")
    assert run(project, "ci").returncode == 1  # the page is missing
    assert run(project, "compile").returncode == 0
    assert page.read_text().endswith(
        """\
## 2026-11-24 · demo 0.1.0

- **break** `demo_ping`: `zone` of `demo_ping` no longer has the value "local". Reason: nobody &lt;b>used&lt;/b> it
"""
    )
    assert "[Changelog](changelog.md)" in (page.parent / "README.md").read_text()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "it is not JSON"),
        ("[]", "it has no member `contract`"),
        ('{"contract": 7}', "it has the format 7; this version reads 1"),
        ('{"contract": 1, "services": {}}', "`tools` is not an object"),
        ('{"contract": 1, "services": {}, "tools": {"a": {}}}', "`tools/a` has no `digest`"),
        (
            '{"contract": 1, "services": {"a": {"digest": "", "facts": {}, "history": [1]}}, "tools": {}}',
            "`services/a/history/0` is not an acceptance",
        ),
    ],
)
def test_a_file_that_is_no_contract(project: Path, text: str, problem: str) -> None:
    (project / FILE).write_text(text)
    for verb in ("ci", "accept"):
        done = run(project, verb)
        assert done.returncode == 1
        assert "error[contract/unreadable] `toolspec.contract.json` cannot be read" in done.stdout
        assert problem in done.stdout
    assert (project / FILE).read_text() == text


def test_a_contract_that_cannot_be_read(project: Path) -> None:
    path = project / FILE
    text = path.read_text()
    path.write_bytes(b"\xff\xfe")
    assert "it is not UTF-8" in run(project, "ci").stdout
    path.unlink()
    path.mkdir()
    assert "Is a directory" in run(project, "ci").stdout
    path.rmdir()
    os.mkfifo(path)
    assert "not a regular file" in run(project, "ci").stdout
    path.unlink()
    # Both sides of a merge are read, and `accept` writes what they have in common once.
    path.write_text(f"<<<<<<< HEAD\n{text}=======\n{text}>>>>>>> other\n")
    done = run(project, "ci")
    assert "error[contract/conflict]" in done.stdout
    assert done.returncode == 1
    assert run(project, "accept").returncode == 0
    assert path.read_text() == text


def test_a_base_without_a_readable_contract(project: Path) -> None:
    text = (project / FILE).read_text()
    (project / FILE).write_text("{}")
    commit(project)
    git(project, "tag", "broken")
    (project / FILE).write_text(text)
    done = run(project, "ci", "--against", "broken")
    assert "at `broken`, it has no member `contract`" in done.stdout
    assert done.returncode == 1
    git(project, "rm", "--quiet", "--cached", FILE)
    git(project, "commit", "--quiet", "--message=none")
    # The first contract accepts no change.
    assert run(project, "ci", "--against", "HEAD").stdout == "all checks passed\n"


def test_a_project_without_a_contract(project: Path) -> None:
    (project / FILE).unlink()
    done = run(project, "ci")
    assert "note[contract/missing]" in done.stdout
    assert done.returncode == 0


def test_the_contract_is_a_version_for_diff(project: Path) -> None:
    assert run(project, "diff", FILE, ".").stdout == "no changes\n"
    edit(project, "[utc, local]", "[utc]")
    done = run(project, "diff", FILE, ".")
    assert "in: specs/demo.yaml:9, was toolspec.contract.json:" in done.stdout
    dump = project / "generated" / "demo" / "mcp.json"
    assert "break[argument/value-removed]" in run(project, "diff", FILE, str(dump)).stdout
