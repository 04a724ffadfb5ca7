"""Types of what the runtime fills defaults into: those of handlers, and those of who calls them."""

from __future__ import annotations

import json
import sys
from types import ModuleType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import pytest
from built import is_refused, program, service, tool, types_text
from checkers import CHECKERS, mypy
from formatting import run
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from toolspec.ir import Auth, AuthKind, Schema
from toolspec.runtime.defaults import Defaults
from toolspec.targets.python import TARGET
from toolspec.targets.python.service_types import service_types
from toolspec.targets.target import emit_program

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject, JsonValue

LIMITED: JsonObject = {
    "type": "object",
    "properties": {"limit": {"type": "integer", "default": 20}, "after": {"type": "string"}},
}
NEEDED: JsonObject = {**LIMITED, "required": ["limit", "after"]}


def made(schema: JsonObject, **definitions: JsonValue) -> dict[str, Any]:
    """Return the types of a tool with this input."""
    shared = tuple((name, name) for name in definitions)
    bundle = {**schema, "$defs": definitions} if definitions else schema
    taken = tool("find", input=bundle, output=bundle, shared=shared)
    return loaded(service("demo", taken, definitions=definitions))


def loaded(one: Service) -> dict[str, Any]:
    found = service_types(one)
    module = ModuleType("made_for_filling")
    sys.modules[module.__name__] = module
    exec(compile(types_text(one), "types.py", "exec"), module.__dict__)  # noqa: S102 - ours
    return {name: getattr(module, name) for name in found.declared}


def required(kind: Any) -> set[str]:
    hints = get_type_hints(kind, include_extras=True)
    return {name for name, found in hints.items() if get_origin(found) is not NotRequired}


def test_a_key_with_a_default_is_there_for_the_handler_alone() -> None:
    types = made(LIMITED)
    assert list(types) == ["FindInput", "FindArguments", "FindOutput"]
    assert required(types["FindInput"]) == {"limit"}
    assert required(types["FindArguments"]) == required(types["FindOutput"]) == set()


@pytest.mark.parametrize(
    "schema",
    [
        NEEDED,
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"properties": {"any": {"anyOf": [LIMITED, {"type": "string"}]}}},
        {"type": "object", "patternProperties": {"^a": LIMITED}},
        {"properties": {"cursor": {"type": "string", "default": None}}},
        {"properties": {"state": {"enum": ["a"], "default": None}}},
        {"type": "object", "properties": {"in": {"$ref": "#/properties/out"}, "out": True}},
    ],
)
def test_what_is_the_same_is_typed_once(schema: JsonObject) -> None:
    assert "FindArguments" not in made(schema)


def test_a_default_is_found_wherever_the_runtime_finds_it() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "one": LIMITED,
            "many": {"type": "array", "items": LIMITED},
            "first": {"type": "array", "prefixItems": [LIMITED]},
            "named": {"type": "object", "additionalProperties": LIMITED},
            "both": {"allOf": [LIMITED, {"required": ["after"]}]},
            "same": {"type": "object", "properties": {"a": {"type": "string"}}},
        },
    }
    types = made(schema)
    inside = [name for name in types if name.startswith("FindInput") and name != "FindInput"]
    assert inside == [
        "FindInputOne",
        "FindInputManyItem",
        "FindInputFirstItem1",
        "FindInputNamedValue",
        "FindInputBoth",
        "FindInputSame",
    ]
    assert [sorted(required(types[name])) for name in inside] == [
        *[["limit"]] * 4,
        ["after", "limit"],
        [],
    ]
    assert required(types["FindArgumentsOne"]) == set()
    assert "FindArgumentsSame" not in types


