"""`toolspec fmt`: the same document in its canonical form, and nothing lost on the way."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from random import Random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from sampling import sampled
from small_spec import SPEC
from toolspec.driver.build import Request
from toolspec.driver.formatting import format_documents
from toolspec.driver.formatting.form import formatted, is_same
from toolspec.driver.formatting.nodes import UnprintableError
from toolspec.driver.imports import import_mcp_tools
from toolspec.driver.new_files import start_project
from toolspec.shared.keywords import KEYWORD_ORDER, VALUES
from toolspec.syntax import parse
from toolspec.syntax.nodes import JsonObject, JsonValue

ROOT = Path(__file__).parents[2]


def form(text: str, name: str = "a.yaml") -> str:
    """Return the canonical form of a text; formatting it once more changes nothing."""
    data = text.encode()
    document = parse(name, data).value
    assert document is not None, parse(name, data).diagnostics
    made = formatted(name, data, document)
    again = parse(name, made).value
    assert again is not None
    assert formatted(name, made, again) == made
    assert is_same(again.value, document.value)
    return made.decode()


SERVICE = """\
# yaml-language-server: $schema=x.json

# of the tools
tools:
    # the first tool
    - outputSchema: true # anything
      description: >-
          Lists
          things.

          # no comment

      # its name
      name: list
      inputSchema:
          properties: {z: {type: string}, a: {description: First., type: integer, minimum: 0x1F}}
          type: object
          # at the end of the schema
      mutation: no
    # the second
    - {mutation: false, name: b, description: B., outputSchema: *out}
    # at the end of the tools
service:
    description: &d "A
        shop."
    name: shop # of the shop
x-first: 1
toolspec: 1
$defs: {out: &out {type: string}}
# at the end
"""

FORMED = """\
# yaml-language-server: $schema=x.json

toolspec: 1
service:
  name: shop # of the shop
  description: &d "A
    shop."
$defs: {out: &out {type: string}}
# of the tools
tools:
  # the first tool
  # its name
  - name: list
    description: >-
      Lists
      things.

      # no comment
    inputSchema:
      type: object
      properties: {z: {type: string}, a: {type: integer, description: First., minimum: 0x1F}}
      # at the end of the schema

    outputSchema: true # anything
    mutation: no
  # the second
  - {name: b, description: B., outputSchema: *out, mutation: false}
  # at the end of the tools
