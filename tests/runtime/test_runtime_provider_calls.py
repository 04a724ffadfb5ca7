"""`registry.call_from`: a model's call in a provider's form, from the decode files of a package."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from toolspec.runtime import (
    Failure,
    Registry,
    ServiceDefinition,
    ToolDefinition,
    ToolError,
    bind_service,
)
from toolspec.runtime.provider_calls import decode, fits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PACKAGE = """
from toolspec.runtime import ServiceDefinition

SERVICE = ServiceDefinition(name="svc")
"""
SCHEMAS = """
from toolspec.runtime import ToolSchemas

SCHEMAS = {"label": ToolSchemas(output="true")}
DEFINITIONS: dict[str, str] = {}
"""
FILES = {
    "openai-chat-strict": {
        "svc_label": {
            "tool": "svc_label",
            "decode": [
                {"op": "pairs", "at": "/labels"},
                {"op": "drop-null", "at": "", "keys": ["labels", "note"]},
            ],
        }
    },
    "anthropic": {
        "svc_label": {
            "tool": "svc_label",
            "decode": [{"op": "rename", "at": "", "keys": {"_top": "$top"}}],
        }
    },
    "gemini": {"svc_label": {"tool": "svc_label", "decode": []}},
    "gemini-openapi": {"svc_label": {"tool": "svc_label", "decode": []}},
}


class Handlers:
    def label(self, input: Any) -> Any:
        return input


@pytest.fixture
def bound(tmp_path: Path) -> Iterator[Callable[..., Registry]]:
    """Return what binds a service that comes from a package with some decode files."""
    folder = tmp_path / "made_for_calls"
    folder.mkdir()
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "schemas.py").write_text(SCHEMAS)
    sys.path.insert(0, str(tmp_path))
    importlib.import_module("made_for_calls")

    def bind(*targets: str) -> Registry:
        for target in targets:
            (folder / f"{target}.decode.json").write_text(json.dumps(FILES[target]))
        tool = ToolDefinition(
            name="label", full_name="svc_label", method="label", package="made_for_calls"
        )
        return bind_service(ServiceDefinition(name="svc", tools=(tool,)), Handlers())

    yield bind
    sys.path.remove(str(tmp_path))
    for name in [each for each in sys.modules if each.startswith("made_for_calls")]:
        del sys.modules[name]


def call(registry: Registry, *given: Any, **options: Any) -> Any:
    return asyncio.run(registry.call_from(*given, **options))


def test_a_call_is_decoded(bound: Callable[..., Registry]) -> None:
    registry = bound("openai-chat-strict", "anthropic")
    answer = {"labels": [{"key": "a", "value": 1}], "note": None}
    assert call(registry, "openai-chat-strict", "svc_label", answer) == {"labels": {"a": 1}}
    assert answer == {"labels": [{"key": "a", "value": 1}], "note": None}
    assert call(registry, "anthropic", "svc_label", {"_top": 2}) == {"$top": 2}


def test_a_family_will_do_where_one_of_it_was_generated(bound: Callable[..., Registry]) -> None:
    registry = bound("openai-chat-strict", "gemini", "gemini-openapi")
    assert call(registry, "openai", "svc_label", '{"labels": []}') == {"labels": {}}
    assert call(registry, "gemini", "svc_label", None) == {}


def test_a_family_of_several_names_them(bound: Callable[..., Registry]) -> None:
    registry = bound("openai-chat-strict")
    FILES["openai-responses"] = FILES["openai-chat-strict"]
    registry = bound("openai-responses")
    with pytest.raises(ValueError, match="say which: openai-chat-strict, openai-responses"):
        call(registry, "openai", "svc_label", {})


def test_a_target_that_was_not_generated_names_those_that_were(
    bound: Callable[..., Registry],
) -> None:
    with pytest.raises(
        ValueError, match="nothing was generated for `mistral`; there is: anthropic"
    ):
        call(bound("anthropic"), "mistral", "svc_label", {})


def test_a_package_without_decode_files_says_how_to_get_them(
    bound: Callable[..., Registry],
) -> None:
    with pytest.raises(ValueError, match="add the target to `targets` in the configuration"):
        call(bound(), "anthropic", "svc_label", {})


def test_an_unknown_name_gets_the_nearest_and_hooks_are_told(
    bound: Callable[..., Registry],
) -> None:
    failures: list[Any] = []

    async def note(failure: Failure) -> None:
        failures.append(failure)

    registry = bound("anthropic").with_hooks(on_error=[note])
    with pytest.raises(ToolError, match="did you mean `svc_label`") as raised:
        call(registry, "anthropic", "svc_lable", {})
    assert raised.value.category == "not_found"
    assert len(failures) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ('{"labels": ', "the arguments are not JSON"),
        ("[1]", "the arguments are not a JSON object"),
        (
            {"labels": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]},
            r'\$\.labels\[1\]\.key: the key "a" is there twice',
        ),
    ],
)
def test_what_cannot_be_decoded_is_a_validation_error(
    bound: Callable[..., Registry], answer: Any, message: str
) -> None:
    with pytest.raises(ToolError, match=message) as raised:
        call(bound("openai-chat-strict"), "openai-chat-strict", "svc_label", answer, request_id="r")
    assert raised.value.category == "validation"
    assert raised.value.request_id == "r"


@pytest.mark.parametrize(
    ("operations", "value", "expected"),
    [
        (
            [{"op": "drop-null", "at": "/a/*", "keys": ["x"]}],
            {"a": [{"x": None}, {"x": 1}, 3]},
            {"a": [{}, {"x": 1}, 3]},
        ),
        (
            [{"op": "drop-null", "at": "/~2/a~1b", "keys": ["x"]}],
            {"*": {"a/b": {"x": None}}},
            {"*": {"a/b": {}}},
        ),
        ([{"op": "pairs", "at": ""}], [{"key": "a", "value": 1}], {"a": 1}),
        ([{"op": "pairs", "at": ""}], [{"key": "a"}], [{"key": "a"}]),
        (
            [{"op": "spread", "at": "", "key": "more", "except": ["x"]}],
            {"x": 1, "more": [{"key": "y", "value": 2}]},
            {"x": 1, "y": 2},
        ),
        (
            [
                {
                    "op": "each-other",
                    "at": "",
                    "except": ["a"],
                    "do": [{"op": "drop-null", "at": "", "keys": ["x"]}],
                }
            ],
            {"a": {"x": None}, "b": {"x": None}},
            {"a": {"x": None}, "b": {}},
        ),
        (
            [
                {
                    "op": "define",
                    "rule": "N",
                    "do": [
                        {"op": "apply", "at": "/next", "rule": "N"},
                        {"op": "drop-null", "at": "", "keys": ["next"]},
                    ],
                },
                {"op": "apply", "at": "", "rule": "N"},
            ],
            {"next": {"next": {"next": None}}},
            {"next": {"next": {}}},
        ),
        (
            [
                {
                    "op": "choose",
                    "at": "/a",
                    "forms": [
                        {"when": {"types": ["array"], "items": ["string"]}, "do": []},
                        {"when": {"types": ["array"]}, "do": [{"op": "pairs", "at": ""}]},
                    ],
                }
            ],
            {"a": [{"key": "k", "value": 1}]},
            {"a": {"k": 1}},
        ),
    ],
)
def test_operations(operations: Any, value: Any, expected: Any) -> None:
    assert decode(operations, value) == expected


def test_a_key_of_the_object_itself_is_no_key_of_a_pair() -> None:
    operations = [{"op": "spread", "at": "", "key": "more", "except": ["x"]}]
    with pytest.raises(ToolError, match='the key "x" is there twice'):
        decode(operations, {"more": [{"key": "x", "value": 2}]})  # type: ignore[arg-type]  # plain JSON


@pytest.mark.parametrize(
    ("test", "value", "expected"),
    [
        ({"types": ["integer"]}, 1.0, True),
        ({"types": ["integer"]}, 1.5, False),
        ({"types": ["boolean"]}, 1, False),
        ({"types": ["object"], "required": ["a"]}, {}, False),
        ({"types": ["object"], "keys": ["a"]}, {"b": 1}, False),
        ({"types": ["object"], "members": {"a": ["null"]}}, {"a": 1}, False),
        ({"types": ["object"], "values": {"a": [1]}}, {"a": True}, False),
        ({"types": ["object"], "values": {"a": [1]}}, {"a": 1}, True),
    ],
)
def test_forms_are_told_apart(test: Any, value: Any, expected: bool) -> None:
    assert fits(test, value) is expected
