"""Results that were measured, kept from run to run, and the page that shows them.

`results.json` has the rows of each number of the goals, with date and revision. The table of
`README.md` and `chart.svg` are written from it.
"""

from __future__ import annotations

import json
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from row import Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HERE = Path(__file__).parent
_FILE, _PAGE, _CHART = HERE / "results.json", HERE / "README.md", HERE / "chart.svg"
_BEGIN, _END = "<!-- results -->\n", "<!-- end of results -->\n"
_HEADER = """\
| | what | goal | measured | ours | theirs | against | date |
|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Result:
    """The rows of one number, the date, and the commit that was measured."""

    date: str
    revision: str
    rows: tuple[Row, ...]


class Results:
    """All results by the key of their rows, in the order of the goals."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = tuple(keys)
        known: dict[str, Any] = json.loads(_FILE.read_bytes()) if _FILE.exists() else {}
        self._results = {
            key: Result(each["date"], each["revision"], tuple(Row(**row) for row in each["rows"]))
            for key, each in known.items()
        }
        self._revision = _git("rev-parse", "--short=12", "HEAD") or ""

    def is_current(self, key: str) -> bool:
        """Whether a key was measured with the compiler and the scripts of this commit."""
        return key in self._results and _has_same_code(self._results[key].revision)

    def keep(self, key: str, rows: Iterable[Row]) -> None:
        """Keep the rows of a key, and write the results at once."""
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        self._results[key] = Result(today, self._revision, tuple(rows))
        kept = {key: asdict(self._results[key]) for key in self._keys if key in self._results}
        text = json.dumps(kept, indent=2, ensure_ascii=False) + "\n"
        _FILE.write_text(text, encoding="utf-8")

    def write_page(self) -> None:
        """Write the table into the page, and the chart beside it."""
        ordered = [self._results[key] for key in self._keys if key in self._results]
        lines = [shown(row, result.date) for result in ordered for row in result.rows]
        head, _, rest = _PAGE.read_text(encoding="utf-8").partition(_BEGIN)
        _, _, tail = rest.partition(_END)
        python = f"CPython {platform.python_version()}, {platform.system()}\n\n"
        table = _HEADER + "\n".join(lines) + "\n\n"
        _PAGE.write_text(f"{head}{_BEGIN}{python}{table}{_END}{tail}", encoding="utf-8")
        rows = [row for result in ordered for row in result.rows]
        _CHART.write_text(chart(rows), encoding="utf-8")


def shown(row: Row, date: str) -> str:
    """Return a row as a line of the table."""
    if row.figure is None:
        figure = "–"
    else:
        number = f"{row.figure:.1f}" if abs(row.figure) >= 10 else f"{row.figure:.2f}"
        figure = f"{number}{row.unit} {'✓' if row.is_met else '✗'}"
    note = f" ({row.note})" if row.note else ""
    what = row.what + note
    cells = (row.number, what, row.goal, figure, row.ours, row.theirs, row.against, date)
    return "| " + " | ".join(cells) + " |"


_GROUPS = ("P1", "P1r", "P4", "P4r", "P13")
_LEFT, _WIDTH, _LINE = 210, 470, 18


def chart(rows: Sequence[Row]) -> str:
    """Return bars of CPU seconds, ours beside those of other programs on the same tools, as SVG."""
    parts: list[str] = []
    top = 10
    for number in _GROUPS:
        group = [row for row in rows if row.number == number and row.theirs]
        if not group:
            continue
        bars = [("toolspec", _seconds(group[0].ours))]
        bars += [(row.against.strip("`"), _seconds(row.theirs)) for row in group]
        parts.append(f'<text x="10" y="{top + 12}" class="title">{escape(group[0].what)}</text>')
        top += _LINE + 4
        parts += _bars(bars, top)
        top += _LINE * len(bars) + 14
    style = (
        "text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600}"
        ".ours{fill:#0969da}.theirs{fill:#8c959f}"
        "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.ours{fill:#4493f8}}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{top}" role="img">\n'
    title = "<title>CPU seconds of toolspec and of other programs on the same tools</title>\n"
    return f"{head}{title}<style>{style}</style>\n" + "\n".join(parts) + "\n</svg>\n"


def _bars(bars: Sequence[tuple[str, float]], top: int) -> Iterator[str]:
    most = max(seconds for _, seconds in bars)
    for index, (name, seconds) in enumerate(bars):
        y = top + _LINE * index
        width = max(1, round(_WIDTH * seconds / most))
        kind = "theirs" if index else "ours"
        yield f'<text x="{_LEFT - 8}" y="{y + 12}" text-anchor="end">{escape(name)}</text>'
        yield f'<rect x="{_LEFT}" y="{y + 2}" width="{width}" height="12" class="{kind}"/>'
        yield f'<text x="{_LEFT + width + 6}" y="{y + 12}">{seconds:.2f} s</text>'


def _seconds(text: str) -> float:
    return float(text.split(maxsplit=1)[0])


# What figures depend on; a commit of other files, such as the results, keeps them.
_CODE = (":/compiler/toolspec", ":/compiler/pyproject.toml", "*.py", ":!results.py", ":!measure.py")


def _has_same_code(revision: str) -> bool:
    return _git("diff", "--quiet", revision, "HEAD", "--", *_CODE) is not None


def _git(*arguments: str) -> str | None:
    """Return the output of git, None if it fails."""
    command = ["git", "-C", str(HERE), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return None if done.returncode else done.stdout.strip()
