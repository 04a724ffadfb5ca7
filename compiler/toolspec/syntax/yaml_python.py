"""PyYAML's own parser adapted to libyaml's behaviour, for installations without libyaml.

A separate module, because only such installations import it. PyYAML's parser differs in tabs,
surrogates, unknown directives, and in the error messages that `yaml_errors` parses.
"""

from __future__ import annotations

import re
from typing import Any

from yaml.error import MarkedYAMLError
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import ScalarToken

_BREAKS = "\r\n\x85\u2028\u2029"
_DIRECTIVES = frozenset({"YAML", "TAG"})
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|.)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATES = range(0xD800, 0xE000)
_CHARACTERS = 0x110000

# The problem in PyYAML's wording, and in libyaml's.
_PROBLEMS = tuple(
    (re.compile(pattern), problem)
    for pattern, problem in (
        (
            r"sequence entries are not allowed here",
            "block sequence entries are not allowed in this context",
        ),
        (
            r"mapping (values|keys) are not allowed here",
            r"mapping \1 are not allowed in this context",
        ),
        (r"expected (',' or '.'), but got .*", r"did not find expected \1"),
        (r"expected the node content, but found .*", "did not find expected node content"),
        (r"expected '<document start>', but found .*", "did not find expected <document start>"),
        (
            r"found character .* that cannot start any token",
            "found character that cannot start any token",
        ),
        (
            r"expected alphabetic or numeric character, but found .*",
            "did not find expected alphabetic or numeric character",
        ),
        (
            r"expected escape sequence of \d hexadecimal numbers, but found .*",
            "did not find expected hexdecimal number",
        ),
        (r"expected '>', but found .*", "did not find the expected '>'"),
        (r"found undefined tag handle .*", "found undefined tag handle"),
        (
            r"expected (?:chomping|a comment|indentation).*, but found .*",
            "did not find expected comment or line break",
        ),
        (r"found incompatible YAML document .*", "found incompatible YAML document"),
        (r"expected a digit or '.', but found .*", "did not find expected digit or '.' character"),
        (r"found unknown escape character .*", "found unknown escape character"),
        (r"found unexpected document separator", "found unexpected document indicator"),
        (r"duplicate tag handle .*", "found duplicate %TAG directive"),
    )
)
_BLOCK_END = "expected <block end>"
_DASH = "'-' indicator"


class PythonParser(Reader, Scanner, Parser):
    """A parser of YAML events without libyaml."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def get_event(self) -> Any:
        """Return the next event. Raises YAMLError with libyaml's wording of the problem."""
        try:
            return Parser.get_event(self)  # type: ignore[no-untyped-call]  # its stub has no types
        except MarkedYAMLError as error:
            error.problem = _as_libyaml(error.problem or "", error.context or "")
            raise

    def scan_to_next_token(self) -> None:
        """Skip blanks, comments and line breaks; also tabs where no indentation is expected."""
        if self.index == 0 and self.peek() == "\ufeff":
            self.forward()
        while True:
            while self.peek() == " " or (
                self.peek() == "\t" and (self.flow_level or not self.allow_simple_key)
            ):
                self.forward()
            if self.peek() == "#":
                while self.peek() not in f"\0{_BREAKS}":
                    self.forward()
            if not Scanner.scan_line_break(self):  # type: ignore[no-untyped-call]  # as above
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def scan_plain(self) -> Any:
        """Return a plain scalar; in flow style `?` is a letter, `:` before an indicator fails."""
        start, indent = self.get_mark(), self.indent + 1
        end, chunks, spaces = start, list[str](), list[str]()
        while self.peek() != "#":
            length = 0
            while not self._ends_plain(length, start):
                length += 1
            if not length:
                break
            self.allow_simple_key = False
            chunks += (*spaces, self.prefix(length))
            self.forward(length)
            end = self.get_mark()
            spaces = self.scan_plain_spaces(indent, start)
            if not spaces or (not self.flow_level and self.column < indent):
                break
        return ScalarToken("".join(chunks), plain=True, start_mark=start, end_mark=end)

    def _ends_plain(self, length: int, start: Any) -> bool:
        character = self.peek(length)
        if character != ":":
            return character in f"\0 \t{_BREAKS}" or bool(self.flow_level and character in ",[]{}")
        following = self.peek(length + 1)
        if self.flow_level and following in ",?[]{}":
            context, problem = "while scanning a plain scalar", "found unexpected ':'"
            self.forward(length)
            raise ScannerError(context, start, problem, self.get_mark())
        return following in f"\0 \t{_BREAKS}"

    def scan_plain_spaces(self, indent: int, start_mark: Any) -> list[str]:
        """Return the blanks inside a plain scalar, including tabs."""
        length = 0
        while self.peek(length) in " \t":
            length += 1
        blanks = self.prefix(length)
        self.forward(length)
        if self.peek() not in _BREAKS:
            return [blanks] if blanks else []
        chunks: list[str] = super().scan_plain_spaces(indent, start_mark) or []
        if chunks and self.peek() == "\t" and self.column < indent:
            context, problem = (
                "while scanning a plain scalar",
                "found a tab character as indentation",
            )
            raise ScannerError(context, start_mark, problem, self.get_mark())
        while chunks and self.peek() == "\t":
            self.forward()
        return chunks

    def scan_flow_scalar(self, style: str) -> Any:
        """Return a quoted scalar; each escape must name a character."""
        start = self.get_mark()
        try:
            token = super().scan_flow_scalar(style)
        except ValueError as error:  # the code is beyond Unicode
            raise self._bad_escape(start) from error
        if _SURROGATE.search(token.value):
            raise self._bad_escape(start)
        return token

    def _bad_escape(self, start: Any) -> ScannerError:
        mark = self.get_mark()
        for match in _ESCAPE.finditer(self.buffer, start.pointer):
            code = int(match[1] or match[2] or "0", 16)
            if code in _SURROGATES or code >= _CHARACTERS:
                mark.index = match.start() + 2
                break
        problem = "found invalid Unicode character escape code"
        return ScannerError("while parsing a quoted scalar", start, problem, mark)

    def scan_directive(self) -> Any:
        """Return a directive. Raises for unknown ones."""
        start = self.get_mark()
        token = super().scan_directive()
        if token.name not in _DIRECTIVES:
            mark = self.get_mark()
            mark.index = start.index + 1 + len(token.name)
            context, problem = "while scanning a directive", "found unknown directive name"
            raise ScannerError(context, start, problem, mark)
        return token

    def scan_block_scalar_breaks(self, indent: int) -> Any:
        """Return the line breaks before a line of a block scalar, which a tab may not indent."""
        breaks = super().scan_block_scalar_breaks(indent)
        if self.column < indent and self.peek() == "\t":
            context, mark = "while scanning a block scalar", self.get_mark()
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError(context, mark, problem, mark)
        return breaks


def _as_libyaml(problem: str, context: str) -> str:
    """Return a problem in libyaml's wording."""
    if problem.startswith(_BLOCK_END):
        is_list = "collection" in context or "sequence" in context
        return f"did not find expected {_DASH if is_list else 'key'}"
    for pattern, libyaml_problem in _PROBLEMS:
        match = pattern.fullmatch(problem)
        if match:
            return match.expand(libyaml_problem)
    return problem
