"""What every verb prints about hostile documents: read by people, terminals and CI services."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import inertness
import pytest
from forked_runs import run_all
from forkserver import toolspec
from sampling import sampled
from terminals import read_to_end

TOOLSPEC = toolspec()
LINES = "First.\n::error file=a::CANARY\n  ::add-mask::CANARY\n##vso[task.x]CANARY\n##[group]CANARY"
TAMPERED = (
    "\x1b[2J\x1b]0;CANARY\x07\n::error::CANARY\n  ::stop-commands::x\n##[error]\u202eb\x9b1m\r"
)
VERBS = (
    ["check"],
    ["check", "--format", "short", "--verbose"],
    ["check", "--format", "json"],
    ["compile", "--check"],
    ["compile", "--diff"],
    ["compile"],
    ["inspect", "demo_ping"],
    ["inspect", "demo_ping", "--json"],
    ["inspect", "ping\x1b[2J::error::"],
    ["explain", "a\x1b[2J"],
    ["check", "nowhere\x1b[2J\n::error::x"],
    ["compile", "--target", "x\x1b[2J\n::error::x"],
)


def write_project(folder: Path) -> Path:
    (folder / "specs").mkdir(parents=True)
    tool = {
        "name": "ping",
        "title": LINES,
        "description": LINES,
        "summary": LINES,
        "group": LINES,
        "tags": [LINES],
        "mutation": False,
        "inputSchema": {
            "type": "object",
            "description": LINES,
            "properties": {"a": {"type": "string", "description": LINES, "default": LINES}},
        },
        "outputSchema": {"type": "object", "description": LINES, "x-note": LINES},
        "errors": [{"code": "gone", "description": LINES}],
        "source": {"kind": LINES, "location": LINES, "member": LINES},
    }
    service = {"name": "demo", "title": LINES, "description": LINES, "instructions": LINES}
    document = {"toolspec": 1, "service": service, "tools": [tool]}
    (folder / "specs" / "demo.json").write_text(json.dumps(document))
    return folder


@pytest.mark.parametrize("is_tampered", sampled([False, True], 1))
def test_nothing_that_is_printed_steers_anything(is_tampered: bool, tmp_path: Path) -> None:
    project = write_project(tmp_path)
    if is_tampered:
        assert run_all([(project, ["compile"])])[0].status == 0
        for path in sorted((project / "generated").rglob("*")):
            if path.is_file() and path.suffix in {".py", ".md", ".json"}:
                content = path.read_text().splitlines(keepends=True)
                path.write_text("".join([*content[:9], TAMPERED, "\n", *content[11:]]))
    found = {}
    for arguments, run in zip(VERBS, run_all([(project, each) for each in VERBS]), strict=True):
        faults = [*inertness.terminal_faults(run.stdout), *inertness.terminal_faults(run.stderr)]
        if run.status not in {0, 1, 2}:
            faults.append(f"status {run.status}: {run.stderr}")
        found[" ".join(arguments)] = faults
    assert {name: each for name, each in found.items() if each} == {}


def test_progress_shows_names_as_they_are(tmp_path: Path) -> None:
    """In a terminal of its own: names of files are no markup of the library that draws there."""
    project = write_project(tmp_path)
    spec = (project / "specs" / "demo.json").read_text()
    (project / "specs" / "[").mkdir()
    for number in range(12):
        name = f"bold]{number}\x1b]0;x\x07.json"  # in its folder it reads `[/bold]`
        text = spec.replace('"demo"', f'"demo{number}"')
        (project / "specs" / "[" / name).write_text(text)
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [TOOLSPEC, "compile"], cwd=project, stderr=follower, stdout=subprocess.PIPE, env=environment
    )
    os.close(follower)
    seen = read_to_end(leader)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait() == 0, seen
    assert b"\x1b]0;" not in seen


def test_the_step_summary_is_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    project = write_project(tmp_path / "project")
    document = json.loads((project / "specs" / "demo.json").read_text())
    for payload in (LINES, "a | b ` <img src=x onerror=CANARY()> [a](https://example.com) ![](x)"):
        document[payload] = document["service"][payload] = payload
        document["tools"][0]["errors"][0]["code"] = payload
    (project / "specs" / "demo.json").write_text(json.dumps(document))
    run_all([(project, ["check", "--format", "github"])])
    page = (tmp_path / "summary.md").read_text()
    assert "| error |" in page
    assert list(inertness.markdown_faults(page)) == []
    blocks = {line.split()[0] for line in inertness.markdown_shape(page).splitlines()}
    assert not blocks & {"link_open", "fence", "html_inline", "bullet_list_open"}
    assert sum("heading_open" in line for line in inertness.markdown_shape(page).splitlines()) == 1


@pytest.mark.parametrize("encoding", sampled(["ascii", "latin-1", "cp1252", "utf-8"], 2))
def test_a_letter_that_the_stream_does_not_know_is_spelt_out(encoding: str, tmp_path: Path) -> None:
    project = write_project(tmp_path)
    spec = (project / "specs" / "demo.json").read_text()
    text = spec.replace('"mutation"', '"ünï 日本 😀": 1, "mutation"')
    (project / "specs" / "demo.json").write_text(text)
    done = subprocess.run(
        [TOOLSPEC, "check"],
        cwd=project,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert ("日" if encoding == "utf-8" else "\\u65e5") in done.stdout.decode(encoding)
