"""What the tests of handlers share: one service with every kind of method, and classes compared with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from toolspec.diagnostics import Diagnostic
from toolspec.driver.build import Request, check
from toolspec.ir import Program
from toolspec.usercode.classes import HandlerClass, find_class
from toolspec.usercode.compare import compare
from toolspec.usercode.python_file import read_python
from toolspec.usercode.required_methods import RequiredMethods, required_methods

SPEC = """toolspec: 1
service: {name: shop, description: A shop.}
$defs:
  Order: {type: object, properties: {id: {type: integer}}, required: [id]}
tools:
  - name: getOrder
    description: Get an order.
    inputSchema:
      type: object
      properties: {id: {type: integer}, full: {type: boolean, default: false}}
      required: [id]
    outputSchema: {$ref: "#/$defs/Order"}
    mutation: false
  - name: placeOrder
    description: Place an order.
    inputSchema: {type: object, properties: {text: {type: string}}, required: [text]}
    outputSchema: {$ref: "#/$defs/Order"}
    mutation: true
    annotations: {destructiveHint: false}
    verify: true
    revert: true
  - name: watchOrders
    description: Watch orders — one line each, “as they come”.
    outputSchema: {type: string}
    mutation: false
    streaming: true
"""
METHODS = (
    "get_order",
    "place_order",
    "verify_place_order",
    "revert_place_order",
    "watch_orders",
)


def write_spec(folder: Path) -> Path:
    (folder / "specs").mkdir(parents=True, exist_ok=True)
    (folder / "specs" / "shop.yaml").write_text(SPEC, encoding="utf-8")
    return folder


def program_of(folder: Path) -> Program:
    return check(Request(folder=folder)).value.program


@cache
def shop(folder: Path) -> RequiredMethods:
    """Return what the shop needs written; `folder` gets its spec."""
    return required_methods(program_of(write_spec(folder)).services[0])


def class_in(text: str | bytes, needs: RequiredMethods, wanted: str = "") -> HandlerClass:
    data = text.encode() if isinstance(text, str) else text
    read = read_python("app/shop.py", data)
    assert read.value, read.diagnostics
    found = find_class(read.value, needs, wanted)
    assert found.value, found.diagnostics
    return found.value


def findings(text: str, needs: RequiredMethods, package: str = "generated") -> list[Diagnostic]:
    """Return the findings about a class, or why there is none."""
    read = read_python("app/shop.py", text.encode())
    if read.value is None:
        return list(read.diagnostics)
    found = find_class(read.value, needs)
    if found.value is None:
        return list(found.diagnostics)
    return list(compare(found.value, needs, package))
