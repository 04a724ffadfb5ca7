"""Conversion between base64 strings and bytes for handlers and clients (decision 0026)."""

from __future__ import annotations

from toolspec.runtime.awaiting import closed
from toolspec.runtime.definition import service_of
from toolspec.runtime.errors import FieldError, ToolError
from toolspec.runtime.values import DEPTH_LIMIT, NotJsonError
from toolspec.shared.encodings import BYTES, decode, encode
from toolspec.shared.references import References
from toolspec.shared.validator import compiled

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable
    from typing import Any

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.definition import Formats, ToolDefinition
    from toolspec.shared.json_values import Accepts, JsonObject, JsonValue

_URI = "urn:toolspec:bytes"
_CHOICES = ("oneOf", "anyOf")
_VALUES = frozenset({"const", "default", "enum", "examples"})
"""Keywords whose values are not schemas."""


class _TooDeepError(Exception):
    """Raised for a value that is cyclic or nested too deeply."""


class BytesCodec:
    """Converts between base64 strings and bytes at the locations that a schema marks.

    A string is base64 if one subschema has both `type: string` and `contentEncoding`, and no `enum`
    or `const` lists its values. In a union, the first branch that accepts the string counts.
    """

    def __init__(self, schema: JsonValue, formats: Formats) -> None:
        self._schema = schema
        self._formats = formats == "assert"
        self._references = References(schema)
        self._leading = _leading(schema, self._references)
        self._branches: dict[int, Accepts] = {}

    @staticmethod
    def of(text: str, formats: Formats) -> BytesCodec | None:
        """Return the codec for a schema given as JSON text; None if it has no encoding."""
        if '"contentEncoding"' not in text:
            return None
        import json

        return BytesCodec(json.loads(text), formats)

    def decoded(self, value: Any) -> Any:
        """Return a valid JSON value with bytes in place of base64.

        Raises NotJsonError for invalid base64, which is accepted only where formats are
        annotations.
        """
        return self._decoded(value, [self._schema])

    def encoded(self, value: Any) -> Any:
        """Return a value with base64 in place of bytes, except where the schema has no encoding."""
        try:
            return self._encoded(value, [self._schema], 0)
        except _TooDeepError:
            return value

    def _decoded(self, value: Any, schemas: list[JsonValue]) -> Any:
        if self._leading.isdisjoint(map(id, schemas)):
            return value
        layers = self._layers(schemas, value)
        if isinstance(value, str):
            encoding = _encoding(layers)
            try:
                return value if encoding is None else decode(encoding, value)
            except ValueError:
                problem = f"it is not valid {encoding}"
                raise NotJsonError(problem) from None
        step: str | int = 0
        try:
            if isinstance(value, dict):
                members = {}
                for step, item in value.items():
                    members[step] = self._decoded(item, self._member(layers, step))
                return members
            if isinstance(value, list):
                items = []
                for step, item in enumerate(value):
                    items.append(self._decoded(item, _item(layers, step)))
                return items
        except NotJsonError as problem:
            raise problem.under(step)  # noqa: B904 - the same error
        return value

    def _encoded(self, value: Any, schemas: list[JsonValue], depth: int) -> Any:
        if depth > DEPTH_LIMIT:
            raise _TooDeepError
        if self._leading.isdisjoint(map(id, schemas)):
            return value
        layers = self._layers(schemas)
        if isinstance(value, (bytes, bytearray, memoryview)):
            encoding = _encoding(layers)
            return value if encoding is None else encode(encoding, bytes(value))
        if isinstance(value, dict):
            return {
                key: self._encoded(item, self._member(layers, key), depth + 1)
                for key, item in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [
                self._encoded(item, _item(layers, index), depth + 1)
                for index, item in enumerate(value)
            ]
        return value

    def _layers(self, schemas: Iterable[JsonValue], *values: Any) -> list[JsonObject]:
        """Return the subschemas that apply to a value, or may apply if no value is passed.

        If all branches of a union are strings of the one type declared beside it, no branch is
        chosen.
        """
        layers: dict[int, JsonObject] = {}
        self._add(layers, schemas)
        is_text = bool(values) and isinstance(values[0], str)
        waiting = [] if is_text and _has_type(layers.values()) else list(layers.values())
        while waiting:
            layer = waiting.pop()
            for keyword in _CHOICES:
                branches = _list(layer, keyword)
                if self._leading.isdisjoint(map(id, branches)):
                    continue
                for value in values:
                    branches = [branch for branch in branches if self._accepts(branch, value)][:1]
                waiting += self._add(layers, branches)
        return list(layers.values())

    def _add(self, layers: dict[int, JsonObject], schemas: Iterable[JsonValue]) -> list[JsonObject]:
        """Add schemas and the targets of their `$ref` and `allOf`; return the new ones."""
        waiting, new = list(schemas), []
        while waiting:
            schema = waiting.pop()
            if isinstance(schema, dict) and id(schema) not in layers:
                layers[id(schema)] = schema
                new.append(schema)
                waiting += [self._references.of(schema), *_list(schema, "allOf")]
        return new

    def _accepts(self, schema: JsonValue, value: JsonValue) -> bool:
        key = id(schema)
        if key not in self._branches:
            pointer, root = self._references.pointer(schema), self._schema
            if pointer is None or not isinstance(root, dict):
                return True
            stated = root.get("$id")
            uri = stated if isinstance(stated, str) and ":" in stated else _URI
            whole: JsonObject = {"schema": {**root, "$id": uri}}
            alone: JsonObject = {"$ref": f"{uri.rstrip('#')}#{pointer}", "$defs": whole}
            self._branches[key] = compiled(alone, formats=self._formats)
        return self._branches[key](value)

    def _member(self, layers: list[JsonObject], name: Any) -> list[JsonValue]:
        """Return the schemas of a member: by name, else by pattern, else `additionalProperties`."""
        listed = [
            properties[name]
            for layer in layers
            if isinstance(properties := layer.get("properties"), dict) and name in properties
        ]
        if listed or not isinstance(name, str):
            return listed
        schemas: list[JsonValue] = []
        for layer in layers:
            patterns = layer.get("patternProperties")
            matching = [
                schema
                for pattern, schema in (patterns.items() if isinstance(patterns, dict) else ())
                if compiled({"pattern": pattern})(name)
            ]
            schemas += matching or [layer.get("additionalProperties")]
        return schemas


class BytesConversion:
    """Codecs of one tool: `to_python` for handlers and callers, `to_json` for the wire."""

    __slots__ = ("_chunk", "_input", "_output", "tool")

    def __init__(self, tool: ToolDefinition) -> None:
        self.tool = tool
        is_object = tool.input_form == "object"
        self._input = BytesCodec.of(tool.arguments_schema, tool.formats) if is_object else None
        self._output = BytesCodec.of(tool.output_schema, tool.formats)
        self._chunk = BytesCodec.of(tool.chunk_schema or "true", tool.formats)

    def input_to_python(self, value: Any) -> Any:
        """Return arguments in the form that the handler receives. Raises ToolError `validation`."""
        return self._decoded(self._input, value, "wrong arguments for")

    def input_to_json(self, value: Any) -> Any:
        """Return a caller's arguments in wire form."""
        return value if self._input is None else self._input.encoded(value)

    def output_to_python(self, value: Any) -> Any:
        """Return a result in the form that the caller receives."""
        return self._decoded(self._output, value, "the result of")

    def output_to_json(self, value: Any) -> Any:
        """Return a handler's result in wire form."""
        return value if self._output is None else self._output.encoded(value)

    def chunk_to_python(self, value: Any) -> Any:
        """Return a chunk in the form that the caller receives."""
        return self._decoded(self._chunk, value, "a chunk of")

    def chunk_to_json(self, value: Any) -> Any:
        """Return a handler's chunk in wire form."""
        return value if self._chunk is None else self._chunk.encoded(value)

    def _decoded(self, codec: BytesCodec | None, value: Any, what: str) -> Any:
        if codec is None:
            return value
        try:
            return codec.decoded(value)
        except NotJsonError as problem:
            message = f"{what} `{self.tool.full_name}`: {problem.path}: {problem.reason}"
            field = FieldError(path=problem.path, code="contentEncoding", message=problem.reason)
            raise ToolError.validation(message, field_errors=(field,)) from None


def taking_bytes(handler: AnyCallable, tool: ToolDefinition) -> AnyCallable:
    """Return a JSON handler that wraps a handler of bytes."""
    conversion = BytesConversion(tool)

    async def called(input: JsonValue, context: object) -> object:  # noqa: A002 - the handler's parameter name
        answer = await handler(conversion.input_to_python(input), context)
        return conversion.output_to_json(answer)

    async def streamed(input: JsonValue, context: object) -> AsyncGenerator[object, None]:  # noqa: A002 - the handler's parameter name
        chunks = handler(conversion.input_to_python(input), context)
        try:
            async for chunk in chunks:
                yield conversion.chunk_to_json(chunk)
        finally:
            await closed(chunks)

    return streamed if tool.streaming else called


def comparing_bytes(function: AnyCallable, tool: ToolDefinition) -> AnyCallable:
    """Return a JSON `verify` or `revert` that wraps one of bytes."""
    conversion = BytesConversion(tool)

    async def called(input: JsonValue, output: JsonValue, *rest: object) -> object:  # noqa: A002 - the handler's parameter name
        arguments = conversion.input_to_python(input), conversion.output_to_python(output)
        return await function(*arguments, *rest)

    return called


def conversion_of(tool: ToolDefinition) -> BytesConversion:
    """Return the conversion of a tool by the schemas in its package."""
    service = service_of(tool)
    if service is None:
        return BytesConversion(tool)
    return BytesConversion(next(one for one in service.tools if one.method == tool.method))


def _leading(root: JsonValue, references: References) -> frozenset[int]:
    """Return the ids of subschemas that contain base64 strings."""
    uses: dict[int, list[int]] = {}
    reached: set[int] = set()
    waiting = [root]
    visited: set[int] = set()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (dict, list)) or id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, dict):
            inner = [item for key, item in node.items() if key not in _VALUES]
            inner.append(references.of(node))
            if _is_base64(node):
                reached.add(id(node))
        else:
            inner = node
        for item in inner:
            uses.setdefault(id(item), []).append(id(node))
        waiting += inner
    ready = list(reached)
    while ready:
        new = set(uses.get(ready.pop(), ())) - reached
        reached |= new
        ready += new
    return frozenset(reached)


def _is_base64(schema: JsonObject) -> bool:
    stated = schema.get("type")
    types = stated if isinstance(stated, list) else [stated]
    return schema.get("contentEncoding") in BYTES and "string" in types


def _encoding(layers: list[JsonObject]) -> str | None:
    """Return the encoding of a string; None if it has none or is one of an enumeration."""
    if any("enum" in layer or "const" in layer for layer in layers):
        return None
    return next((str(layer["contentEncoding"]) for layer in layers if _is_base64(layer)), None)


def _has_type(layers: Iterable[JsonObject]) -> bool:
    return any("type" in layer for layer in layers)


def _item(layers: list[JsonObject], index: int) -> list[JsonValue]:
    """Return the schemas of an item of an array."""
    schemas: list[JsonValue] = []
    for layer in layers:
        leading = _list(layer, "prefixItems")
        schemas.append(leading[index] if index < len(leading) else layer.get("items"))
    return schemas


def _list(schema: JsonObject, keyword: str) -> list[JsonValue]:
    value = schema.get(keyword)
    return value if isinstance(value, list) else []
