"""The proof engine of jsonschema-rs: which values satisfy a schema, or one schema and not another.

The engine is the only module that uses the canonical form of jsonschema-rs, whose API may change in any
minor release. Its time can grow exponentially with the choices of a schema and it cannot be interrupted:
callers measure their questions first, and ask larger ones in a child process with a limit of CPU time.
"""

from __future__ import annotations

import json
import sys
from enum import StrEnum

from toolspec.shared.encodings import ENCODINGS
from toolspec.shared.validator import is_native

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from subprocess import Popen

    from toolspec.shared.json_values import JsonValue

# A process that only runs the engine. It ends itself, so that its limit is CPU time on any machine.
_CHILD = """
import json, sys
try:
    from signal import ITIMER_PROF, setitimer
except ImportError:
    ITIMER_PROF, setitimer = 0, lambda *_: None
sys.path[:], seconds = json.loads(sys.stdin.readline())
from jsonschema_rs import canonicalize
for line in sys.stdin:
    setitimer(ITIMER_PROF, seconds)
    schemas, formats = json.loads(line)
    try:
        first, *others = (
            canonicalize(schema, validate_formats=formats, offline=True) for schema in schemas
        )
        answer = first.covers(*others) if others else first.satisfiability()
    except ValueError:
        answer = "unknown"
    print(answer, flush=True)
"""


class Answer(StrEnum):
    """Answer of the engine; `EXPIRED` if its time ran out."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    EXPIRED = "expired"


def is_available() -> bool:
    """Return whether jsonschema-rs is the validator; there are no proofs without it."""
    return is_native()


def satisfiability(schema: JsonValue) -> Answer:
    """Return whether any value satisfies a schema, without its formats."""
    return _answer([schema], formats=False)


def covers(outer: JsonValue, inner: JsonValue, *, formats: bool) -> Answer:
    """Return whether each value of the inner schema satisfies the outer one.

    Only `YES` is a proof for the caller: `NO` may concern a value that no sender makes. `formats`
    are validated together with encodings, of which the engine knows nothing: with both, the answer
    is `UNKNOWN`.
    """
    if formats and _has_encoding([outer, inner]):
        return Answer.UNKNOWN
    return _answer([outer, inner], formats=formats)


def _has_encoding(schemas: list[JsonValue]) -> bool:
    """Return whether a schema states an encoding that is validated."""
    waiting = [*schemas]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(name := node.get("contentEncoding"), str) and name in ENCODINGS:
                return True
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return False


def _answer(schemas: list[JsonValue], *, formats: bool) -> Answer:
    from jsonschema_rs import canonicalize

    try:
        first, *others = (
            canonicalize(schema, validate_formats=formats, offline=True)  # type: ignore[arg-type]  # a schema
            for schema in schemas
        )
        return Answer(str(first.covers(*others) if others else first.satisfiability()))
    except ValueError:  # the base class of the engine's errors
        return Answer.UNKNOWN


class Engine:
    """A child process that answers questions; each has a limit of CPU time.

    A wall-clock limit 100 times as long ends the process too.
    """

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._process: Popen[str] | None = None

    def satisfiability(self, schema: JsonValue) -> Answer:
        """Return whether any value satisfies a schema, without its formats."""
        return self._ask([schema], formats=False)

    def covers(self, outer: JsonValue, inner: JsonValue, *, formats: bool) -> Answer:
        """Return what the function `covers` returns."""
        if formats and _has_encoding([outer, inner]):
            return Answer.UNKNOWN
        return self._ask([outer, inner], formats=formats)

    def _ask(self, schemas: list[JsonValue], *, formats: bool) -> Answer:
        from threading import Timer

        try:
            process = self._process = self._process or self._start()
        except OSError:  # no process can be started, and the measure allows the proof
            return _answer(schemas, formats=formats)
        assert process.stdin, "it is a pipe"
        assert process.stdout, "it is a pipe"
        timer = Timer(100 * self._seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(json.dumps((schemas, formats)) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ""
        is_expired = not timer.is_alive()
        timer.cancel()
        if not answer:
            is_expired |= self.close() < 0
        if is_expired:
            return Answer.EXPIRED
        return Answer(answer or "unknown")

    def close(self) -> int:
        """End the process and return its status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        import subprocess

        try:
            process.communicate(timeout=self._seconds)
        except (subprocess.TimeoutExpired, BrokenPipeError):
            process.kill()
            process.communicate()
        return process.returncode

    def _start(self) -> Popen[str]:
        import subprocess

        process = subprocess.Popen(  # noqa: S603 - the interpreter of this process, and a constant
            [sys.executable, "-I", "-S", "-c", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        assert process.stdin, "it is a pipe"
        process.stdin.write(json.dumps((sys.path, self._seconds)) + "\n")
        return process
