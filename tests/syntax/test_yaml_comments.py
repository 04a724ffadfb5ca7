"""A comment is one by where it stands, and it is about what it stands at."""

from __future__ import annotations

import re

import pytest
from toolspec.syntax import parse
from toolspec.syntax.yaml_comments import Comment, comments


def found(text: str, name: str = "a.yaml") -> list[Comment]:
    document = parse(name, text.encode()).value
    assert document is not None
    return list(comments(document, re.compile("say")))


def abouts(text: str) -> list[str | None]:
    return [each.target.text if each.target else None for each in found(text)]


TEXTS = """# say 1
a: |
  text # say no
  # say no
# say 2

b: &x >-  # say 3
   x

   # say no

 # say 4
c: 'it''s # say no
   # say no' # say 5
d: "\\"# say no" # say 6
e:
  # say 7
  - plain#say no # say 8
  - {f: '# say no'} # say 9
  - [1, # say 10
     2]
# say 11
"""


def test_what_looks_like_a_comment_in_a_text_is_none() -> None:
    assert [each.span.text for each in found(TEXTS)] == [f"# say {at}" for at in range(1, 12)]


def test_json_has_no_comments() -> None:
    assert found('{"a": "# say no"}', "a.json") == []


def test_a_clean_text_is_looked_through_once() -> None:
    assert found("a: 1 # nothing\n") == []


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("# say\na: 1\nb: 2\n", "a: 1\nb: 2"),
        ("# say\n\n# more\n---\na: 1\nb: 2\n", "a: 1\nb: 2"),
        ("a: 1\n# say\nb: {c: 2}\nd: 3\n", "b: {c: 2}"),
        ("a: 1 # say\nb: 2\n", "a: 1"),
        ("a: # say\n  b: 1\n  c: 2\nd: 3\n", "a: # say\n  b: 1\n  c: 2"),
        ("a:\n  # say\n  b: 1\n  c: 2\nd: 3\n", "b: 1\n  c: 2"),
        ("a:\n  # say\n  - b: 1\n    c: 2\n  - d: 3\n", "b: 1\n    c: 2"),
        ("a:\n  - b: 1 # say\n    c: 2\n", "b: 1"),
        ("a:\n  - b: 1\n    # say\n    c: [2,\n      3]\n", "c: [2,\n      3]"),
        ("a:\n  - {b: 1, c: 2} # say\n", "{b: 1, c: 2}"),
        ("a:\n  - b # say\n  - c\n", "b"),
        ("a: 'b\n  c' # say\nd: 1\n", "a: 'b\n  c'"),
        ("a: | # say\n  b\nc: 1\n", "a: | # say\n  b"),
        ("a: &x {b: 1}\nc: *x # say\n", "c: *x"),
        ("x: &x {b: 1}\n# say\nc:\n  <<: *x\n  d: 1\n", "c:\n  <<: *x\n  d: 1"),
        ("a: {\n  # say\n  b: 1,\n  c: 2}\n", "b: 1"),
        ("a: 1\n# say\n", None),
    ],
)
def test_what_a_comment_is_about(text: str, about: str | None) -> None:
    assert [each and each.rstrip() for each in abouts(text)] == [about]
