"""The sink for Markdown: nothing of a spec's text is ever markup, and all of it can be read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from sampling import sampled
from toolspec.sinks import markdown

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# Blocks and marks that plain text may become: paragraphs, line breaks, and code for addresses.
HARMLESS = {
    "paragraph_open",
    "paragraph_close",
    "inline",
    "text",
    "text_special",
    "softbreak",
    "hardbreak",
    "code_inline",
}
ATTACKS = [
    "# heading",
    "x\n===",
    "x\n---",
    "---\ntitle: x\n---",
    "+++\nx\n+++",
    "***",
    "- a\n- b",
    "1. a\n2) b",
    "> quoted",
    "    indented",
    "\tindented",
    "```mermaid\ngraph\n```",
    "~~~\nx\n~~~",
    "| a | b |\n|---|---|\n| c | d |",
    "a | b\n:-: | :-:",
    "a\n:-:",
    "[a](javascript:alert(1))",
    "![a](https://example.com/i.png)",
    "[a]: https://example.com",
    "[^1] and [^1]: note",
    "<script>alert(1)</script>",
    "<!-- comment",
    "<https://example.com>",
    "https://example.com/a_b?c=d|e",
    "see https://example.com/.",
    "www.example.com and WWW.EXAMPLE.COM",
    "1https://example.com xhttps://example.com",
    "me@example.com, mailto:me@example.com",
    "http://",
    "`https://a.b`https://c.d`",
    "*a* **b** _c_ __d__ ~e~ ~~f~~",
    "snake_case_name and __init__",
    "&lt; &amp; &#60; &copy; R&D",
    "a  \nb",
    "a\\\nb",
    "\\",
    "\\\\",
    "{{ x }} {% y %} {# z #}",
    "$x$ $$y$$",
    ":::note\nx\n:::",
    "{: .class}",
    "<svg/onload=alert(1)>",
    "x\n\n\n\n# y",
    "#",
    "1.",
    "-",
]


def walk(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from walk(token.children or ())


def reading(content: str) -> str:
    """What a reader sees, without blanks."""
    parts = (
        token.content
        for token in walk(PARSER.parse(content))
        if token.type in {"text", "text_special", "code_inline", "fence", "code_block"}
    )
    return squeezed("".join(parts))


def squeezed(content: str) -> str:
    return "".join(content.split())


def kinds(content: str) -> set[str]:
    return {token.type for token in walk(PARSER.parse(content))}


texts = st.text(
    st.sampled_from("ab1.)-+*_`~#|<>[](){}!&;:/\\=$%@ \n\t\"'^,w\u200d\u202eé😀"), max_size=40
) | st.lists(st.sampled_from(ATTACKS), min_size=1, max_size=3).map("".join)


FEW, MANY = 200, 5_000
PROPERTIES: list[Callable[[str], None]] = []


def with_attacks(test: Callable[[str], None]) -> Callable[[], None]:
    """Return the test of a property, with few texts; the last test of this file has many."""
    PROPERTIES.append(test)
    return over_texts(test, FEW)


def over_texts(test: Callable[[str], None], count: int) -> Callable[[], None]:
    for attack in ATTACKS:
        test = example(attack)(test)
    return settings(derandomize=True, max_examples=count, deadline=None)(given(texts)(test))


@with_attacks
def test_text_is_only_ever_paragraphs(content: str) -> None:
    written = markdown.text(content)
    assert kinds(written) <= HARMLESS
    assert reading(written) == squeezed(markdown.visible(content))


@with_attacks
def test_a_cell_stays_in_its_cell(content: str) -> None:
    written = markdown.cell(content)
    table = f"| a | b |\n| --- | --- |\n| {written} | end |\n"
    tokens = list(walk(PARSER.parse(table)))
    assert sum(token.type == "td_open" for token in tokens) == 2
    assert reading(table) == "ab" + squeezed(markdown.visible(content)) + "end"
    assert "link_open" not in kinds(table)


@with_attacks
def test_code_stays_in_its_cell_and_in_its_line(content: str) -> None:
    written = markdown.code(content)
    table = f"| a | b |\n| --- | --- |\n| {written} | end |\n"
    assert sum(token.type == "td_open" for token in walk(PARSER.parse(table))) == 2
    for page in (table, f"Use {written} now."):
        assert squeezed(markdown.visible(content)) in reading(page)
        assert not kinds(page) & {"link_open", "image", "html_inline", "em_open", "s_open"}


@with_attacks
def test_a_heading_stays_one_heading(content: str) -> None:
    written = markdown.cell(content)
    tokens = list(walk(PARSER.parse(f"## x {written}\n\nend")))
    assert sum(token.type == "heading_open" for token in tokens) == 1
    assert reading(f"## x {written}\n\nend") == "x" + squeezed(markdown.visible(content)) + "end"


@with_attacks
def test_nothing_that_a_page_passes_through_finds_its_tags(content: str) -> None:
    fence = markdown.fenced_json({"a": content, content: [{}]})
    for written in (markdown.text(content), markdown.cell(content), markdown.code(content), fence):
        assert "{{" not in written
        assert "{%" not in written


@with_attacks
def test_json_keeps_its_value_in_its_fence(content: str) -> None:
    value = {"text": content, content: [content]}
    blocks = PARSER.parse(markdown.fenced_json(value) + "\n\nend")
    assert blocks[0].type == "fence"
    assert len(blocks) == 4
    assert json.loads(blocks[0].content) == value


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("a\u202eb", "aU+202Eb"),
        ("a\x1b[1m", "aU+001B[1m"),
        ("a\u2028b\u0085", "aU+2028bU+0085"),
        ("a\U000e0041", "aU+E0041"),
        ("a\u200bb\u00ad", "aU+200BbU+00AD"),
        ("a\u200db", "aU+200Db"),
        ("\u3164\ufe00", "U+3164U+FE00"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("👩\u200d💻 ❤\ufe0f", "👩\u200d💻 ❤\ufe0f"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_hidden_characters_are_shown_and_legal_ones_kept(content: str, shown: str) -> None:
    assert markdown.visible(content) == shown


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("Version 1.4.0 of R&D's my_tool - done.", "Version 1.4.0 of R&D's my_tool - done."),
        ("One\nparagraph.\n\nAnother.", "One\nparagraph.\n\nAnother."),
        ("Either:\n- this\n- that", "Either:\\\n\\- this\\\n\\- that"),
        ("Args:\n    a: first\n    b: second", "Args:\\\na: first\\\nb: second"),
        ("See https://example.com/x.", "See `https://example.com/x`."),
    ],
)
def test_plain_prose_stays_readable_in_the_source_too(content: str, written: str) -> None:
    assert markdown.text(content) == written


@pytest.mark.parametrize(
    "unit", sampled(["a", "a@", "http://", "www.", ".", "a.@", "`", "\n", "1", "- \n", "_"], 4)
)
def test_a_long_text_takes_no_longer_than_its_length(unit: str) -> None:
    """A search that is quadratic in its text would not end here within minutes."""
    content = unit * (400_000 // len(unit))
    assert len(markdown.text(content)) < 4 * len(content) + 2
    assert len(markdown.cell(content)) < 4 * len(content) + 2
    assert len(markdown.code(content)) < 4 * len(content) + 2


def test_a_fence_is_longer_than_any_inside() -> None:
    assert markdown.fenced("````\nx", "sh") == "`````sh\n````\nx\n`````"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("`mutation` is missing", "`mutation` is missing"),
        ("one `a`, two `b`: done", "one `a`, two `b`: done"),
        ("the mark `` ` `` alone", "the mark `` ` `` alone"),
        ("a ` that never ends", "a \\` that never ends"),
        ("x_* <y> `<z>`", "x\\_\\* &lt;y> `<z>`"),
        ("- no list\nof two lines", "\\- no list of two lines"),
        ("`a|b` in a cell", "a\\|b in a cell"),
        ("", ""),
    ],
)
def test_prose_of_our_own_keeps_its_code_and_nothing_else(content: str, expected: str) -> None:
    assert markdown.prose(content) == expected


@given(st.text(alphabet="`ab*|<{% \n_&:/"))
@settings(derandomize=True, max_examples=300)
def test_prose_of_our_own_is_harmless_too(content: str) -> None:
    assert kinds(markdown.prose(content)) <= HARMLESS


@pytest.mark.prove
@pytest.mark.parametrize("test", PROPERTIES, ids=lambda test: test.__name__)
def test_a_property_holds_for_many_texts(test: Callable[[str], None]) -> None:
    over_texts(test, MANY)()
