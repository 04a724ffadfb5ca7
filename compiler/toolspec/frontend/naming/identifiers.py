"""Python identifiers: legal ASCII names for any text, snake_case, PascalCase, reserved words.

The tables do not use `keyword` and `builtins`, so that every version of Python gives the same
names. Only ASCII letters are allowed: Python folds others (PEP 3131, NFKC), so two names that look
different could be equal.
"""

from __future__ import annotations

import re
from functools import lru_cache

KEYWORDS = frozenset(
    {
        "False",
        "None",
        "True",
        "and",
        "as",
        "assert",
        "async",
        "await",
        "break",
        "class",
        "continue",
        "def",
        "del",
        "elif",
        "else",
        "except",
        "finally",
        "for",
        "from",
        "global",
        "if",
        "import",
        "in",
        "is",
        "lambda",
        "nonlocal",
        "not",
        "or",
        "pass",
        "raise",
        "return",
        "try",
        "while",
        "with",
        "yield",
    }
)
SOFT_KEYWORDS = frozenset({"_", "case", "match", "type"})
# A method or parameter with this name hides the built-in type in surrounding annotations.
BUILTIN_TYPES = frozenset(
    {"bool", "bytes", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple"}
)
# Names that the generated package defines or uses at its top, beside the services.
TOP_LEVEL = frozenset(
    {
        "annotations",
        "build_registry",
        "catalog",
        "docs",
        "isinstance",
        "mode",
        "require_runtime",
        "toolspec",
    }
)
# Device names of Windows, which folders cannot have.
DEVICES = frozenset(
    ["aux", "con", "nul", "prn"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
# Clients of these names would collide with their base classes of the runtime.
RESERVED_STEMS = frozenset({"Service", "SyncService"})
# Words with another meaning for clients and this compiler.
RESERVED_SERVICES = frozenset({"mcp", "plugin", "system", "tool"})
RESERVED_METHODS = SOFT_KEYWORDS | BUILTIN_TYPES
RESERVED_MODULES = SOFT_KEYWORDS | BUILTIN_TYPES | TOP_LEVEL | DEVICES

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FOREIGN = re.compile(r"[^A-Za-z0-9_]+")
_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")
# `listRepos` splits before R, `HTTPResponse` before Re; the plural of `URLs` stays whole.
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))")


def is_identifier(text: str) -> bool:
    """Return whether the text is a legal name anywhere in Python, class bodies included.

    Names that begin with two underscores are not: a class body mangles them.
    """
    return is_name(text) and not text.startswith("__")


def is_name(text: str) -> bool:
    """Return whether the text is an ASCII name in Python, and not a keyword of any version."""
    return _NAME.fullmatch(text) is not None and text not in KEYWORDS


def identifier(text: str, reserved: frozenset[str] = frozenset()) -> str:
    """Return a legal identifier for any text; a legal one stays as it is.

    Runs of other characters become one `_` and vanish at the ends; a leading digit gets `x_`; an
    empty result becomes `value`; a keyword or a name in `reserved` gets a trailing `_`.
    """
    name = text
    if not is_identifier(text):
        name = "_".join(part for part in _FOREIGN.split(text) if part)
        if name.startswith("__"):
            name = "_" + name.lstrip("_")
        if name.strip("_") == "":
            name = "value"
        elif name[0].isdigit():
            name = f"x_{name}"
    while name in KEYWORDS or name in reserved:
        name += "_"
    return name


def module_name(service: str) -> str:
    """Return the package name of a service: `my-app` and `myApp` are `my_app`, `docs` is `docs_`."""
    return identifier(snake_case(service), RESERVED_MODULES)


def class_stem(service: str) -> str:
    """Return the prefix of a service's class names: `my-app` gives `MyApp`."""
    stem = pascal_case(service)
    return f"{stem}_" if stem in RESERVED_STEMS else stem


def method_name(tool: str) -> str:
    """Return the method name of a tool: `getIssue` gives `get_issue`, `list` gives `list_`.

    Keywords and built-in types get a `_`: a method that hides `list` breaks every later annotation
    of its class.
    """
    return identifier(snake_case(tool), RESERVED_METHODS)


# Naming and several rules ask for the same names.
@lru_cache(maxsize=1 << 16)
def snake_case(text: str) -> str:
    """Return a name in snake case: `getHTTPResponse` gives `get_http_response`.

    Digits stay with the letters before them. The result may be a keyword, begin with a digit, or be
    empty: it is not yet an identifier.
    """
    apart = _CAMEL.sub("_", _SEPARATORS.sub("_", text))
    return apart.strip("_").lower()


def camel_case(text: str) -> str:
    """Return `someName` for any text, or "" if it has no letters or digits."""
    first, *others = snake_case(text).split("_")
    return "".join((first, *(word.capitalize() for word in others)))


def pascal_case(text: str) -> str:
    """Return a name in Pascal case: `get_http_response` is `GetHttpResponse`.

    The result begins with a letter, with an added `X` if necessary, and may be a keyword: class and
    type names add more to it.
    """
    words = snake_case(text).split("_")
    stem = "".join(word[0].upper() + word[1:] for word in words if word)
    return stem if stem[:1].isalpha() else f"X{stem}"
