"""The name of a parameter mixes letters of different scripts."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.ERROR,
    "the name `{name}` mixes letters of {scripts}",
    "use letters of one script",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_ALIKE = frozenset({"ARMENIAN", "CYRILLIC", "GREEK", "LATIN"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each property whose name mixes letters of scripts that look alike."""
    for member in visit.properties:
        if member.name.isascii():
            continue
        scripts = sorted({script for letter in member.name if (script := _script(letter))})
        if len(scripts) > 1:
            yield visit.diagnostic(
                KIND, member.path, name=member.name, scripts=" and ".join(scripts)
            )


def _script(letter: str) -> str:
    """Return the script of a letter, if other scripts have similar letters; else empty."""
    import unicodedata

    name = unicodedata.name(letter, "").split(" ")[0] if letter.isalpha() else ""
    return name.capitalize() if name in _ALIKE else ""
