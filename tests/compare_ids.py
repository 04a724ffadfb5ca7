"""Compare the ids of all tests at two git revisions.

    python tests/compare_ids.py BEFORE [AFTER]

AFTER is the working tree by default. Prints each id of BEFORE that AFTER lacks, and the number of new
ids. Exits with 1 if an id is missing that `tests/changed_ids.toml` does not list as renamed or removed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHANGES = Path(__file__).parent / "changed_ids.toml"


def collect(checkout: Path) -> set[str]:
    """Return the ids of the tests of a checkout, those of `make prove` included."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "--color=no"],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout / "compiler")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(
            f"pytest cannot collect the tests of {checkout}:\n{done.stdout[-3000:]}{done.stderr}"
        )
    return {line for line in done.stdout.splitlines() if "::" in line}


def collect_revision(revision: str) -> set[str]:
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        git("worktree", "add", "--quiet", "--detach", str(checkout), revision)
        try:
            return collect(checkout)
        finally:
            git("worktree", "remove", "--force", str(checkout))


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=ROOT, check=True)


def renamed(ids: set[str], renames: list[dict[str, str]]) -> set[str]:
    """Return ids with each rename applied, in the order of the file."""
    patterns = [(re.compile(rename["pattern"]), rename["to"]) for rename in renames]
    return {replace_all(test, patterns) for test in ids}


def replace_all(test: str, patterns: list[tuple[re.Pattern[str], str]]) -> str:
    for pattern, replacement in patterns:
        test = pattern.sub(replacement, test)
    return test


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", help="a git revision")
    parser.add_argument("after", nargs="?", help="a git revision (default: the working tree)")
    options = parser.parse_args()

    changes = tomllib.loads(CHANGES.read_text(encoding="utf-8"))
    removed = [re.compile(removal["pattern"]) for removal in changes.get("removed", [])]
    before = renamed(collect_revision(options.before), changes.get("renamed", []))
    after = collect_revision(options.after) if options.after else collect(ROOT)

    missing = {
        test for test in before - after if not any(pattern.search(test) for pattern in removed)
    }
    for file, count in sorted(Counter(test.partition("::")[0] for test in missing).items()):
        print(f"{file}: {count} missing")
        print(*(f"  {test}" for test in sorted(missing) if test.startswith(f"{file}::")), sep="\n")
    counts = f"{len(missing)} missing, {len(after - before)} new"
    print(f"{len(before)} tests before, {len(after)} after: {counts}")
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main())
