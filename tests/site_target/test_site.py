"""The site: links lead somewhere, no text of a spec is markup, and pages work from a folder."""

from __future__ import annotations

import json
import re

import pytest
from made_programs import hostile_program, rich_program, service, tool
from payloads import payloads
from sampling import sampled
from site_pages import POLICY, is_seen_whole, parsed, site, target_of
from toolspec.ir import Program
from toolspec.sinks.markdown import visible

PAYLOADS = payloads()


def pages(files: dict[str, str]) -> dict[str, str]:
    return {path: text for path, text in files.items() if path.endswith(".html")}


def search_rows(files: dict[str, str]) -> list[list[object]]:
    text = files["search.js"]
    assert text.isascii()
    rows = json.loads(text.removeprefix("toolspecIndex(").removesuffix(")\n"))
    assert isinstance(rows, list)
    return rows


def test_every_link_leads_somewhere() -> None:
    files = site(rich_program())
    read = {path: parsed(text) for path, text in pages(files).items()}
    for path, page in read.items():
        assert page.faults == [], path
        for link in (*page.links, *page.sources):
            file, fragment = target_of(path, link)
            assert file in files, f"{path}: {link}"
            assert not fragment or fragment in read[file].ids, f"{path}: {link}"


def test_pages_run_their_own_scripts_only_and_load_nothing() -> None:
    for path, text in pages(site(rich_program())).items():
        (policy,) = POLICY.findall(text)
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'"), path
        assert "http" not in policy
        assert all(not source.startswith(("http", "/")) for source in parsed(text).sources)


@pytest.mark.parametrize("name", sampled(sorted(PAYLOADS), 15))
def test_no_text_changes_how_a_page_is_built(name: str) -> None:
    text = PAYLOADS[name]
    made, expected = site(hostile_program(text)), site(hostile_program("benign text"))
    assert made.keys() == expected.keys()
    shown = ""
    for path, page in pages(made).items():
        read = parsed(page)
        assert read.faults == [], path
        if text.strip():
            assert read.shape == parsed(expected[path]).shape, path
        assert is_seen_whole(page), path
        shown += read.text
    plain = "".join(visible(text).replace("`", "").split())
    assert plain in "".join(shown.replace("`", "").split())
    search_rows(made)


def test_search_knows_every_name_argument_type_and_error() -> None:
    program = rich_program()
    rows = search_rows(site(program))
    words = json.dumps(rows)
    for service_ in program.services:
        for one in service_.tools:
            assert any(row[0] == "tool" and one.names.full in str(row[1]) for row in rows)
            arguments = one.arguments.get("properties", {})
            assert isinstance(arguments, dict)
            for name in (*arguments, *(error.code for error in one.errors)):
                assert json.dumps(name) in words, name
    files = site(program)
    for row in rows:
        file, fragment = target_of("index.html", str(row[3]))
        assert not fragment or fragment in parsed(files[file]).ids


def test_a_changed_description_changes_the_pages_that_show_it() -> None:
    def made(summary: str) -> dict[str, str]:
        tools = (tool("a", description=summary, summary=summary), tool("b", group="Other"))
        return site(Program((service(*tools), service(tool("c"), name="second"))))

    before, after = made("Find one thing."), made("Find any thing.")
    changed = {path for path in before if before[path] != after[path]}
    listings = {path for path in before if path.startswith("safety-")}
    models = {"llms.txt", "llms-full.txt", "github/index.md"}
    pages_of_it = {"search.js", "github/index.html", "github/github_a.html"}
    assert changed - listings == pages_of_it | models


@pytest.mark.prove
def test_pages_of_a_large_service_stay_small() -> None:
    tools = [
        tool(f"tool{number}", group=f"Group {number // 100}", description="Do it well. " * 6)
        for number in range(1000)
    ]
    files = site(Program((service(*tools),)))
    assert max(len(text) for path, text in files.items() if path.endswith(".html")) < 300_000
    assert len(files["search.js"]) < 1_000_000
    sidebar = files["github/github_tool500.html"].partition("</nav>\n<main")[0]
    assert "tool500" in sidebar
    assert "tool100" not in sidebar


def test_pages_have_names_that_every_system_takes() -> None:
    names = ("index", "types", "con")
    files = site(Program((service(*(tool(name) for name in names), name="con"),)))
    folder = [path for path in files if path.startswith("con_/")]
    assert len({path.casefold() for path in folder}) == len(folder)
    for path in folder:
        assert path.rpartition("/")[2].partition(".")[0] != "con"


def test_options() -> None:
    files = site(
        rich_program(),
        title="Acme <tools>",
        accent="#aa0000",
        edit="https://example.com/edit/{file}",
        server="https://tools.example.com/mcp",
    )
    assert "<h1>Acme &lt;tools&gt;</h1>" in files["index.html"]
    assert "--accent: #aa0000;" in files["site.css"]
    page = next(text for path, text in files.items() if path.startswith("github/github_"))
    assert re.search(r'href="https://example.com/edit/[^"]+\.yaml"', page)
    assert "curl -s https://tools.example.com/mcp" in page
