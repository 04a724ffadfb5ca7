"""Serialization of XML elements by the standard library, with hidden characters escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from toolspec.shared.records import dataclass, field
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Tag:
    """An element: name, attributes, and either lines of text or child elements.

    `text` consists of lines that `sinks.terminal` made: escaped again, a report would lose its own
    `:::` marks.
    """

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple[Tag, ...] = ()
    text: str = ""


def xml_text(root: Tag) -> str:
    """Return the document of an element, indented, with a final newline.

    Hidden and control characters of attributes, most of which XML cannot represent, appear as
    `<U+200B>`.
    """
    element = _element(root)
    ET.indent(element)
    body = ET.tostring(element, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _element(tag: Tag) -> ET.Element:
    element = ET.Element(tag.name, {k: printable(v) for k, v in tag.attributes.items()})
    element.text = tag.text or None
    element.extend(map(_element, tag.children))
    return element
