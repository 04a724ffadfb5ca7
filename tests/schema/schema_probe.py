"""A schema put through the whole schema floor, as the front end does it."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

from toolspec.schema import (
    Bundle,
    Bundler,
    InstanceValidator,
    LinkedSchema,
    Prover,
    check_bundle,
    check_complexity,
    check_nested_defaults,
    read_resource,
)
from toolspec.syntax import parse

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Document, JsonValue

PATH = "specs/schema.json"


def document(value: JsonValue, path: str = PATH) -> Document:
    checked = parse(path, json.dumps(value).encode())
    assert checked.value is not None, checked.diagnostics
    return checked.value


def bundle(value: JsonValue) -> Bundle:
    """Return the bundle of a schema that needs no other."""
    checked = read_resource(value, document(value).location())
    assert checked.ok, checked.diagnostics
    linked = LinkedSchema((PATH, ()), "", checked.value)
    made = Bundler({linked.key: linked}).bundle(linked)
    assert made is not None
    return made


def findings(value: JsonValue) -> tuple[Diagnostic, ...]:
    """Return everything that is found in a schema that needs no other."""
    location = document(value).location()
    checked = read_resource(value, location)
    if not checked.ok:
        return checked.diagnostics
    linked = LinkedSchema((PATH, ()), "", checked.value)
    schemas = {linked.key: linked}
    diagnostics = check_complexity(schemas) + check_nested_defaults(schemas)
    if diagnostics:
        return (*checked.diagnostics, *(each for _, each in diagnostics))
    made = bundle(value)
    with closing(Prover()) as prover:
        return (*checked.diagnostics, *check_bundle(made, InstanceValidator(made), prover))


def told(value: JsonValue) -> list[tuple[str, str]]:
    """Return code and pointer of each finding."""
    return [(each.code, each.subject.pointer) for each in findings(value)]
