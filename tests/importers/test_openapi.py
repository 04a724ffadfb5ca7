"""OpenAPI documents become services: each decision of the import on a small document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from openapi_documents import OK, TEXT, api, body, imported, operation, result
from toolspec.diagnostics import Severity
from toolspec.frontend.naming.identifiers import snake_case
from toolspec.importers.openapi.selection import Group, Selection, read_rules
from toolspec.importers.openapi.services import OpenApiOptions


@pytest.mark.parametrize("version", ["3.0.0", "3.0.4", "3.1.1", "3.2.0"])
def test_three_versions_are_read(tmp_path: Path, version: str) -> None:
    done = imported(tmp_path, api({"/pets": {"get": operation(operationId="listPets")}}, version))
    assert done.document["service"]["name"] == "shop"
    assert done.document["service"]["version"] == "1.2.3"
    assert done.tool["name"] == "list_pets"
    assert done.tool["http"] == {"method": "GET", "path": "/pets"}
    assert done.tool["source"] == {
        "kind": "openapi",
        "location": "shop.json",
        "member": "GET /pets",
    }


REFUSED = {
    "swagger": ({"swagger": "2.0", "paths": {}}, "import/openapi-2"),
    "future": ({"openapi": "4.0.0", "paths": {}}, "import/not-openapi"),
    "other": ({"tools": []}, "import/not-openapi"),
    "list": ([], "import/not-openapi"),
    "empty": (api({}), "import/no-operations"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_other_documents_are_refused(tmp_path: Path, case: str) -> None:
    document, code = REFUSED[case]
    done = imported(tmp_path, document)
    assert done.texts == {}
    (problem,) = done.diagnostics
    assert problem.code == code
    assert problem.severity is Severity.ERROR
    assert problem.span is not None


def test_swagger_names_the_command_that_converts_it(tmp_path: Path) -> None:
    (problem,) = imported(tmp_path, {"swagger": "2.0"}).diagnostics
    assert "npx swagger2openapi shop.json" in problem.help


EFFECTS: dict[str, tuple[bool, dict[str, bool]]] = {
    "get": (False, {}),
    "head": (False, {}),
    "options": (False, {}),
    "query": (False, {}),
    "post": (True, {}),
    "put": (True, {"idempotentHint": True}),
    "patch": (True, {}),
    "delete": (True, {"idempotentHint": True}),
}


@pytest.mark.parametrize("method", EFFECTS)
def test_effects_follow_the_method(tmp_path: Path, method: str) -> None:
    done = imported(tmp_path, api({"/things": {method: operation()}}, "3.2.0"))
    mutation, annotations = EFFECTS[method]
    assert done.tool["mutation"] is mutation
    assert done.tool.get("annotations", {}) == annotations
    assert ("import/effect-guessed" in done.codes) == (method == "post")


def test_a_post_that_seems_to_read_is_asked_about(tmp_path: Path) -> None:
    done = imported(tmp_path, api({"/pets/search": {"post": operation(operationId="searchPets")}}))
    assert done.tool["mutation"] is True
    assert "# review: a POST that seems to read" in next(iter(done.texts.values()))
    (message,) = done.messages("import/effect-guessed")
    assert "its name says that it reads" in message


EXTENSIONS: list[tuple[dict[str, Any], bool, dict[str, bool]]] = [
    ({"x-mcp-annotations": {"readOnlyHint": True}}, False, {}),
    ({"x-speakeasy-mcp": {"destructiveHint": False}}, True, {"destructiveHint": False}),
    ({"x-openai-isConsequential": False}, True, {"destructiveHint": False}),
    ({"x-mcp-annotations": {"openWorldHint": False}}, True, {"openWorldHint": False}),
]


@pytest.mark.parametrize(("extension", "mutation", "annotations"), EXTENSIONS)
def test_extensions_state_effects(
    tmp_path: Path, extension: dict[str, Any], mutation: bool, annotations: dict[str, bool]
) -> None:
    tool = imported(tmp_path, api({"/things": {"post": operation(**extension)}})).tool
    assert tool["mutation"] is mutation
    assert tool.get("annotations", {}) == annotations


def test_rules_decide_about_effects_and_the_first_wins(tmp_path: Path) -> None:
    rules = read_rules(["POST /search* read", "get,post * write idempotent", "DELETE /old* skip"])
    assert rules.ok
    paths = {
        "/search/all": {"post": operation()},
        "/things": {"post": operation(), "get": operation(), "delete": operation()},
        "/old/things": {"delete": operation()},
    }
    done = imported(tmp_path, api(paths), OpenApiOptions(selection=Selection(rules=rules.value)))
    effects = {key: (tool["mutation"], tool.get("annotations")) for key, tool in done.tools.items()}
    both = {"destructiveHint": False, "idempotentHint": True}
    assert effects == {
        "POST /search/all": (False, None),
        "POST /things": (True, both),
        "GET /things": (True, both),
        "DELETE /things": (True, {"idempotentHint": True}),
    }
    assert "import/effect-guessed" not in done.codes


@pytest.mark.parametrize(
    "rule", ["POST /a", "FETCH /a read", "POST a read", "POST /a maybe", "* * read,write"]
)
def test_a_bad_rule_is_an_error(rule: str) -> None:
    (problem,) = read_rules([rule]).diagnostics
    assert problem.code == "import/bad-rule"


PATHS = {
    "/pets": {"get": operation(operationId="listPets", tags=["pets"])},
    "/pets/{id}": {
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": TEXT}],
        "delete": operation(operationId="deletePet", tags=["pets", "admin"]),
    },
    "/v1/orders": {"get": operation(operationId="listOrders", tags=["orders"], **{"x-mcp": False})},
    "/v1/orders/all": {
        "x-mcp": False,
        "get": operation(operationId="allOrders", **{"x-mcp": True}),
    },
}
CHOICES: list[tuple[Selection, set[str]]] = [
    (Selection(), {"GET /pets", "DELETE /pets/{id}", "GET /v1/orders/all"}),
    (Selection(include=("tag:pets",)), {"GET /pets", "DELETE /pets/{id}"}),
    (Selection(include=("/v1/*", "listPets")), {"GET /pets", "GET /v1/orders/all"}),
    (Selection(exclude=("tag:adm*",)), {"GET /pets", "GET /v1/orders/all"}),
]


@pytest.mark.parametrize(("selection", "members"), CHOICES)
def test_operations_are_chosen(tmp_path: Path, selection: Selection, members: set[str]) -> None:
    done = imported(tmp_path, api(PATHS), OpenApiOptions(selection=selection))
    assert done.tools.keys() == members


def test_a_document_can_be_closed_by_default(tmp_path: Path) -> None:
    done = imported(tmp_path, {**api(PATHS), "x-mcp": False})
    assert done.tools.keys() == {"GET /v1/orders/all"}


GROUPS = {
    Group.ONE: {"shop.yaml"},
    Group.TAG: {"shop-pets.yaml", "shop.yaml"},
    Group.PATH: {"shop-pets.yaml", "shop-orders.yaml"},
}


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_a_service(tmp_path: Path, group: Group) -> None:
    done = imported(tmp_path, api(PATHS), OpenApiOptions(group=group))
    assert done.texts.keys() == GROUPS[group]


NAMES = {
    "listPets": "list_pets",
    "pets/list-for-owner": "list_pets_for_owner",
    "Pets_CreateOrUpdate": "create_or_update_pets",
    "pets.get": "get_pets",
    "read_item_items__id__get": "read_item",
    "HTTPStatusGet": "http_status_get",
    "": "get_items_by_id",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_begin_with_a_verb(tmp_path: Path, name: str) -> None:
    parameter = {"name": "id", "in": "path", "required": True, "schema": TEXT}
    get = operation(operationId=name, parameters=[parameter])
    assert imported(tmp_path, api({"/items/{id}": {"get": get}})).tool["name"] == NAMES[name]


def test_a_name_that_is_too_long_gets_a_short_one_of_whole_words(tmp_path: Path) -> None:
    words = "listAllTheDelayedNotificationsOfEverySubscriptionForAnAccountOfTheReseller"
    done = imported(tmp_path, api({"/all": {"get": operation(operationId=words)}}))
    name = done.tool["name"]
    assert len(f"shop_{name}") <= 64
    assert set(name.split("_")) < set(snake_case(words).split("_"))
    assert "# review: short for `list_all_the_delayed" in next(iter(done.texts.values()))
    assert done.tool["source"]["member"] == "GET /all"
    assert done.messages("import/short-name")


def test_operations_of_one_id_get_names_of_their_own(tmp_path: Path) -> None:
    paths = {f"/{name}": {"get": operation(operationId="read")} for name in ("cats", "dogs")}
    done = imported(tmp_path, api(paths))
    assert [tool["name"] for tool in done.document["tools"]] == ["get_cats", "get_dogs"]


def test_parameters_become_arguments_and_positions(tmp_path: Path) -> None:
    parameters = [
        {"name": "limit", "in": "query", "schema": {"type": "integer"}, "description": "How many."},
        {"name": "X-Trace-Id", "in": "header", "schema": TEXT},
        {"name": "Accept", "in": "header", "schema": TEXT},
        {"name": "expand[]", "in": "query", "schema": {"type": "array", "items": TEXT}},
        {
            "name": "ids",
            "in": "query",
            "schema": {"type": "array", "items": TEXT},
            "explode": False,
        },
        {
            "name": "filter",
            "in": "query",
            "style": "deepObject",
            "schema": {"type": "object"},
            "explode": True,
        },
        {
            "name": "where",
            "in": "query",
            "content": {"application/json": {"schema": {"type": "object"}}},
        },
        {"name": "limit", "in": "cookie", "schema": TEXT},
    ]
    shared = [{"name": "limit", "in": "query", "required": True, "schema": TEXT}]
    paths = {"/a": {"parameters": shared, "get": operation(parameters=parameters)}}
    tool = imported(tmp_path, api(paths)).tool
    schema = tool["inputSchema"]
    assert schema["properties"]["limit"] == {"type": "integer", "description": "How many."}
    assert "required" not in schema
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) == {
        "limit", "x_trace_id", "expand", "ids", "filter", "where", "limit_cookie",
    }  # fmt: skip
    assert tool["http"]["in"] == {
        "x_trace_id": {"in": "header", "name": "X-Trace-Id"},
        "expand": {"in": "query", "name": "expand[]"},
        "ids": {"in": "query", "explode": False},
        "filter": {"in": "query", "style": "deepObject"},
        "where": {"in": "query", "contentType": "application/json"},
        "limit_cookie": {"in": "cookie", "name": "limit"},
    }


def test_a_placeholder_without_a_parameter_leaves_the_operation_out(tmp_path: Path) -> None:
    done = imported(tmp_path, api({"/a/{id}": {"get": operation()}, "/b": {"get": operation()}}))
    assert done.tools.keys() == {"GET /b"}
    (problem,) = [each for each in done.diagnostics if each.code == "import/left-out"]
    assert problem.severity is Severity.ERROR
    assert "no parameter fills `{id}`" in problem.message


def test_a_parameter_without_a_placeholder_is_left_out(tmp_path: Path) -> None:
    stray = {"name": "schema", "in": "path", "required": True, "schema": TEXT}
    done = imported(tmp_path, api({"/a": {"get": operation(parameters=[stray])}}))
    assert "properties" not in done.tool["inputSchema"]
    assert done.tool["http"] == {"method": "GET", "path": "/a"}
    assert done.messages("import/not-imported") == [
        "the parameter `schema` of `get_a`: the path has no `{schema}`"
    ]


PLAIN = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": TEXT, "age": {"type": "integer"}},
}
BODIES: dict[str, tuple[dict[str, Any], set[str], dict[str, Any] | None]] = {
    "flat": (body(PLAIN), {"name", "age"}, None),
    "form": (
        body(PLAIN, "application/x-www-form-urlencoded"),
        {"name", "age"},
        {"contentType": "application/x-www-form-urlencoded"},
    ),
    "patch": (
        body(PLAIN, "application/merge-patch+json"),
        {"name", "age"},
        {"contentType": "application/merge-patch+json"},
    ),
    "array": (body({"type": "array", "items": TEXT}), {"body"}, {"argument": "body"}),
    "union": (body({"oneOf": [TEXT, {"type": "integer"}]}), {"body"}, {"argument": "body"}),
    "clash": (
        body({"type": "object", "properties": {"page": TEXT}}),
        {"body"},
        {"argument": "body"},
    ),
    "text": (body(TEXT, "text/plain"), {"body"}, {"argument": "body", "contentType": "text/plain"}),
    "bytes": (
        body({"type": "string", "format": "binary"}, "application/octet-stream"),
        {"body"},
        {"argument": "body", "contentType": "application/octet-stream"},
    ),
}


@pytest.mark.parametrize("case", BODIES)
def test_bodies_become_arguments(tmp_path: Path, case: str) -> None:
    request, names, expected = BODIES[case]
    page = {"name": "page", "in": "query", "schema": {"type": "integer"}}
    post = operation(parameters=[page], requestBody=request)
    tool = imported(tmp_path, api({"/a": {"post": post}})).tool
    assert set(tool["inputSchema"]["properties"]) == {"page", *names}
    assert tool["http"].get("body") == expected
    if case == "bytes":
        assert tool["inputSchema"]["properties"]["body"]["contentEncoding"] == "base64"


def test_parts_of_a_form_keep_their_encoding(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"file": {"type": "string", "format": "binary"}, "meta": {"type": "object"}},
    }
    content = {
        "multipart/form-data": {
            "schema": schema,
            "encoding": {"meta": {"contentType": "application/json"}},
        }
    }
    post = operation(requestBody={"content": content})
    tool = imported(tmp_path, api({"/a": {"post": post}}, "3.0.3")).tool
    assert tool["inputSchema"]["properties"]["file"] == {
        "type": "string",
        "contentEncoding": "base64",
    }
    assert tool["http"]["in"] == {"meta": {"in": "body", "contentType": "application/json"}}
    assert tool["http"]["body"] == {"contentType": "multipart/form-data"}


def test_a_body_that_is_not_said_to_be_required_is_reviewed(tmp_path: Path) -> None:
    request = {"content": {"application/json": {"schema": PLAIN}, "application/xml": {}}}
    done = imported(tmp_path, api({"/a": {"put": operation(requestBody=request)}}))
    assert done.tool["inputSchema"]["required"] == ["name"]
    assert "import/body-required" in done.codes
    assert any("`application/xml`" in message for message in done.messages("import/not-imported"))


RESULTS: dict[str, tuple[dict[str, Any], Any]] = {
    "json": (result({"type": "array", "items": TEXT}), {"type": "array", "items": TEXT}),
    "no schema": ({"200": {"description": "", "content": {"application/json": {}}}}, True),
    "nothing": ({"204": {"description": ""}}, {"type": "null"}),
    "maybe": ({**result(TEXT), "204": {"description": ""}}, {"type": ["string", "null"]}),
    "default": ({"default": result(TEXT)["200"]}, TEXT),
    "errors only": ({"404": {"description": ""}}, True),
    "text": (result(TEXT, "text/csv"), TEXT),
    "bytes": (result({}, "image/png"), {"type": "string", "contentEncoding": "base64"}),
    "wildcard": (result({"type": "object"}, "*/*"), {"type": "object"}),
}


@pytest.mark.parametrize("case", RESULTS)
def test_responses_become_results(tmp_path: Path, case: str) -> None:
    responses, expected = RESULTS[case]
    tool = imported(tmp_path, api({"/a": {"get": operation(responses=responses)}})).tool
    assert tool["outputSchema"] == expected


def test_the_media_type_of_a_result_is_kept(tmp_path: Path) -> None:
    paths = {
        "/png": {"get": operation(responses=result({}, "image/png"))},
        "/hal": {"get": operation(responses=result(TEXT, "application/hal+json"))},
    }
    tools = imported(tmp_path, api(paths)).tools
    assert tools["GET /png"]["outputContentType"] == "image/png"
    assert tools["GET /hal"]["http"]["accept"] == "application/hal+json"


@pytest.mark.parametrize(
    "media_type", ["text/event-stream", "application/jsonl", "application/x-ndjson"]
)
def test_streams_stream(tmp_path: Path, media_type: str) -> None:
    item = {"type": "object", "properties": {"text": TEXT}}
    responses = {"200": {"description": "", "content": {media_type: {"itemSchema": item}}}}
    tool = imported(tmp_path, api({"/a": {"get": operation(responses=responses)}}, "3.2.0")).tool
    assert tool["streaming"] is True
    assert tool["outputSchema"] == {"type": "array", "items": item}
    assert tool["http"]["accept"] == media_type


def test_error_responses_become_errors(tmp_path: Path) -> None:
    responses = {
        **OK,
        "404": {"description": "No such pet."},
        "429": {"description": ""},
        "4XX": {"description": ""},
    }
    tool = imported(tmp_path, api({"/a": {"get": operation(responses=responses)}})).tool
    assert tool["errors"] == [
        {"code": "not_found", "description": "No such pet."},
        {"code": "too_many_requests", "description": "Too many requests", "retryable": True},
    ]


def test_an_idempotency_key_becomes_a_field(tmp_path: Path) -> None:
    header = {"name": "Idempotency-Key", "in": "header", "schema": TEXT}
    item = {"parameters": [header], "post": operation(), "get": operation()}
    tools = imported(tmp_path, api({"/a": item})).tools
    assert tools["POST /a"]["idempotency"] == "optional"
    assert tools["POST /a"]["http"]["in"] == {
        "idempotency_key": {"in": "header", "name": "Idempotency-Key"}
    }
    assert "properties" not in tools["POST /a"]["inputSchema"]
    assert "idempotency" not in tools["GET /a"]
    assert "in" not in tools["GET /a"]["http"]


FLOW = {
    "authorizationUrl": "https://example.com/authorize",
    "tokenUrl": "https://example.com/token",
    "scopes": {"read": "Read pets."},
}
SCHEMES = {
    "oauth": {"type": "oauth2", "flows": {"authorizationCode": FLOW}},
    "machine": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": "https://example.com/token", "scopes": {}}},
    },
    "x-api-key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
    "login": {"type": "http", "scheme": "basic"},
    "token": {"type": "http", "scheme": "bearer"},
    "corporate": {"type": "mutualTLS"},
}
SECURITY: dict[str, tuple[list[dict[str, list[str]]], str, Any]] = {
    "oauth": ([{"oauth": ["read", "write"]}], "oauth2", None),
    "key": ([{"x-api-key": []}], "custom", [{"xApiKey": {"in": "header", "name": "X-API-Key"}}]),
    "basic": (
        [{"login": []}],
        "custom",
        [{"username": {"in": "basicUsername"}, "password": {"in": "basicPassword"}}],
    ),
    "either": (
        [{"token": []}, {"x-api-key": []}, {}],
        "custom",
        [{"token": {"in": "bearer"}}, {"xApiKey": {"in": "header", "name": "X-API-Key"}}, {}],
    ),
    "program": ([{"machine": []}], "custom", ["custom"]),
    "certificate": (
        [{"corporate": []}, {"token": []}],
        "custom",
        ["custom", {"token": {"in": "bearer"}}],
    ),
    "one header": ([{"token": [], "login": []}], "custom", ["custom"]),
}


@pytest.mark.parametrize("case", SECURITY)
def test_security_becomes_auth_and_positions(tmp_path: Path, case: str) -> None:
    security, kind, expected = SECURITY[case]
    document = api(
        {"/a": {"get": operation(security=security)}}, components={"securitySchemes": SCHEMES}
    )
    done = imported(tmp_path, document)
    assert done.document["service"]["auth"]["type"] == kind
    assert done.tool["http"].get("security") == expected
    assert ("import/security-scheme" in done.codes) == (case in {"program", "certificate"})
    if case == "oauth":
        assert done.tool["scopes"] == ["read", "write"]
        assert done.document["service"]["auth"]["scopes"] == {
            "read": "Read pets.",
            "write": "write",
        }


def test_a_public_operation_of_an_oauth_service_sends_no_token(tmp_path: Path) -> None:
    paths = {"/a": {"get": operation()}, "/b": {"get": operation(security=[])}}
    document = api(paths, security=[{"oauth": ["read"]}], components={"securitySchemes": SCHEMES})
    tools = imported(tmp_path, document).tools
    assert "security" not in tools["GET /a"]["http"]
    assert tools["GET /b"]["http"]["security"] == []
    assert "scopes" not in tools["GET /b"]


SERVERS: dict[str, tuple[list[dict[str, Any]], str | None]] = {
    "plain": (
        [{"url": "https://a.example.com/v1/"}, {"url": "https://b.example.com"}],
        "https://a.example.com/v1",
    ),
    "relative": ([{"url": "/api/v3"}], None),
    "none": ([], None),
    "template": (
        [
            {
                "url": "https://{region}.example.com",
                "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}},
            }
        ],
        "https://{region}.example.com",
    ),
    "second": ([{"url": "/v1"}, {"url": "https://b.example.com"}], "https://b.example.com"),
    "credentials": ([{"url": "https://me:secret@example.com"}], None),
}


@pytest.mark.parametrize("case", SERVERS)
def test_the_server_becomes_a_setting(tmp_path: Path, case: str) -> None:
    servers, default = SERVERS[case]
    done = imported(tmp_path, {**api({"/a": {"get": operation()}}), "servers": servers})
    settings = done.document["service"]["settings"]
    assert settings["properties"]["baseUrl"].get("default") == default
    assert settings.get("required", []) == ([] if default else ["baseUrl"])
    assert ("import/server" in done.codes) == (default is None)


def test_an_operation_can_have_a_server_of_its_own(tmp_path: Path) -> None:
    get = operation(servers=[{"url": "https://files.example.com"}])
    assert (
        imported(tmp_path, api({"/a": {"get": get}})).tool["http"]["server"]
        == "https://files.example.com"
    )


@pytest.mark.parametrize(
    ("servers", "url", "server"),
    [
        ([{"url": "https://api.example.com/v2"}], "/v3", "https://api.example.com/v3"),
        ([{"url": "https://api.example.com/v2"}], "files", "https://api.example.com/v2/files"),
        (
            [{"url": "https://{host}.example.com/v2", "variables": {"host": {"default": "api"}}}],
            "/v3",
            "https://{host}.example.com/v3",
        ),
        ([{"url": "/v2"}], "/v3", None),
        ([{"url": "https://api.example.com/v2"}], "ftp://files.example.com", None),
    ],
)
def test_the_server_of_an_operation_can_be_relative(
    tmp_path: Path, servers: list[Any], url: str, server: str | None
) -> None:
    get = operation(servers=[{"url": url}])
    done = imported(tmp_path, {**api({"/a": {"get": get}}), "servers": servers})
    assert done.tool["http"].get("server") == server
    assert ("import/not-imported" in done.codes) == (server is None)


def test_what_no_tool_can_have_is_listed(tmp_path: Path) -> None:
    post = operation(
        callbacks={"done": {}},
        parameters=[{"name": "q", "in": "fragment", "content": {"text/plain": {"schema": TEXT}}}],
        responses={
            "201": {
                "description": "",
                "content": {"application/json": {}, "text/html": {}},
                "links": {"self": {}},
            },
            "202": {"description": "", "content": {"application/json": {}}},
        },
    )
    item = {"post": post, "trace": operation(), "additionalOperations": {"COPY": operation()}}
    done = imported(tmp_path, api({"/a": item}, "3.2.0", webhooks={"new": {}}))
    losses = "\n".join(done.messages("import/not-imported"))
    for word in (
        "`webhooks`",
        "`callbacks`",
        "`links`",
        "`text/html`",
        "response 202",
        "`q`",
        "`COPY`",
        "`trace`",
    ):
        assert word in losses


def test_many_tools_get_a_note_with_their_cost(tmp_path: Path) -> None:
    paths = {f"/things{number}": {"get": operation()} for number in range(41)}
    (message,) = imported(tmp_path, api(paths)).messages("import/many-tools")
    assert message.startswith("41 tools cost a model about ")


def test_the_twins_in_yaml_and_json_give_one_result(tmp_path: Path) -> None:
    document = api(
        {"/pets/{id}": PATHS["/pets/{id}"], "/pets": {"get": operation(responses=result(TEXT))}}
    )
    texts = []
    for folder, name, text in (
        ("one", "shop.json", json.dumps(document)),
        ("two", "shop.yaml", yaml.safe_dump(document, sort_keys=False).replace("'200'", "200")),
    ):
        (tmp_path / folder).mkdir()
        done = imported(tmp_path / folder, text, name=name)
        texts.append(done.texts["shop.yaml"].replace(name, "FILE"))
    assert texts[0] == texts[1]
