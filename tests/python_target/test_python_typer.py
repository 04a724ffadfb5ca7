from __future__ import annotations

import re

import pytest
from built import service, tool, types_text
from toolspec.ir import Schema
from toolspec.targets.python.schema_location import SchemaLocation
from toolspec.targets.python.service_types import service_types

from schemas import DECLARED, SIMPLE, Case

_ALL = re.compile(r"__all__ = \[.*?\]\n", re.DOTALL)
_LAYOUT = re.compile(r"\s+|,(?=\s*[\])}])")
_DOC = re.compile(r'\n *"""(?:[^"\\]|\\.|"(?!""))*"""')


def declarations(case: Case) -> str:
    """Return what `types.py` declares for a tool with this output, without documentation."""
    made = service("demo", tool("doIt", output=case.schema, input=True))
    found = service_types(made)
    text = _ALL.sub("", _DOC.sub("", types_text(made)))
    lines = [line for line in text.split("\n")[1:] if line and not line.startswith("from ")]
    kept = "\n".join(lines)
    assert len(found.fallbacks) == case.fallbacks, found.fallbacks
    return re.sub(r"class DoItInput.*\n|DoItInput: .*\n", "", kept)


@pytest.mark.parametrize("case", SIMPLE.values(), ids=SIMPLE)
def test_a_schema_has_its_type(case: Case) -> None:
    assert declarations(case) == f"DoItOutput: TypeAlias = {case.type}"


@pytest.mark.parametrize("case", DECLARED.values(), ids=DECLARED)
def test_a_schema_has_its_declarations(case: Case) -> None:
    assert _LAYOUT.sub("", declarations(case)) == _LAYOUT.sub("", case.type)


def test_definitions_are_declared_once_and_shared() -> None:
    node = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/Node"}, "of": {"$ref": "#/$defs/Kind"}},
    }
    shared = (("Node", "Node"), ("Kind", "Kind"))
    bundle = {"$ref": "#/$defs/Node", "$defs": {"Node": node, "Kind": {"enum": ["a", "b"]}}}
    made = service(
        "demo",
        tool("first", input=bundle, output=bundle, shared=shared),
        tool("second", output={"items": {"$ref": "#/$defs/Node"}, **bundle}, shared=shared),
        definitions={"Node": node, "Kind": {"enum": ["a", "b"]}},
    )
    text = types_text(made)
    assert text.count("class Node(TypedDict)") == 1
    assert 'Kind: TypeAlias = Literal["a", "b"]' in text
    assert text.index("Kind: TypeAlias") < text.index("class Node")
    assert "FirstOutput: TypeAlias = Node" in text
    assert service_types(made).declared[:2] == ("Kind", "Node")


def test_a_name_of_a_tool_wins_over_a_definition() -> None:
    found = service_types(service("demo", tool("get"), definitions={"GetOutput": {"enum": [1]}}))
    assert found.declared == ("GetOutput2", "GetInput", "GetOutput")


def test_names_of_typing_and_runtime_stay_their_own() -> None:
    found = service_types(
        service("demo", definitions={"Literal": {"enum": [1]}, "2nd": True, "Context": True})
    )
    assert found.declared == ("Literal2", "Type2nd", "Context2")


def test_names_of_the_package_stay_its_own() -> None:
    found = service_types(service("demo", definitions={"SERVICE": True, "AttributeError": True}))
    assert found.declared == ("SERVICE2", "AttributeError2")


def test_documentation_says_what_a_type_cannot() -> None:
    schema = {
        "description": "Where to look.",
        "properties": {
            "limit": {"type": "integer", "minimum": 1, "default": 30, "description": "How many."},
            "since": {"type": "string", "format": "date-time"},
            "plain": {"type": "string"},
        },
        "additionalProperties": True,
    }
    text = types_text(service("demo", tool("find", input=schema)))
    assert (
        '    """Where to look.\n\n    Further keys are allowed.\n\n    Attributes:\n'
        "        limit: How many. (>= 1, default 30)\n        since: format date-time\n"
        '    """\n' in text
    )


def test_settings_and_credentials_have_types() -> None:
    from toolspec.ir import Auth, AuthKind

    fields = Schema.of(
        {"type": "object", "properties": {"apiKey": {"type": "string"}}, "required": ["apiKey"]}
    )
    found = service_types(
        service(
            "demo",
            settings=Schema.of({"type": "object", "properties": {"url": {"type": "string"}}}),
            auth=Auth(AuthKind.CUSTOM, fields=fields),
        )
    )
    assert found.declared == ("DemoSettings", "DemoCredentials")
    oauth = service("demo", auth=Auth(AuthKind.OAUTH2))
    assert "access_token: str" in types_text(oauth)


def test_a_plain_field_takes_no_place_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[SchemaLocation] = []
    prepare = SchemaLocation.__post_init__

    def count(site: SchemaLocation) -> None:
        made.append(site)
        prepare(site)

    monkeypatch.setattr(SchemaLocation, "__post_init__", count)

    def locations(count: int) -> int:
        made.clear()
        plain = {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}
        fields = {f"field{number}": plain for number in range(count)}
        service_types(
            service("demo", tool("doIt", output={"type": "object", "properties": fields}))
        )
        return len(made)

    assert locations(100) == locations(10)
