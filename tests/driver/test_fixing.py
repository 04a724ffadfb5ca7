"""`check --fix` from end to end: what is written, what is left alone, and what is told of it."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from toolspec.diagnostics import (
    Diagnostic,
    DiagnosticKind,
    Fix,
    Severity,
    Suppression,
    SuppressionSource,
    TextEdit,
)
from toolspec.driver import build, fixing
from toolspec.driver.build import Request
from toolspec.driver.fixing.rounds import apart, offered
from toolspec.driver.formatting import format_documents
from toolspec.driver.imports import import_mcp_tools
from toolspec.driver.rewriting import Rewrite
from toolspec.source import SourceFile
from toolspec.syntax import parse

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.driver.fixing import FixResult

HEAD = "toolspec: 1\nservice: {name: shop, description: A shop.}\n"
TOOL = """\
  - name: list{0} # the name
    description: Lists things.
    # what it answers
    outputSchema: {{type: array, items: {{type: string}}}}
    mutation: false
    annotations:
      title: 'List'
      destructiveHint: true # not so
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "toolspec.toml").write_text("")
    return tmp_path


def put(project: Path, name: str, text: str) -> Path:
    path = project / "specs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


def fix(project: Path, *paths: str, unsafe: bool = False, write: bool = True) -> FixResult:
    return fixing.fix(Request(paths, folder=project), unsafe=unsafe, write=write)


def errors(project: Path) -> list[str]:
    found = build.check(Request(folder=project)).diagnostics
    return [each.code for each in found if each.severity is Severity.ERROR]


