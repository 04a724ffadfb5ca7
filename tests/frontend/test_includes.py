"""`include` gathers files of the project, and says so where it can't."""

from __future__ import annotations

import pytest
from documents import SERVICE, read
from files_in_memory import FilesInMemory
from toolspec.frontend.includes.unit import expand

MEMBER = "{name: %s, description: d, outputSchema: true, mutation: true}"
FILES = FilesInMemory(
    {
        "specs/tools/a.yaml": read(f"tools: [{MEMBER % 'a'}]", "specs/tools/a.yaml"),
        "specs/tools/b.yaml": read(f"tools: [{MEMBER % 'b'}]", "specs/tools/b.yaml"),
        "specs/post.yaml": read(SERVICE, "specs/post.yaml"),
        "specs/broken.yaml": read("tols: []", "specs/broken.yaml"),
        "other/service.yaml": read(SERVICE, "other/service.yaml"),
    }
)


def including(*patterns: str) -> tuple[list[str], list[str]]:
    """Return the paths that a document in `specs/` includes, and the codes of what was found."""
    text = SERVICE + "include:\n" + "".join(f'  - "{each}"\n' for each in patterns)
    checked = expand(read(text, "specs/post.yaml"), FILES)
    for finding in checked.diagnostics:
        assert finding.span is not None
        assert finding.subject.pointer
    paths = [each.source.path for each in checked.value.fragments]
    return paths, [each.code.partition("/")[2] for each in checked.diagnostics]


BOTH = ["specs/tools/a.yaml", "specs/tools/b.yaml"]


@pytest.mark.parametrize("text", ["- a", "include: {a: b}", "include: [1, null]", "text"])
def test_a_document_of_the_wrong_shape_includes_what_can_be_read(text: str) -> None:
    assert expand(read(text), FILES).value.fragments == ()


@pytest.mark.parametrize(
    ("patterns", "paths", "codes"),
    [
        (["tools/*.yaml"], BOTH, []),
        (["tools/b.yaml", "./tools/a.yaml"], BOTH[::-1], []),
        (["../specs/tools/a.yaml"], BOTH[:1], []),
        (["tools/*.yaml", "tools/a.yaml"], BOTH, ["include-twice"]),
        (["tols/*.yaml"], [], ["include-nothing"]),
        (["tools/c.yaml"], [], ["include-nothing"]),
        (["post.yaml"], [], ["include-self"]),
        (["*.yaml"], ["specs/broken.yaml"], ["unknown-key"]),
        (["../other/service.yaml"], [], ["include-service"]),
        (["broken.yaml", "tools/a.yaml"], ["specs/broken.yaml", BOTH[0]], ["unknown-key"]),
        (["../../x.yaml"], [], ["include-refused"]),
        (["..", "tools/../../.."], [], ["include-nothing", "include-refused"]),
        (["/etc/passwd", "~/x.yaml", "file:///x", "C:/x.yaml"], [], ["include-refused"] * 4),
        (["a\\\\b.yaml", "a**/b.yaml"], [], ["include-refused"] * 2),
        (["post.yaml"] * 300 + ["tools/a.yaml"], [], ["include-self"] * 200 + ["too-many"]),
    ],
)
def test_include(patterns: list[str], paths: list[str], codes: list[str]) -> None:
    assert including(*patterns) == (paths, codes)
