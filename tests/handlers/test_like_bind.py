"""The comparison against the runtime: what it calls clean binds, and what it refuses does not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.driver import build
from toolspec.runtime import BindError
from written import METHODS, findings, shop, write_spec

# Where the second parameter is named otherwise than `ctx`, the order of names decides who is called.
NAMES = ("input", "ctx", "given", "output", "metadata")
DECORATORS = ("", "", "", "@staticmethod", "@classmethod")


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = write_spec(tmp_path_factory.mktemp("bind"))
    assert build.compile_specs(build.Request(out="bound_shop", folder=folder)).ok
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@st.composite
def signatures(draw: st.DrawFn) -> str:
    """Return parameters in any form that Python has for them."""
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4))
    cut = draw(st.integers(0, len(names)))
    positional, keywords = names[:cut], names[cut:]
    first_default = draw(st.integers(0, len(positional)))
    parts = [f"{n}=None" if at >= first_default else n for at, n in enumerate(positional)]
    if parts and draw(st.booleans()):
        parts.insert(draw(st.integers(1, len(parts))), "/")
    any_number = draw(st.booleans())
    if any_number:
        parts.append("*rest")
    elif keywords:
        parts.append("*")
    parts += [draw(st.sampled_from([name, f"{name}=None"])) for name in keywords]
    if draw(st.booleans()):
        parts.append("**more")
    return ", ".join(parts)


@st.composite
def methods(draw: st.DrawFn, name: str) -> str:
    decorator = draw(st.sampled_from(DECORATORS))
    owner = {"@staticmethod": "", "@classmethod": "cls"}.get(decorator, "self")
    parameters = ", ".join(filter(None, (owner, draw(signatures()))))
    # `self, /` and `/` behind nothing are both legal only where something stands before.
    kind = draw(st.sampled_from(["def", "async def"]))
    body = draw(st.sampled_from(["return None", "yield", "(lambda: (yield))", "pass"]))
    head = f"    {decorator}\n" if decorator else ""
    return f"{head}    {kind} {name}({parameters}): {body}\n"


@st.composite
def classes(draw: st.DrawFn) -> str:
    base = draw(st.sampled_from(["ShopHandlers", "ShopStubs"]))
    names = draw(st.lists(st.sampled_from([*METHODS, "cancel", "total", "_own"]), unique=True))
    written = [draw(methods(name)) for name in names]
    return f"from bound_shop.shop import {base}\nclass Shop({base}):\n    x = 1\n" + "".join(
        written
    )


def binds(text: str) -> bool:
    from bound_shop.shop import bind  # type: ignore[import-not-found] # made by the fixture

    namespace: dict[str, object] = {"__name__": "user_code"}
    exec(compile(text, "user_code.py", "exec"), namespace)  # noqa: S102 - made by this test
    owner = namespace["Shop"]
    assert isinstance(owner, type)
    try:
        bind(owner())
    except BindError:
        return False
    return True


@settings(derandomize=True, max_examples=80, deadline=None)
@given(classes())
def test_a_class_binds_if_and_only_if_it_has_no_error(generated: Path, text: str) -> None:
    assert_binds_without_error(generated, text)


@pytest.mark.prove
@settings(derandomize=True, max_examples=2_000, deadline=None)
@given(classes())
def test_any_class_binds_if_and_only_if_it_has_no_error(generated: Path, text: str) -> None:
    assert_binds_without_error(generated, text)


def assert_binds_without_error(generated: Path, text: str) -> None:
    errors = [d for d in findings(text, shop(generated)) if d.severity == "error"]
    assert binds(text) == (not errors), [each.message for each in errors]
