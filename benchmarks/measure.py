"""`python benchmarks/measure.py [ROWS …]`: measure rows of the table, and write it into the page.

Without names, rows that were measured with this code are left out: a run that was interrupted
goes on where it ended.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from diff_rows import compare
from process import FailedError
from results import Results, shown
from rows import ROWS as OF_COMPILING
from runtime_rows import ROWS as OF_RUNNING
from serving_rows import ROWS as OF_SERVING
from site_rows import ROWS as OF_SITES
from workshop import HERE, Workshop

ROWS = OF_COMPILING | OF_RUNNING | OF_SERVING | OF_SITES | {"P19": compare}


def main() -> int:
    """Measure; return 1 if rows could not be measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", help=f"of {', '.join(ROWS)}")
    parser.add_argument("--scratch", type=Path, required=True, help="corpora and outputs")
    parser.add_argument(
        "--peers", type=Path, required=True, help="where `make bench-peers` installed"
    )
    parser.add_argument(
        "--dumps",
        type=Path,
        default=HERE.parents[1] / "shared" / "corpus" / "mcp-tools",
        help="dumps of the `tools/list` of real servers",
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tools", type=int, default=1000)
    options = parser.parse_args()
    folders = (each.resolve() for each in (options.scratch, options.peers, options.dumps))
    bench = Workshop(*folders, options.rounds, options.tools)
    bench.scratch.mkdir(parents=True, exist_ok=True)
    results = Results(ROWS)
    failed = 0
    for key in options.rows or [each for each in ROWS if not results.is_current(each)]:
        try:
            rows = list(ROWS[key](bench))
        except FailedError as error:
            failed = 1
            print(f"{key}: {error}", file=sys.stderr)
        else:
            results.keep(key, rows)
            results.write_page()
            for row in rows:
                print(shown(row, ""), flush=True)
        bench.clean()
    return failed


if __name__ == "__main__":
    sys.exit(main())
