"""Adding missing methods: whatever the class looks like, they are there and nothing else changed."""

from __future__ import annotations

import ast
import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import sampled
from toolspec.driver import build
from toolspec.runtime import ToolError
from toolspec.usercode.compare import compare
from toolspec.usercode.patch import patched
from toolspec.usercode.python_file import read_python
from toolspec.usercode.required_methods import RequiredMethods
from written import METHODS, class_in, shop, write_spec


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make the package `made_shop`, importable while these tests run."""
    folder = write_spec(tmp_path_factory.mktemp("apply"))
    built = build.compile_specs(build.Request(out="made_shop", folder=folder))
    assert built.ok
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def with_methods(text: str, needs: RequiredMethods) -> str:
    """Return the patched text; what was there before is still there, in order, character by character."""
    done = patched(class_in(text, needs), needs, "made_shop")
    assert done.diagnostics == ()
    rest = iter(done.value)
    assert all(character in rest for character in text)
    left = compare(class_in(done.value, needs), needs, "made_shop")
    assert [each.message for each in left] == []
    again = patched(class_in(done.value, needs), needs, "made_shop")
    assert again.value == done.value
    return done.value


HEAD = "from made_shop.shop import ShopHandlers\n"
CLASSES = {
    "pass": "class A(ShopHandlers):\n    pass\n",
    "only a docstring": 'class A(ShopHandlers):\n    """Doc.\n\n    More.\n    """\n',
    "no final newline": "class A(ShopHandlers):\n    pass",
    "two blanks": "class A(ShopHandlers):\n  x = 1\n",
    "tabs": "class A(ShopHandlers):\n\tx = 1\n\tdef f(self):\n\t\treturn 1\n",
    "one line": "class A(ShopHandlers): pass\n",
    "one line without blank": "class A(ShopHandlers):pass\n",
    "one line, many blanks": "class A(ShopHandlers):      x = 1; y = 2;  # end\n",
    "one line, tab": "class A(ShopHandlers):\tpass\n",
    "one line, continued": "class A(ShopHandlers): \\\n  x = 1\n",
    "one line at the end": "class A(ShopHandlers): ...",
    "header of several lines": "class A(\n    ShopHandlers,  # a: b\n):\n    x = 1\n",
    "a comment behind the colon": "class A(ShopHandlers):  # why \\\n    x = 1\n",
    "comments at the end": "class A(ShopHandlers):\n    x = 1\n\n    # last word\n\n# not of the class\ny = 2\n",
    "a continued last line": "class A(ShopHandlers):\n    x = 1; \\\n\n\ny = 2\n",
    "a comment that looks continued": "class A(ShopHandlers):\n    x = 1  # \\\ny = 2\n",
    "a nested class at the end": "class A(ShopHandlers):\n    class Context:\n        x = 1\n\n\ny = 2\n",
    "a decorated method at the end": "class A(ShopHandlers):\n    @property\n    def x(self):\n        return '''\na'''\n",
    "a decorated class": "def same(x): return x\n\n@same\nclass A(ShopHandlers):\n\n    @property\n    def x(self): return 1\n",
    "inside a condition": "if True:\n  class A(ShopHandlers):\n   x = 1\n\n  y = 2\nelse:\n  pass\n",
    "one line inside a condition": "if True:\n\tclass A(ShopHandlers): pass\n",
    "keywords": "class A(ShopHandlers, metaclass=type(ShopHandlers)): x: int = {1: 2}[1]\n",
    "names that mean something else": "Context = AsyncIterator = not_implemented = 1\nfrom json import loads as Mapping\nclass A(ShopHandlers): pass\n",
    "hidden by a parameter": "def f(Mapping, *, Context=1): pass\nclass A(ShopHandlers): pass\n",
    "imported already": "from toolspec.runtime import Context as C, not_implemented as ni\nfrom made_shop.shop import *\nclass A(ShopHandlers): pass\n",
    "imported inside a function": "def f():\n    from toolspec.runtime import Context\nclass A(ShopHandlers): pass\n",
    "statements behind the imports' line": "import os; z = (\n1)\nclass A(ShopHandlers): pass\n",
    "form feeds": "\f\nclass A(ShopHandlers):\n\f\n    x = 1\n\f\ny = 2\n",
    "characters of several bytes": "class A(ShopHandlers):\n    ä = '𝒳'  # — é\n",
}
PREFIXES = {
    "bare": HEAD,
    "documented": f'"""Doc."""\n{HEAD}',
    "lazy": f"from __future__ import annotations\n\n{HEAD}",
    "checked": (
        f"from __future__ import annotations\nfrom typing import TYPE_CHECKING\n{HEAD}\n"
        "if TYPE_CHECKING:\n  from made_shop.shop import GetOrderInput\n\n"
    ),
    "checked in a line": (
        f"from __future__ import annotations\nimport typing\n{HEAD}\n"
        "if typing.TYPE_CHECKING: import os\n"
    ),
    "checked, but not lazy": (
        f"from typing import TYPE_CHECKING\n{HEAD}\n"
        "if TYPE_CHECKING:\n\tfrom made_shop.shop import GetOrderInput\n"
    ),
    "commented": f"#!/usr/bin/env python\n# licence\n\nx = 0\n{HEAD}",
}


@pytest.mark.parametrize("line_end", sampled(["\n", "\r\n", "\r"], 1), ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("name", CLASSES)
def test_methods_are_added_and_answer(
    name: str, prefix: str, line_end: str, generated: Path
) -> None:
    text = f"{PREFIXES[prefix]}{CLASSES[name]}".replace("\n", line_end)
    result = with_methods(text, shop(generated))
    if line_end == "\n":
        assert_answers(result)
    else:
        assert "\n" not in result.replace(line_end, "")


def assert_answers(text: str) -> None:
    """Run a patched file, and its methods: each says that it is not written."""
    from made_shop.shop import bind  # type: ignore[import-not-found] # made by the fixture

    namespace: dict[str, object] = {"__name__": "user_code"}
    exec(compile(text, "user_code.py", "exec"), namespace)  # noqa: S102 - made by this test
    owner = namespace["A"]
    assert isinstance(owner, type)
    registry = bind(owner())
    with pytest.raises(ToolError, match="not implemented"):
        asyncio.run(registry.call("shop_getOrder", {"id": 1}))
    with pytest.raises(ToolError, match="not implemented"):
        asyncio.run(registry.call("shop_watchOrders", {}))


MEMBERS = (
    '"""Doc."""',
    "pass",
    "...",
    "x = 1  # one",
    "x = 1; y = 2;",
    "x = (1,\n  2)",
    "x = '''\n  a\n b'''",
    "x = 1; \\\n",
    "# a comment",
    "  # a deeper comment",
    "",
    "def f(self): return 1",
    "def f(self):\n>return 1\n>>\n># inner",
    "class Context:\n>x = 1",
    "class Inner: pass",
    "if True:\n>y = 1\nelif x:\n>y = 2\nelse: y = 3",
    "try:\n>import json as Mapping\nexcept ImportError: pass",
    "async def get_order(self, input, ctx): return {'id': 1}",
    "async def watch_orders(self, input):\n>yield 'é—𝒳'",
    "def verify_place_order(self, input, output): return None",
    "@staticmethod\ndef total(prices: 'int') -> int: return 1",
)
steps = st.sampled_from([" ", "  ", "    ", "\t"])


@st.composite
def files(draw: st.DrawFn) -> str:
    step = draw(steps)
    members = draw(st.lists(st.sampled_from(MEMBERS), max_size=6))
    lines = [step + line.replace(">", step) for each in members for line in each.split("\n")]
    # A class needs a statement; lines inside a text or a continuation may have any indent.
    lines.insert(draw(st.integers(0, 1)) and len(lines), f"{step}z = 0")
    head = draw(st.sampled_from(["class A(ShopHandlers):", "class A(\n ShopHandlers\n ):  # x"]))
    after = draw(
        st.sampled_from(["", "\n", "\n# end", "\n\n\ny = 1\n", f"\n{step}# of A\nt = 1\n"])
    )
    text = draw(st.sampled_from(list(PREFIXES.values()))) + "\n".join([head, *lines]) + after
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))


@settings(
    derandomize=True,
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(files())
def test_any_class_gets_its_methods(generated: Path, text: str) -> None:
    try:
        ast.parse(text)
    except SyntaxError:
        return
    result = with_methods(text, shop(generated))
    assert set(METHODS) <= class_in(result, shop(generated)).members.keys()


def test_a_byte_order_mark_stays(generated: Path) -> None:
    data = f"\ufeff{HEAD}class A(ShopHandlers): pass\n".encode()
    read = read_python("a.py", data).value
    assert read is not None
    assert (read.mark, read.text[:4]) == ("\ufeff", "from")


def test_a_name_that_is_nearly_right_is_renamed_by_its_author_not_added(generated: Path) -> None:
    needs = shop(generated)
    text = f"{HEAD}class A(ShopHandlers):\n    async def get_orders(self, input, ctx): ...\n"
    result = patched(class_in(text, needs), needs, "made_shop").value
    assert "def get_order(" not in result
    assert "def place_order(" in result


SORTED = {
    "one import of the service": (
        "from made_shop.shop import ShopHandlers\n\n\nclass A(ShopHandlers):\n    pass\n"
    ),
    "lazy and checked": (
        "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\n"
        "from made_shop.shop import ShopHandlers\n\nif TYPE_CHECKING:\n"
        "    from made_shop.shop import GetOrderInput\n\n\nclass A(ShopHandlers):\n"
        "    def one(self, given: GetOrderInput) -> None: ...\n"
    ),
    "every section there": (
        "from __future__ import annotations\n\nimport os\nfrom typing import TYPE_CHECKING\n\n"
        "import yaml\nfrom toolspec.runtime import Context\n\n"
        "from made_shop.shop import ShopHandlers\n\nfrom . import names\n\nif TYPE_CHECKING:\n"
        "    from zlib import error\n\n    from made_shop.shop import GetOrderInput\n\n\n"
        "class A(ShopHandlers):\n    x = (os, yaml, names, Context)\n"
        "    def one(self, given: GetOrderInput) -> error: ...\n"
    ),
    "a long statement": (
        "from made_shop.shop import (\n    GetOrderInput,\n    ShopHandlers,\n)\n\n\n"
        "class A(ShopHandlers):\n    def one(self, given: GetOrderInput) -> None: ...\n"
    ),
    "a comment in the statement": (
        "from made_shop.shop import (\n    ShopHandlers,  # ours\n)\n\n\n"
        "class A(ShopHandlers):\n    pass\n"
    ),
    "an empty block": (
        "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\n"
        "from made_shop.shop import ShopHandlers\n\nif TYPE_CHECKING:\n    X = int\n\n\n"
        "class A(ShopHandlers):\n    pass\n"
    ),
}


@pytest.mark.parametrize("name", SORTED)
def test_imports_are_where_isort_puts_them(name: str, generated: Path, tmp_path: Path) -> None:
    (tmp_path / "made_shop").symlink_to(generated / "made_shop")
    before = SORTED[name]
    if name != "a comment in the statement":  # it stays, and a second statement stands beside it
        assert unsorted(tmp_path, before) == ""
        assert before.count("from made_shop.shop import") <= 2
    after = with_methods(before, shop(generated))
    if name == "a comment in the statement":
        assert "ShopHandlers,  # ours\n" in after
        return
    assert unsorted(tmp_path, after) == ""
    plain, _, hidden = after.partition("if TYPE_CHECKING:")
    assert plain.count("from made_shop.shop import") == 1
    assert hidden.count("from made_shop.shop import") <= 1


def unsorted(folder: Path, text: str) -> str:
    (folder / "user.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "I", "--diff", "user.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout
