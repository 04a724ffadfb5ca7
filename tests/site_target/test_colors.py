"""Accent colours, and their contrast as WCAG measures it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_programs import service, tool
from site_pages import site
from toolspec.ir import Program
from toolspec.syntax.nodes import JsonValue
from toolspec.targets.site import TARGET
from toolspec.targets.site.colors import BACKGROUNDS, LEAST, accents, contrast, readable

COLORS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48), ("#767676", "#ffffff", 4.54)],
)
def test_contrast_is_that_of_wcag(one: str, other: str, expected: float) -> None:
    assert contrast(one, other) == contrast(other, one) == pytest.approx(expected, abs=0.005)


@given(COLORS, st.sampled_from(["light", "dark"]))
def test_the_proposed_colour_is_accepted(color: str, theme: str) -> None:
    better = readable(color, theme)
    assert [*TARGET.check_options({"accent": {theme: better}}, lambda *_: None)] == []
    if all(contrast(color, behind) >= LEAST for behind in BACKGROUNDS[theme]):
        assert better == color


def test_the_backgrounds_are_those_of_the_style() -> None:
    style = site(Program((service(tool("a")),)))["site.css"]
    themes = re.findall(r"--back: (#\w+); --soft: (#\w+);.*--accent: (#\w+)", style)
    light, dark, also_dark, *_ = themes
    assert also_dark == dark
    short = {"#fff": "#ffffff"}
    assert tuple(short.get(color, color) for color in light[:2]) == BACKGROUNDS["light"]
    assert tuple(dark[:2]) == BACKGROUNDS["dark"]


@pytest.mark.parametrize(
    ("accent", "light", "dark"),
    [
        (None, "#4338ca", "#a5a6ff"),
        ("#0b6e4f", "#0b6e4f", "#469179"),
        ({"dark": "#ffcc00"}, "#4338ca", "#ffcc00"),
        ({"light": "#aa0000"}, "#aa0000", "#a5a6ff"),
    ],
)
def test_each_theme_has_an_accent(accent: JsonValue, light: str, dark: str) -> None:
    options = {} if accent is None else {"accent": accent}
    assert accents(options) == type(accents({}))(light, dark)
    assert [*TARGET.check_options(options, lambda *_: None)] == []
    style = site(Program((service(tool("a")),)), **options)["site.css"]
    assert style.count(f"--accent: {light};") == 1
    assert style.count(f"--accent: {dark};") == 2
