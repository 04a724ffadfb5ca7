"""A server that answers what a test says, and the package of a module's `TOOLS`."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest
from requests_of_tools import compiled, document
from upstream import Upstream, serving


@pytest.fixture(scope="module")
def upstream() -> Iterator[Upstream]:
    with serving() as upstream:
        yield upstream


@pytest.fixture(scope="module")
def package(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        tools = request.module.TOOLS
        yield compiled(tmp_path_factory.mktemp("http"), patch, document(*tools))
