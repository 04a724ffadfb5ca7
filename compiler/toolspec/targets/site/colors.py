"""Accent colours of a site, and their contrast as WCAG 2.2 measures it (success criterion 1.4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass
from toolspec.targets.site.kinds import CONTRAST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import OptionSpan

LEAST = 4.5
"""The contrast that WCAG AA asks of text."""
DEFAULTS = {"light": "#4338ca", "dark": "#a5a6ff"}
BACKGROUNDS = {"light": ("#ffffff", "#f6f7f9"), "dark": ("#0f1216", "#171b21")}
"""The colours that `site.css` has behind links, by theme."""
_END = {"light": 0, "dark": 255}
_STEPS = 100


@dataclass(frozen=True, slots=True)
class Accents:
    """The accent of each theme, as `#rrggbb`."""

    light: str
    dark: str


def accents(options: JsonObject) -> Accents:
    """Return the accents in the options of the target; one for both themes is made lighter for the dark one."""
    stated = _stated(options)
    light = stated.get("light", DEFAULTS["light"])
    dark = stated.get("dark") or (
        readable(light, "dark") if stated.get("both") else DEFAULTS["dark"]
    )
    return Accents(light, dark)


def check_colors(options: JsonObject, span: OptionSpan) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each accent that is too close to a background."""
    stated = _stated(options)
    for theme in ("light", "dark"):
        color = stated.get(theme)
        if color is None:
            continue
        ratio, behind = min((contrast(color, behind), behind) for behind in BACKGROUNDS[theme])
        if ratio < LEAST:
            yield CONTRAST.at(
                span("accent") if stated.get("both") else span("accent", theme),
                color=color,
                theme=theme,
                ratio=f"{int(ratio * 100) / 100:.2f}",
                behind=behind,
                better=readable(color, theme),
            )


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours: 1 for equal ones, 21 for black and white."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable(color: str, theme: str) -> str:
    """Return the nearest colour that has enough contrast in a theme, mixed with black or white."""
    parts = _parts(color)
    for step in range(_STEPS + 1):
        mixed = (part + (_END[theme] - part) * step / _STEPS for part in parts)
        made = f"#{''.join(f'{round(part):02x}' for part in mixed)}"
        if all(contrast(made, behind) >= LEAST for behind in BACKGROUNDS[theme]):
            return made
    message = f"no colour is readable in the {theme} theme"
    raise AssertionError(message)


def _stated(options: JsonObject) -> dict[str, str]:
    """Return the accents by theme; `both` is there if one was stated for both."""
    value = options.get("accent")
    if isinstance(value, str):
        return {"light": value, "both": value}
    return {theme: str(color) for theme, color in value.items()} if isinstance(value, dict) else {}


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    red, green, blue = (_linear(part / 255) for part in _parts(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - of sRGB
