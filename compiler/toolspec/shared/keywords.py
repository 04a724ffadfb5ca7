"""Keywords of JSON Schema 2020-12, which of them hold subschemas, the types and the formats."""

from __future__ import annotations

from enum import Enum, auto

# Suppressions in a schema, which only this compiler reads.
ALLOW = "x-toolspec-allow"

TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")


class Holds(Enum):
    """Form of a keyword's subschemas: one, a list, or a map."""

    ONE = auto()
    LIST = auto()
    MAP = auto()


# `definitions`, `dependencies`, `additionalItems` and a list under `items` are of older dialects.
APPLICATORS = {
    "$defs": Holds.MAP,
    "additionalItems": Holds.ONE,
    "additionalProperties": Holds.ONE,
    "allOf": Holds.LIST,
    "anyOf": Holds.LIST,
    "contains": Holds.ONE,
    "contentSchema": Holds.ONE,
    "definitions": Holds.MAP,
    "dependencies": Holds.MAP,
    "dependentSchemas": Holds.MAP,
    "else": Holds.ONE,
    "if": Holds.ONE,
    "items": Holds.ONE,
    "not": Holds.ONE,
    "oneOf": Holds.LIST,
    "patternProperties": Holds.MAP,
    "prefixItems": Holds.LIST,
    "properties": Holds.MAP,
    "propertyNames": Holds.ONE,
    "then": Holds.ONE,
    "unevaluatedItems": Holds.ONE,
    "unevaluatedProperties": Holds.ONE,
}

# Order in formatted documents and in generated files: identity, description, values by type,
# composition, use; definitions come last. Unknown keywords follow the known ones.
KEYWORD_ORDER = (
    *("$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$ref", "$dynamicRef"),
    *("type", "title", "description", "$comment", "enum", "const"),
    *("format", "pattern", "minLength", "maxLength"),
    *("contentMediaType", "contentEncoding", "contentSchema"),
    *("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"),
    *("prefixItems", "items", "additionalItems", "unevaluatedItems"),
    *("contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems"),
    *("properties", "patternProperties", "required", "dependentRequired", "dependentSchemas"),
    *("dependencies", "propertyNames", "minProperties", "maxProperties"),
    *("additionalProperties", "unevaluatedProperties"),
    *("allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
    *("default", "examples", "deprecated", "readOnly", "writeOnly", "$defs", "definitions"),
)

# These apply to the same instance; every other applicator to a member of it.
IN_PLACE = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"},
)

# These only contain subschemas for references.
CONTAINERS = frozenset({"$defs", "definitions"})

# These describe a value and reject none. `$defs` apply only through references.
ANNOTATIONS = CONTAINERS | {
    "$comment",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "deprecated",
    "description",
    "examples",
    "format",
    "readOnly",
    "title",
    "writeOnly",
}

# Expected value of each keyword, to follow "must be" in a message.
VALUES = {
    "$anchor": "a name that begins with a letter or `_`",
    "$comment": "a string",
    "$defs": "an object of schemas",
    "$dynamicAnchor": "a name that begins with a letter or `_`",
    "$dynamicRef": "a string",
    "$id": "a URI without a fragment",
    "$ref": "a string",
    "$schema": "a string",
    "$vocabulary": "an object of booleans",
    "additionalItems": "a schema",
    "additionalProperties": "a schema",
    "allOf": "a list of at least one schema",
    "anyOf": "a list of at least one schema",
    "const": "any value",
    "contains": "a schema",
    "contentEncoding": "a string",
    "contentMediaType": "a string",
    "contentSchema": "a schema",
    "default": "any value",
    "definitions": "an object of schemas",
    "dependencies": "an object of schemas and lists of property names",
    "dependentRequired": "an object of lists of property names, none twice",
    "dependentSchemas": "an object of schemas",
    "deprecated": "true or false",
    "description": "a string",
    "else": "a schema",
    "enum": "a list",
    "examples": "a list",
    "exclusiveMaximum": "a number",
    "exclusiveMinimum": "a number",
    "format": "a string",
    "if": "a schema",
    "items": "a schema",
    "maxContains": "a whole number, 0 or more",
    "maxItems": "a whole number, 0 or more",
    "maxLength": "a whole number, 0 or more",
    "maxProperties": "a whole number, 0 or more",
    "maximum": "a number",
    "minContains": "a whole number, 0 or more",
    "minItems": "a whole number, 0 or more",
    "minLength": "a whole number, 0 or more",
    "minProperties": "a whole number, 0 or more",
    "minimum": "a number",
    "multipleOf": "a number greater than 0",
    "not": "a schema",
    "oneOf": "a list of at least one schema",
    "pattern": "a string",
    "patternProperties": "an object of schemas",
    "prefixItems": "a list of at least one schema",
    "properties": "an object of schemas",
    "propertyNames": "a schema",
    "readOnly": "true or false",
    "required": "a list of property names, none twice",
    "then": "a schema",
    "title": "a string",
    "type": "the name of a type, or a list of different ones",
    "unevaluatedItems": "a schema",
    "unevaluatedProperties": "a schema",
    "uniqueItems": "true or false",
    "writeOnly": "true or false",
}

# The same for keywords that only older dialects define.
OLDER_VALUES = {
    "$recursiveAnchor": "true or false",
    "$recursiveRef": "a string",
    "id": "a URI",
}


# Validation vocabulary, section 7.3.
ASSERTED_FORMATS = frozenset(
    {
        "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4",
        "ipv6", "iri", "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time",
        "uri", "uri-reference", "uri-template", "uuid",
    }
)  # fmt: skip
