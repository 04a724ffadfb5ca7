"""YAML serializer for JSON values with comments: the only place where foreign text becomes YAML.

Any YAML 1.2 reader returns exactly the value, and every comment remains a comment.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

_COMMENT_WIDTH = 92
_FLOW_WIDTH = 92
_LONG = 88
# Longer keys need an indicator; the limit of YAML is 1024 characters.
_LONGEST_KEY = 1000
# Document, service, list of tools and tool are always written as blocks.
_FRAME = 2
# A text of such words needs no quotes anywhere: in a block, in a flow, as a key.
_BARE = re.compile(r"[A-Za-z_$/][A-Za-z0-9_$./-]*( [A-Za-z0-9_$./()-]+)*")
# Readers of YAML 1.1 interpret these as booleans and null.
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def yaml_text(value: JsonObject, comments: Mapping[Path, str], header: Sequence[str]) -> str:
    """Return the text of a document: header lines as comments, then the value in block style.

    `comments` maps the path of a mapping's member to its comment, written at the end of the line
    for a short scalar, above it for anything else.
    """
    writer = _Writer(comments)
    writer.mapping(value, (), "")
    body = "".join(f"{line}\n" for line in writer.lines)
    head = "".join(f"# {comment_text(line)}".rstrip() + "\n" for line in header)
    return f"{head}\n{body}" if head else body


def comment_text(text: str) -> str:
    """Return a text for a comment: one line, without invisible characters."""
    return "".join(char if char.isprintable() else f"U+{ord(char):04X}" for char in text)


@dataclass(slots=True)
class _Writer:
    """Lines of a document, with a lossless style for each string."""

    comments: Mapping[Path, str]
    lines: list[str] = field(default_factory=list)

    def mapping(self, value: JsonObject, path: Path, indent: str, dash: str = "") -> None:
        """Write the members of a mapping; the first one follows the dash of a list item."""
        if not value:
            self.lines.append(f"{indent}{dash}{{}}")
        for key, member in value.items():
            at = (*path, key)
            name = _quoted(key)
            head = (
                f"{indent}{dash}{name}:" if len(name) < _LONGEST_KEY else f"{indent}{dash}? {name}"
            )
            comment = comment_text(self.comments[at]) if at in self.comments else ""
            inner = indent + " " * len(dash)
            text = self._inline(member, at)
            is_beside = bool(comment) and text is not None and not isinstance(member, (dict, list))
            if is_beside and len(key) + len(str(member)) + len(comment) < _COMMENT_WIDTH:
                text = f"{text} # {comment}"
            elif comment:
                self.lines.append(f"{indent}# {comment}".rstrip())
            if len(name) >= _LONGEST_KEY:
                self.lines.append(head)
                head = f"{inner}:"
            if text is not None:
                self.lines.append(f"{head} {text}".rstrip())
            else:
                self._lines_of(head, member, at, inner)
            indent, dash = inner, ""

    def _lines_of(self, head: str, member: JsonValue, at: Path, indent: str) -> None:
        """Write a member with lines of its own."""
        if isinstance(member, dict):
            self.lines.append(head)
            self.mapping(member, at, f"{indent}  ")
        elif isinstance(member, list):
            self.lines.append(head)
            self._sequence(member, at, f"{indent}  ")
        else:
            self._block(head, str(member), f"{indent}  ")

    def _sequence(self, value: list[JsonValue], path: Path, indent: str) -> None:
        for index, item in enumerate(value):
            at = (*path, index)
            text = self._inline(item, at)
            if len(path) == 1 and index and text is None:  # a list of large items, like `tools`
                self.lines.append("")
            if text is not None:
                self.lines.append(f"{indent}- {text}")
            elif isinstance(item, dict):
                self.mapping(item, at, indent, "- ")
            elif isinstance(item, list):
                self.lines.append(f"{indent}-")
                self._sequence(item, at, f"{indent}  ")
            else:
                self._block(f"{indent}-", str(item), f"{indent}  ")

    def _block(self, head: str, text: str, indent: str) -> None:
        self.lines.append(f"{head} |" if text.endswith("\n") else f"{head} |-")
        lines = text.removesuffix("\n").split("\n")
        self.lines += (indent + line if line else "" for line in lines)

    def _inline(self, value: JsonValue, path: Path) -> str | None:
        """Return a value on one line, or None if it has lines of its own."""
        if isinstance(value, (dict, list)):
            return _flow(value) if _is_short(value, path) else None
        if not isinstance(value, str):
            return json.dumps(value)
        if _is_plain(value):
            return value
        if ("\n" in value or (len(value) > _LONG and " " in value)) and _is_block_text(value):
            return None
        return _quoted(value)


def _flow(value: JsonValue) -> str:
    match value:
        case dict():
            return f"{{{', '.join(f'{_quoted(key)}: {_flow(member)}' for key, member in value.items())}}}"
        case list():
            return f"[{', '.join(map(_flow, value))}]"
        case str():
            return _quoted(value)
        case _:
            return json.dumps(value)


def _quoted(text: str) -> str:
    if _is_bare(text):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    if quoted.isprintable():
        return quoted
    return "".join(char if char.isprintable() else f"\\U{ord(char):08X}" for char in quoted)


def _is_short(value: JsonObject | list[JsonValue], path: Path) -> bool:
    """Return whether a collection fits on one line; the frame of a document never does."""
    return not value or (
        len(path) > _FRAME and len(canonical_json(value)) + 3 * len(path) <= _FLOW_WIDTH
    )


def _is_bare(text: str) -> bool:
    return _BARE.fullmatch(text) is not None and text.lower() not in _WORDS


def _is_plain(text: str) -> bool:
    """Return whether a text of a block needs no quotes: prose that begins with a letter."""
    if _is_bare(text):
        return True
    begins = text[:1].isalpha() and text[:1].isascii()
    return (
        begins
        and len(text) <= _LONG
        and text.isprintable()
        and not text.endswith((" ", ":"))
        and ": " not in text
        and " #" not in text
        and text.lower() not in _WORDS
    )


def _is_block_text(text: str) -> bool:
    """Return whether a literal block preserves a text, even in editors that trim lines.

    Tabs inside a line are fine; some readers count one at the beginning as indentation.
    """
    lines = text.removesuffix("\n").split("\n")
    return (
        bool(lines[0])
        and bool(lines[-1])
        and not lines[0][0].isspace()
        and all(line.replace("\t", "").isprintable() for line in lines)
        and not any(line.startswith("\t") or line[-1:] in {" ", "\t"} for line in lines)
    )
