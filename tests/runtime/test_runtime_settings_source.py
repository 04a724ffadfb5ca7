from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from example_service import tool
from toolspec.runtime import Context, ServiceDefinition, bind_service
from toolspec.runtime.settings import ConfigurationError
from toolspec.serving.settings import (
    ServiceSettings,
    parsed_settings,
    settings_for,
    variable_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SETTINGS = {
    "type": "object",
    "properties": {
        "baseUrl": {"type": "string", "default": "https://api.example"},
        "pageLimit": {"type": "integer", "minimum": 1},
        "webhookSecret": {"type": "string", "writeOnly": True, "minLength": 3},
        "pin": {"type": "string", "format": "password", "pattern": "^[0-9]+$"},
        "verbose": {"type": "boolean"},
        "ratio": {"type": ["number", "null"]},
        "mode": {"enum": ["test", "live", 1]},
        "labels": {"type": "array", "items": {"$ref": "#/$defs/Label"}},
    },
    "required": ["baseUrl", "pageLimit"],
    "additionalProperties": False,
    "$defs": {"Label": {"type": "string"}},
}
CREDENTIALS = {
    "type": "object",
    "properties": {"accessToken": {"type": "string"}, "tenant": {"type": "integer"}},
    "required": ["accessToken", "tenant"],
    "additionalProperties": False,
}

EVERYTHING = """
the file names `shops`, which is not a service here; did you mean `shop`?
the file names `note`, which is not a service here
`shop`: setting `$.pageLimit` is missing: set `TOOLSPEC_SHOP_PAGE_LIMIT`, or `pageLimit` under `[shop]`
`shop`: setting `$.pageLimits` from the file: is not known; did you mean `pageLimit`?
`shop`: credential `$.tenant` is missing: set `TOOLSPEC_SHOP_CREDENTIALS_TENANT`, or `tenant` under `[shop.credentials]`
`shop`: credential `$.accessToken` from the file: the value is not a string
`bank`: setting `$.pageLimit` from the file: the value is not a whole number
`bank`: setting `$.mode` from `TOOLSPEC_BANK_MODE`: the value is not one of "test", "live" or 1
`bank`: `credentials` in the file is not a table
`plain` has no settings: leave `settings` out
"""


def service(name: str = "shop", **fields: object) -> ServiceDefinition:
    given = {
        "settings_schema": json.dumps(SETTINGS),
        "credentials_schema": json.dumps(CREDENTIALS),
        "auth": "custom",
        **fields,
    }
    return ServiceDefinition(name=name, tools=(tool(),), **given)  # type: ignore[arg-type]


def configured(
    environ: Mapping[str, str] | None = None,
    *,
    file: Mapping[str, object] | None = None,
    code: Mapping[str, object] | None = None,
) -> ServiceSettings:
    return settings_for([service()], environ=environ or {}, file=file, code=code)["shop"]


def problems(*services: ServiceDefinition, **sources: object) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        settings_for(services or [service()], **{"environ": {}, **sources})  # type: ignore[arg-type]
    return caught.value.problems


def test_code_wins_over_variables_and_they_over_the_file_and_it_over_defaults() -> None:
    file = {"shop": {"pageLimit": 1, "mode": "test", "verbose": False, "ratio": 1}}
    environ = {"TOOLSPEC_SHOP_PAGE_LIMIT": "2", "TOOLSPEC_SHOP_MODE": "live", "OTHER": "x"}
    found = configured(environ, file=file, code={"shop": {"pageLimit": 3}})
    assert found.settings == {
        "baseUrl": "https://api.example",
        "pageLimit": 3,
        "mode": "live",
        "verbose": False,
        "ratio": 1,
    }
    assert found.credentials is None


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("BASE_URL", "5", "5"),
        ("BASE_URL", "true", "true"),
        ("VERBOSE", "true", True),
        ("VERBOSE", "NO", False),
        ("VERBOSE", "0", False),
        ("VERBOSE", "1", True),
        ("RATIO", "0.5", 0.5),
        ("RATIO", "1", 1),
        ("RATIO", "null", None),
        ("MODE", "live", "live"),
        ("MODE", "1", 1),
        ("LABELS", '["a", "b"]', ["a", "b"]),
        ("PIN", "007", "007"),
    ],
)
def test_a_variable_is_read_as_its_schema_wants_it(name: str, text: str, value: object) -> None:
    found = configured({f"TOOLSPEC_SHOP_{name}": text, "TOOLSPEC_SHOP_PAGE_LIMIT": "1"})
    assert found.settings is not None
    names = {variable_of("shop", member): member for member in SETTINGS["properties"]}  # type: ignore[attr-defined]
    read = found.settings[names[f"TOOLSPEC_SHOP_{name}"]]
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("PAGE_LIMIT", "0", "the value is less than the minimum of 1"),
        ("PAGE_LIMIT", "many", "the value is not a whole number"),
        ("PAGE_LIMIT", "1.5", "the value is not a whole number"),
        ("VERBOSE", "maybe", "the value is not a boolean"),
        ("RATIO", "NaN", "the value is not a"),
        ("RATIO", "1e999", "the value is not a"),
        ("LABELS", "[1]", "the value is not a string"),
        ("LABELS", "[" * 5000, "the value is not a"),
        ("WEBHOOK_SECRET", "s3", "the value is shorter than 3"),
        ("PIN", "12a", "the value does not match"),
    ],
)
def test_a_wrong_variable_is_named_without_its_value(name: str, text: str, message: str) -> None:
    environ = {"TOOLSPEC_SHOP_PAGE_LIMIT": "1", f"TOOLSPEC_SHOP_{name}": text}
    (problem,) = problems(environ=environ)
    assert f"from `TOOLSPEC_SHOP_{name}`: {message}" in problem
    assert text not in problem.replace("pageLimit", "") or text == "0"


