"""`toolspec fmt`: the same document in its canonical form, and nothing lost on the way."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from toolspec.driver.formatting.form import formatted, is_same
from toolspec.driver.formatting.nodes import UnprintableError
from toolspec.driver.formatting.orders import KEYWORDS
from toolspec.importers.yaml_text import yaml_text
from toolspec.schema.keywords import VALUES
from toolspec.syntax import parse
from toolspec.syntax.nodes import JsonValue

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


def test_every_keyword_has_its_place() -> None:
    assert sorted(KEYWORDS) == sorted(VALUES)


def test_a_form_that_would_not_be_the_same_is_refused() -> None:
    text = "x: &a # why\n  b\n"
    document = parse("a.yaml", text.encode()).value
    assert document is not None
    try:
        made = formatted("a.yaml", text.encode(), document)
    except UnprintableError:
        return
    assert "# why" in made.decode()


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12)
KEYS = st.one_of(
    st.sampled_from(["tools", "service", "name", "description", "type", "properties", "x-a", "on"]),
    TEXTS.filter(lambda each: each != "<<"),
)
VALUES_ = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-99, 99), TEXTS, st.just("a\n  b\n"), st.just("a: #")
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=25,
)


@given(value=st.dictionaries(KEYS, VALUES_, min_size=1, max_size=5), data=st.data())
@settings(derandomize=True, max_examples=200, deadline=None)
def test_values_and_comments_survive(value: dict[str, JsonValue], data: st.DataObject) -> None:
    text = yaml_text(value, {}, ["a header"])
    lines, shift = text.split("\n"), data.draw(st.integers(0, 3))
    if not re.search(r"[|>]-?$", text, re.MULTILINE):
        # Comments between the lines, at the indentation of the next one or as deep as it likes.
        for at in data.draw(st.sets(st.integers(1, len(lines)), max_size=5)):
            below = lines[at] if at < len(lines) else ""
            indent = " " * (len(below) - len(below.lstrip()) + data.draw(st.integers(0, 3)))
            lines.insert(at, f"{indent}# note {at}")
        text = "\n".join(lines)
        parsed = parse("a.yaml", text.encode())
        if parsed.value is None:
            return
    spread = "\n".join(" " * (len(e) - len(e.lstrip(" "))) * shift + e for e in text.split("\n"))
    for each in (text, spread):
        parsed = parse("a.yaml", each.encode())
        if parsed.value is None or not is_same(parsed.value.value, value):
            continue
        made = form(each)
        assert sorted(re.findall(r"# note \d+", made)) == sorted(re.findall(r"# note \d+", each))
        # A second reader, which is not ours.
        assert is_same(YAML(typ="safe", pure=True).load(io.StringIO(made)), _ruamel(text))


def _ruamel(text: str) -> JsonValue:
    value: JsonValue = YAML(typ="safe", pure=True).load(io.StringIO(text))
    return value


@given(value=VALUES_, indent=st.one_of(st.none(), st.integers(0, 5)))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_json_stays_what_it_is(value: JsonValue, indent: int | None) -> None:
    made = form(json.dumps(value, indent=indent), "a.json")
    assert is_same(json.loads(made), value)


def test_the_documents_of_this_repository_are_in_form() -> None:
    names = [
        path
        for folder in ("specs", "examples/notes/specs")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".yaml", ".json"}
    ]
    assert len(names) > 8
    for path in names:
        data = path.read_bytes()
        document = parse(path.name, data).value
        assert document is not None
        assert formatted(path.name, data, document) == data, f"run `toolspec fmt`: {path}"
