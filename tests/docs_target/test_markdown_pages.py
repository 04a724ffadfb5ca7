"""Pages: what is on them, and that no text of a spec changes how they are built."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from made_programs import CLOSED, hostile_program, rich_program, service, takes, tool
from markdown_it import MarkdownIt
from markdown_it.token import Token
from sampling import sampled
from toolspec.ir import Example, Idempotency, InputForm, Program, Schema, Timeout
from toolspec.shared.validator import compiled as compiled_schema
from toolspec.sinks.markdown import visible
from toolspec.syntax.nodes import JsonObject, JsonValue
from toolspec.targets.docs import TARGET
from toolspec.targets.target import emit_program

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
INDEX = Path(__file__).parents[3] / "shared" / "corpus" / "hostile" / "index.json"
PAYLOADS = json.loads(INDEX.read_text("utf-8"))["payloads"] if INDEX.is_file() else {}
NO_CORPUS = "the shared corpus does not lie beside this checkout"


def pages(program: Program, **options: JsonValue) -> dict[str, str]:
    checked = emit_program(TARGET, program, options)
    assert not checked.diagnostics
    return {each.path: each.text for each in checked.value}


def walk(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from walk(token.children or ())


def anatomy(page: str) -> dict[str, object]:
    """How a page is built: its headings, tables, fences and links, and whatever must not be there."""
    tokens = list(walk(PARSER.parse(page)))
    count = {
        kind: sum(token.type == kind for token in tokens)
        for kind in ("table_open", "td_open", "th_open", "fence", "bullet_list_open", "strong_open")
    }
    return {
        **count,
        "headings": [token.tag for token in tokens if token.type == "heading_open"],
        "fences": sorted(token.info for token in tokens if token.type == "fence"),
        "links": [token.attrs["href"] for token in tokens if token.type == "link_open"],
        "foreign": sorted(
            {token.type for token in tokens}
            & {"html_block", "html_inline", "image", "em_open", "s_open", "code_block", "hr"}
            | {"ordered list" for token in tokens if token.type == "ordered_list_open"}
            | {"quote" for token in tokens if token.type == "blockquote_open"}
        ),
    }


def reading(page: str) -> str:
    tokens = walk(PARSER.parse(page))
    shown = {"text", "text_special", "code_inline", "fence"}
    return "".join("".join(token.content.split()) for token in tokens if token.type in shown)


@pytest.mark.skipif(not PAYLOADS, reason=NO_CORPUS)
@pytest.mark.parametrize("name", sampled(sorted(PAYLOADS), 8))
def test_no_text_changes_how_a_page_is_built(name: str) -> None:
    text = PAYLOADS[name]
    made, expected = pages(hostile_program(text)), pages(hostile_program("benign text"))
    assert made.keys() == expected.keys()
    for path, page in made.items():
        if text.strip():
            assert anatomy(page) == anatomy(expected[path]), path
        assert not anatomy(page)["foreign"]
        assert "".join(visible(text).split()) in reading(page)
        assert page.isprintable() or page.replace("\n", "").isprintable()
        assert not re.search(r"\{[{%]", page)


@pytest.mark.parametrize(
    "text",
    [
        "# H\n\n<b>x</b>\n\n![i](http://e.example/i.png)\n\n```mermaid\nx\n```\n\n| a |\n|---|",
        "[x](javascript:alert(1)) [^1]\n\n[^1]: y\n\n---\n\n{% raw %}{{ x }}",
        "https://e.example/x|y www.e.example me@e.example\n> q\n1. a\n\n    code",
    ],
)
def test_markup_is_only_text(text: str) -> None:
    made, expected = pages(hostile_program(text)), pages(hostile_program("x"))
    for path, page in made.items():
        assert anatomy(page) == anatomy(expected[path]), path
        assert "".join(text.split()) in reading(page)


def test_nothing_foreign_is_on_any_page() -> None:
    for page in pages(rich_program()).values():
        assert anatomy(page)["foreign"] == []
        assert not re.search(r"[ \t]\n", page)
        prose = re.sub(r"^```.*?^```$", "fence", page, flags=re.MULTILINE | re.DOTALL)
        assert "\n\n\n" not in prose
        assert page.endswith("\n")


def test_every_link_leads_somewhere() -> None:
    made = pages(rich_program())
    anchors = {
        (path.removeprefix("docs/"), re.sub(r"[^\w -]", "", title).lower().replace(" ", "-"))
        for path, page in made.items()
        for title in re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    }
    for path, page in made.items():
        here = path.removeprefix("docs/")
        for href in anatomy(page)["links"]:
            file, _, fragment = href.partition("#")
            assert f"docs/{file or here}" in made, href
            assert not fragment or (file or here, fragment) in anchors, href


def test_the_pages_of_a_build() -> None:
    made = pages(Program((service(name="con"), service(name="readme"), service(name="slack"))))
    names = ("con_.md", "readme_.md", "slack.md", "README.md", "llms.txt", "llms-full.txt")
    assert list(made) == [f"docs/{name}" for name in names]
    assert len({path.casefold() for path in made}) == len(made)


def test_a_page_says_everything_about_a_tool() -> None:
    page = pages(rich_program())["docs/github.md"]
    assert "**All tools** · open world\n" in page
    section = page[page.index("### `github_streamMessage@1.0`") :]
    for words in (
        "streamMessage · destructive · streams · risk tier 3 · deprecated",
        "Deprecated since 1.1. Use `github_send` instead. It will be removed in 2.0.",
        "String. It arrives in pieces; joined, they are the result.",
        "- Version `1.0`; the highest one answers to `github_streamMessage`.",
        "- Risk tier 3: It sends mail.",
        "- Needs the scopes (`repo` or `public_repo`).",
        "- Asks for permission before each run: the web host `api.github.com` (`POST`).",
        "- Can be repeated safely: an `idempotency_key` is optional.",
        "- Times out after 30 seconds without progress, or 300.5 seconds in total.",
        "- May run as a task.",
        "- Its effect can be reverted.",
        "| `not_found` | There is no such user. | no |",
    ):
        assert words in section, words


def test_versions_and_aliases_have_their_exact_names() -> None:
    old, new = tool("search", version="1.0", aliases=("notes.find",)), tool("search", version="2.0")
    made = pages(Program((service(old, new),)))
    page = made["docs/github.md"]
    assert "### `github_search@1.0`" in page
    assert "### `github_search@2.0`" in page
    assert "- Also answers to `notes.find`." in page
    assert "[`github_search@2.0`](github.md#github_search20)" in made["docs/README.md"]


def test_groups_come_in_order_of_first_appearance_and_loose_tools_last() -> None:
    made = (tool("a", group="Zebra"), tool("b"), tool("c", group="Apple"), tool("d", group="Zebra"))
    page = pages(Program((service(*made),)))["docs/github.md"]
    wanted = [*("## Zebra", "### `github_a`", "### `github_d`"), "## Apple", "### `github_c`"]
    found = re.findall(r"^##+ .*$", page, re.MULTILINE)
    start = found.index("## Zebra")
    assert found[start:] == [*wanted, "## Other tools", "### `github_b`"]


def test_extensions_of_services_tools_and_parts_are_listed_for_readers() -> None:
    made = tool(
        "x",
        extensions={
            "x-owner": {"team": "a|b"},
            "errors.0.x-page": 9,
            "x-mcp": {"kept": "aside"},
            "x-toolspec-allow": ["some/rule"],
        },
    )
    page = pages(Program((service(made, extensions={"x-support": "Desk 5"}),)))["docs/github.md"]
    head = "| Extension | Value |\n| --- | --- |\n"
    assert f'## Extensions\n\n{head}| `x-support` | `"Desk 5"` |\n\n' in page
    rows = '| `x-owner` | \\{"team": "a\\|b"} |\n| `errors.0.x-page` | `9` |'
    assert f"**Extensions**\n\n{head}{rows}\n" in page
    assert "x-mcp" not in page
    assert "x-toolspec" not in page
    plain = pages(Program((service(tool("x")),)))["docs/github.md"]
    assert "Extension" not in plain


def test_secrets_are_marked_and_settings_listed() -> None:
    made = pages(rich_program())
    assert "| `secret` | string (`password`) |  |  | Secret. |" in made["docs/github.md"]
    assert "| `token` | string | yes |  | Secret. |" in made["docs/billing.md"]


def test_the_package_of_the_generated_code_is_an_option() -> None:
    page = pages(rich_program(), package="acme.tools")["docs/github.md"]
    assert "from acme.tools.github import GithubClient\n" in page


@pytest.mark.parametrize(
    ("arguments", "shell", "python"),
    [
        ({"n": 1, "q": "a b"}, "toolspec call github_x n=1 'q=a b'", '{"n": 1, "q": "a b"}'),
        ({"q": True}, "toolspec call github_x q=true", '{"q": True}'),
        ({"q": "$(rm -rf)"}, "toolspec call github_x 'q=$(rm -rf)'", '{"q": "$(rm -rf)"}'),
        ({"q": "it's"}, """toolspec call github_x 'q=it'"'"'s'""", '{"q": "it\'s"}'),
        (
            {"q; rm": 1},
            """toolspec call github_x --json '{"q; rm": 1}'""",
            '{"q; rm": 1}',
        ),
        (
            {"q": "{{ x }}"},
            """toolspec call github_x --json '{"q": "\\u007b{ x }}"}'""",
            '{"q": "\\x7b{ x }}"}',
        ),
        (
            {"q": "a\nb\u202e"},
            """toolspec call github_x --json '{"q": "a\\nb\\u202e"}'""",
            '{"q": "a\\nb\\u202e"}',
        ),
    ],
)
def test_a_call_is_shown_with_arguments_that_hide_nothing(
    arguments: JsonObject, shell: str, python: str
) -> None:
    made = tool("x", **takes({"type": "object"}), examples=(Example("", arguments, ""),))
    page = pages(Program((service(made),)))["docs/github.md"]
    assert shell in page
    assert f"client.x({python})" in page


def test_the_python_block_is_a_program_as_ruff_writes_it() -> None:
    calls = (
        (
            tool("x", idempotency=Idempotency.REQUIRED),
            'client.x(idempotency_key="a-key-of-yours")',
        ),
        (tool("x", input_form=InputForm.TEXT), 'client.x("a text of yours")'),
        (
            tool(
                "x",
                input_form=InputForm.TEXT,
                arguments={"type": "object", "properties": {"input": {"type": "string"}}},
                examples=(Example("", "hi", ""),),
            ),
            'client.x("hi")',
        ),
        (tool("x", streaming=True), "async for chunk in client.x():"),
    )
    for made, call in calls:
        page = pages(Program((service(made),)))["docs/github.md"]
        block, over_mcp, *_ = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        assert call in block
        assert "client.call_tool(" in over_mcp
        formatted = subprocess.run(
            [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", "-"],
            input=block,
            text=True,
            capture_output=True,
            check=False,
        )
        assert formatted.returncode == 0, formatted.stdout


def test_raw_and_empty_inputs_are_told_in_words() -> None:
    raw = tool("raw", input_form=InputForm.RAW, arguments={"type": "object"})
    page = pages(Program((service(raw, tool("none", **takes(CLOSED))),)))["docs/github.md"]
    assert "**Parameters:** any; they are passed on unchecked." in page
    assert "**Parameters:** none." in page


def test_what_holds_for_all_tools_is_stated_once() -> None:
    timeout = Timeout(idle=5)
    made = (tool("a", timeout=timeout, tags=("x",)), tool("b", timeout=timeout))
    page = pages(Program((service(*made),)))["docs/github.md"]
    assert page.count("- Times out after 5 seconds without progress.") == 1
    assert page.index("**All tools**") < page.index("- Times out") < page.index("## How to call it")
    assert page.count("- Tags: x.") == 1
    alone = pages(Program((service(made[0]),)))["docs/github.md"]
    assert "**All tools**" not in alone


def test_every_tool_has_a_valid_request_and_response() -> None:
    output = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
    schema: JsonObject = {
        "type": "object",
        "required": ["at"],
        "properties": {"at": {"type": "string", "format": "date"}, "more": {"type": "integer"}},
    }
    made = tool("x", **takes(schema), output=Schema(output, output))
    page = pages(Program((service(made),)))["docs/github.md"]
    example = page.partition("**Example:** made up\n")[2]
    request, _, response = example.partition("\nReturns\n")
    (arguments,) = re.findall(r"```json\n(.*?)```", request, re.DOTALL)
    assert compiled_schema(json.dumps(schema), formats=True)(json.loads(arguments))
    (result,) = re.findall(r"```json\n(.*?)```", response, re.DOTALL)
    assert compiled_schema(json.dumps(output), formats=True)(json.loads(result))


def test_unions_say_which_member_tells_them_apart() -> None:
    def form(kind: str) -> JsonObject:
        return {"type": "object", "properties": {"kind": {"const": kind}, kind: {}}}

    schema: JsonObject = {
        "type": "object",
        "properties": {"details": {"oneOf": [form("bug"), form("chore")]}},
    }
    page = pages(Program((service(tool("x", **takes(schema))),)))["docs/github.md"]
    assert 'One of 2 forms; `kind` tells which: `"bug"`, `"chore"`.' in page


def test_models_get_a_list_of_pages_and_their_text() -> None:
    made = pages(rich_program())
    full = made["docs/llms-full.txt"]
    for path, page in made.items():
        if path.endswith(".md") and path != "docs/README.md":
            assert page in full
    for href in anatomy(made["docs/llms.txt"])["links"]:
        assert f"docs/{href.partition('#')[0]}" in made