def test_a_definition_has_a_filled_form_beside_its_own() -> None:
    tree: JsonObject = {
        "type": "object",
        "properties": {
            "depth": {"type": "integer", "default": 1},
            "below": {"$ref": "#/$defs/Tree"},
            "leaf": {"$ref": "#/$defs/Leaf"},
        },
    }
    leaf: JsonObject = {"type": "object", "properties": {"text": {"type": "string"}}}
    schema: JsonObject = {"type": "object", "properties": {"tree": {"$ref": "#/$defs/Tree"}}}
    types = made(schema, Tree=tree, Leaf=leaf)
    own = ["FindInput", "FindArguments", "FindOutput"]
    assert sorted(types) == sorted([*own, "FilledTree", "Tree", "Leaf"])
    assert required(types["FilledTree"]) == {"depth"}
    assert required(types["Tree"]) == set()
    text = str(types["FilledTree"].__annotations__["below"])
    assert "FilledTree" in text


def test_a_name_that_a_definition_has_is_not_taken_from_a_tool() -> None:
    types = made(
        {**LIMITED, "properties": {**LIMITED["properties"], "of": {"$ref": "#/$defs/Of"}}},  # type: ignore[dict-item]  # a literal dict
        FindArguments={"type": "string"},
        FilledOf={"type": "string"},
        Of=LIMITED,
    )
    assert {"FindArguments2", "FilledOf", "FilledOf2"} <= types.keys()


def test_a_key_that_one_part_adds_and_another_describes_is_filled_in_no_further() -> None:
    schema: JsonObject = {
        "type": "object",
        "allOf": [{"properties": {"of": LIMITED}}],
        "properties": {"of": {"type": "object", "default": {}}},
    }
    types = made(schema)
    assert required(types["FindInput"]) == {"of"}
    assert required(types["FindInputOf"]) == set()
    defaults = Defaults.of(json.dumps(schema))
    assert defaults is not None
    assert defaults.fill({}) == {"of": {}}


def test_settings_and_credentials_are_given_as_their_caller_has_them() -> None:
    types = loaded(
        service(
            "demo",
            settings=Schema.of(LIMITED),
            auth=Auth(AuthKind.CUSTOM, fields=Schema.of(LIMITED)),
        )
    )
    assert list(types) == [
        "DemoSettings",
        "DemoSettingsGiven",
        "DemoCredentials",
        "DemoCredentialsGiven",
    ]
    assert required(types["DemoSettings"]) == required(types["DemoCredentials"]) == {"limit"}


KEYS = st.sampled_from(["a", "b", "c"])
REFERENCES = st.sampled_from([{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}])
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.integers(0, 3),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=6,
)


def _schemas(inner: st.SearchStrategy[JsonObject]) -> st.SearchStrategy[JsonObject]:
    members = st.dictionaries(KEYS, inner, max_size=3)
    listed = st.lists(inner, min_size=1, max_size=2)
    whole = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": members},
        optional={
            "allOf": listed,
            "anyOf": listed,
            "additionalProperties": inner,
            "required": st.lists(KEYS, max_size=1),
            "default": st.dictionaries(KEYS, VALUES, max_size=1),
        },
    )
    array = st.fixed_dictionaries({"type": st.just("array")}, optional={"items": inner})
    return st.one_of(whole, array)


SCHEMAS = st.recursive(
    st.one_of(
        REFERENCES,
        st.just({"type": "integer"}),
        st.just({"type": "integer", "default": 7}),
    ),
    _schemas,
    max_leaves=8,
)


def assert_has_keys(value: Any, kind: Any) -> None:
    """Assert that objects have the keys that a type promises, where it says which type it is."""
    if is_typeddict(kind) and isinstance(value, dict):
        assert required(kind) <= value.keys(), (value, kind)
        hints = get_type_hints(kind)
        for name in value.keys() & hints.keys():
            assert_has_keys(value[name], hints[name])
    elif get_origin(kind) is list and isinstance(value, list):
        for item in value:
            assert_has_keys(item, get_args(kind)[0])
    elif get_origin(kind) is dict and isinstance(value, dict):
        for item in value.values():
            assert_has_keys(item, get_args(kind)[1])
    else:
        assert get_origin(kind) not in {Literal, tuple}
        assert get_origin(kind) in {None, Union, UnionType, list, dict}