def test_an_empty_variable_is_unset() -> None:
    found = configured({"TOOLSPEC_SHOP_PAGE_LIMIT": "1", "TOOLSPEC_SHOP_BASE_URL": ""})
    assert found.settings is not None
    assert found.settings["baseUrl"] == "https://api.example"
    assert "TOOLSPEC_SHOP_PAGE_LIMIT" in problems(environ={"TOOLSPEC_SHOP_PAGE_LIMIT": ""})[0]


def test_everything_that_is_missing_or_wrong_in_all_services_is_told_at_once() -> None:
    plain = ServiceDefinition(name="plain", tools=(tool(),))
    found = problems(
        service(),
        service("bank"),
        plain,
        file={
            "shop": {"pageLimits": 1, "credentials": {"accessToken": 12345}},
            "bank": {"pageLimit": "secret-limit", "credentials": "secret-text"},
            "plain": {"any": 1},
            "shops": {},
            "note": 1,
        },
        environ={"TOOLSPEC_BANK_MODE": "secret-mode"},
    )
    assert sorted(found) == sorted(EVERYTHING.strip().splitlines())
    assert "secret" not in " ".join(found)
    assert "12345" not in " ".join(found)


def test_credentials_come_from_their_own_table_and_variables() -> None:
    found = configured(
        {"TOOLSPEC_SHOP_PAGE_LIMIT": "1", "TOOLSPEC_SHOP_CREDENTIALS_ACCESS_TOKEN": "s3cret"},
        file={"shop": {"credentials": {"tenant": 7, "accessToken": "old"}}},
    )
    assert found.credentials == {"tenant": 7, "accessToken": "s3cret"}
    assert "s3cret" not in repr(found)
    assert "7" not in repr(found.credentials)


def test_secrets_stay_hidden_in_settings() -> None:
    environ = {
        "TOOLSPEC_SHOP_PAGE_LIMIT": "1",
        "TOOLSPEC_SHOP_WEBHOOK_SECRET": "s3cret-hook",
        "TOOLSPEC_SHOP_PIN": "4711",
    }
    found = configured(environ)
    assert found.settings is not None
    assert found.settings["pin"] == "4711"
    assert "s3cret" not in f"{found} {found.settings!s} {found!r}"
    assert "4711" not in f"{found} {found.settings!s} {found!r}"


def test_what_was_found_binds_a_service() -> None:
    async def act(input: object, ctx: Context[dict[str, object], dict[str, object]]) -> object:
        return [ctx.settings["pageLimit"], ctx.credentials["tenant"]]

    file = {"shop": {"pageLimit": 5, "credentials": {"tenant": 7, "accessToken": "x"}}}
    found = configured(file=file)
    registry = bind_service(
        service(), {"act": act}, settings=found.settings, credentials=found.credentials
    )
    assert asyncio.run(registry.call("demo_act")) == [5, 7]


def test_two_things_under_one_variable_are_told() -> None:
    one = service("a", settings_schema='{"properties":{"b_c":{}}}', credentials_schema=None)
    two = service("a-b", settings_schema='{"properties":{"c":{}}}', credentials_schema=None)
    assert problems(one, two) == [
        "`TOOLSPEC_A_B_C` would be setting `b_c` of `a` and setting `c` of `a-b`: rename one of them"
    ]


