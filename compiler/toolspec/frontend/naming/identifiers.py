"""Python spellings: legal ASCII identifiers for any text, snake_case, PascalCase, reserved words.

The tables are written out and not taken from `keyword` and `builtins`, so that every version of
Python gives the same names. Only ASCII letters pass: Python folds others (PEP 3131, NFKC), and two
names that look different would be one.
"""

from __future__ import annotations

import re

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
# A method or parameter of this name hides the built-in type in the annotations around it.
BUILTIN_TYPES = frozenset(
    {"bool", "bytes", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple"}
)
# What the generated package has or uses at its top, beside the services.
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
# Device names of Windows: no folder can have one of them.
DEVICES = frozenset(
    ["aux", "con", "nul", "prn"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
# Their clients would be called as the classes of the runtime that they inherit from.
RESERVED_STEMS = frozenset({"Service", "SyncService"})
# Words by which clients and this compiler name other things than a service.
RESERVED_SERVICES = frozenset({"mcp", "plugin", "system", "tool"})
RESERVED_METHODS = SOFT_KEYWORDS | BUILTIN_TYPES
RESERVED_MODULES = SOFT_KEYWORDS | BUILTIN_TYPES | TOP_LEVEL | DEVICES

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FOREIGN = re.compile(r"[^A-Za-z0-9_]+")
_SEPARATORS = re.compile(r"[^A-Za-z0-9]+")
# `listRepos` breaks before R, `HTTPResponse` before Re; the plural of `URLs` stays whole.
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))")


def is_identifier(text: str) -> bool:
    """Whether the text can stand as a name anywhere in Python, class bodies included, as it is.

    Names that begin with two underscores cannot: a class body mangles them.
    """
    return is_name(text) and not text.startswith("__")


def is_name(text: str) -> bool:
    """Return whether the text is a name in Python, of ASCII letters, and no keyword of any version."""
    return _NAME.fullmatch(text) is not None and text not in KEYWORDS


def identifier(text: str, reserved: frozenset[str] = frozenset()) -> str:
    """Return a legal identifier for any text; a text that is one already stays as it is.

    Runs of other characters become one `_` and vanish at the ends; a leading digit gets `x_`;
    nothing left is `value`; a keyword or a name in `reserved` gets a `_` at its end.
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
    """Return what the names of a service's classes begin with: `my-app` gives `MyApp`."""
    stem = pascal_case(service)
    return f"{stem}_" if stem in RESERVED_STEMS else stem


def method_name(tool: str) -> str:
    """Return the method name of a tool: `getIssue` gives `get_issue`, `list` gives `list_`.

    Keywords and built-in types get a `_`: a method that hides `list` breaks every later annotation
    of its class.
    """
    return identifier(snake_case(tool), RESERVED_METHODS)


def snake_case(text: str) -> str:
    """Return the words of a name in lower case, joined by `_`: `getHTTPResponse` gives three.

    Digits stay with the letters before them. The result may be a keyword, begin with a digit, or
    be empty: it is not yet an identifier.
    """
    apart = _CAMEL.sub("_", _SEPARATORS.sub("_", text))
    return apart.strip("_").lower()


def pascal_case(text: str) -> str:
    """Return the words of a name, each with a capital: `get_http_response` is `GetHttpResponse`.

    The result begins with a letter, an `X` where the text has none there, and may be a keyword: it
    is the stem of class and type names, to which more is added.
    """
    words = snake_case(text).split("_")
    stem = "".join(word[0].upper() + word[1:] for word in words if word)
    return stem if stem[:1].isalpha() else f"X{stem}"