def test_a_fix_leaves_every_other_byte(project: Path) -> None:
    text = f"# head\r\n{HEAD}tools:\n{TOOL.format('A')}"
    path = put(project, "shop.yaml", text)
    os.chmod(path, 0o640)  # noqa: PTH101 - as a person would
    fixed = fix(project)
    assert (fixed.fixed, [each.name for each in fixed.files]) == (1, ["specs/shop.yaml"])
    assert path.read_bytes().decode() == text.replace("      destructiveHint: true # not so\n", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert errors(project) == []
    assert [each.name for each in path.parent.iterdir()] == ["shop.yaml"]
    assert fix(project).files == ()


def test_without_writing_nothing_is_written(project: Path) -> None:
    text = f"{HEAD}tools:\n{TOOL.format('A')}"
    path = put(project, "shop.yaml", text)
    fixed = fix(project, write=False)
    assert path.read_text() == text
    assert "-      destructiveHint: true # not so\n" in fixed.files[0].diff


def test_the_byte_order_mark_stays(project: Path) -> None:
    path = put(project, "shop.yaml", f"\ufeff{HEAD}tools:\n{TOOL.format('A')}")
    assert fix(project).fixed == 1
    assert path.read_bytes().startswith(b"\xef\xbb\xbftoolspec: 1\n")


def test_commas_of_json_go_one_after_the_other(project: Path) -> None:
    tool = {"name": "a", "description": "A.", "outputSchema": True, "mutation": False}
    value = {"toolspec": 1, "service": {"name": "shop", "description": "A shop."}, "tools": [tool]}
    text = json.dumps(value, indent=2)
    broken = text.replace("false\n", "false,\n").replace('shop."\n', 'shop.",\n')
    listed = ", ".join(f"[{number},]" for number in range(30))
    broken = broken.replace('"tools"', f'"x-numbers": [{listed}],\n  "tools"')
    path = put(project, "shop.json", broken)
    fixed = fix(project)
    assert fixed.fixed == 32
    text = text.replace('"tools"', f'"x-numbers": [{listed.replace(",]", "]")}],\n  "tools"')
    assert path.read_text() == text


def test_a_fix_of_an_included_part_is_made_where_the_text_stands(project: Path) -> None:
    part = f"$defs: {{Unused: {{type: string}}}}\ntools:\n{TOOL.format('A')}"
    put(project, "shop.yaml", f"{HEAD}include: [parts/a.yaml]\n")
    path = put(project, "parts/a.yaml", part)
    fixed = fix(project)
    assert [each.name for each in fixed.files] == ["specs/parts/a.yaml"]
    assert path.read_text() == part.replace("      destructiveHint: true # not so\n", "")


def test_what_an_alias_repeats_is_fixed_once(project: Path) -> None:
    text = f"""{HEAD}$defs:
  One: {{type: object, properties: {{a: &a {{type: string, maxLenght: 3}}, b: *a}}}}
tools:
{TOOL.format("A").replace("type: string", "$ref: '#/$defs/One'")}"""
    path = put(project, "shop.yaml", text)
    fixed = fix(project, unsafe=True)
    assert path.read_text().count("maxLength") == 1
    assert fixed.unsafe == 0


def test_an_unsafe_fix_waits_to_be_asked_for(project: Path) -> None:
    text = f"{HEAD}tools:\n{TOOL.format('A').replace('type: string', 'type: string, minLenght: 1')}"
    path = put(project, "shop.yaml", text)
    fixed = fix(project)
    assert (fixed.fixed, fixed.unsafe) == (1, 1)
    assert "minLenght" in path.read_text()
    assert fix(project, unsafe=True).fixed == 1
    assert "minLength" in path.read_text()


def test_a_read_only_file_is_told_of_and_the_others_are_fixed(project: Path) -> None:
    locked = put(project, "a.yaml", f"{HEAD.replace('shop', 'one')}tools:\n{TOOL.format('A')}")
    put(project, "b.yaml", f"{HEAD.replace('shop', 'two')}tools:\n{TOOL.format('B')}")
    locked.chmod(0o444)
    fixed = fix(project)
    assert [each.name for each in fixed.files] == ["specs/b.yaml"]
    found = fixed.checked.diagnostics
    codes = [each.code for each in found if each.severity is Severity.ERROR]
    assert codes == ["edit/unwritable", "safety/destructive-read"]
    assert "destructiveHint" in locked.read_text()


def test_a_file_outside_of_the_project_is_never_written(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "toolspec.toml").write_text('specs = ["shop.yaml"]')
    outside = tmp_path / "shop.yaml"
    outside.write_text(f"{HEAD}tools:\n{TOOL.format('A')}")
    (tmp_path / "in" / "shop.yaml").symlink_to(outside)
    fixed = fix(tmp_path / "in")
    assert fixed.files == ()
    assert "edit/outside-project" in [each.code for each in fixed.checked.diagnostics]
    assert "destructiveHint" in outside.read_text()


def test_a_link_inside_of_the_project_stays_a_link(project: Path) -> None:
    real = put(project, "../real.yaml", f"{HEAD}tools:\n{TOOL.format('A')}")
    (project / "specs" / "shop.yaml").symlink_to(real)
    assert fix(project, "specs/shop.yaml").fixed == 1
    assert (project / "specs" / "shop.yaml").is_symlink()
    assert "destructiveHint" not in real.read_text()


@pytest.mark.prove
def test_many_files_are_fixed_in_one_go(project: Path) -> None:
    for number in range(50):
        head = HEAD.replace("shop", f"shop{number}")
        tools = "".join(TOOL.format(letter) for letter in "ABCD")
        put(project, f"s{number}.yaml", f"{head}tools:\n{tools}")
    fixed = fix(project)
    assert (fixed.fixed, len(fixed.files)) == (200, 50)
    assert errors(project) == []


def test_a_fix_that_leads_to_an_error_is_withheld_and_the_others_are_made(project: Path) -> None:
    allowed = "permissions: [{fil: a.txt, web: example.com, op: GET}]"
    bad = f"  - {{name: b, description: B., outputSchema: true, mutation: false, {allowed}}}\n"
    path = put(
        project,
        "shop.yaml",
        f"{HEAD}tools:\n{bad}{TOOL.format('C')}".replace("mutation", "mutatoin"),
    )
    fixed = fix(project)
    assert "edit/fix-withheld" in [each.code for each in fixed.checked.diagnostics]
    assert "fil: a.txt" in path.read_text()
    assert "mutatoin" not in path.read_text()


def test_a_withheld_fix_is_noted_once_and_where_its_diagnostic_is_at_the_end(project: Path) -> None:
    used = "permissions: [{fil: a.txt, web: example.com, op: GET}]"
    tool = f"- {{name: b, description: B., outputSchema: true, mutation: false, {used}}}"
    text = f"{HEAD}tools:\n{TOOL.format('A')}  {tool}\n"
    path = put(project, "shop.yaml", text)
    fixed = fix(project)
    assert len(path.read_text().splitlines()) < len(text.splitlines())
    (note,) = [each for each in fixed.checked.diagnostics if each.code == "edit/fix-withheld"]
    (error,) = [each for each in fixed.checked.diagnostics if each.code == "shape/unknown-key"]
    assert note.span == error.span


@pytest.mark.parametrize(
    "written",
    ["mutatoin: perhaps\n    outputSchema: true", '"outputSchma": 3\n    mutation: false'],
)
def test_a_key_is_not_renamed_if_its_value_does_not_fit(project: Path, written: str) -> None:
    text = f"{HEAD}tools:\n  - name: list\n    description: Lists things.\n    {written}\n"
    path = put(project, "shop.yaml", text)
    fix(project)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("written", "fixed"),
    [
        # What stands below a key that nobody knows is not looked at before it has its name.
        ("Mutation: no\n    outputSchema: true", "mutation: false\n    outputSchema: true"),
        (
            "outputSchma: {type: strng}\n    mutation: no",
            "outputSchema: {type: strng}\n    mutation: false",
        ),
    ],
)
def test_an_error_below_an_unknown_key_is_no_reason_against_its_name(
    project: Path, written: str, fixed: str
) -> None:
    tool = f"  - name: list\n    description: Lists things.\n    {written}\n"
    path = put(project, "shop.yaml", f"{HEAD}tools:\n{tool}")
    done = fix(project)
    assert path.read_text() == f"{HEAD}tools:\n{tool}".replace(written, fixed)
    assert "edit/fix-withheld" not in [each.code for each in done.checked.diagnostics]


