"""Sizes in tokens: what is counted, for which targets, and that every way of a compile tells the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import toolspec
from toolspec.driver import build
from toolspec.driver.build import CompileOptions
from toolspec.ir import Service
from toolspec.providers import profile
from toolspec.providers.lowered_tools import LoweredTools
from toolspec.providers.tool_sizes import NEUTRAL, by_target, shown, tokens_of, total
from toolspec.shared.tokens import tokens
from toolspec.targets.sizes import sizes

SPEC = """toolspec: 1
service: {name: demo, description: A demo service.}
tools:
  - name: find
    description: Find notes by their words.
    mutation: false
    inputSchema:
      type: object
      properties:
        words: {type: string, minLength: 1, description: What to look for.}
        limit: {type: integer, default: 10}
      required: [words]
    outputSchema: {type: string}
  - name: old
    version: "1.0"
    description: Answer.
    mutation: false
    outputSchema: {type: string}
  - name: old
    version: "2.0"
    description: Answer quickly.
    mutation: false
    outputSchema: {type: string}
"""
MANY = """  - name: make{number}
    description: Make one.
    mutation: true
    inputSchema: {{type: object, properties: {{a: {{type: string, default: b}}}}, required: [a]}}
    outputSchema: {{type: string}}
"""
LOOSE, STRICT = "openai-chat", "openai-chat-strict"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC)
    (tmp_path / "toolspec.toml").write_text('targets = ["catalog", "docs", "openai-chat"]\n')
    return tmp_path


def entries(folder: Path) -> list[dict[str, int]]:
    catalog = json.loads((folder / "generated" / "catalog.json").read_text())
    return [each["tokens"] for each in catalog["tools"]]


@pytest.mark.parametrize(
    ("text", "number"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("ä", 1), ("日本", 2)]
)
def test_a_token_is_four_bytes_or_what_is_left(text: str, number: int) -> None:
    assert tokens(text) == number


def service_of(folder: Path) -> Service:
    (service,) = build.check(toolspec.Request(folder=folder)).value.program.services
    return service


def test_a_target_is_counted_by_what_it_sends(project: Path) -> None:
    service, offers = service_of(project), LoweredTools([LOOSE, STRICT])
    tool, known = service.tools[0], sizes(service, offers).each["demo_find"]
    assert list(known) == [NEUTRAL, LOOSE, STRICT]
    assert known[NEUTRAL] == tokens_of(tool)
    for name in (LOOSE, STRICT):
        found = profile.find_profile(name)
        assert found
        sent = offers.lowered(tool, found)
        spelt = json.dumps(sent.schema, ensure_ascii=False, separators=(",", ":"))
        assert known[name] == tokens(sent.name + sent.description + spelt)
    # Everything is required, and what may be left out may be null: that has to be said.
    assert known[STRICT] > known[NEUTRAL]
    assert sizes(service, offers) is sizes(service, offers)


def test_a_tool_is_counted_in_the_form_for_which_there_was_room(project: Path) -> None:
    tools = "".join(MANY.format(number=number) for number in range(30))
    (project / "specs" / "demo.yaml").write_text(f"{SPEC}{tools}")
    service = service_of(project)
    both = sizes(service, LoweredTools(["anthropic", "anthropic-strict"])).each
    is_strict = [each["anthropic"] != each["anthropic-strict"] for each in list(both.values())[3:]]
    assert sorted(is_strict, reverse=True) == is_strict
    assert 0 < sum(is_strict) < len(is_strict)


def test_an_older_version_is_sent_nowhere(project: Path) -> None:
    known = sizes(service_of(project), LoweredTools([LOOSE]))
    assert known.each["demo_old@1.0"].keys() == {NEUTRAL}
    newest = (known.each["demo_find"], known.each["demo_old@2.0"])
    assert known.together == total(newest)


def test_targets_without_a_profile_send_nothing(project: Path) -> None:
    known = sizes(service_of(project), LoweredTools(["python", "docs", "nobody"]))
    assert known.together.keys() == {NEUTRAL}


def test_what_a_command_makes_does_not_change_what_is_told_of_targets(project: Path) -> None:
    service = service_of(project)
    narrowed = LoweredTools(["catalog"], ["catalog", LOOSE])
    assert sizes(service, narrowed) == sizes(service, LoweredTools([LOOSE]))
    assert narrowed.profiles == ()


def test_a_catalog_alone_is_the_catalog_of_all_targets(project: Path) -> None:
    build.compile_specs(toolspec.Request(folder=project))
    whole = (project / "generated" / "catalog.json").read_bytes()
    narrowed = build.build(toolspec.Request(folder=project, targets=("catalog",)))
    assert not any(each.is_needed for each in narrowed.value.changes)
    assert (project / "generated" / "catalog.json").read_bytes() == whole


def test_every_way_of_a_compile_tells_the_same(project: Path) -> None:
    request = toolspec.Request(folder=project)
    first = build.compile_specs(request, options=CompileOptions()).value
    told = [(each.sizes, [tool.sizes for tool in each.tools]) for each in first.summaries]
    assert entries(project) == told[0][1]
    again = build.compile_specs(request, options=CompileOptions()).value
    whole = build.compile_specs(request).value
    for other in (again, whole):
        assert [(e.sizes, [tool.sizes for tool in e.tools]) for e in other.summaries] == told


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({}, "0"),
        ({NEUTRAL: 7}, "7"),
        ({NEUTRAL: 7, LOOSE: 9}, "9"),
        ({NEUTRAL: 7, LOOSE: 9, STRICT: 1200}, "9-1,200"),
    ],
)
def test_sizes_are_shown_as_what_targets_send(known: dict[str, int], words: str) -> None:
    assert shown(known) == words


def test_sizes_add_up_by_target() -> None:
    both = total([{NEUTRAL: 1, LOOSE: 2}, {NEUTRAL: 3}])
    assert both == {NEUTRAL: 4, LOOSE: 2}
    assert by_target(both) == {LOOSE: 2}


def test_the_docs_tell_each_size_and_their_sum(project: Path) -> None:
    (project / "toolspec.toml").write_text(f'targets = ["docs", "{LOOSE}", "{STRICT}"]\n')
    build.compile_specs(toolspec.Request(folder=project))
    page = (project / "generated" / "docs" / "demo.md").read_text()
    section = page.split("## Tokens", 1)[1].split("\n## ", 1)[0]
    head, _, *rows = [line.split(" | ") for line in section.splitlines() if line.startswith("|")]
    assert head[1:] == [f"`{LOOSE}`", f"`{STRICT}` |"]
    numbers = [[each.strip("| ") for each in row[1:]] for row in rows]
    # The older version of a tool has its neutral size and is sent nowhere.
    assert numbers[1] == ["–", "–"]
    # The index has the sums of the smallest and the largest target; the page has no line of sums.
    sums = [
        sum(int(text) for text in column if text != "–") for column in zip(*numbers, strict=True)
    ]
    index = (project / "generated" / "docs" / "README.md").read_text()
    assert f"| {min(sums)}-{max(sums)} |" in index
