"""First lines of docstrings are verb phrases or nouns of the field, in the words of the glossary.

A pattern finds only some of what reads badly; reading aloud finds the rest. So the bound is a share,
and the test names the lines for whoever exceeds it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from parsed_package import modules

LARGEST_SHARE = 0.05
CLAUSE = re.compile(r"(What|Who|Whose|How|Where)\b(?!.*\?$)")
PRIVATE = re.compile(
    r"\b(?:tells?|told|telling|stands?|stood|says? of|(?:of|for|to) which|of what|nobody|whoever"
    r"|whatever|is none|as far as|of ours|its own|hold against|held (?:to|against)|weighs?"
    r"|mend(?:s|ed)?|what (?:is|a|the|it)|that is (?:given|asked))\b",
    re.IGNORECASE,
)


def first_lines() -> Iterator[tuple[str, str]]:
    """Yield the first line of each docstring of the package, with its file and line."""
    for name, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    yield f"{name}:{getattr(node, 'lineno', 1)}", text.partition("\n")[0]


def test_few_first_lines_are_clauses_or_use_private_words() -> None:
    lines = list(first_lines())
    bad = [f"{place} {line}" for place, line in lines if CLAUSE.match(line) or PRIVATE.search(line)]
    assert len(bad) <= LARGEST_SHARE * len(lines), "\n".join(bad)