def test_errors_that_an_earlier_one_hid_are_no_reason_against_its_fix(project: Path) -> None:
    tool = TOOL.format("A").replace("mutation", "mutatoin")
    path = put(project, "shop.yaml", f"{HEAD}tools:\n{tool}")
    fixed = fix(project)
    # The contradiction shows once the key is spelled right, and is fixed in the next round.
    assert fixed.fixed == 2
    assert path.read_text() == f"{HEAD}tools:\n{TOOL.format('A')}".replace(
        "      destructiveHint: true # not so\n", ""
    )


def test_what_stands_last_in_a_mapping_goes_with_the_mapping(project: Path) -> None:
    tool = TOOL.format("A").replace("      title: 'List'\n", "")
    path = put(project, "shop.yaml", f"{HEAD}tools:\n{tool}")
    assert fix(project).fixed == 1
    assert "annotations" not in path.read_text()


def test_a_suppressed_finding_is_not_fixed(project: Path) -> None:
    text = f"{HEAD}tools:\n{TOOL.format('A')}"
    put(project, "shop.yaml", text)
    checked = build.check(Request(folder=project))
    (found,) = (each for each in checked.diagnostics if each.fix)
    allowed = replace(found, suppression=Suppression(SuppressionSource.COMMENT, "it is so"))
    assert len(offered([found])) == 1
    assert offered([allowed]) == ()


def test_a_file_that_changes_meanwhile_is_left_alone(project: Path) -> None:
    path = put(project, "shop.yaml", "a: 1\n")
    rewrite = Rewrite(path, "specs/shop.yaml", b"a: 1\n", b"a: 2\n")
    path.write_text("a: 3\n")
    problem = rewrite.write()
    assert problem is not None
    assert problem.code == "edit/changed-meanwhile"
    assert path.read_text() == "a: 3\n"
    assert [each.name for each in path.parent.iterdir()] == ["shop.yaml"]