@pytest.mark.parametrize(
    ("service_name", "name", "variable"),
    [
        ("github", "baseUrl", "TOOLSPEC_GITHUB_BASE_URL"),
        ("my-shop", "page_limit", "TOOLSPEC_MY_SHOP_PAGE_LIMIT"),
        ("s3", "region1Name", "TOOLSPEC_S3_REGION1_NAME"),
        ("s3", "URL", "TOOLSPEC_S3_URL"),
    ],
)
def test_names_of_variables(service_name: str, name: str, variable: str) -> None:
    assert variable_of(service_name, name) == variable


def test_a_file_is_toml_or_json() -> None:
    toml = "[shop]\npageLimit = 1\n[shop.credentials]\ntenant = 7\n"
    tables = {"shop": {"pageLimit": 1, "credentials": {"tenant": 7}}}
    assert parsed_settings(toml, "settings.toml") == tables
    assert parsed_settings(json.dumps(tables), "settings.json") == tables


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("[shop\n", "settings.toml", "`settings.toml` is not valid TOML"),
        ("{", "settings.json", "`settings.json` is not valid JSON"),
        ("[" * 100_000, "settings.json", "`settings.json` is not valid JSON"),
        ("[1]", "settings.json", "has no table for each service"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(text: str, name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        parsed_settings(text, name)


def test_what_json_cannot_hold_is_told() -> None:
    tables = parsed_settings("[shop]\npageLimit = 2026-01-01\n", "settings.toml")
    assert problems(file=tables)[0] == (
        "`shop`: setting `$.pageLimit` from the file: date is not a JSON type"
    )


def test_a_table_that_is_none_is_told() -> None:
    assert problems(file={"shop": 5})[0] == "`shop` in the file is not a table of settings"


@pytest.mark.parametrize(
    ("name", "variable"),
    [("http-proxy", "TOOLSPEC_SHOP_HTTP_PROXY"), ("a.b", "TOOLSPEC_SHOP_A_B")],
)
def test_what_is_missing_is_advised_under_the_name_that_is_read(name: str, variable: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    shop = service(settings_schema=json.dumps(schema), credentials_schema=None)
    with pytest.raises(ConfigurationError) as caught:
        settings_for([shop], environ={})
    (problem,) = caught.value.problems
    assert problem.endswith(f"is missing: set `{variable}`, or `{name}` under `[shop]`")
    found = settings_for([shop], environ={variable: "given"})["shop"]
    assert found.settings == {name: "given"}


def test_what_a_default_lacks_is_advised_where_it_can_be_given() -> None:
    inner = {"type": "object", "properties": {"host": {"type": "string"}}, "required": ["host"]}
    schema = {
        "type": "object",
        "properties": {"db": {**inner, "default": {}}},
        "required": ["db", "more"],
    }
    shop = service(settings_schema=json.dumps(schema), credentials_schema=None)
    with pytest.raises(ConfigurationError) as caught:
        settings_for([shop], environ={})
    assert sorted(caught.value.problems) == [
        "`shop`: setting `$.db.host` is missing: set `TOOLSPEC_SHOP_DB`, or `db` under `[shop]`",
        "`shop`: setting `$.more` is missing: set it under `[shop]`",
    ]


def test_a_variable_may_name_a_file_with_the_value(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("s3cret\n")
    named = {"TOOLSPEC_SHOP_CREDENTIALS_ACCESS_TOKEN_FILE": str(token)}
    tenant = {"TOOLSPEC_SHOP_CREDENTIALS_TENANT": "7", "TOOLSPEC_SHOP_PAGE_LIMIT": "5"}
    assert configured({**named, **tenant}).credentials == {"accessToken": "s3cret", "tenant": 7}
    both = {**named, **tenant, "TOOLSPEC_SHOP_CREDENTIALS_ACCESS_TOKEN": "other"}
    variable = "TOOLSPEC_SHOP_CREDENTIALS_ACCESS_TOKEN"
    assert problems(environ=both)[0] == (
        f"`shop`: `{variable}` and `{variable}_FILE` are both set: remove one"
    )
    token.unlink()
    (missing, *_) = problems(environ={**named, **tenant})
    assert missing == f"`shop`: the file in `{variable}_FILE`, {token}: No such file or directory"


def test_a_setting_that_is_called_file_is_no_file_of_another() -> None:
    schema = {"type": "object", "properties": {"key": {}, "keyFile": {}}}
    shop = service(settings_schema=json.dumps(schema), credentials_schema=None)
    found = settings_for([shop], environ={"TOOLSPEC_SHOP_KEY_FILE": "/etc/key"})["shop"]
    assert found.settings == {"keyFile": "/etc/key"}
