"""Documentation of the values that templates read: every class of a view, and the filters."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from typing import TYPE_CHECKING

from toolspec.sinks.markdown import blocks, code, prose, section, table
from toolspec.targets.docs.render import FILTERS as DOCS_FILTERS
from toolspec.targets.render.filters import FILTERS as RENDER_FILTERS
from toolspec.targets.site.render import FILTERS as SITE_FILTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    Filters = Mapping[str, Callable[..., object]]


def view_page(target: str) -> str:
    """Return the view of a target as Markdown, with its filters. Raises KeyError for an unknown one."""
    return blocks(*PAGES[target]())


def _python() -> Iterator[str]:
    yield _view("python")


def _docs() -> Iterator[str]:
    yield _view("docs")
    yield section(
        "## Filters of the docs target",
        "A value without a filter is text on one line, with the marks of Markdown escaped.",
        _filters(DOCS_FILTERS),
    )


def _site() -> Iterator[str]:
    yield _view("site")
    yield section(
        "## Filters of the site target",
        "The views of the docs target are in its pages too, as HTML. A value without a filter is text on "
        "one line, escaped also for a quoted attribute.",
        _filters(SITE_FILTERS),
    )


def _render() -> Iterator[str]:
    yield section(
        "## Filters of `[[render]]`",
        "The view is the data of `catalog.json`. A value without a filter is written as it is: "
        "true, false, and an empty text for null.",
        _filters(RENDER_FILTERS),
    )


PAGES: Mapping[str, Callable[[], Iterator[str]]] = {
    "docs": _docs,
    "python": _python,
    "render": _render,
    "site": _site,
}


def _view(target: str) -> str:
    module = import_module(f"toolspec.targets.{target}.view")
    tree = ast.parse(inspect.getsource(module))
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return blocks(
        f"## View of the {target} target, version {module.VIEW_VERSION}",
        *(_class(target, node) for node in classes),
    )


def _class(target: str, node: ast.ClassDef) -> str:
    return blocks(
        f"### {code(node.name)} of {target}",
        prose(ast.get_docstring(node) or ""),
        table(("Field", "Type", "Meaning"), _fields(node.body)),
    )


def _fields(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    for node, following in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                about = ""
                match following:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        about = text
                yield code(name), _type(annotation), prose(about)
            case ast.FunctionDef(name=name, returns=ast.expr() as annotation) if any(
                isinstance(decorator, ast.Name) and decorator.id == "property"
                for decorator in node.decorator_list
            ):
                yield code(name), _type(annotation), prose(ast.get_docstring(node) or "")


def _type(annotation: ast.expr) -> str:
    return code(ast.unparse(annotation).replace(" | ", " or "))


def _filters(filters: Filters) -> str:
    rows = (
        (code(name), prose((inspect.getdoc(function) or "").partition("\n")[0]))
        for name, function in filters.items()
    )
    return table(("Filter", "Result"), rows)