def test_a_folder_that_takes_no_file_is_told_of(project: Path) -> None:
    path = put(project, "shop.yaml", f"{HEAD}tools:\n{TOOL.format('A')}")
    path.parent.chmod(0o555)
    try:
        fixed = fix(project)
    finally:
        path.parent.chmod(0o755)
    codes = [each.code for each in fixed.checked.diagnostics]
    assert "edit/unwritable" in codes
    assert "safety/destructive-read" in codes
    assert fixed.fixed == 0


def span_of(source: SourceFile, start: int, end: int, text: str) -> Diagnostic:
    fix_of = Fix("change it", (TextEdit(source.span(start, end), text),), safe=True)
    kind = DiagnosticKind("test/kind", Severity.WARNING, f"at {start} to {end}")
    return kind.at(source.span(start, end), fix=fix_of)


@given(spans=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4)), max_size=8))
@settings(derandomize=True, max_examples=200)
def test_what_is_made_in_one_round_does_not_overlap(spans: list[tuple[int, int]]) -> None:
    source = SourceFile("a.yaml", "x" * 30)
    found = [span_of(source, start, start + size, "y") for start, size in spans]
    choices = offered(found)
    made = [(e.span.start, e.span.end) for each in apart(choices) for e in each.fix.edits]
    assert bool(made) == bool(found)
    assert len(choices) == len(set(spans))
    for (start, end), (later, later_end) in pairwise(made):
        assert end <= later
        assert not start == end == later == later_end


@given(data=st.data())
@settings(
    derandomize=True,
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_fixes_do_what_they_say_and_nothing_else(project: Path, data: st.DataObject) -> None:
    """Known slips at random places: each line without one stays, and a second run finds nothing."""
    slips = {
        "mutation: false": ("mutatoin: false", "mutation: no", 'mutation: "false"'),
        "streaming: false": ("streaming: off", "streming: false", "streaming: False"),
        "version: '1.0'": ("version: 1.0", "vesion: '1.0'"),
    }
    lines: list[str] = []
    wanted: list[str] = []
    for number in range(data.draw(st.integers(1, 4))):
        lines += [f"  # tool {number}", f"  - name: t{number}", "    description: 'Does it.' # so"]
        lines.append("    outputSchema: {type:   string}")
        wanted += lines[-4:]
        for right in data.draw(st.permutations(sorted(slips))):
            if right == "mutation: false" or data.draw(st.booleans()):
                wrong = data.draw(st.sampled_from((right, *slips[right])))
                remark = data.draw(st.sampled_from(("", "  # why", "\t# tab")))
                lines.append(f"    {wrong}{remark}")
                wanted.append(f"    {right}{remark}")
    head = f"# head\n{HEAD}tools:\n"
    path = put(project, "shop.yaml", head + "\n".join(lines))
    fix(project)
    seen = path.read_text()
    assert errors(project) == []
    assert fix(project).files == ()
    expected = parse("a.yaml", (head + "\n".join(wanted)).encode()).value
    made = parse("a.yaml", seen.encode()).value
    assert expected is not None
    assert made is not None
    assert made.value == expected.value
    for before, after, right in zip(lines, seen.split("\n")[4:], wanted, strict=True):
        # A key in other quotes, or a value spelled `False`, was no slip.
        assert after == before or before != right


@pytest.mark.prove
def test_published_servers_take_every_fix_and_stay_in_form(project: Path, corpus: Path) -> None:
    for path in sorted((corpus / "mcp-tools").glob("*.json")):
        import_mcp_tools([path], project / "specs", None)
    before = errors(project)
    assert fix(project, unsafe=True).fixed > 0
    assert fix(project, unsafe=True).fixed == 0
    assert sorted(errors(project)) == sorted(before)
    assert format_documents(Request(folder=project), write=False).files == ()