PROMISES = given(
    _schemas(SCHEMAS).filter(lambda each: each["type"] == "object"), SCHEMAS, SCHEMAS, VALUES
)


@PROMISES
@settings(derandomize=True, max_examples=40, deadline=None)
def test_what_the_type_promises_the_runtime_keeps(
    schema: JsonObject, first: JsonObject, second: JsonObject, value: JsonValue
) -> None:
    assert_promises_kept(schema, first, second, value)


@pytest.mark.prove
@PROMISES
@settings(derandomize=True, max_examples=2_000, deadline=None)
def test_what_two_thousand_types_promise_the_runtime_keeps(
    schema: JsonObject, first: JsonObject, second: JsonObject, value: JsonValue
) -> None:
    assert_promises_kept(schema, first, second, value)


def assert_promises_kept(
    schema: JsonObject, first: JsonObject, second: JsonObject, value: JsonValue
) -> None:
    """A value that satisfies its schema has, once filled in, every key that the handler's type has.

    Values here satisfy nothing in particular: keys that the schema requires are left out of it.
    """
    text = json.dumps({**schema, "$defs": {"A": first, "B": second}})
    optional = json.loads(text, object_hook=_without_required)
    if is_refused(optional):
        reject()
    definitions = optional.pop("$defs")
    types = made(optional, **definitions)
    defaults = Defaults.of(json.dumps({**optional, "$defs": definitions}))
    whole = value if isinstance(value, dict) else {"a": value}
    assert_has_keys(defaults.fill(whole) if defaults else whole, types["FindInput"])


def _without_required(found: dict[str, Any]) -> dict[str, Any]:
    if isinstance(found.get("required"), list):
        del found["required"]
    return found


USER_CODE = """
from collections.abc import Mapping

from toolspec.runtime import Context

from made_for_both.demo import (
    DemoClient, DemoHandlers, DemoSettings, DemoSettingsGiven, FindArguments, FindInput,
    FindOutput, bind,
)


class Handlers(DemoHandlers):
    async def find(self, input: FindInput, ctx: Context[DemoSettings, None]) -> FindOutput:
        found: int = input["limit"] + ctx.settings["limit"] + input["inner"]["limit"]
        return {"limit": found}

    async def revert_find(
        self,
        input: FindInput,
        output: FindOutput,
        metadata: Mapping[str, object],
        ctx: Context[DemoSettings, None],
    ) -> str | None:
        return None if input["limit"] else "there was no limit"


given: DemoSettingsGiven = {}
arguments: FindArguments = {"inner": {}}
client = DemoClient(bind(Handlers(), settings=given))


async def use() -> int:
    await client.find(arguments)
    return (await client.find({"limit": 3, "inner": {"after": "x"}})).get("limit", 0)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner: JsonObject = {"type": "object", "properties": {"inner": LIMITED}, "required": ["inner"]}
    taken: JsonObject = {"allOf": [inner, LIMITED], "type": "object"}
    one = service(
        "demo",
        tool("find", input=taken, output=LIMITED, mutation=True, revert=True),
        settings=Schema.of(LIMITED),
    )
    for artifact in emit_program(TARGET, program(one)).value:
        path = tmp_path / "made_for_both" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", CHECKERS)
def test_checkers_know_what_is_there(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "user_code.py").write_text(USER_CODE, encoding="utf-8")
    assert run(folder, *command, "user_code.py") == ""


@pytest.mark.parametrize("command", CHECKERS)
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('input["inner"]["limit"]', 'len(input["inner"]["after"])'),
        ("given: DemoSettingsGiven", "given: DemoSettings"),
        ("arguments: FindArguments", "arguments: FindInput"),
    ],
)
def test_checkers_know_what_may_not_be(
    folder: Path, command: tuple[str, ...], right: str, wrong: str
) -> None:
    text = USER_CODE.replace(right, wrong)
    (folder / "wrong_code.py").write_text(text, encoding="utf-8")
    is_optional_key = command == mypy() and "after" in wrong  # mypy lets such a key be read
    assert (run(folder, *command, "wrong_code.py") == "") is is_optional_key
