from __future__ import annotations

from pathlib import Path

import pytest
from toolspec.source import SourceFile
from toolspec.targets.templates import Code, SpecCode, TemplateError, Templates, template_names

FOLDER = Path(__file__).parent / "folder"


def quoted(value: object) -> Code:
    if isinstance(value, str | int):
        return SpecCode(repr(value), (value,))
    raise TypeError(f"cannot write {value!r}")


def templates(**texts: str) -> Templates:
    files = {f"{name}.jinja": SourceFile(f"own/{name}.jinja", text) for name, text in texts.items()}
    return Templates(
        FOLDER, quoted, files, names={"name": Code("name"), "call": lambda text: Code("f()")}
    )


def render(template: str, **view: object) -> str:
    return templates(own=template).render("own.jinja", view).text


def test_every_value_but_code_is_escaped() -> None:
    assert render("{{ a }} {{ name }} {{ 1 }}", a="x") == "'x' name 1"


MADE_OF_CODE = (
    "name | upper",
    "name ~ name",
    "name.upper()",
    "name[:]",
    "name * 1",
    "'{}'.format(name)",
    "'%s' | format(name)",
    "[name] | join",
    "name | replace('n', 'n')",
    "name | trim",
    "name | e",
    "text | safe",
    "text | tojson",
    "text | e",
)


@pytest.mark.parametrize("expression", MADE_OF_CODE)
def test_nothing_made_of_code_or_text_is_code(expression: str) -> None:
    text = render(f"{{{{ {expression} }}}}", text="x")
    assert text[0] in "'\""


UNREACHABLE = (
    "name.__class__('x')",
    "name.values.__class__",
    "call.__globals__",
    "call.__closure__",
    "self.__init__",
    "''.__class__.__mro__",
    "('{0.__class__}').format(name)",
    "name | attr('__class__')",
    "name.values.append(1)",
    "lipsum()",
    "[1, 2] | random",
    "range(10 ** 9)",
)


@pytest.mark.parametrize("expression", UNREACHABLE)
def test_a_template_of_a_user_reaches_nothing_else(expression: str) -> None:
    with pytest.raises(TemplateError) as caught:
        render(f"\n{{{{ {expression} }}}}")
    assert (caught.value.template, caught.value.line) == ("own.jinja", 2)


def test_values_are_recorded_with_their_offsets() -> None:
    made = templates(
        own="{% for a in b %}{{ a }}, {{ name }}{% include 'part.jinja' %}{% endfor %}"
    )
    rendered = made.render("own.jinja", {"b": ["x", 12]})
    assert rendered.text == "'x', name<'x'>12, name<12>"
    assert [
        (offset, str(code), code.values)
        for offset, code in zip(rendered.offsets, rendered.codes, strict=True)
    ] == [
        (0, "'x'", ("x",)),
        (10, "'x'", ("x",)),
        (14, "12", (12,)),
        (23, "12", (12,)),
    ]


@pytest.mark.parametrize(
    "block",
    [
        "{% set b %}{{ a }}{% endset %}{{ b }}",
        "{% filter upper %}{{ a }}{% endfilter %}",
        "{% macro f(b) %}{{ b }}{% endmacro %}{{ f(a) }}",
    ],
)
def test_a_value_whose_position_is_lost_is_an_error(block: str) -> None:
    with pytest.raises(TemplateError, match="kept as a text"):
        render(block, a="x")


def test_a_template_replaces_the_built_in_one_of_its_name() -> None:
    assert template_names(FOLDER) == ("part.jinja", "whole.jinja")
    assert templates(other="").render("whole.jinja", {"a": 1}).text == "built in <1>\n"
    assert templates(part="own {{ a }}").render("whole.jinja", {"a": 1}).text == "built in own 1\n"


ERRORS = {
    "syntax": ("\n{% if %}", 2, "Expected an expression"),
    "unknown block": ("\n\n{% x %}", 3, "unknown tag 'x'"),
    "undefined": ("\n{{ missing }}", 2, "'missing' is undefined"),
    "no member": ("{{ name.missing }}", 1, "has no attribute 'missing'"),
    "no template": ("\n{% include 'missing.jinja' %}", 2, "no template is named `missing.jinja`"),
    "outside": ("{% include '../../conftest.py' %}", 1, "no template is named"),
    "no value": ("\n{{ [] }}", 2, "cannot write []"),
    "arithmetic": ("{{ 1 / 0 }}", 1, "division by zero"),
    "itself": ("{% include 'own.jinja' %}", 1, "recursion"),
}


@pytest.mark.parametrize(("text", "line", "reason"), ERRORS.values(), ids=ERRORS)
def test_an_error_of_a_template_has_its_line(text: str, line: int, reason: str) -> None:
    source = SourceFile("own/own.jinja", text)
    with pytest.raises(TemplateError, match=r"own\.jinja") as caught:
        Templates(FOLDER, quoted, {"own.jinja": source}, names={"name": Code("n")}).render(
            "own.jinja", {}
        )
    assert reason in caught.value.reason
    span = caught.value.span({"own.jinja": source})
    assert span is not None
    assert span.first.line == line
    assert span.source is source


def test_an_error_in_a_built_in_template_is_raised_as_it_is() -> None:
    with pytest.raises(Exception, match="'a' is undefined"):
        Templates(FOLDER, quoted).render("whole.jinja", {})
