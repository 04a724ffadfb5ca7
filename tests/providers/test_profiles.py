"""The data files of profiles: their form, and that they name what there is."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator
from toolspec.providers import profile
from toolspec.providers.features import FEATURES
from toolspec.providers.profile import Limits, find_profile, names
from toolspec.providers.steps import LIMIT_STEPS, STEPS
from toolspec.schema.shipped import read_schema

FOLDER = Path(profile.__file__).parent / "profiles"
FORM = json.loads(read_schema("profile.v1.schema.json"))


def data(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def test_the_form_has_every_limit() -> None:
    limits = FORM["properties"]["limits"]["properties"]
    assert set(limits) == {each.name for each in fields(Limits)}


@pytest.mark.parametrize("name", names())
def test_a_profile_has_the_form(name: str) -> None:
    found = [each.message for each in Draft202012Validator(FORM).iter_errors(data(name))]
    assert not found


@pytest.mark.parametrize("name", names())
def test_a_profile_names_what_there_is(name: str) -> None:
    made = find_profile(name)
    assert made is not None
    assert made.name == name
    assert set(made.keywords) <= set(FEATURES)
    assert {stage.step for stage in made.steps} <= {*STEPS, *LIMIT_STEPS}
    assert set(made.notes) <= set(data(name).get("limits", {}))
    assert made.is_strict == bool(made.fallback)
    if made.fallback:
        loose = find_profile(made.fallback)
        assert loose is not None
        assert loose.family == made.family
        assert not loose.is_strict


def test_what_is_no_profile_is_not_found() -> None:
    assert find_profile("python") is None
    assert find_profile("../profile") is None
    assert set(profile.family("openai")) >= {"openai-chat", "openai-chat-strict"}
