"""The default of a setting is an unencrypted URL."""

import re

from toolspec.rules.api import Diagnostics, Role, SchemaVisit, Severity, declare, edits

KIND = declare(
    __name__,
    Severity.WARNING,
    "the default of `{name}` is an unencrypted URL",
    "write `https:`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_PLAIN = re.compile(r"(?i)http://(?!localhost\b|127\.|\[::1\])")


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each setting whose default is an `http:` URL of another machine."""
    for setting in visit.properties if visit.role is Role.SETTINGS else ():
        default = setting.schema.get("default")
        if isinstance(default, str) and _PLAIN.match(default):
            location = visit.location(*setting.path, "default")
            edit = edits.replace_value(location, f"https{default[4:]}") if location else ()
            fix = edits.fix("write `https:`", edit)
            yield visit.diagnostic(KIND, (*setting.path, "default"), fix=fix, name=setting.name)
