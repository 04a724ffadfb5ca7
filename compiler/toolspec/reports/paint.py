"""Terminal colours of reports, apart from the frame, which only a diagnostic loads."""

from __future__ import annotations

from typing import Final

_STYLES: Final = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "message": "1",
    "margin": "34",
    "secondary": "34",
}


class Paint:
    """Paints texts in named styles; `primary` is the style of the diagnostic's severity."""

    def __init__(self, severity: str, *, color: bool) -> None:
        self._severity = severity
        self._color = color

    def __call__(self, style: str, text: str) -> str:
        """Return the text in a style; unchanged without colour."""
        if not self._color:
            return text
        code = _STYLES[self._severity if style == "primary" else style]
        return f"\x1b[{code}m{text}\x1b[0m"
