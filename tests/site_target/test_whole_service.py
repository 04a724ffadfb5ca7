"""What pages show of a service that uses all that a site shows, after accepted changes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from forkserver import toolspec
from site_pages import POLICY, parsed

CONFIGURATION = """\
targets = ["gemini", "openai-chat", "site"]
[target.site]
try = "any"
edit = "https://example.com/edit/{file}"
"""
OLD_VERSION = "  - name: moor\n    description: Moor a ship, as before."


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Pages by name: before `moor@1.0` is removed, and the changelog after that."""
    folder = tmp_path_factory.mktemp("harbor")
    (folder / "specs").mkdir()
    (folder / "toolspec.toml").write_text(CONFIGURATION)
    spec = folder / "specs" / "harbor.yaml"
    text = Path(__file__).with_name("harbor.yaml").read_text("utf-8")
    spec.write_text(text, "utf-8")

    def run(*arguments: str) -> None:
        subprocess.run([str(toolspec()), *arguments], cwd=folder, check=True, capture_output=True)

    run("compile")
    site = folder / "generated" / "site"
    made = {path.name: path.read_text("utf-8") for path in (site / "harbor").glob("*.html")}
    run("accept", "--today", "2026-01-01")
    shorter = text.partition(OLD_VERSION)[0].replace("description: Its name.", "maxLength: 9")
    spec.write_text(shorter.replace("1.2.0", "2.0.0"), "utf-8")
    reason = ("--reason", "Names of *nine* letters")
    run("accept", "--today", "2026-03-01", *reason, "--until", "2026-06-01")
    run("compile")
    return made | {"changelog.html": (site / "changelog.html").read_text("utf-8")}


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("index.html", "Instances and modes|north instance The north|Cold.|south instance"),
        ("index.html", "drill mode|No ship moves.|address|Where the harbor is.|logistics"),
        ("types.html", "Types that tools of Harbor share.|Berth|A place for a ship.|ship"),
        ("harbor_berths.html", "Formats and encodings of values are documented, not checked."),
        ("harbor_berths.html", "It arrives item by item; all of them together are the result."),
        ("harbor_berths.html", "pattern of tags[]|uniqueItems of tags|minLength of quay"),
        ("harbor_berths.html", "Try it|Changes nothing. An agent may call it without asking."),
        ("harbor_watch.html", "It arrives in chunks; the last one is the result.|In metres."),
        (
            "harbor_moor@2.0.html",
            (
                "Asks for permission before each run: the files berths/${args.number}.json (write), "
                "the web host harbor.example (POST).|Runs only as a task."
            ),
        ),
        ("harbor_moor@2.0.html", "Times out after|Returns at most 1000 bytes.|taken|Another ship"),
        ("harbor_moor@2.0.html", "Its result is verified before it is returned.|Version 2.0"),
        ("harbor_moor@1.0.html", "Deprecated since 1.1.0|removed in 2.0.0|Another version:"),
        (
            "changelog.html",
            (
                "2026-03-01 · harbor 2.0.0|break harbor_moor@2.0maxLength of ship of harbor_moor@2.0 "
                "is 9 now, and was none (until 2026-06-01)Names of *nine* letters"
            ),
        ),
    ],
)
def test_a_page_shows(pages: dict[str, str], page: str, texts: str) -> None:
    shown = " ".join(parsed(pages[page]).text.split())
    for text in texts.split("|"):
        assert text in shown, shown


def test_each_member_of_a_type_has_an_anchor(pages: dict[str, str]) -> None:
    """The search leads there: `site.js` makes the same fragment."""
    read = parsed(pages["types.html"])
    assert {"type-berth", "type-berth~~ship"} <= {*read.ids}
    assert "#type-berth~~ship" in read.links


def test_a_changelog_links_the_tools_that_are_left(pages: dict[str, str]) -> None:
    read = parsed(pages["changelog.html"])
    assert "harbor_moor@1.0 is gone" in read.text
    links = {link for link in read.links if link.startswith("harbor/")}
    assert links == {"harbor/harbor_moor@2.0.html"}


def test_a_form_may_call_any_server(pages: dict[str, str]) -> None:
    page = pages["harbor_moor@2.0.html"]
    assert "connect-src https: http:;" in POLICY.findall(page)[0]
    assert 'data-safety="destructive"' in page
    assert "https://example.com/edit/specs/harbor.yaml" in parsed(page).links
