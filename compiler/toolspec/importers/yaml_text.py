"""YAML serializer for JSON values with comments, by the round trip of ruamel.yaml.

Any YAML 1.2 reader returns exactly the value, and every comment remains a comment.
"""

from __future__ import annotations

from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING

from toolspec.importers.yaml_styles import (
    COMMENT_WIDTH,
    comment_text,
    head_text,
    is_bare,
    is_block,
    is_plain,
    is_short,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path


def yaml_text(value: JsonValue, comments: Mapping[Path, str], header: Sequence[str]) -> str:
    """Return the text of a document: header lines as comments, then the value in block style.

    `comments` maps the path of a mapping's member to its comment, written at the end of the line
    for a short scalar, above it for anything else.
    """
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.width = 1 << 30  # folding a scalar over lines is where emitters lose blanks
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = StringIO()
    yaml.dump(_Writer(comments).node(value), stream)
    return head_text(header, _escaped(stream.getvalue()))


def _escaped(text: str) -> str:
    """Return YAML with invisible characters escaped; they occur in double quotes only."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"\\U{ord(char):08X}" for char in text
    )


class _Writer:
    """Builds the tree that ruamel.yaml writes, with a lossless style for each string."""

    def __init__(self, comments: Mapping[Path, str]) -> None:
        from ruamel.yaml import comments as nodes
        from ruamel.yaml import scalarstring as styles

        self._nodes = nodes
        self._styles = styles
        self._comments = comments

    def node(self, value: JsonValue, path: Path = (), *, flow: bool = False) -> object:
        """Return the node of a value; inside a flow collection everything is flow."""
        match value:
            case dict():
                return self._mapping(value, path, flow=flow or is_short(value, path))
            case list():
                return self._sequence(value, path, flow=flow or is_short(value, path))
            case str():
                return self._quoted(value) if flow else self._scalar(value)
            case _:
                return value

    def _mapping(self, value: JsonObject, path: Path, *, flow: bool) -> CommentedMap:
        mapping = self._nodes.CommentedMap()
        for key, member in value.items():
            at = (*path, key)
            name = self._quoted(key)
            mapping[name] = self.node(member, at, flow=flow)
            if at in self._comments:
                self._annotate(mapping, name, at)
        if flow:
            mapping.fa.set_flow_style()
        return mapping

    def _sequence(self, value: list[JsonValue], path: Path, *, flow: bool) -> CommentedSeq:
        sequence = self._nodes.CommentedSeq(
            self.node(item, (*path, index), flow=flow) for index, item in enumerate(value)
        )
        if flow:
            sequence.fa.set_flow_style()
        elif len(path) == 1:  # a list of large items, like `tools`: blank lines between
            for index in range(1, len(value)):
                sequence.yaml_set_comment_before_after_key(index, before="\n")
        return sequence

    def _annotate(self, mapping: CommentedMap, key: str, path: Path) -> None:
        comment = comment_text(self._comments[path])
        member = mapping[key]
        has_lines = isinstance(member, (dict, list, self._styles.LiteralScalarString))
        if not has_lines and len(key) + len(str(member)) + len(comment) < COMMENT_WIDTH:
            mapping.yaml_add_eol_comment(comment, key, column=0)
        else:
            mapping.yaml_set_comment_before_after_key(key, before=comment, indent=_column(path))

    def _scalar(self, text: str) -> str:
        if is_plain(text):
            return text
        if is_block(text):
            block: str = self._styles.LiteralScalarString(text)
            return block
        return self._quoted(text)

    def _quoted(self, text: str) -> str:
        quoted: str = text if is_bare(text) else self._styles.DoubleQuotedScalarString(text)
        return quoted


def _column(path: Path) -> int:
    """Return the column of a path's key, with the widths that `yaml.indent` has."""
    column = 0
    for step, inner in pairwise(path):
        if isinstance(step, int):
            column += 4
        elif isinstance(inner, str):
            column += 2
    return column
