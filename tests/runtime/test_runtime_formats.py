from __future__ import annotations

import asyncio

import pytest
from example_service import bound, echo, service, tool
from toolspec.runtime import Registry, ToolDefinition, ToolError, bind_service
from toolspec.runtime.errors import BindError

DAY = {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}
BROKEN = {"day": "tomorrow"}


def call(registry: Registry, arguments: object) -> object:
    return asyncio.run(registry.call("demo_act", arguments))


def test_an_argument_of_another_format_is_refused_and_the_format_named() -> None:
    with pytest.raises(ToolError) as caught:
        call(bound(tool(arguments_schema=DAY), echo), BROKEN)
    assert caught.value.category == "validation"
    (error,) = caught.value.field_errors
    assert (error.path, error.code) == ("$.day", "format")
    assert error.message == '"tomorrow" is not a valid `date`'


def test_a_result_of_another_format_is_refused_without_its_value() -> None:
    with pytest.raises(ToolError) as caught:
        call(bound(tool(output_schema=DAY), echo), BROKEN)
    assert caught.value.category == "output"
    (error,) = caught.value.field_errors
    assert error.message == "the value is not a valid `date`"


def test_formats_that_only_annotate_refuse_nothing() -> None:
    annotated = tool(arguments_schema=DAY, output_schema=DAY, formats="annotate")
    assert call(bound(annotated, echo), BROKEN) == BROKEN


@pytest.mark.parametrize("name", ["int64", "password", "x-iban", "colour"])
def test_other_formats_refuse_nothing(name: str) -> None:
    schema = {"type": "object", "properties": {"day": {"format": name}}}
    assert call(bound(tool(arguments_schema=schema), echo), BROKEN) == BROKEN


IRIS = [
    "http://ƒøø.ßår/?∂éœ=πîx#πîüx",
    "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com",
    "http://[::ffff:1.2.3.4]:80/",
    "//[v1.a:b]",
    "urn:\U0001f600",
    "a?\ue000",
]
NO_IRIS = [
    "http://2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "http://[::1%25eth0]/",
    "http://a@b@c/",
    "a#\ue000",
    "a/%4",
    "\\a",
    "http://a\n",
    "x:\ufdd0",
    ":a",
]


@pytest.mark.parametrize("name", ["iri", "iri-reference"])
@pytest.mark.parametrize("text", [*IRIS, *NO_IRIS])
def test_an_iri_follows_rfc_3987(name: str, text: str) -> None:
    schema = {"type": "object", "properties": {"at": {"type": "string", "format": name}}}
    registry = bound(tool(arguments_schema=schema), echo)
    if text in IRIS and (name == "iri-reference" or text.startswith(("http:", "urn:"))):
        assert call(registry, {"at": text}) == {"at": text}
    else:
        with pytest.raises(ToolError, match="is not a valid `iri"):
            call(registry, {"at": text})


@pytest.mark.parametrize("formats", ["assert", "annotate"])
def test_chunks_are_checked_as_results_are(formats: str) -> None:
    chunk = {"type": "string", "format": "date"}
    streams = tool(chunk_schema=chunk, streaming=True, reduction="list", formats=formats)

    async def handler(input: object) -> object:
        yield "tomorrow"

    async def collected(tool: ToolDefinition) -> list[object]:
        return [each async for each in bound(tool, handler).stream("demo_act", {})]

    if formats == "annotate":
        assert asyncio.run(collected(streams)) == ["tomorrow"]
    else:
        with pytest.raises(ToolError, match="is not a valid `date`"):
            asyncio.run(collected(streams))


def test_settings_and_credentials_follow_the_service() -> None:
    schema = '{"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}'
    strict = service(tool(), settings_schema=schema)
    with pytest.raises(BindError, match=r"setting `\$\.day`: the value is not a valid"):
        bind_service(strict, {"act": echo}, settings=BROKEN)
    open_service = service(tool(), settings_schema=schema, formats="annotate")
    bind_service(open_service, {"act": echo}, settings=BROKEN)


def encoded(name: str) -> dict[str, object]:
    return {"type": "object", "properties": {"data": {"type": "string", "contentEncoding": name}}}


@pytest.mark.parametrize(
    ("encoding", "good", "bad"),
    [
        (
            "base64",
            ["", "YQ==", "YWI=", "+/+/"],
            ["YQ", "YQ=", "Y Q==", "YQ==\n", "-_-_", "é", "%"],
        ),
        ("base64url", ["", "YQ==", "YQ", "-_-_"], ["+/+/", "Y", "YQ=", "YQ==\n"]),
        ("base32", ["", "ME======", "MFRGG==="], ["me======", "ME", "M1======"]),
        ("base32hex", ["", "C4======"], ["C4", "Z4======"]),
        ("base16", ["", "00fF"], ["0", "0g", "0 0"]),
        ("quoted-printable", ["", "a=3D\r\nb=\r\n"], ["=", "=3", "é"]),
        ("x-mine", ["%"], []),
    ],
)
def test_a_text_that_cannot_be_decoded_is_refused(
    encoding: str, good: list[str], bad: list[str]
) -> None:
    registry = bound(tool(arguments_schema=encoded(encoding)), echo)
    for text in good:
        assert call(registry, {"data": text}) == {"data": text}
    for text in bad:
        with pytest.raises(ToolError) as caught:
            call(registry, {"data": text})
        (error,) = caught.value.field_errors
        assert (error.path, error.code) == ("$.data", "contentEncoding")
        assert error.message.endswith(f"is not valid {encoding}")


def test_encodings_that_only_annotate_refuse_nothing() -> None:
    annotated = tool(arguments_schema=encoded("base64"), formats="annotate")
    assert call(bound(annotated, echo), {"data": "%"}) == {"data": "%"}


def test_an_encoding_of_what_is_no_text_refuses_nothing() -> None:
    schema = {"type": "object", "properties": {"data": {"contentEncoding": "base64"}}}
    assert call(bound(tool(arguments_schema=schema), echo), {"data": 1}) == {"data": 1}
