"""Every place for a text × every payload: the document is refused, or the text stays a text.

The whole grid runs under `prove`; `make test` runs one payload in some of the places. Findings of `security/`
do not end a document here: what they refuse must be inert as well, should they be switched off.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import inertness
import pytest
from compiling import Outcome, compiled
from payloads import OWN_PAYLOADS, payloads
from sampling import sampled
from slotted_service import COMPANIONS, DOCUMENTS, SLOTS, Slot
from toolspec.reports import names, render

BENIGN = ("benign text", "benign", "Benign", "benign-text", "1", "")
SORTED = "tracker:scope"
"""A page lists the tools of each, sorted by these texts."""
MOST = 135  # the others are names, versions, addresses and the like, or must equal another text
FORMATS = names()


def filled(folder: Path, slot: Slot, document: dict[str, Any], *, is_ascii: bool = True) -> Outcome:
    own = {f"{slot.document}.json": json.dumps(document, indent=1, ensure_ascii=is_ascii)}
    return compiled(folder, own | COMPANIONS[slot.document])


def report_faults(outcome: Outcome) -> Iterator[str]:
    """Yield what a terminal or a CI service would be told."""
    for form in FORMATS:
        report = render(form, outcome.diagnostics, verbose=True)
        check = inertness.github_faults if form == "github" else inertness.terminal_faults
        yield from (f"{form}: {each}" for each in check(report))


def shapes(outcome: Outcome, slot: Slot) -> dict[str, str]:
    """Return the structure of each artifact, under its path or, where a text named it, its role."""
    found: dict[str, str] = {}
    for path, text in outcome.artifacts.items():
        role, number = _role(path, slot), 2
        while role in found:
            role, number = f"{_role(path, slot)} {number}", number + 1
        found[role] = inertness.shape(path, text, is_name=slot.is_name)
    return found


def _role(path: str, slot: Slot) -> str:
    folder, _, file = path.rpartition("/")
    if folder.startswith("site/") and file not in {"index.html", "types.html"}:
        return "site/service/tool"  # its name is that of the tool
    if not slot.name.endswith("service.name"):
        return path
    if folder.startswith("site/"):
        return f"site/service/{file}"
    if folder == "docs" and file != "README.md":
        return "docs/page"
    return path if folder in {"", "docs", "site"} else f"service/{file}"


@cache
def benign(folder: Path, slot: Slot) -> tuple[dict[str, str], ...]:
    """Return the shape with a harmless text, or those with names that Python can say and cannot."""
    found = []
    last = ("zenith",) if slot.name == SORTED else ()
    for document in (*map(slot.fill, (*BENIGN, *last)), DOCUMENTS[slot.document]):
        outcome = filled(folder, slot, document)
        if outcome.artifacts:
            found.append(shapes(outcome, slot))
            if not slot.is_name and slot.name != SORTED:
                break
    return tuple(found)


def judged(folder: Path, slot: Slot, payload: str) -> list[str]:
    """Return what is wrong with what comes of a payload in a slot."""
    outcome = filled(folder, slot, slot.fill(payload))
    found = list(report_faults(outcome))
    if not payload.isascii():
        # Only now do the frames of a report quote the text itself, and not JSON's escapes.
        found += report_faults(filled(folder, slot, slot.fill(payload), is_ascii=False))
    if not outcome.artifacts:
        return found if outcome.diagnostics else [*found, "refused without a word"]
    for path, text in outcome.artifacts.items():
        found += inertness.faults(path, text, is_name=slot.is_name)
    known = benign(folder, slot)
    for path, shape in shapes(outcome, slot).items():
        if all(each.get(path) != shape for each in known):
            found.append(f"{path}: another structure than with a harmless text")
    return found


@pytest.mark.parametrize("slot", sampled(SLOTS, 2), ids=lambda slot: slot.name)
def test_a_payload_stays_a_text(slot: Slot, tmp_path: Path) -> None:
    texts = payloads()
    chosen = random.Random(slot.name).choice(sorted(texts))  # noqa: S311 - a sample, no secret
    assert judged(tmp_path, slot, texts[chosen]) == [], chosen


@pytest.mark.prove
@pytest.mark.parametrize("slot", SLOTS, ids=lambda slot: slot.name)
def test_every_payload_stays_a_text(slot: Slot, tmp_path: Path) -> None:
    found = {name: judged(tmp_path, slot, text) for name, text in payloads().items()}
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.prove
def test_most_places_take_any_text(tmp_path: Path) -> None:
    payload = OWN_PAYLOADS["quotes"]
    taken = [slot for slot in SLOTS if filled(tmp_path, slot, slot.fill(payload)).artifacts]
    assert len(taken) >= MOST


def file_names() -> list[str]:
    """Return the payloads that can be the name of a file, and names that are no text at all."""
    texts = [text.replace("/", "_") for text in payloads().values() if text.strip()]
    fitting = [text for text in texts if len(text.encode()) < 200 and "\x00" not in text]
    return [*fitting, "\udcff\udcfe CANARY", ".hidden", "-o", "--out=x", "a" * 240, "$(CANARY)"]


@pytest.mark.prove
def test_the_name_of_a_document_stays_a_text(tmp_path: Path) -> None:
    slot = next(slot for slot in SLOTS if slot.document == "speaker")
    whole = json.dumps(DOCUMENTS[slot.document], indent=1)
    broken = whole.replace('"mutation": false', '"mutation": "no"')
    known = benign(tmp_path, slot)[0]
    found: dict[str, list[str]] = {}
    for name in file_names():
        outcome = compiled(tmp_path, {f"{name}.json": whole} | COMPANIONS[slot.document])
        found[name] = [*report_faults(outcome)]
        found[name] += report_faults(compiled(tmp_path, {f"{name}.json": broken}))
        for path, text in outcome.artifacts.items():
            found[name] += inertness.faults(path, text, is_name=False)
        is_read = not name.startswith(".")
        if bool(outcome.artifacts) != is_read or (is_read and shapes(outcome, slot) != known):
            found[name].append("another result than with a harmless name")
    assert {name: each for name, each in found.items() if each} == {}
