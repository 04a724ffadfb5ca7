"""MkDocs and Zensical build the Markdown of the example services with its navigation, without a warning."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from posixpath import join, normpath
from urllib.parse import unquote

import pytest
import yaml
from forkserver import toolspec
from made_programs import service, tool
from toolspec.ir import Program
from toolspec.targets.docs import TARGET
from toolspec.targets.target import emit_program

CONFIGURATION = """\
INHERIT: generated/docs/.nav.yml
site_name: Tools
docs_dir: generated/docs
use_directory_urls: false
validation: {links: {anchors: warn, absolute_links: warn}}
"""
PACKAGES = ("mkdocs==1.6.1", "zensical==0.0.73")


def test_the_navigation_has_every_page_and_only_pages() -> None:
    program = Program((service(tool("readme_a"), name="readme"), service(tool("b_a"), name="b")))
    files = {each.path: each.text for each in emit_program(TARGET, program, {"nav": True}).value}
    pages = yaml.safe_load(files["docs/.nav.yml"])["nav"]
    assert pages == ["README.md", "readme_.md", "b.md"]
    assert {f"docs/{page}" for page in pages} == {path for path in files if path.endswith(".md")}
    assert "docs/.nav.yml" not in {each.path for each in emit_program(TARGET, program).value}


class _Page(HTMLParser):
    """Fragments and relative links of a page, and code in it that the theme did not bring."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fragments: set[str] = {""}
        self.links: set[str] = set()
        self.injected: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.fragments.add(value)
            elif name == "href" and value and tag == "a" and ":" not in value:
                self.links.add(unquote(value))
            elif name == "onmouseover":
                self.injected.append(str(value))

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and data.startswith("alert"):
            self.injected.append(data)


def broken_links(site: Path) -> list[str]:
    pages = {
        str(path.relative_to(site)): _Page(path.read_text("utf-8"))
        for path in site.rglob("*.html")
        if path.name != "404.html"
    }
    broken = []
    for name, page in pages.items():
        for link in page.links:
            path, _, fragment = link.partition("#")
            file = normpath(join(name, "..", path)) if path else name
            target = pages.get("index.html" if file == "." else file)
            if target is None or fragment not in target.fragments:
                broken.append(f"{name}: {link}")
    return broken


@pytest.fixture(scope="module")
def generators(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs, in an environment of their own."""
    folder = tmp_path_factory.mktemp("generators")
    subprocess.run((sys.executable, "-m", "venv", str(folder)), check=True)
    install = (str(folder / "bin" / "pip"), "install", "--quiet", *PACKAGES)
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"pip cannot install {', '.join(PACKAGES)}: {done.stderr[-300:]}")
    return folder / "bin"


def built(program: Path, folder: Path) -> None:
    """Build the site of a folder, strictly."""
    done = subprocess.run(
        (program, "build", "--strict"), cwd=folder, capture_output=True, text=True, check=False
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, output
    assert "WARNING" not in output.upper(), output
    assert "not included in" not in output, output


@pytest.mark.prove
@pytest.mark.parametrize("program", ["mkdocs", "zensical"])
def test_a_generator_builds_without_a_warning_or_a_broken_link(
    generators: Path, program: str, repository: Path, tmp_path: Path
) -> None:
    shutil.copytree(repository / "specs", tmp_path / "specs")
    (tmp_path / "toolspec.toml").write_text('targets = ["docs"]\n[target.docs]\nnav = true\n')
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION)
    subprocess.run((toolspec(), "compile"), cwd=tmp_path, check=True, capture_output=True)
    built(generators / program, tmp_path)
    site = tmp_path / "site"
    pages = {path.stem for path in site.glob("*.html")} - {"404"}
    written = {path.stem for path in (tmp_path / "generated" / "docs").glob("*.md")}
    assert pages == {"index" if page == "README" else page for page in written}
    assert broken_links(site) == []


HOSTILE = (
    "</title><script>alert(1)</script>",
    "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
    'x" onmouseover="alert(1)" y="',
    "x' onmouseover='alert(1)' y='",
    "[x](javascript:alert(1)) {{ 7*7 }} <img src=x onmouseover=alert(1)>",
)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("program", "theme"), [("mkdocs", "mkdocs"), ("mkdocs", "readthedocs"), ("zensical", "")]
)
def test_titles_are_inert(generators: Path, program: str, theme: str, tmp_path: Path) -> None:
    services = (
        service(tool(f"s{at}_a"), name=f"s{at}", title=title, description=title)
        for at, title in enumerate(HOSTILE)
    )
    for artifact in emit_program(TARGET, Program(tuple(services)), {"nav": True}).value:
        file = tmp_path / "generated" / artifact.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(artifact.text, "utf-8")
    configuration = CONFIGURATION + (f"theme: {theme}\n" if theme else "")
    (tmp_path / "mkdocs.yml").write_text(configuration)
    built(generators / program, tmp_path)
    pages = [*(tmp_path / "site").rglob("*.html")]
    assert len(pages) > len(HOSTILE)
    assert {path.name: _Page(path.read_text("utf-8")).injected for path in pages} == {
        path.name: [] for path in pages
    }
