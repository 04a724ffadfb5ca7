"""Documents made from good and bad ones by random change: bytes, lines, tokens, and whole subtrees."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
TOKENS = [
    *("[", "]", "{", "}", ",", ":", ": ", "- ", "? ", "|", ">", "#", "&a", "*a", "<<: *a", "!!str"),
    *(
        "'",
        '"',
        "\\",
        "\\u0000",
        "\\ud800",
        "\t",
        "\r\n",
        "\x00",
        "\x85",
        "\u2028",
        "\ufeff",
        "---\n",
    ),
    *("null", "true", "no", "~", ".nan", "1e999", "-0", "0x1F", "9" * 40, "1_000", "2026-01-01"),
    *(
        "$ref: '#'",
        '"$ref": "#/$defs/a"',
        "allOf",
        "anyOf",
        "not",
        "pattern: '(a+)+$'",
        "include: [x]",
    ),
    *(
        "mutation",
        "streaming: true",
        "type: [string, 'null']",
        "default: null",
        "x-a: 1",
        "🎉",
        "日本",
    ),
]
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1e300, 2**63, "", "a" * 300, "\u202e", [], {}, [[]], {"": ""}),
    *(
        {"$ref": "#"},
        {"type": "object"},
        {"anyOf": [{"$ref": "#"}]},
        {"enum": []},
        {"type": "intger"},
    ),
    *({"properties": {"class": True, "a b": False}}, {"items": {"$ref": "#/$defs/x"}}, "object"),
]
Mutate = Callable[[Random, bytes], bytes]


def seeds() -> list[tuple[str, bytes]]:
    """Return the documents to begin with: the example services, and those of tests."""
    patterns = (
        "specs/**/*",
        "tests/cases/check/*/specs/**/*",
        "tests/serving/*.yaml",
        "tests/site_target/*.yaml",
    )
    locations = [path for pattern in patterns for path in ROOT.glob(pattern)]
    files = [path for path in sorted(locations) if path.suffix in {".yaml", ".json"}]
    return [(path.suffix, path.read_bytes()) for path in files]


def mutant(number: int, origins: list[tuple[str, bytes]]) -> tuple[str, bytes]:
    """Return name and bytes of a mutant; the same number gives the same one."""
    random = Random(number)  # noqa: S311 - the same number gives the same mutant
    suffix, data = random.choice(origins)
    if random.random() < 0.4:
        suffix, data = restructured(random, suffix, data)
    for _ in range(random.choice((0, 1, 1, 2, 4))):
        data = random.choice(TEXT_CHANGES)(random, data)
    return f"specs/mutant{suffix}", data


def _flip(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]


def _insert(random: Random, data: bytes) -> bytes:
    at = random.randrange(len(data) + 1)
    token = random.choice(TOKENS) * random.choice((1, 1, 1, 2, 70))
    return data[:at] + token.encode("utf-8", "surrogatepass") + data[at:]


def _lines(random: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at] = b"  " + lines[at]
        case _:
            lines[at] = lines[at].lstrip()
    return b"".join(lines)


def _cut(random: Random, data: bytes) -> bytes:
    start, end = sorted(random.randrange(len(data) + 1) for _ in range(2))
    return data[:start] + data[end:] if random.random() < 0.5 else data[:end]


TEXT_CHANGES: tuple[Mutate, ...] = (_flip, _insert, _insert, _lines, _cut)


def restructured(random: Random, suffix: str, data: bytes) -> tuple[str, bytes]:
    """Return the document with some subtrees exchanged, written in one of the two syntaxes."""
    try:
        value = json.loads(data) if suffix == ".json" else yaml.load(data, yaml.CSafeLoader)
        value = copy.deepcopy(value)
        for _ in range(random.randrange(1, 5)):
            locations = list(_locations(value))
            if locations:
                holder, key = random.choice(locations)
                donor, step = random.choice(locations)
                fresh = random.choice(VALUES) if random.random() < 0.6 else donor[step]
                holder[key] = copy.deepcopy(fresh)
        return ".json", json.dumps(value).encode()
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return suffix, data


def _locations(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = (
        value.keys()
        if isinstance(value, dict)
        else range(len(value) if isinstance(value, list) else 0)
    )
    for key in list(keys):
        yield value, key
        yield from _locations(value[key])
