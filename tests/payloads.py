"""Texts that have left their place in some generator, or could: our own, and the shared corpus's."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

INDEX = Path(__file__).parents[2] / "shared" / "corpus" / "hostile" / "index.json"
OWN_PAYLOADS = {
    "quotes": "\"\"\"'''CANARY()\"\"\"'''",
    "ends in three backslashes": "CANARY()\\\\\\",
    "escaped quotes": '\\"\\"\\"\nCANARY()\n\\"\\"\\"',
    "line ends": "x\n\rCANARY()\r\n\u2028CANARY()\u2029\x85CANARY()",
    "braces": "{CANARY()} {{CANARY()}} ${CANARY()} %(CANARY)s {% CANARY %} {# x #}",
    "brackets": ")]}>\nCANARY()\n<{[(",
    "comment ends": "*/ --> ]]> # CANARY\n#!CANARY",
    "surrogate pair": "\U0001f600 CANARY",
    "hidden": "a\u200b\u202eb\u2066c\ufeffd\U000e0043\u115fe\u00ad",
    "zwj": "\U0001f468\u200d\U0001f469 \u200d \u0645\u06cc\u200c\u062e",
    "nfkc": "\uff2f\uff33 \ufb01le \U0001d422\U0001d41f",
    "combining": "e\u0301\u0301\u0301\u0489",
    "delete": "a\x7fb",
    "private use": "\ue000\U0010ffff\ufffe",
    "heading": "x\n# CANARY\n## CANARY\n===\nCANARY\n---",
    "table": "a | b\n--- | ---\n`|` | \\| CANARY |",
    "fence": "```\n</code></pre>\n~~~\nCANARY\n```",
    "html": "<script>CANARY()</script><img src=x onerror=CANARY()><!--",
    "html in code": "`<b>` ``<i>`` <!-- ` --> <svg/onload=CANARY()>",
    "attribute": "\" onmouseover='alert(1)' x=\"",
    "element": "</code></p><script>alert(1)</script><img src=x onerror=alert(1)>",
    "comment": "<!-- --><style>*{}</style>",
    "code": "`</code><b>x</b>`",
    "entity": "&lt;script&gt; &#60;b&#62; &amp;lt;",
    "links": "[a](javascript:CANARY()) ![a](https://example.com/c) <https://example.com/?CANARY>",
    "reference": "[a]: https://example.com/CANARY\n[a] [^1]\n[^1]: CANARY",
    "bare links": "https://example.com/CANARY www.example.com mailto:a@example.com a@example.com",
    "front matter": "---\ntitle: CANARY\n---\n",
    "list": "- CANARY\n  - CANARY\n1. CANARY\n> CANARY\n    CANARY",
    "workflow": "::error file=a,line=1::CANARY\n::set-output name=a::b\n##vso[task]x ##[group]",
    "workflow in one line": "::error::CANARY%0A::error::CANARY",
    "terminal": "\x1b[2J\x1b]52;c;Q0FOQVJZ\x07\x9b31mCANARY\b\b",
    "trailing newline": "benign\n",
    "leading newline": "\nbenign",
    "path": "../../CANARY",
    "absolute": "/CANARY",
    "device": "con",
    "pointer": "a/b~c%2F#/$defs",
    "markup in a name": "a-b.c d`e`|f",
    "keyword": "class",
    "constant": "None",
    "builtin": "print",
    "dunder": "__init__",
    "private": "__secret",
    "underscore": "_",
    "digit": "1st",
    "own name": "TypedDict",
    "capital": "Any",
    "annotation": "NotRequired[CANARY]",
    "false": "false",
    "number": "1e999",
    "date": "2026-01-01",
    "reference to a tool": "tracker_putIssue",
}


def payloads() -> dict[str, str]:
    shared: dict[str, str] = {}
    if INDEX.is_file():
        shared = json.loads(INDEX.read_text())["payloads"]
    return OWN_PAYLOADS | shared


Steps = tuple[str | int, ...]


def texts(value: Any, path: Steps = ()) -> list[Steps]:
    """Return the paths of all texts in a value."""
    if isinstance(value, str):
        return [path]
    if not isinstance(value, dict | list):
        return []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [found for key, each in items for found in texts(each, (*path, key))]


def with_text(value: Any, path: Steps, text: str) -> Any:
    """Return a copy of a value with another text at a path."""
    changed = copy.deepcopy(value)
    parent: Any = changed
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = text
    return changed
