"""What the rules of `schema` stand on: plain facts of unions, prose and definitions; and their fixes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator
from partial_specs import NoFiles, whole
from toolspec.diagnostics import Severity
from toolspec.frontend import bind, includes, naming, normalise, resolve
from toolspec.rules import engine
from toolspec.rules.levels import DefinitionLevels, Levels
from toolspec.rules.prose import stated_bounds, stated_default, stated_values
from toolspec.rules.unions import are_disjoint, is_inside
from toolspec.schema.definitions import unused_definitions, without
from toolspec.schema.walk import survey
from toolspec.syntax import parse

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Program
    from toolspec.rules.rule import Rule

RULES = [rule for rule in engine.all_rules() if rule.code.startswith("schema/")]
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "mcp-tools"


def program(path: str, text: str) -> Program:
    parsed = parse(path, text.encode())
    assert parsed.value is not None, parsed.diagnostics
    checked = bind.bind(includes.Unit(parsed.value))
    assert checked.ok, checked.diagnostics
    checked = resolve.resolve(checked.value, NoFiles())
    assert checked.ok, checked.diagnostics
    service = checked.value
    for derive in normalise.PASSES:
        service = derive(service).value
    return naming.name_program([service]).value


def found_in(rule: Rule, path: str, text: str) -> list[Diagnostic]:
    return [each for each in engine.run(program(path, text)) if each.code == rule.code]


def mended(text: str, found: list[Diagnostic]) -> str:
    edits = {edit for each in found if each.fix for edit in each.fix.edits}
    for edit in sorted(edits, key=lambda each: -each.span.start):
        text = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    return text


@pytest.mark.parametrize("form", ["json", "yaml"])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_fix_mends_what_was_found(rule: Rule, form: str) -> None:
    for fragment in rule.kind.manual.reported:
        content: dict[str, Any] = yaml.safe_load(fragment)
        if "options" in content:
            continue
        document = whole(content)
        text = json.dumps(document) if form == "json" else yaml.safe_dump(document, sort_keys=False)
        path = f"specs/notes.{form}"
        found = found_in(rule, path, text)
        assert found
        if all(each.fix for each in found):
            assert found_in(rule, path, mended(text, found)) == []


SCALARS = st.sampled_from(["string", "integer", "number", "boolean", "null"])
VALUES: list[Any] = [
    *("a", "b", 1, 2, 1.5, True, False, None, [], {}),
    *({"kind": kind} for kind in ("a", "b", 1)),
    *({"kind": kind, "x": 1} for kind in ("a", "b")),
    *({"x": 1}, {"y": "a"}, {"x": 1, "y": "a"}, {"kind": "a", "y": "a"}),
]
LEAVES = st.one_of(
    st.builds(lambda kind: {"type": kind}, SCALARS),
    st.builds(
        lambda values: {"enum": values},
        st.lists(st.sampled_from(["a", "b", 1, 2, 1.5, True, None]), min_size=1, max_size=3),
    ),
    st.builds(lambda value: {"const": value}, st.sampled_from(["a", "b", 1, 1.0, False, None])),
    st.just({"type": "string", "minLength": 1}),
    st.just({"title": "Anything"}),
)


@st.composite
def branches(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return dict(draw(LEAVES))
    names = draw(st.lists(st.sampled_from(["kind", "x", "y"]), unique=True))
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: draw(LEAVES) for name in names},
    }
    schema["required"] = draw(st.lists(st.sampled_from(["kind", "x", "y"]), unique=True))
    if draw(st.booleans()):
        schema["additionalProperties"] = False
    return schema


@settings(derandomize=True, max_examples=400, deadline=None)
@given(branches(), branches())
def test_what_is_said_of_two_branches_is_so(one: dict[str, Any], other: dict[str, Any]) -> None:
    first, second = Draft202012Validator(one), Draft202012Validator(other)
    taken = [value for value in VALUES if first.is_valid(value)]
    if are_disjoint(one, other):
        assert [value for value in taken if second.is_valid(value)] == []
        assert are_disjoint(other, one)
    if is_inside(one, other):
        assert [value for value in taken if not second.is_valid(value)] == []


@pytest.mark.parametrize(
    ("kind", "text", "default"),
    [
        ("integer", "Page number (default: 1)", 1),
        ("integer", "How many. Default 14.", 14),
        ("number", "Width, defaults to 5.1", 5.1),
        ("integer", "Defaulting to -1 for all", -1),
        ("boolean", "Whether (default: true)", True),
        ("boolean", "Default on", None),
        ("string", "Defaults to 'owned'. Use 'all' for more", "owned"),
        ("string", "Defaults to the default branch", None),
        ("string", "Default: last", None),
        ("integer", "Defaults to 10% of it", None),
        ("integer", "Default: 2024-01-01", None),
        ("integer", "Default 5, for admins default 10", None),
        ("integer", "The default is taken from 3 files", None),
        ("array", "Default: ['a']", None),
        ("integer", "Default 10 when `all` is set", None),
        ("boolean", "Defaults to true for guests", None),
        ("integer", "(default 10) when all is set", None),
        ("integer", "Default 10, or 20 for members", None),
        ("integer", "Default: 10 (20 with a key)", None),
        ("integer", "If not given, the default is 10.", 10),
        ("integer", "How many, if you like (default 10)", 10),
        ("integer", "Default 10 unless otherwise specified. Only for guests.", 10),
    ],
)
def test_a_default_in_words(kind: str, text: str, default: object) -> None:
    stated = stated_default({"type": kind, "description": text})
    assert (stated and stated.value) == default


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("Maximum: 100", (None, 100)),
        ("How many (1-50)", (1, 50)),
        ("Between 0 and 10.", (0, 10)),
        ("From 1 to 5", (1, 5)),
        ("default 100, max 200", (None, 200)),
        ("in seconds, at most 30", (None, 30)),
        ("Maximum number of items", (None, None)),
        ("At most 4 kB", (None, None)),
        ("Up to 10%", (None, None)),
        ("items, or percent (1-100)", (None, None)),
        ("Lines (10-2)", (None, None)),
        ("in seconds; at most 60 minutes", (None, None)),
        ("In seconds, not minutes. Max: 60", (None, None)),
        ("Level (1-3 beginner, 4-9 expert)", (None, None)),
        ("Level (1-3), for experts (4-9)", (None, None)),
        ("Page, of at most 20 tickets each.", (None, None)),
        ("A tree of at most 5.", (None, None)),
        ("Each page has at most 20.", (None, None)),
        ("For guests, at most 20.", (None, None)),
        ("At most 20 for guests, max: 50", (None, None)),
        ("At most 20, 50 with a key", (None, None)),
        ("Up to 100 (default 20); 20 if omitted", (None, 100)),
        ("The hour of a day, between 0 and 23.", (0, 23)),
        ("Must be at most 100!", (None, 100)),
        ("The maximum is 10.", (None, 10)),
        ("Maximum: 100\nDefault: 10", (None, 100)),
        ("As of 2024-01-01", (None, None)),
    ],
)
def test_bounds_in_words(text: str, bounds: tuple[int | None, int | None]) -> None:
    assert stated_bounds({"type": "integer", "description": text}) == bounds


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("One of 'created', 'updated' or 'comments'.", ("created", "updated", "comments")),
        ("Options: 'markdown' (default), 'wiki', or 'xhtml'.", ("markdown", "wiki", "xhtml")),
        ("Must be `asc` or `desc`", ("asc", "desc")),
        ("New state (future|active|closed)", ("future", "active", "closed")),
        ("Either text or regex, not both", ()),
        ("Possible values include `a`, `b`", ()),
        ("One of 'a', 'b', etc.", ()),
        ("Options such as 'a', 'b'", ()),
        ("Use 'a' to begin", ()),
        ("Must be 'a' or 'b' unless `raw` is given", ()),
        ("If given, one of 'a' or 'b'", ()),
        ("Common values: 'a', 'b'", ()),
        ("One of 'a' or 'b', 'a' if omitted", ("a", "b")),
        ("One of 'a' or 'b'. Use 'a' if in doubt.", ("a", "b")),
    ],
)
def test_values_in_words(text: str, values: tuple[str, ...]) -> None:
    assert stated_values({"type": "string", "description": text}) == values


def test_a_definition_is_used_when_something_outside_leads_to_it() -> None:
    schema: Any = {
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "other.yaml#/definitions/B"}},
        "$defs": {
            "A": {"items": {"$ref": "#/$defs/x~1y"}},
            "x/y": {"type": "string"},
            "Loop": {"items": {"$ref": "#/$defs/Loop"}},
            "Left": {"$ref": "#/$defs/Over"},
            "Over": {"type": "string"},
        },
        "definitions": {"B": {"type": "string"}},
    }
    unused = unused_definitions(survey(schema))
    assert unused == (("$defs", "Loop"), ("$defs", "Left"), ("$defs", "Over"))
    assert list(without(schema, unused)["$defs"]) == ["A", "x/y"]
    assert len(schema["$defs"]) == 5
    assert unused_definitions(survey({"$defs": {"A": {"$anchor": "a"}}})) == ()
    assert unused_definitions(survey([])) == ()


def test_a_definition_with_an_identifier_counts_as_used() -> None:
    schema: Any = {
        "$ref": "item",
        "$defs": {
            "A": {"$id": "item", "items": {"$ref": "#/$defs/B"}},
            "B": {},
            "C": {"items": {"$dynamicAnchor": "c"}},
            "D": {"id": 5},
        },
    }
    assert unused_definitions(survey(schema)) == (("$defs", "D"),)


def test_nothing_is_unused_in_what_has_no_definitions() -> None:
    assert unused_definitions(survey({"type": "object"})) == ()


@pytest.mark.parametrize(
    ("reference", "name"),
    [("#/$defs/caf%C3%A9", "café"), ("#/$defs/a%20b", "a b"), ("#/%24defs/a~1b/items", "a/b")],
)
def test_a_percent_encoded_reference_is_a_use(reference: str, name: str) -> None:
    schema: Any = {"properties": {"a": {"$ref": reference}}, "$defs": {name: {}}}
    assert unused_definitions(survey(schema)) == ()


def test_levels_end_where_a_schema_holds_itself() -> None:
    leaf = {"type": "string"}
    tree = {"properties": {"left": {"$ref": "#"}, "value": leaf}}
    assert Levels(tree, DefinitionLevels()).below(tree) == 1
    chain = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(2_000)}
    long: Any = {"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": chain}
    assert Levels(long, DefinitionLevels()).below(long) == 1


@pytest.mark.prove
def test_few_real_tools_are_warned_of() -> None:
    if not CORPUS.is_dir():
        pytest.skip("the tools of real servers are not beside the checkout")
    warned: dict[str, set[str]] = {}
    count = 0
    for path in sorted(CORPUS.glob("*.json")):
        for tool in json.loads(path.read_bytes())["tools"]:
            count += 1
            for each in warnings_of(tool):
                warned.setdefault(each, set()).add(f"{path.stem} {tool['name']}")
    assert {code: len(tools) for code, tools in warned.items() if len(tools) > count / 10} == {}


def warnings_of(tool: dict[str, Any]) -> set[str]:
    """Return the warnings of the family about the input of a dumped tool."""
    document = {
        "toolspec": 1,
        "service": {"name": "notes"},
        "tools": [{"name": tool["name"], "inputSchema": tool["inputSchema"], "outputSchema": True}],
    }
    parsed = parse("specs/notes.json", json.dumps(document).encode())
    assert parsed.value is not None
    bound = bind.bind(includes.Unit(parsed.value)).value
    found = engine.run(naming.name_program([bound]).value)
    heavy = (each.code for each in found if each.severity is not Severity.NOTE)
    return {code for code in heavy if code.startswith("schema/")}


@pytest.mark.parametrize(
    "text",
    [
        "max" + " " * 100_000,
        "default" + " " * 100_000,
        "one of " * 20_000,
        "one of '" + "a" * 100_000,
        "(" + "ab|" * 50_000,
        "between 1 and" + "\n" * 100_000,
        "(optional" * 20_000,
        "comma" * 20_000 + " separated",
    ],
)
def test_a_long_description_takes_no_time_by_its_square(text: str) -> None:
    schema: Any = {"type": "integer", "description": text}
    assert stated_default(schema) is None
    assert stated_bounds(schema) == (None, None)
    assert stated_values({**schema, "type": "string"}) == ()
