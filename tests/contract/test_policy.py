"""The policy of `[contract]`: selection, levels, suppressions, removals, versions and reviews."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from forkserver import toolspec
from jsonschema import Draft202012Validator
from sampling import sampled
from test_revisions import commit, git

TOOLSPEC = toolspec()
SCHEMA = Path(__file__).parents[2] / "schemas" / "changes.v1.schema.json"
DEMO = """\
toolspec: 1
service:
  name: demo
  version: 1.4.2
  description: A demo service.
tools:
  - name: ping
    description: Answer a call with the time at which the service started.
    mutation: false
    inputSchema:
      type: object
      properties:
        zone: {type: string, enum: [utc, local]}
    outputSchema: {type: string}
  - name: stop
    description: Stop the service, and answer when it has stopped for good.
    mutation: true
    outputSchema: {type: boolean}
"""
STOP = DEMO[DEMO.index("  - name: stop") :]
BREAK = ("[utc, local]", "[utc]")
NOTE = ("[utc, local]", "[utc, local, solar]")
MAJOR = ("1.4.2", "2.0.0")
REMOVED = "argument/value-removed"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(TOOLSPEC), *arguments]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def write(folder: Path, text: str, *edits: tuple[str, str]) -> None:
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    (folder / "specs").mkdir(parents=True, exist_ok=True)
    (folder / "specs" / "demo.yaml").write_text(text)


def configure(folder: Path, text: str) -> None:
    (folder / "toolspec.toml").write_text(f'targets = ["mcp-2026-07-28"]\n[contract]\n{text}')


@pytest.fixture
def old(tmp_path: Path) -> Path:
    write(tmp_path / "old", DEMO)
    configure(tmp_path / "old", "")
    return tmp_path / "old"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    write(tmp_path / "new", DEMO, BREAK, MAJOR)
    configure(tmp_path / "new", "")
    return tmp_path / "new"


@pytest.fixture
def versions(old: Path, new: Path) -> tuple[Path, Path]:
    return old, new


def diff(old: Path, new: Path, *options: str) -> list[str]:
    """Return the changes with their levels, and the exit status."""
    done = run(new, "diff", str(old), ".", "--format", "json", *options)
    assert not done.stderr, done.stderr
    document = json.loads(done.stdout)
    Draft202012Validator(json.loads(SCHEMA.read_text())).validate(document)
    shown = [
        f"{each['level']} {each['code']}" + (" suppressed" if each["suppression"] else "")
        for each in document["changes"]
        if each["code"] != "lifecycle/version-changed"
    ]
    problems = [f"{each['severity']} {each['code']}" for each in document["diagnostics"]]
    return [*shown, *problems, str(done.returncode)]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], [f"break {REMOVED}", "1"]),
        (["--select", "argument"], [f"break {REMOVED}", "1"]),
        (["--select", "*/value-*"], [f"break {REMOVED}", "1"]),
        (["--select", "prose"], ["0"]),
        (["--ignore", REMOVED], ["0"]),
        (["--ignore", "argument/*", "--select", REMOVED], [f"break {REMOVED}", "1"]),
        (["--ignore", "*-removed", "--select", REMOVED], [f"break {REMOVED}", "1"]),
        (["--tool", "demo_p*"], [f"break {REMOVED}", "1"]),
        (["--tool", "demo_stop"], ["0"]),
        (["--tool", "demo_stpo"], ["error contract/unknown-tool", "1"]),
    ],
)
def test_changes_are_selected(
    old: Path, new: Path, options: list[str], expected: list[str]
) -> None:
    assert diff(old, new, *options) == expected


def test_an_unknown_code_is_an_error_with_a_suggestion(old: Path, new: Path) -> None:
    done = run(new, "diff", str(old), ".", "--select", "argument/value-remved")
    assert done.returncode == 2
    assert f"did you mean `{REMOVED}`?" in done.stderr
    done = run(new, "ci", "--select", "prose", "--ignore", "prose")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ('ignore = ["argument"]', ["0"]),
        ('ignore = ["argument"]\nselect = ["argument/value-*"]', [f"break {REMOVED}", "1"]),
        ('select = ["prose"]', ["0"]),
        ('level = {"argument" = "note"}', [f"note {REMOVED}", "0"]),
        (f'level = {{"argument" = "note", "{REMOVED}" = "risk"}}', [f"risk {REMOVED}", "0"]),
        (f'level = {{"{REMOVED}" = "off"}}', ["0"]),
        ('level = {"argument" = "risk"}\nfail-on = "risk"', [f"risk {REMOVED}", "1"]),
        ('audience = ["operators"]', [f"note {REMOVED}", "0"]),
        ('tools = ["demo_stop"]', ["0"]),
        ('[[contract.override]]\npaths = ["specs/**"]\nignore = ["argument"]', ["0"]),
        (
            '[[contract.override]]\npaths = ["other/**"]\nignore = ["argument"]',
            [f"break {REMOVED}", "1"],
        ),
        (
            '[[contract.override]]\ntools = ["demo_*"]\nlevel = {"argument" = "risk"}',
            [f"risk {REMOVED}", "0"],
        ),
    ],
)
def test_the_configuration_sets_levels(
    old: Path, new: Path, settings: str, expected: list[str]
) -> None:
    configure(new, settings)
    assert diff(old, new) == expected


def test_options_come_after_the_configuration(old: Path, new: Path) -> None:
    configure(new, 'ignore = ["argument"]\nfail-on = "note"\naudience = ["operators"]\n')
    assert diff(old, new, "--select", "argument") == [f"note {REMOVED}", "1"]
    options = ("--select", "argument", "--audience", "callers", "--fail-on", "break")
    assert diff(old, new, *options) == [f"break {REMOVED}", "1"]


def test_mistakes_of_the_configuration_are_shown_where_they_are(old: Path, new: Path) -> None:
    text = (
        'fail-on = "braek"\naudience = ["caller"]\nreaders = ["strict"]\nreview = "break"\n'
        'deprecation-days = -1\nselect = ["argumnt"]\nignore = ["*/nothing-*"]\n'
        'level = {"argument" = "riks", "tool" = "warning", "prose" = 1}\ndays = 1\n'
        '[[contract.override]]\nselect = ["prose"]\n[[contract.allow]]\nchange = "tool/removd"\n'
    )
    configure(new, text)
    done = run(new, "check", "--format", "short")
    assert done.returncode == 2
    lines = [line.partition(" (")[0] for line in done.stdout.splitlines()]
    assert lines == [
        "toolspec.toml:3:1: error[config/wrong-type] `contract.fail-on` must be `break`, `risk` or `note`",
        "toolspec.toml:4:1: error[config/wrong-type] `contract.audience` must be a list of `callers`, `handlers`, `models`, `reviewers` or `operators`",
        "toolspec.toml:5:1: error[config/wrong-type] `contract.readers` must be `tolerant` or `strict`",
        "toolspec.toml:6:1: error[config/wrong-type] `contract.review` must be a list of `break`, `risk` or `note`",
        "toolspec.toml:7:1: error[config/wrong-type] `contract.deprecation-days` must be a number of days",
        "toolspec.toml:8:11: error[config/unknown-change] unknown change or family of changes `argumnt`",
        "toolspec.toml:9:11: error[config/unknown-change] unknown change `*/nothing-*`",
        "toolspec.toml:10:23: error[config/unknown-level] unknown level `riks`",
        "toolspec.toml:10:40: error[config/unknown-level] unknown level `warning`",
        "toolspec.toml:10:61: error[config/unknown-level] unknown level `that is not a string`",
        "toolspec.toml:11:1: error[config/unknown-key] unknown configuration key `contract.days`",
        "toolspec.toml:12:12: error[config/wrong-type] `contract.override.paths` must be a list of patterns",
        "toolspec.toml:14:12: error[config/bad-suppression] this `[[contract.allow]]` has no reason",
        "toolspec.toml:15:10: error[config/unknown-change] unknown change `tool/removd`",
    ]
    done = run(new, "diff", str(old), ".")
    assert (done.returncode, "config/unknown-level" in done.stdout) == (2, True)


ZONE = "        zone: {"
COMMENT = "        # toolspec: allow argument/value-removed{until} -- nobody sends it any more\n"
MEMBER = (
    "        zone: {{x-toolspec-allow: "
    "[{{rule: argument/value-removed, reason: nobody sends it any more{until}}}], "
)
ALLOW = """[[contract.allow]]
change = "argument/value-removed"
reason = "nobody sends it any more"
tool = "demo_ping"
"""


def suppress(folder: Path, form: str, until: str = "") -> None:
    edit = (ZONE, ZONE)
    match form:
        case "comment":
            edit = (ZONE, COMMENT.format(until=until and f" until {until}") + ZONE)
        case "member":
            edit = (ZONE, MEMBER.format(until=until and f', until: "{until}"'))
        case _:
            configure(folder, ALLOW + (until and f"until = {until}\n"))
    write(folder, DEMO, BREAK, MAJOR, edit)


@pytest.mark.parametrize("form", sampled(["comment", "member", "configuration"], 1))
def test_a_change_is_suppressed_until_its_day(old: Path, new: Path, form: str) -> None:
    suppress(new, form)
    assert diff(old, new) == [f"break {REMOVED} suppressed", "0"]
    assert run(new, "check").returncode == 0  # of lint it is neither unknown nor unused
    suppress(new, form, "2027-01-31")
    assert diff(old, new, "--today", "2027-01-31") == [f"break {REMOVED} suppressed", "0"]
    assert diff(old, new, "--today", "2027-02-01") == [
        f"break {REMOVED}",
        "error meta/expired-suppression",
        "1",
    ]
    write(old, DEMO, BREAK)
    expected = ["warning meta/unused-suppression", "0"]
    assert diff(old, new, "--today", "2027-01-31") == expected
    assert diff(old, new, "--today", "2027-01-31", "--select", "argument") == ["0"]


def test_a_removal_is_suppressed_in_the_configuration(old: Path, new: Path) -> None:
    write(new, DEMO, (STOP, ""), MAJOR)
    removed = ALLOW.replace(REMOVED, "tool/removed").replace("ping", "stop")
    configure(new, removed)
    assert diff(old, new) == ["break tool/removed suppressed", "0"]
    configure(new, removed.replace("demo_stop", "demo_ping"))
    assert diff(old, new) == ["break tool/removed", "warning meta/unused-suppression", "1"]


def test_reports_show_suppressed_changes(old: Path, new: Path) -> None:
    suppress(new, "comment")
    sarif = json.loads(run(new, "diff", str(old), ".", "--format", "sarif").stdout)
    results = {each["ruleId"]: each for each in sarif["runs"][0]["results"]}
    (suppression,) = results[REMOVED]["suppressions"]
    assert (suppression["kind"], suppression["justification"]) == (
        "inSource",
        "nobody sends it any more",
    )
    assert results["lifecycle/version-changed"]["suppressions"] == []
    text = run(new, "diff", str(old), ".").stdout
    assert REMOVED not in text
    assert "1 note, 1 suppressed\n" in text
    assert (
        "<skipped>nobody sends it any more</skipped>"
        in run(new, "diff", str(old), ".", "--format", "junit").stdout
    )


def test_a_misspelt_change_in_a_document_is_an_error(new: Path) -> None:
    comment = COMMENT.format(until="").replace("removed", "remved")
    write(new, DEMO, (ZONE, comment + ZONE))
    done = run(new, "check", "--format", "short")
    assert f"unknown rule `argument/value-remved` (did you mean `{REMOVED}`?)" in done.stdout


@pytest.mark.parametrize(
    ("before", "edits", "version", "expected"),
    [
        ("1.4.2", [BREAK], "1.4.2", ["break lifecycle/break-without-bump", "major 2.0.0 no"]),
        ("1.4.2", [BREAK], "1.5.0", ["break lifecycle/break-without-bump", "major 2.0.0 no"]),
        ("1.4.2", [BREAK], "2.0.0", ["major 2.0.0 yes"]),
        ("1.4.2", [BREAK], "2.0.0-rc.1", ["major 2.0.0 yes"]),
        ("1.4.2", [NOTE], "1.4.2", ["risk lifecycle/version-unchanged", "minor 1.5.0 no"]),
        ("1.4.2", [NOTE], "1.4.3", ["note lifecycle/bump-too-small", "minor 1.5.0 no"]),
        ("1.4.2", [NOTE], "1.5.0", ["minor 1.5.0 yes"]),
        ("1.4.2", [("Stop the", "Halt the")], "1.4.3", ["patch 1.4.3 yes"]),
        ("1.4.2", [NOTE], "1.4.1", ["break lifecycle/version-backwards", "minor 1.5.0 no"]),
        ("0.4.2", [BREAK], "0.4.3", ["break lifecycle/break-without-bump", "minor 0.5.0 no"]),
        ("0.4.2", [BREAK], "0.5.0", ["minor 0.5.0 yes"]),
        ("0.4.2", [NOTE], "0.4.3", ["patch 0.4.3 yes"]),
        ("2.0.0-rc.1", [BREAK], "2.0.0-rc.2", ["major 2.0.0 yes"]),
        ("2.0.0-rc.1", [BREAK], "2.0.0-rc.1", ["break lifecycle/break-without-bump", "major 2.0.0 no"]),
        ("1.4.2", [], "1.4.2", []),
    ],
)  # fmt: skip
def test_the_bump_of_a_version(
    versions: tuple[Path, Path], before: str, edits: Any, version: str, expected: list[str]
) -> None:
    old, new = versions
    write(old, DEMO, ("1.4.2", before))
    write(new, DEMO, *edits, ("1.4.2", version))
    document = json.loads(run(new, "diff", str(old), ".", "--format", "json").stdout)
    of_versions = ("lifecycle/version-changed", "argument/", "prose/")
    shown = [
        f"{each['level']} {each['code']}"
        for each in document["changes"]
        if not each["code"].startswith(of_versions)
    ]
    shown += [
        f"{each['bump']} {each['advised']} {'yes' if each['isMet'] else 'no'}"
        for each in document["versions"]
    ]
    assert shown == expected


def test_a_missing_bump_is_found_whatever_is_selected(old: Path, new: Path) -> None:
    write(new, DEMO, BREAK)
    assert diff(old, new, "--select", "lifecycle") == ["break lifecycle/break-without-bump", "1"]
    assert diff(old, new, "--ignore", "lifecycle") == [f"break {REMOVED}", "1"]
    configure(new, 'ignore = ["argument"]')
    assert diff(old, new, "--select", "argument") == [f"break {REMOVED}", "1"]
    assert diff(old, new, "--select", "lifecycle") == ["0"]


def test_a_version_that_is_not_stated_needs_no_bump(old: Path, new: Path) -> None:
    for folder, edits in ((old, []), (new, [BREAK])):
        write(folder, DEMO, ("  version: 1.4.2\n", ""), *edits)
    assert diff(old, new) == [f"break {REMOVED}", "1"]


def test_what_is_no_break_for_a_project_needs_no_major_bump(old: Path, new: Path) -> None:
    write(new, DEMO, BREAK, ("1.4.2", "1.5.0"))
    configure(new, 'level = {"argument" = "risk"}')
    assert diff(old, new) == [f"risk {REMOVED}", "0"]
    text = run(new, "diff", str(old), ".").stdout
    assert text.endswith("demo needs a minor bump of version 1.4.2, and has it\n")


@pytest.mark.parametrize(
    ("deprecated", "settings", "today", "expected"),
    [
        ("{}", "", "2027-01-01", "note tool/deprecated-removed"),
        ('{remove: "2027-02-01"}', "", "2027-01-31", "break lifecycle/removed-early"),
        ('{remove: "2027-02-01"}', "", "2027-02-01", "note tool/deprecated-removed"),
        ("{remove: 2.0.0}", "", "2027-01-01", "note tool/deprecated-removed"),
        ("{remove: 3.0.0}", "", "2027-01-01", "break lifecycle/removed-early"),
        ('{since: "2027-01-01"}', "deprecation-days = 90", "2027-03-31", "break lifecycle/deprecation-too-short"),
        ('{since: "2027-01-01"}', "deprecation-days = 90", "2027-04-01", "note tool/deprecated-removed"),
        ("{since: 1.0.0}", "deprecation-days = 90", "2027-04-01", "break lifecycle/deprecation-too-short"),
        ('{since: "2027-01-01", remove: "2027-01-09"}', "deprecation-days = 90", "2027-01-10", "break lifecycle/deprecation-too-short"),
    ],
)  # fmt: skip
def test_a_removal_gives_callers_time(
    versions: tuple[Path, Path], deprecated: str, settings: str, today: str, expected: str
) -> None:
    old, new = versions
    write(old, f"{DEMO}    deprecated: {deprecated}\n")
    write(new, DEMO, (STOP, ""), MAJOR)
    configure(new, settings)
    assert diff(old, new, "--today", today)[0] == expected


def test_the_contract_knows_when_a_tool_was_deprecated(new: Path) -> None:
    configure(new, 'deprecation-days = 90\nlevel = {"lifecycle/version-unchanged" = "off"}\n')
    write(new, DEMO)
    assert run(new, "accept").returncode == 0
    write(new, f'{DEMO}    deprecated: {{since: "2020-01-01"}}\n')
    assert run(new, "accept", "--today", "2027-01-01").returncode == 0
    write(new, DEMO, (STOP, ""), MAJOR)
    assert "deprecation-too-short" in run(new, "ci", "--today", "2027-03-31").stdout
    assert run(new, "ci", "--today", "2027-03-31").returncode == 1
    done = run(new, "ci", "--today", "2027-04-01", "--format", "short")
    assert "note[tool/deprecated-removed]" in done.stdout
    assert done.returncode == 0
    contract = ("diff", "toolspec.contract.json", ".", "--today", "2027-03-31")
    assert run(new, *contract).returncode == 1


def test_a_renamed_service_is_one_change(old: Path, new: Path) -> None:
    renamed = ("name: demo", "name: sample")
    write(new, DEMO, renamed, MAJOR)
    assert diff(old, new) == ["break lifecycle/service-renamed", "1"]
    write(new, DEMO, renamed)
    expected = ["break lifecycle/break-without-bump", "break lifecycle/service-renamed", "1"]
    assert sorted(diff(old, new)) == sorted(expected)
    aliases = (
        ("  - name: ping\n", "  - name: ping\n    aliases: [demo_ping]\n"),
        ("  - name: stop\n", "  - name: stop\n    aliases: [demo_stop]\n"),
    )
    write(new, DEMO, renamed, MAJOR, *aliases)
    keeping = "break lifecycle/service-renamed-keeping-names"
    assert diff(old, new) == [keeping, "1"]
    write(old, DEMO, ("  name: demo", "  name: demo\n  names: as-written"))
    write(new, DEMO, ("  name: demo", "  name: sample\n  names: as-written"), MAJOR)
    assert diff(old, new) == [keeping, "1"]
    write(new, DEMO, ("  name: demo", "  name: sample\n  names: as-written"), MAJOR, BREAK)
    assert diff(old, new)[0] == keeping  # half of its tools are the same


def test_a_service_that_does_not_compile_is_not_renamed(old: Path, new: Path) -> None:
    write(new, DEMO, ("type: boolean", "type: bolean"))
    (new / "specs" / "sample.yaml").write_text(DEMO.replace("name: demo", "name: sample"))
    assert not any("renamed" in each for each in diff(old, new))


@pytest.fixture
def branch(new: Path) -> Path:
    """Return a project with a contract, of which `base` is a revision, on a branch."""
    write(new, DEMO)
    git(new, "init", "--quiet", "--initial-branch=main")
    assert run(new, "accept").returncode == 0
    commit(new)
    git(new, "tag", "base")
    git(new, "switch", "--quiet", "--create", "work")
    return new


def ci(folder: Path, *options: str) -> list[str]:
    """Return severities and codes, and the exit status."""
    done = run(folder, "ci", "--format", "json", *options)
    assert not done.stderr, done.stderr
    shown = [
        f"{each['severity']} {each['code']}" + (" suppressed" if each["suppression"] else "")
        for each in json.loads(done.stdout)["diagnostics"]
        if each["code"] != "lifecycle/version-changed"
    ]
    return [*shown, str(done.returncode)]


def test_ci_uses_the_same_policy(branch: Path) -> None:
    write(branch, DEMO, NOTE)
    assert ci(branch)[-1] == "0"
    unchanged = "lifecycle/version-unchanged"
    assert f"warning {unchanged}" in ci(branch)
    configure(branch, 'fail-on = "risk"')
    assert ci(branch) == [f"error {unchanged}", "note argument/value-added", "1"]
    assert ci(branch, "--ignore", "lifecycle") == ["note argument/value-added", "0"]
    assert ci(branch, "--tool", "demo_stop") == ["0"]
    configure(branch, 'level = {"lifecycle" = "off"}')
    write(branch, DEMO, BREAK, ("Stop the", "Halt the"))
    assert ci(branch, "--select", "prose") == ["warning prose/description-changed", "0"]
    assert ci(branch) == [f"error {REMOVED}", "warning prose/description-changed", "1"]


def test_a_renamed_service_is_accepted_once(branch: Path) -> None:
    write(branch, DEMO, ("name: demo", "name: sample"), MAJOR)
    assert "error lifecycle/service-renamed" in ci(branch)
    accepted = run(branch, "accept", "--reason", "a better name").stdout
    assert "break[lifecycle/service-renamed] service `demo` is called `sample` now" in accepted
    assert ci(branch) == ["0"]
    notes = ci(branch, "--against", "base", "--comment", "comment.md")
    assert {*notes} == {"note contract/accepted", "0"}
    write(branch, DEMO, ("name: demo", "name: sample"), ("1.4.2", "3.0.0"), BREAK)
    run(branch, "ci", "--comment", "comment.md")
    comment = (branch / "comment.md").read_text()
    assert "Sample needs a major bump of version 2.0.0, and has it." in comment


def test_a_suppressed_change_is_accepted_with_its_reason(branch: Path) -> None:
    suppress(branch, "comment")
    assert ci(branch) == [f"error {REMOVED} suppressed", "0"]
    assert "all checks passed" not in run(branch, "ci").stdout
    assert run(branch, "accept").returncode == 0
    block = json.loads((branch / "toolspec.contract.json").read_text())["tools"]["demo_ping"]
    (accepted,) = block["history"]
    assert accepted["reason"] == "nobody sends it any more"
    assert [each["code"] for each in accepted["changes"]] == [REMOVED]
    assert ci(branch) == ["warning meta/unused-suppression", "0"]


def test_a_branch_shows_what_it_suppresses(branch: Path) -> None:
    configure(branch, 'review = ["break"]')
    commit(branch)
    git(branch, "tag", "--force", "base")
    suppress(branch, "comment")
    against = ("--against", "base")
    shown = ["error contract/suppressed", f"error {REMOVED} suppressed", "1"]
    assert ci(branch, *against) == shown
    assert ci(branch, *against, "--reviewed") == [f"note {shown[0][6:]}", shown[1], "0"]
    commit(branch)
    git(branch, "tag", "--force", "base")
    assert ci(branch, *against) == [shown[1], "0"]  # the base has it too


def test_a_branch_cannot_change_the_policy_unseen(branch: Path) -> None:
    assert ci(branch, "--against", "base") == ["0"]
    configure(branch, 'ignore = ["argument"]')
    assert ci(branch, "--against", "base") == ["note contract/policy-changed", "0"]
    configure(branch, 'review = ["break"]')
    commit(branch)
    git(branch, "tag", "--force", "base")
    configure(branch, 'ignore = ["argument"]')
    # What its base wants reviewed, a branch cannot wave through by another setting.
    assert ci(branch, "--against", "base") == ["error contract/policy-changed", "1"]
    (branch / "toolspec.toml").rename(branch / "pyproject.toml")
    text = '[tool.toolspec]\ntargets = ["mcp-2026-07-28"]\ncontract = {ignore = ["argument"]}\n'
    (branch / "pyproject.toml").write_text(text)
    assert ci(branch, "--against", "base") == ["error contract/policy-changed", "1"]
    (branch / "pyproject.toml").unlink()
    configure(branch, 'level = {"lifecycle" = "off"}')
    write(branch, DEMO, BREAK)
    assert run(branch, "accept", "--reason", "nobody sends it").returncode == 0
    expected = ["error contract/accepted", "error contract/policy-changed", "1"]
    assert sorted(ci(branch, "--against", "base")) == sorted(expected)


def test_an_acceptance_for_a_time_with_a_missing_bump_ends_with_the_change(branch: Path) -> None:
    write(branch, DEMO, BREAK)
    until = ("--reason", "a trial", "--until", "2026-12-31", "--today", "2026-11-24")
    assert run(branch, "accept", *until).returncode == 0
    assert "error contract/expired" in ci(branch, "--today", "2027-01-01")
    write(branch, DEMO)
    assert run(branch, "accept", "--reason", "back", "--today", "2027-01-01").returncode == 0
    assert ci(branch, "--today", "2027-01-01") == ["0"]
