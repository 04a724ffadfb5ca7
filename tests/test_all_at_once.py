"""All mistakes of a document are reported in one run, and none of their consequences."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sampling import sampled
from toolspec.driver import build
from toolspec.driver.build import Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic

    Mistake = Callable[[dict[str, Any]], object]

TOOL: dict[str, Any] = {
    "inputSchema": {
        "type": "object",
        "required": ["item"],
        "properties": {
            "item": {"$ref": "#/$defs/Item", "description": "What to look for."},
            "size": {"$ref": "#/$defs/Size", "description": "How large it may be, in bytes."},
        },
        "additionalProperties": False,
    },
    "outputSchema": {"$ref": "#/$defs/Item"},
    "mutation": True,
    "annotations": {"destructiveHint": False},
    "scopes": ["items"],
    "idempotency": "optional",
    "errors": [{"code": "too_old", "description": "The item is too old."}],
    "examples": [{"title": "One", "input": {"item": {"id": "a"}}, "error": "too_old"}],
}
DESCRIPTIONS = {
    "addItem": "Put one thing on the shelf, and return it as it was stored.",
    "pullItem": "Take something from a warehouse by its number for a customer.",
    "sendItem": "Post a parcel to whom it was promised; the answer is what left.",
}
BASE: dict[str, Any] = {
    "toolspec": 1,
    "service": {
        "name": "shop",
        "description": "Items of a shop, found by their words.",
        "auth": {
            "type": "oauth2",
            "authorizationUrl": "https://example.com/authorize",
            "tokenUrl": "https://example.com/token",
            "scopes": {"items": "Work with items."},
        },
    },
    "$defs": {
        "Item": {
            "type": "object",
            "required": ["id"],
            "properties": {"id": {"type": "string", "maxLength": 40, "description": "Its id."}},
            "additionalProperties": False,
        },
        "Size": {"type": "integer", "minimum": 0, "maximum": 1000},
    },
    "tools": [
        {"name": name, **deepcopy(TOOL), "description": text} for name, text in DESCRIPTIONS.items()
    ],
}


def _put(*path: str | int, value: Any) -> Mistake:
    def change(part: dict[str, Any]) -> None:
        for step in path[:-1]:
            part = part[step]  # type: ignore[index]  # steps of a list
        part[path[-1]] = value  # type: ignore[index]

    return change


def _drop(key: str) -> Mistake:
    return lambda part: part.pop(key)


def _rename(key: str, other: str) -> Mistake:
    def change(part: dict[str, Any]) -> None:
        part[other] = part.pop(key)

    return change


# Each in the member of a tool that it is named after: what is wrong, and the codes that it earns.
IN_TOOL: dict[str, tuple[Mistake, list[str]]] = {
    "mutation: type": (_put("mutation", value="yes"), ["shape/wrong-type"]),
    "mutation: missing": (_drop("mutation"), ["shape/missing-key"]),
    "mutation: misspelt": (_rename("mutation", "muation"), ["shape/unknown-key"]),
    "description: missing": (_drop("description"), ["shape/missing-key"]),
    "description: blank": (_put("description", value=" "), ["shape/empty"]),
    "outputSchema: missing": (_drop("outputSchema"), ["shape/missing-key"]),
    "outputSchema: type": (_put("outputSchema", value="Item"), ["shape/wrong-type"]),
    "inputSchema: type": (_put("inputSchema", value=[]), ["shape/wrong-type"]),
    "inputSchema: foreign": (_rename("inputSchema", "parameters"), ["shape/unknown-key"]),
    "extra: unknown": (_put("colour", value=1), ["shape/unknown-key"]),
    "errors: type": (_put("errors", value={}), ["shape/wrong-type"]),
    "scopes: type": (_put("scopes", value="items"), ["shape/wrong-type"]),
    "scopes: unknown": (_put("scopes", value=["itemz"]), ["bind/unknown-scope"]),
    "idempotency: value": (_put("idempotency", value="always"), ["shape/not-one-of"]),
    "annotations: contradiction": (
        _put("annotations", value={"readOnlyHint": True}),
        ["safety/read-only-mutation"],
    ),
    "errors: undeclared": (
        _put("errors", value=[{"code": "other", "description": "Another one."}]),
        ["bind/unknown-error"],
    ),
    "inputSchema: dangling": (
        _put("inputSchema", "properties", "size", "$ref", value="#/$defs/Siz"),
        ["resolve/dangling-reference"],
    ),
    "inputSchema: keyword": (
        _put("inputSchema", "properties", "size", value={"type": "integr", "description": "X."}),
        ["schema/unknown-type"],
    ),
    "inputSchema: default": (
        _put(
            "inputSchema",
            "properties",
            "size",
            value={"type": "integer", "maximum": 9, "default": "x", "description": "A size."},
        ),
        ["schema/default-mismatch"],
    ),
    "inputSchema: undescribed": (
        _put("inputSchema", "properties", "size", value={"type": "integer", "maximum": 9}),
        ["docs/undescribed-parameter"],
    ),
    "examples: input": (
        _put("examples", 0, "input", value={"item": {"id": 1}}),
        ["schema/example-mismatch"],
    ),
}
# Parts of a document that tools use.
IN_DOCUMENT: dict[str, tuple[Mistake, list[str]]] = {
    "definition: type": (_put("$defs", "Size", value="integer"), ["shape/wrong-type"]),
    "definition: all": (_put("$defs", value=[]), ["shape/wrong-type"]),
    "definition: keyword": (
        _put("$defs", "Size", "minimum", value="0"),
        ["schema/wrong-keyword-value"],
    ),
    "service: name": (_put("service", "name", value="my_shop"), ["shape/bad-name"]),
    "service: no name": (lambda it: it["service"].pop("name"), ["shape/missing-key"]),
    "service: missing": (_drop("service"), ["shape/missing-key"]),
    "service: auth": (_put("service", "auth", "type", value="oauth"), ["shape/not-one-of"]),
    "service: misspelt": (
        lambda it: it["service"].update(desciption=it["service"].pop("description")),
        ["shape/unknown-key"],
    ),
    "include: missing file": (_put("include", value=["more.json"]), ["bind/include-nothing"]),
    "toolspec: missing": (_drop("toolspec"), ["shape/missing-key"]),
    "tool: no mapping": (_put("tools", 2, value="sendItem"), ["shape/wrong-type"]),
    "tool: no name": (lambda it: it["tools"][2].pop("name"), ["shape/missing-key"]),
    "tool: bad name": (_put("tools", 2, "name", value="send.item"), ["shape/bad-name"]),
}


GRAMMAR = json.loads(
    (Path(__file__).parent.parent / "schemas" / "service.v1.schema.json").read_text("utf-8")
)["$defs"]
TOGETHER = ({"examples", "inputSchema"}, {"examples", "errors"}, {"mutation", "annotations"})


def check(folder: Path, document: dict[str, Any]) -> tuple[Diagnostic, ...]:
    specs = folder / "specs"
    specs.mkdir(exist_ok=True)
    (specs / "shop.json").write_text(json.dumps(document, indent=1))
    (folder / "toolspec.toml").write_text('targets = ["python", "mcp-2025-11-25", "openai-chat"]\n')
    return build.check(Request(folder=folder)).diagnostics


def about(found: tuple[Diagnostic, ...], index: int) -> Counter[tuple[str, str]]:
    """What is reported about one tool, by its place in the document."""
    start = f"/tools/{index}/"
    return Counter(
        (each.code, each.message)
        for each in found
        if each.subject.pointer.startswith(start) or each.subject.pointer == start[:-1]
    )


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    found = check(tmp_path_factory.mktemp("base"), BASE)
    assert not [each for each in found if each.severity == "error"], found
    return Counter(each.code for each in found)


@pytest.mark.parametrize("name", [*IN_TOOL, *IN_DOCUMENT])
def test_a_mistake_alone_has_no_consequences(
    name: str, tmp_path: Path, baseline: Counter[str]
) -> None:
    document = deepcopy(BASE)
    change, codes = IN_TOOL.get(name) or IN_DOCUMENT[name]
    change(document["tools"][0] if name in IN_TOOL else document)
    found = check(tmp_path, document)
    assert Counter(each.code for each in found) - baseline == Counter(codes), found


@pytest.mark.parametrize(
    ("part", "key"),
    sampled(
        [(part, key) for part in ("tool", "service") for key in GRAMMAR[part]["properties"]],
        20,
        rows=True,
    ),
)
def test_any_key_may_have_a_wrong_value(
    part: str, key: str, tmp_path: Path, baseline: Counter[str]
) -> None:
    document = deepcopy(BASE)
    (document["tools"][0] if part == "tool" else document["service"])[key] = 0
    found = check(tmp_path, document)
    pointer = f"/tools/0/{key}" if part == "tool" else f"/service/{key}"
    (code,) = Counter(each.code for each in found) - baseline
    assert code.startswith("shape/")
    assert [each.subject.pointer for each in found if each.code == code] == [pointer]


@pytest.mark.parametrize("first", sampled(IN_TOOL, 2))
def test_two_mistakes_of_two_tools_are_both_reported_and_do_not_change_each_other(
    first: str, tmp_path: Path
) -> None:
    for second in IN_TOOL:
        alone, both = deepcopy(BASE), deepcopy(BASE)
        IN_TOOL[second][0](alone["tools"][1])
        IN_TOOL[first][0](both["tools"][0])
        IN_TOOL[second][0](both["tools"][1])
        found = check(tmp_path, both)
        assert {*IN_TOOL[first][1]} <= {code for code, _ in about(found, 0)}, second
        assert about(found, 1) == about(check(tmp_path, alone), 1), second


@pytest.mark.parametrize("first", sampled(IN_TOOL, 3))
def test_two_mistakes_of_one_tool_are_both_reported(first: str, tmp_path: Path) -> None:
    member = first.partition(":")[0]
    for second in IN_TOOL:
        other = second.partition(":")[0]
        # One of the two can only be seen together with the other.
        if member == other or {member, other} in TOGETHER:
            continue
        document = deepcopy(BASE)
        IN_TOOL[first][0](document["tools"][0])
        IN_TOOL[second][0](document["tools"][0])
        codes = Counter(each.code for each in check(tmp_path, document))
        wanted = Counter([*IN_TOOL[first][1], *IN_TOOL[second][1]])
        assert not wanted - codes, second


@pytest.mark.parametrize("first", sampled(IN_DOCUMENT, 2))
def test_a_mistake_of_a_document_hides_none_of_a_tool(first: str, tmp_path: Path) -> None:
    for second, (change, codes) in IN_TOOL.items():
        document = deepcopy(BASE)
        IN_DOCUMENT[first][0](document)
        change(document["tools"][0])
        found = about(check(tmp_path, document), 0)
        # Which definitions there are is unknown, or values cannot be compared with half a schema.
        is_lost = first in {"service: auth", "service: missing"} and second == "scopes: unknown"
        is_lost |= first in {"definition: all", "include: missing file"} and "dangling" in second
        is_lost |= "definition: " in first and second in {
            "inputSchema: default",
            "examples: input",
        }
        if not is_lost:
            assert {*codes} <= {code for code, _ in found}, (second, found)
