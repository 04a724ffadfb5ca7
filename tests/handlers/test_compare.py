"""A class against its service: what is found, and which text of the user's file it points at."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from toolspec.usercode.new_file import new_file
from toolspec.usercode.python_file import read_python
from toolspec.usercode.required_methods import required_methods
from written import METHODS, SPEC, class_in, findings, program_of, shop

HEAD = "from toolspec.runtime import ToolError, ToolError as E\nfrom generated.shop import *\n\nclass Shop(ShopHandlers):\n"
RIGHT = {
    "get_order": "    async def get_order(self, input, ctx): return {}\n",
    "place_order": "    async def place_order(self, input, ctx): return {}\n",
    "verify_place_order": "    async def verify_place_order(self, input, output, ctx): ...\n",
    "revert_place_order": "    async def revert_place_order(self, input, output, metadata): ...\n",
    "watch_orders": "    async def watch_orders(self, input, ctx): yield ''\n",
}


def body(**changed: str) -> str:
    return HEAD + "".join({**RIGHT, **changed}.values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shop")


def test_a_class_with_all_methods_is_clean(folder: Path) -> None:
    assert findings(body(), shop(folder)) == []


def test_a_new_file_is_clean(folder: Path) -> None:
    assert findings(new_file(shop(folder), "generated"), shop(folder)) == []


@pytest.mark.parametrize("name", ["none", "true", "context", "service"])
def test_a_new_file_has_a_class_whatever_the_service_is_called(name: str, tmp_path: Path) -> None:
    text = SPEC.replace("name: shop", f"name: '{name}'")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "any.yaml").write_text(text, encoding="utf-8")
    needs = required_methods(program_of(tmp_path).services[0])
    assert findings(new_file(needs, "generated"), needs) == []


CASES = {
    "missing": ({"get_order": ""}, "handlers/missing", "Shop"),
    "misspelt": (
        {"get_order": "    async def get_odrer(self, input, ctx): ...\n"},
        "handlers/extra",
        "get_odrer",
    ),
    "extra": (
        {"more": "    async def cancel_everything(self, input, ctx): ...\n"},
        "handlers/extra",
        "cancel_everything",
    ),
    "verify of a tool without": (
        {"more": "    async def verify_get_order(self, input, output, ctx): ...\n"},
        "handlers/extra",
        "verify_get_order",
    ),
    "a generator where a result belongs": (
        {"get_order": "    async def get_order(self, input, ctx): yield {}\n"},
        "handlers/wrong-kind",
        "get_order",
    ),
    "a result where a generator belongs": (
        {"watch_orders": "    async def watch_orders(self, input, ctx): return ''\n"},
        "handlers/wrong-kind",
        "watch_orders",
    ),
    "a plain generator": (
        {"watch_orders": "    def watch_orders(self, input, ctx): yield ''\n"},
        "handlers/wrong-kind",
        "watch_orders",
    ),
    "a generator that only an inner function is": (
        {
            "watch_orders": "    async def watch_orders(self, input, ctx):\n        def f(): yield 1\n"
        },
        "handlers/wrong-kind",
        "watch_orders",
    ),
    "too many parameters": (
        {"get_order": "    async def get_order(self, input, ctx, more): ...\n"},
        "handlers/wrong-signature",
        "self, input, ctx, more",
    ),
    "no parameters": (
        {"get_order": "    async def get_order(): ...\n"},
        "handlers/wrong-signature",
        "get_order",
    ),
    "verify without its output": (
        {"verify_place_order": "    async def verify_place_order(self, input): ...\n"},
        "handlers/wrong-signature",
        "self, input",
    ),
    "a keyword that nobody gives": (
        {"get_order": "    async def get_order(self, input, *, user): ...\n"},
        "handlers/wrong-signature",
        "self, input, *, user",
    ),
    "the input of another tool": (
        {"get_order": "    async def get_order(self, input: PlaceOrderInput, ctx): ...\n"},
        "handlers/wrong-type",
        "PlaceOrderInput",
    ),
    "what callers give, where defaults are filled in": (
        {"get_order": "    async def get_order(self, input: GetOrderArguments, ctx): ...\n"},
        "handlers/wrong-type",
        "GetOrderArguments",
    ),
    "the output of another tool, quoted": (
        {"get_order": "    async def get_order(self, input, ctx) -> 'PlaceOrderOutput': ...\n"},
        "handlers/wrong-type",
        "'PlaceOrderOutput'",
    ),
    "the whole where chunks belong": (
        {
            "watch_orders": "    async def watch_orders(self, input) -> It[WatchOrdersOutput]: yield ''\n"
        },
        "handlers/wrong-type",
        "WatchOrdersOutput",
    ),
    "a code that the tool does not list": (
        {
            "get_order": "    def get_order(self, input): raise ToolError.conflict('x', code='taken')\n"
        },
        "handlers/unlisted-error",
        "'taken'",
    ),
    "a code given by position, in an inner block": (
        {
            "get_order": "    def get_order(self, input):\n        if 1: raise E('b', 'x') from None\n"
        },
        "handlers/unlisted-error",
        "'b'",
    ),
    "behind characters of several bytes": (
        {"get_order": "    async def get_order(self, input: '—' 'é𝒳', ä: int, ö, ü): ...\n"},
        "handlers/wrong-signature",
        "self, input: '—' 'é𝒳', ä: int, ö, ü",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_one_finding_at_its_place(name: str, folder: Path) -> None:
    changed, code, pointed = CASES[name]
    found = findings(body(**changed), shop(folder))
    assert [each.code for each in found] == [code]
    assert found[0].span is not None
    assert found[0].span.text == pointed
    assert found[0].span.source.path == "app/shop.py"


@pytest.mark.parametrize(
    "method",
    [
        "    def get_order(self, input): return {}\n",
        "    async def get_order(self, given, context): return {}\n",
        "    async def get_order(self, *arguments): return {}\n",
        "    async def get_order(self, input, *, ctx=None): return {}\n",
        "    async def get_order(self, input, ctx, more=1): return {}\n",
        "    @staticmethod\n    async def get_order(input, ctx): return {}\n",
        "    @classmethod\n    async def get_order(cls, input, ctx): return {}\n",
        "    @wrapped\n    def get_order(self): yield\n",
        "    get_order = other\n",
        "    get_order: object = other\n",
        "    from elsewhere import get_order\n",
        "    if True:\n        async def get_order(self, input, ctx): return {}\n",
        "    async def get_order(self, input: dict[str, object], ctx) -> Order: return {}\n",
        "    async def get_order(self, input: 'not a type', ctx): return {}\n",
        "    async def get_order(self, input, ctx): return {}\n    async def _mine(self, input): ...\n",
        "    async def get_order(self, input, ctx): return {}\n    def total(self, prices): ...\n",
    ],
)
def test_what_binds_at_run_time_is_no_finding(method: str, folder: Path) -> None:
    assert findings(body(get_order=method), shop(folder)) == []


def test_each_finding_has_a_second_label_in_the_spec(folder: Path) -> None:
    (found,) = findings(body(get_order=""), shop(folder))
    (label,) = found.labels
    assert (label.span.source.path, label.span.text) == ("specs/shop.yaml", "getOrder")
    assert (found.subject.service, found.subject.tool) == ("shop", "shop_getOrder")


def test_a_renamed_method_is_told_once_and_can_be_fixed(folder: Path) -> None:
    text = body(get_order="    async def get_orders(self, input, ctx): return {}\n")
    (found,) = findings(text, shop(folder))
    assert found.help == "did you mean `get_order`?"
    assert found.fix is not None
    assert found.fix.edits[0].new_text == "get_order"


def test_stubs_leave_a_warning_for_what_is_not_written(folder: Path) -> None:
    found = findings("class Shop(ShopStubs):\n    pass\n", shop(folder))
    assert [each.code for each in found] == ["handlers/unwritten"] * len(METHODS)


def test_a_class_that_sends_requests_has_the_methods_of_their_tools(tmp_path: Path) -> None:
    http = "    http: {method: GET, path: /order, server: 'https://shop.example'}\n"
    (tmp_path / "specs").mkdir()
    text = SPEC.replace("  - name: placeOrder", f"{http}  - name: placeOrder")
    (tmp_path / "specs" / "shop.yaml").write_text(text, encoding="utf-8")
    needs = required_methods(program_of(tmp_path).services[0])
    text = "from generated.shop import ShopHttpHandlers\nclass Shop(ShopHttpHandlers):\n    pass\n"
    found = findings(text, needs)
    assert [each.code for each in found] == ["handlers/unwritten"] * (len(METHODS) - 1)
    assert not any("`get_order`" in each.message for each in found)


def test_methods_of_a_base_in_the_same_file_count(folder: Path) -> None:
    text = body().replace("class Shop(", "class Base(") + "\nclass Shop(Base):\n    pass\n"
    assert findings(text, shop(folder)) == []


def test_a_base_from_another_file_makes_a_note_of_what_is_not_here(folder: Path) -> None:
    text = body(get_order="").replace("(ShopHandlers)", "(Mixin, ShopHandlers)")
    (found,) = findings(text, shop(folder))
    assert (found.code, found.span.text if found.span else "") == ("handlers/unseen-base", "Mixin")


@pytest.mark.parametrize(
    "head",
    [
        "from generated.shop import ShopHandlers as Base\nclass Any(Base):\n",
        "import generated.shop\nclass Any(generated.shop.ShopHandlers):\n",
        "class Any(object, ShopHandlers, metaclass=type):\n",
        "if True:\n  class Any(ShopHandlers):\n    x = 1\nclass Any(ShopHandlers):\n",
    ],
)
def test_the_class_is_found_by_what_it_inherits(head: str, folder: Path) -> None:
    assert class_in(head + "".join(RIGHT.values()), shop(folder)).node.name == "Any"


def test_the_class_can_be_named(folder: Path) -> None:
    text = "class Plain:\n" + "".join(RIGHT.values())
    assert class_in(text, shop(folder), "Plain").node.name == "Plain"


def test_no_class_and_several_classes_are_findings(folder: Path) -> None:
    needs = shop(folder)
    assert [d.code for d in findings("x = 1\n", needs)] == ["handlers/no-class"]
    text = "class A(ShopStubs): pass\nclass B(ShopStubs): pass\n"
    (several,) = findings(text, needs)
    assert several.code == "handlers/several-classes"
    assert [label.span.text for label in several.labels] == ["B"]


@pytest.mark.parametrize(
    "module", ["generated.shop", ".generated.shop", "app.generated.shop.types"]
)
def test_an_import_of_what_is_not_generated_any_more(module: str, folder: Path) -> None:
    text = f"from {module} import GetOrdersInput, GetOrderInput\n{body()}"
    (found,) = findings(text, shop(folder), "app.generated")
    assert found.code == "handlers/unknown-name"
    assert found.span is not None
    assert found.span.text == "GetOrdersInput"
    assert found.help == "did you mean `GetOrderInput`?"


@pytest.mark.parametrize(
    "text",
    [
        b"class A(:\n",
        b"\xff\xfe",
        b"x = 1\0\n",
        b"def f(:\r\n  pass",
        b"(" * 5000,
        b"-" * 100_000 + b"1",
        b"x = 'open",
        b"\t x\n  y",
    ],
)
def test_what_is_no_python_is_one_finding(text: bytes) -> None:
    read = read_python("a.py", text)
    assert read.value is None
    assert [each.code for each in read.diagnostics] == ["handlers/syntax"]


def test_the_file_is_never_run(folder: Path) -> None:
    marker = folder / "ran"
    text = f"import pathlib\npathlib.Path({str(marker)!r}).touch()\n{body()}"
    modules = set(sys.modules)
    assert findings(text, shop(folder)) == []
    assert not marker.exists()
    assert set(sys.modules) == modules


@pytest.mark.parametrize(
    "raised",
    [
        "ToolError.not_found('none')",
        "ToolError.conflict('no', code='closed')",
        "ToolError('closed', 'no', 'conflict')",
        "ToolError('timeout', 'late', 'timeout')",
        "ToolError.conflict('no', code=self.code)",
        "Other('taken')",
        "ValueError('taken')",
        "error",
    ],
)
def test_listed_codes_categories_and_codes_that_are_computed_are_fine(
    raised: str, tmp_path: Path
) -> None:
    (tmp_path / "specs").mkdir()
    errors = "    errors: [{code: closed, description: The shop is closed.}]\n"
    spec = SPEC.replace("  - name: placeOrder", f"{errors}  - name: placeOrder", 1)
    (tmp_path / "specs" / "shop.yaml").write_text(spec, encoding="utf-8")
    method = f"    async def get_order(self, input, ctx): raise {raised}\n"
    needs = required_methods(program_of(tmp_path).services[0])
    assert findings(body(get_order=method), needs) == []


def test_a_code_that_is_nearly_right_names_the_listed_one(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    errors = "    errors: [{code: closed, description: The shop is closed.}]\n"
    spec = SPEC.replace("  - name: placeOrder", f"{errors}  - name: placeOrder", 1)
    (tmp_path / "specs" / "shop.yaml").write_text(spec, encoding="utf-8")
    method = "    def get_order(self, input): raise ToolError.conflict('x', code='cloesd')\n"
    needs = required_methods(program_of(tmp_path).services[0])
    [found] = findings(body(get_order=method), needs)
    assert found.message == "`shop_getOrder` raises `cloesd`, which its `errors` does not list"
    assert found.help.startswith("did you mean `closed`? Else list it in the spec")
    assert found.labels