x-first: 1
# at the end
"""


def test_keys_come_in_order_with_what_belongs_to_them() -> None:
    text = SERVICE.replace("outputSchema: *out", "outputSchema: true")
    assert form(text) == FORMED.replace("outputSchema: *out", "outputSchema: true")


def test_an_alias_never_comes_before_its_anchor() -> None:
    text = "tools: [&t {name: a}]\nservice: {x-tool: *t}\ntoolspec: 1\n"
    assert form(text) == text
    twice = "service: {name: a, x-b: &a 1}\ntoolspec: &a 1\nx-c: *a\n"
    assert form(twice) == twice
    assert form("x-a: 1\nservice: &s {description: D, name: a}\nx-b: *s\n") == (
        "service: &s {name: a, description: D}\nx-a: 1\nx-b: *s\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Long flow is opened, one member a line; short flow stays, without blanks inside.
        ("x: { a: 1 ,b: [ ] }\n", "x: {a: 1, b: []}\n"),
        (f"x: [{'a' * 60}, {'b' * 60}]\n", f"x:\n  - {'a' * 60}\n  - {'b' * 60}\n"),
        ("x: [\n  a, # one\n  # two\n  {b: 1},\n]\n", "x:\n  - a # one\n  # two\n  - {b: 1}\n"),
        ("x: {\n  # none\n}\n", "# none\nx: {}\n"),
        # Spellings stay.
        ("x: [1.0, 1e3, 0x1F, 'it''s', \"\\u00e9\", ~, yes]\n",) * 2,
        ('x: "a \\\n    b"\n', 'x: "a \\\n  b"\n'),
        ("x: a\n     b\n\n     c\n", "x: a\n  b\n\n  c\n"),
        # Block scalars move as a whole; what is deeper in them stays deeper.
        ("x:\n    - |2-\n         deep\n       less\n", "x:\n  - |2-\n       deep\n     less\n"),
        ("x: |+\n    a\n\n\ny: 1\n", "x: |+\n  a\n\n\ny: 1\n"),
        ("x: | # why\n      a\n", "x: | # why\n  a\n"),
        ("x: |\n  a", "x: |-\n  a\n"),
        # Lists are indented below their key, and begin behind the dash.
        (
            "x:\n- a\n-   b: 1\n    c: 2\n- - d\n  - e\n",
            "x:\n  - a\n  - b: 1\n    c: 2\n  - - d\n    - e\n",
        ),
        ("x:\n  -\n    # of b\n    b: 1\n", "x:\n  # of b\n  - b: 1\n"),
        # What stands behind a dash is about its item, however deep the item before it ends.
        ("x:\n  -\n    - 1\n  -\n    # of two\n    - 2\n", "x:\n  - - 1\n  # of two\n  - - 2\n"),
        (
            "x:\n  - - 1\n    # of one\n  - # of two\n    # as well\n    - 2\n",
            "x:\n  - - 1\n    # of one\n  # of two\n  # as well\n  - - 2\n",
        ),
        ("x:\n  - a: 1\n  -\n    # of b\n    b: 1\n", "x:\n  - a: 1\n  # of b\n  - b: 1\n"),
        ("x:\n  - 1\n  -\n\n    # apart\n    - 2\n", "x:\n  - 1\n\n  # apart\n  - - 2\n"),
        # A comment between a key and its brackets opens them.
        ("x: {y:\n  # of a\n  {a: 1}}\n", "x:\n  y:\n    # of a\n    a: 1\n"),
        ("x: # here\n  # of the list\n  [a, b]\n", "x: # here\n  # of the list\n  - a\n  - b\n"),
        ("x: {y:\n  # of y\n  []}\n", "x:\n  # of y\n  y: []\n"),
        ("x:\n  - &a\n    b: 1\n  - *a\n",) * 2,
        (
            "x: &a\n    # first\n    b: 1\ny:\n    <<: *a\n",
            "x: &a\n  # first\n  b: 1\ny:\n  <<: *a\n",
        ),
        # One blank line at most, none at the beginning of a collection.
        ("\n\nx:\n\n  a: 1\n\n\n\n  b: 2\n\n\n", "x:\n  a: 1\n\n  b: 2\n"),
        ("x:\n  a: 1\n\n  # of x\n# of y\n\ny: 1\n", "x:\n  a: 1\n\n  # of x\n# of y\n\ny: 1\n"),
        # Documents with marks and directives.
        ("%YAML 1.2\n--- # go\nx:   1\n...\n", "%YAML 1.2\n--- # go\nx: 1\n...\n"),
        ("--- {x: 1}\n", "---\nx: 1\n"),
        ("? x\n: 1\n", "x: 1\n"),
        ("x:\ny: {a: , b}\n", "x:\ny: {a, b}\n"),
        ("x:\t1\t# tab\n", "x: 1 # tab\n"),
    ],
)
def test_one_form_for_each(text: str, expected: str) -> None:
    assert form(text) == expected


def test_line_ends_and_a_byte_order_mark_stay() -> None:
    data = b"\xef\xbb\xbfx:\r\n    a: |\r\n      b\r\n"
    document = parse("a.yaml", data).value
    assert document is not None
    assert formatted("a.yaml", data, document) == b"\xef\xbb\xbfx:\r\n  a: |\r\n    b\r\n"


def test_json_keeps_its_spellings() -> None:
    text = (
        '{"tools":[],\n"x":[1.0,1e3,12345678901234567890,"\\u00e9é", {"b":1,\n"a":2}],"toolspec":1}'
    )
    assert form(text, "a.json") == (
        '{\n  "toolspec": 1,\n  "tools": [],\n  "x": [\n    1.0,\n    1e3,\n    12345678901234567890,\n'
        '    "\\u00e9é",\n    {\n      "b": 1,\n      "a": 2\n    }\n  ]\n}\n'
    )


@pytest.mark.parametrize(
    "rest",
    [
        {"toolspec": 1, "service": {"name": "a", "description": "A."}, "tools": {}},
        {"$defs": {"A": {"type": "string"}}, "tools": {}},
        {"$defs": {"A": {"type": "string"}}},
    ],
)
def test_what_editors_read_comes_first(rest: JsonObject) -> None:
    named = {"$schema": "../schemas/service.v1.schema.json", **rest}
    turned = dict(reversed(named.items()))
    assert list(json.loads(form(json.dumps(turned), "a.json"))) == list(named)


def test_every_keyword_has_its_place() -> None:
    assert sorted(KEYWORD_ORDER) == sorted(VALUES)


def test_a_form_that_would_not_be_the_same_is_refused() -> None:
    text = "x: &a # why\n  b\n"
    document = parse("a.yaml", text.encode()).value
    assert document is not None
    try:
        made = formatted("a.yaml", text.encode(), document)
    except UnprintableError:
        return
    assert "# why" in made.decode()


def test_what_has_no_form_is_told_of_at_its_line(tmp_path: Path) -> None:
    text = f'{SPEC}x-a: {{\n  ? "b\n\n    c" : 1}}\n'
    (tmp_path / "a.yaml").write_bytes(text.replace("\n", "\r\n").encode())
    (finding,) = format_documents(Request(folder=tmp_path, paths=["a.yaml"])).diagnostics
    assert (finding.code, finding.message) == (
        "edit/not-formattable",
        "`a.yaml` was not formatted: it has a key of several lines",
    )
    assert finding.span is not None
    assert finding.span.text == '? "b'
    assert finding.span.start == text.replace("\n", "\r\n").index("?")


KEYS = (
    *("tools", "service", "name", "description", "type", "properties", "$defs", "items"),
    *("inputSchema", "x-a", "on", "a b", "1", "k: v", "#h", " lead"),
)
SCALARS: tuple[JsonValue, ...] = (
    *(None, True, 1, -2.5, "x", "a long text of some words " * 5, "a\nb\n", "a\n\n\n", "  lead\nx"),
    *("#c", "- d", "a: b", "'q'", '"d"', "tab\there", "é😀", "{x", "trail ", ""),
    "several\nlines # no comment\n  deep\n",
)
STYLES = {
    "default_flow_style": (None, False, True),
    "indent": (2, 3, 4, 6),
    "width": (20, 40, 80, 200),
    "allow_unicode": (True, False),
    "explicit_start": (False, False, True),
    "explicit_end": (False, False, True),
    "line_break": ("\n", "\n", "\r\n"),
    "default_style": (None, None, "|", ">", '"', "'"),
}


def made_value(random: Random, shared: list[JsonValue], depth: int = 0) -> JsonValue:
    """Return a value; some collections are one object at several places, which are anchored then."""
    if shared and random.random() < 0.1:
        return random.choice(shared)
    chance = random.random()
    if depth > 4 or chance < 0.4:
        return random.choice(SCALARS)
    many = range(random.randint(0, 5))
    value: JsonValue
    if chance < 0.7:
        value = {random.choice(KEYS): made_value(random, shared, depth + 1) for _ in many}
    else:
        value = [made_value(random, shared, depth + 1) for _ in many]
    if random.random() < 0.3:
        shared.append(value)
    return value


def remarked(random: Random, text: str) -> str:
    """Return a text with comments and blank lines at any place, whether they can stand there or not."""
    lines = text.split("\n")
    for number in range(random.randint(0, 6)):
        at = random.randrange(len(lines))
        chance = random.random()
        if chance < 0.4:
            line, cr = lines[at].removesuffix("\r"), "\r" if lines[at].endswith("\r") else ""
            lines[at] = f"{line} # note {number}{cr}"
        elif chance < 0.8:
            lines.insert(at, f"{' ' * random.randint(0, 8)}# note {number}")
        else:
            lines.insert(at, "")
    return "\n".join(lines)


@given(random=st.randoms(use_true_random=False))
@settings(derandomize=True, max_examples=300, deadline=None)
def test_values_and_comments_survive(random: Random) -> None:
    shared: list[JsonValue] = []
    value = {key: made_value(random, shared) for key in random.sample(KEYS, random.randint(1, 5))}
    style = {name: random.choice(choices) for name, choices in STYLES.items()}
    plain = re.sub(r"!!\w+ ", "", yaml.dump(value, sort_keys=False, **style))  # type: ignore[call-overload] # PyYAML's stubs know no mapping of options
    for text in (plain, remarked(random, plain)):
        if not parse("a.yaml", text.encode()).ok:
            continue
        made = form(text)
        notes = re.compile(r"# note \d")
        assert sorted(notes.findall(made)) == sorted(notes.findall(text))
        # A second reader, which is not ours: it finds the same values before and after.
        assert is_same(ruamel(made), ruamel(text))


def ruamel(text: str) -> JsonValue:
    """Return what ruamel.yaml reads."""
    value: JsonValue = YAML(typ="safe", pure=True).load(io.StringIO(text))
    return value


VALUES_ = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=25,
)


@given(value=VALUES_, indent=st.one_of(st.none(), st.integers(0, 5)))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_json_stays_what_it_is(value: JsonValue, indent: int | None) -> None:
    made = form(json.dumps(value, indent=indent), "a.json")
    assert is_same(json.loads(made), value)


@pytest.mark.parametrize("folder", [".", "examples/notes"])
def test_the_documents_of_this_repository_are_in_form(folder: str) -> None:
    done = format_documents(Request(folder=ROOT / folder), write=False)
    assert done.diagnostics == ()
    assert done.count > 0
    assert [each.name for each in done.files] == [], "run `toolspec fmt`"


def test_a_new_project_is_in_form(tmp_path: Path) -> None:
    assert start_project(tmp_path, tmp_path).ok
    done = format_documents(Request(folder=tmp_path), write=False)
    assert (done.count, done.files) == (1, ())


def test_an_imported_document_is_in_form(tmp_path: Path) -> None:
    schema = {"properties": {"b": {"description": "B.", "type": "string"}}, "type": "object"}
    tool = {"name": "a", "inputSchema": schema, "title": "A", "description": "Does it."}
    (tmp_path / "dump.json").write_text(json.dumps({"tools": [tool]}))
    assert import_mcp_tools([tmp_path / "dump.json"], tmp_path / "specs", None).value
    done = format_documents(Request(folder=tmp_path), write=False)
    assert (done.count, done.files) == (1, ())


def test_the_files_of_other_tools_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "compose.yaml").write_text("services:\n    web: {image:   a}\n")
    (tmp_path / "package.json").write_text('{"type":"module","name":"a"}')
    (tmp_path / "schema.json").write_text(
        '{"title":"A","$schema":"https://json-schema.org/draft/2020-12/schema"}'
    )
    (tmp_path / "part.yaml").write_text("x-a: 1\n$defs: {A: {title: a, type: string}}\n")
    done = format_documents(Request((".",), folder=tmp_path), write=False)
    assert [each.name for each in done.files] == ["part.yaml", "schema.json"]


def test_what_is_refused_is_told_and_the_others_are_written(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    head = "service: {name: %s, description: A.}\ntoolspec: 1\ntools: [{name: a, %s}]\n"
    tool = "description: A., outputSchema: true, mutation: false"
    for name, text in {"a": tool, "b": f"{tool}, mutaton: 1", "c": tool, "d": "name: b"}.items():
        (tmp_path / "specs" / f"{name}.yaml").write_text(head % (name, text))
    (tmp_path / "specs" / "c.yaml").chmod(0o444)
    done = format_documents(Request(folder=tmp_path))
    assert [each.name for each in done.files] == ["specs/a.yaml"]
    assert (tmp_path / "specs" / "a.yaml").read_text().startswith("toolspec: 1\n")
    codes = {each.code for each in done.diagnostics}
    assert {"edit/unwritable", "shape/unknown-key", "syntax/duplicate-key"} <= codes
    assert format_documents(Request(folder=tmp_path)).files == ()


@pytest.mark.parametrize("name", sampled(["a.yaml", "a.json"], 1))
def test_ten_times_the_lines_take_ten_times_as_much(name: str) -> None:
    tool = {"name": "a", "description": "Does\nit. ", "inputSchema": {"properties": {"a": {}}}}
    form("{}", name)  # what is loaded once is not growth

    def calls(many: int) -> int:
        counted = 0

        def count(_: object, event: str, __: object) -> None:
            nonlocal counted
            counted += event in {"call", "c_call"}

        text = json.dumps({"tools": [{**tool, "x-number": number} for number in range(many)]})
        sys.setprofile(count)
        try:
            form(text, name)
        finally:
            sys.setprofile(None)
        return counted

    assert calls(300) / calls(30) < 10.5
