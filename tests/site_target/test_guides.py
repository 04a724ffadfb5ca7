"""Guides: Markdown of the project becomes pages in which only Markdown has a meaning."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from forkserver import toolspec
from hypothesis import given
from hypothesis import strategies as st
from made_programs import rich_program, service, tool
from site_pages import POLICY, Parsed, parsed, site, target_of
from test_docs_verb import SPEC
from test_site import PAYLOADS
from toolspec.ir import Program
from toolspec.sinks.markdown import visible
from toolspec.targets.site.guides import read_guides
from toolspec.targets.target import ProjectFile

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89"
PROGRAM = Program((service(tool("a")),))
SCHEME = re.compile(r"(?:https?://|mailto:)[^\s]|(?![a-z+.-]*:|/|\\)", re.IGNORECASE)
"""Addresses that a page may link to."""

MARKUP = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- a comment -->",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](java&#9;script:alert(1))",
    "[x](<java\tscript:alert(1)>)",
    "[x](data:text/html,<script>alert(1)</script>)",
    "[x](vbscript:x)",
    "[x](//evil.example)",
    "[x](\\\\evil.example)",
    "[x](/etc/passwd)",
    "[x](file:///etc/passwd)",
    "[x](../../../etc/passwd)",
    "[x](https://a.example/\"onclick='alert(1)')",
    '[x][r]\n\n[r]: javascript:alert(1) "t"',
    "<javascript:alert(1)>",
    "<https://a.example/?a=1&b=%22>",
    "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    "![x](https://evil.example/x.png)",
    '!["><script>alert(1)</script>](shot.png "t\' onload=\'alert(1)")',
    "![x](drawing.svg)",
    "![x](pretended.png)",
    '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
    "    </code><script>alert(1)</script>",
    '# "><script>alert(1)</script>',
    "## main",
    "# found",
    "`</code><b>x</b>`",
    "| a | b |\n|:-:|--:|\n| <b>x</b> | `|` |",
    "> - 1. > deep\n>   * * *",
    "3. three\n4. four",
    "~~gone~~ **bold** _em_  \nnext\\\nlast",
    "Title\n=====",
    "&lt;b&gt; &#0; &copy; \\<b\\>",
    "text",
]


def guide(text: str, name: str = "start.md") -> ProjectFile:
    return ProjectFile("guides", f"docs/{name}", name, text.encode())


IMAGES = (
    ProjectFile("guides", "docs/shot.png", "shot.png", PNG),
    ProjectFile("guides", "docs/pretended.png", "pretended.png", b"<svg onload='alert(1)'/>"),
)


def page(text: str) -> Parsed:
    """Return a guide as a browser reads it."""
    read = read_guides((guide(text), *IMAGES))
    (view,) = read.views((), set())
    return parsed(f'<div id="main"></div>{view.body}')


@pytest.mark.parametrize("text", [*PAYLOADS.values(), *MARKUP])
def test_only_markdown_has_a_meaning(text: str) -> None:
    made = page(f"before\n\n{text}\n\nafter")
    assert made.faults == []
    assert all(SCHEME.match(link) for link in made.links), made.links
    assert set(made.sources) <= {"shot.png"}
    assert "before" in made.text
    assert "after" in made.text


@given(st.lists(st.sampled_from([*MARKUP, "\n\n", " ", "\n- ", "\n> ", "|", "](", "[", "`"])))
def test_any_text_becomes_a_page(parts: list[str]) -> None:
    made = page("".join(parts))
    assert made.faults == []
    assert all(SCHEME.match(link) for link in made.links), made.links


def test_html_is_shown_as_text() -> None:
    assert visible("<b>x</b> & <script>") in page("<b>x</b> & <script>").text


def test_guides_are_pages_with_navigation_and_are_found() -> None:
    files = (
        guide("# First steps\n\nDo *this*.\n\n## Install\n\n[more](deep/more.md#there)"),
        guide("# More\n\n## There\n\n[back](../start.md) ![shot](../shot.png)", "deep/more.md"),
        *IMAGES,
        ProjectFile("logo", "brand.PNG", "brand.PNG", PNG),
    )
    made = site(rich_program(), files=files, guides="docs", logo="brand.PNG")
    assert {"guides/index.html", "guides/start.html", "guides/deep/more.html"} <= made.keys()
    assert "guides/shot.png" in made
    assert "guides/pretended.png" not in made
    read = {path: parsed(text) for path, text in made.items() if path.endswith(".html")}
    for path, one in read.items():
        assert one.faults == [], path
        for link in (*one.links, *one.sources):
            file, fragment = target_of(path, link)
            assert file in made, f"{path}: {link}"
            assert not fragment or fragment in read[file].ids, f"{path}: {link}"
        assert POLICY.findall(made[path]) == POLICY.findall(made["index.html"])
        assert any(target_of(path, link)[0] == "guides/index.html" for link in one.links), path
    rows = json.loads(made["search.js"].removeprefix("toolspecIndex(").removesuffix(")\n"))
    found = {row[1]: row[3] for row in rows if row[0] == "guide"}
    assert found["First steps"] == "guides/start.html"
    assert "- [First steps](guides/start.html): Do this." in made["llms.txt"]
    assert found["There"] == "guides/deep/more.html#there"


def test_an_index_of_the_project_comes_first() -> None:
    files = (guide("# About us", "about.md"), guide("# Welcome", "README.md"))
    made = site(PROGRAM, files=files, guides="docs")
    assert '<h1 id="welcome">Welcome</h1>' in made["guides/index.html"]
    assert made["guides/index.html"].index("Welcome</a>") < made["guides/index.html"].index("About")


def test_a_service_may_have_the_name_of_the_folder() -> None:
    made = site(Program((service(tool("a"), name="guides"),)), files=(guide("# A"),), guides="docs")
    assert {"guides_/index.html", "guides/index.html", "guides/start.html"} <= made.keys()


def test_a_changed_guide_changes_its_page_and_the_search_alone() -> None:
    before = site(PROGRAM, files=(guide("# A\n\nOne."), guide("# B", "b.md")), guides="docs")
    after = site(PROGRAM, files=(guide("# A\n\nTwo."), guide("# B", "b.md")), guides="docs")
    changed = {path for path in before if before[path] != after[path]}
    assert changed == {"guides/start.html", "guides/index.html", "search.js", "llms.txt"}


def test_guides_and_images_are_read_and_watched(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC)
    (tmp_path / "docs" / ".hidden").mkdir(parents=True)
    (tmp_path / "docs" / ".hidden" / "secret.md").write_text("# Secret")
    (tmp_path / "docs" / "a.md").write_text("# A\n\n![shot](shot.png)")
    (tmp_path / "docs" / "shot.png").write_bytes(PNG)
    (tmp_path / "toolspec.toml").write_text('targets = ["site"]\n[target.site]\nguides = "docs"\n')

    def compiled() -> str:
        command = (toolspec(), "compile")
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()[-1]

    compiled()
    pages = tmp_path / "generated" / "site" / "guides"
    assert sorted(path.name for path in pages.iterdir()) == ["a.html", "index.html", "shot.png"]
    assert (pages / "shot.png").read_bytes() == PNG
    (tmp_path / "docs" / "b.md").write_text("# B")
    compiled()
    assert (pages / "b.html").is_file()
    assert "(0 written" in compiled()
    (tmp_path / "docs" / "shot.png").write_bytes(PNG + b"\0")
    assert "(2 written" in compiled()  # with the lock
    (tmp_path / "docs" / "shot.png").write_bytes(PNG)
    check = (toolspec(), "compile", "--check")
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, check=False)
    path = "site/guides/shot.png"
    assert f"Binary files a/{path} and b/{path} differ" in done.stdout
    (tmp_path / "docs" / "b.md").unlink()
    compiled()
    assert not (pages / "b.html").exists()


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# Secret")
    project = tmp_path / "project"
    (project / "specs").mkdir(parents=True)
    (project / "specs" / "demo.yaml").write_text(SPEC)
    (project / "docs").mkdir()
    (project / "docs" / "a.md").symlink_to(outside)
    (project / "toolspec.toml").write_text('targets = ["site"]\n[target.site]\nguides = "docs"\n')
    command = (toolspec(), "compile")
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout
    assert "`docs/a.md` of `guides` is outside the project" in done.stdout
    assert not (project / "generated").exists()
