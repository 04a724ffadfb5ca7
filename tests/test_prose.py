"""First lines of docstrings are verb phrases or nouns of the field, in the words of the glossary.

A pattern finds only some of what reads badly; reading aloud finds the rest. So the bound is a share,
and the test names the lines for whoever exceeds it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

LARGEST_SHARE = 0.05
CLAUSE = re.compile(r"(What|Who|Whose|How|Where)\b(?!.*\?$)")
PRIVATE = re.compile(
    r"\b(?:tells?|told|telling|stands?|stood|says? of|(?:of|for|to) which|of what|nobody|whoever"
    r"|whatever|is none|as far as|of ours|its own|hold against|held (?:to|against)|weighs?"
    r"|mend(?:s|ed)?|what (?:is|a|the|it)|that is (?:given|asked))\b",
    re.IGNORECASE,
)


def first_lines(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the first line of each docstring below a folder, with its file and line."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    place = f"{path.relative_to(folder)}:{getattr(node, 'lineno', 1)}"
                    yield place, text.partition("\n")[0]


def test_few_first_lines_are_clauses_or_use_private_words(repository: Path) -> None:
    lines = list(first_lines(repository / "compiler" / "toolspec"))
    bad = [f"{place} {line}" for place, line in lines if CLAUSE.match(line) or PRIVATE.search(line)]
    assert len(bad) <= LARGEST_SHARE * len(lines), "\n".join(bad)
