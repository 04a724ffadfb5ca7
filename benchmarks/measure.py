"""`python benchmarks/measure.py [ROWS …]`: measure rows of the table and print it as Markdown."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from process import FailedError
from rows import ROWS as OF_COMPILING
from runtime_rows import ROWS as OF_RUNNING
from workshop import Workshop

if TYPE_CHECKING:
    from row import Row

ROWS = OF_COMPILING | OF_RUNNING
HEADER = """\
| | what | goal | measured | ours | theirs | against |
|---|---|---|---|---|---|---|"""


def shown(row: Row) -> str:
    """Return a row as a line of the table."""
    if row.figure is None:
        figure = "–"
    else:
        number = f"{row.figure:.1f}" if abs(row.figure) >= 10 else f"{row.figure:.2f}"
        figure = f"{number}{row.unit} {'✓' if row.is_met else '✗'}"
    note = f" ({row.note})" if row.note else ""
    cells = (row.number, row.what + note, row.goal, figure, row.ours, row.theirs, row.against)
    return "| " + " | ".join(cells) + " |"


def main() -> int:
    """Measure what the command line names; return 1 where a row could not be measured to its end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", default=list(ROWS), help=f"of {', '.join(ROWS)}")
    parser.add_argument("--scratch", type=Path, required=True, help="corpora and outputs")
    parser.add_argument(
        "--peers", type=Path, required=True, help="where `make bench-peers` installed"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tools", type=int, default=1000)
    given = parser.parse_args()
    given.scratch.mkdir(parents=True, exist_ok=True)
    bench = Workshop(given.scratch.resolve(), given.peers.resolve(), given.rounds, given.tools)
    print(f"{datetime.now(UTC):%Y-%m-%d}, {given.tools:,} tools, {given.rounds} rounds\n\n{HEADER}")
    failed = 0
    for number in given.rows:
        try:
            for row in ROWS[number](bench):
                print(shown(row), flush=True)
        except FailedError as error:
            failed = 1
            print(f"{number}: {error}", file=sys.stderr)
        bench.clean()
    return failed


if __name__ == "__main__":
    sys.exit(main())
