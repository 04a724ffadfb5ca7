"""The handlers of the notes service: one method a tool, and what verifies and reverts its work.

Each works in the transaction that the hook `in_transaction` has put around its call; what runs
outside of a call's hooks, as verify and revert do, begins its own.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from typing import TYPE_CHECKING, cast

from toolspec.runtime import ToolError

from generated.notes import NotesHandlers
from notes import search_index, storage
from notes.private_tags import is_private, without_private_tags
from notes.transaction import Transaction, of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from typing import TypeAlias

    from toolspec.runtime import Context

    from generated.notes import (
        AskOutput,
        CaptureOutput,
        CreateInput,
        CreateOutput,
        DeleteInput,
        DeleteOutput,
        ExportChunk,
        ExportInput,
        NotesSettings,
        ReindexInput,
        ReindexOutput,
        SearchInput,
        SearchOutput,
        StatisticsInput,
        StatisticsOutput,
        UpdateInput,
        UpdateOutput,
    )

    Ctx: TypeAlias = Context[NotesSettings, None]

_PAGE = 100
_PAUSE_SECONDS = 0.01
_SOURCES = 5
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_SHORTEST_WORD = 3
"""Shorter words say little about what a question is about."""


class Handlers(NotesHandlers):
    """What the tools do."""

    async def create(self, input: CreateInput, ctx: Ctx) -> CreateOutput:
        """Write a new note."""
        here = of(ctx)
        # The hook has looked already, but before this transaction: another program may be quicker.
        if await here.run(storage.has_title, input["title"]):
            raise title_is_known(input["title"])
        return await here.run(storage.add, input["title"], input["body"], input["tags"])

    async def revert_create(
        self,
        input: CreateInput,
        output: CreateOutput,
        metadata: Mapping[str, object],
        ctx: Ctx,
    ) -> str | None:
        """Remove the note, unless somebody has changed it since."""
        async with Transaction(ctx.settings, writes=True) as own:
            found = await own.run(storage.find, output["id"])
            if found is not None and found != output:
                return "the note has been changed since"
            await own.run(storage.remove, output["id"])
        return None

    async def search(self, input: SearchInput, ctx: Ctx) -> SearchOutput:
        """Find notes by words, the best match first."""
        expression = storage.all_of(input["query"])
        notes, total = await of(ctx).run(
            storage.search, expression, input.get("tag"), input["limit"]
        )
        return {"notes": notes, "total": total}

    async def update(self, input: UpdateInput, ctx: Ctx) -> UpdateOutput:
        """Replace what is given, and return the note as it is and as it was."""
        changed = await of(ctx).run(storage.change, input)
        if changed is None:
            raise _no_such_note(input["id"])
        previous, note = changed
        return {"note": note, "previous": previous}

    async def verify_update(self, input: UpdateInput, output: UpdateOutput, ctx: Ctx) -> str | None:
        """Read the note back, and say what of the change is not there."""
        async with Transaction(ctx.settings, writes=False) as own:
            found = await own.run(storage.find, input["id"])
        if found is None:
            return "the note is gone"
        wrong = [name for name in ("title", "body", "tags") if found[name] != output["note"][name]]
        return f"not as it was written: {', '.join(wrong)}" if wrong else None

    async def revert_update(
        self,
        input: UpdateInput,
        output: UpdateOutput,
        metadata: Mapping[str, object],
        ctx: Ctx,
    ) -> str | None:
        """Write the note as it was, unless somebody has changed it since."""
        async with Transaction(ctx.settings, writes=True) as own:
            if await own.run(storage.find, input["id"]) != output["note"]:
                return "the note has been changed or deleted since"
            await own.run(storage.restore, output["previous"])
        return None

    async def delete(self, input: DeleteInput, ctx: Ctx) -> DeleteOutput:
        """Delete a note, and return it as it was."""
        note = await of(ctx).run(storage.remove, input["id"])
        if note is None:
            raise _no_such_note(input["id"])
        return note

    async def revert_delete(
        self,
        input: DeleteInput,
        output: DeleteOutput,
        metadata: Mapping[str, object],
        ctx: Ctx,
    ) -> str | None:
        """Bring the note back, with its id and its times."""
        async with Transaction(ctx.settings, writes=True) as own:
            if await own.run(storage.find, output["id"]) is not None:
                return "a note of this id is there again"
            await own.run(storage.restore, output)
        return None

    async def export(self, input: ExportInput, ctx: Ctx) -> AsyncIterator[ExportChunk]:
        """Hand out the notes as they were when it began, whoever changes them meanwhile."""
        here, tag = of(ctx), input.get("tag")
        page = await here.run(storage.page, 0, tag, _PAGE)
        while page:
            for _, note in page:
                # What was sent is sent: `strip_private_tags` comes too late for a stream.
                yield cast("ExportChunk", without_private_tags(note))
            page = await here.run(storage.page, page[-1][0], tag, _PAGE)

    async def reindex(self, input: ReindexInput, ctx: Ctx) -> ReindexOutput:
        """Build a new index beside the old one, which is in use until the new one is whole."""
        started, here = time.monotonic(), of(ctx)
        number = await here.run(search_index.begin_index, input["language"])
        try:
            indexed = await self._filled(here, number, input["batch"], ctx)
            await here.run(search_index.use_index, number)
        except BaseException:  # cancellation too: half an index is of no use
            await here.rollback()
            await here.run(search_index.drop_index, number)
            await here.commit()
            raise
        return {"indexed": indexed, "seconds": time.monotonic() - started}

    async def _filled(self, here: Transaction, number: int, batch: int, ctx: Ctx) -> int:
        """Return how many notes were put into an index, each batch a transaction of its own."""
        total = await here.run(storage.count_notes)
        indexed = last = 0
        while True:
            await here.commit()
            await asyncio.sleep(_PAUSE_SECONDS)  # whoever waits to write comes in between
            try:
                last, count = await here.run(search_index.fill_index, number, last, batch)
            except LookupError:
                problem = "another reindexing has finished first, and its index is in use"
                raise ToolError.cancelled(problem) from None
            if not count:
                return indexed
            indexed += count
            ctx.progress(indexed, max(indexed, total), "notes are in the new index")

    async def statistics(self, input: StatisticsInput, ctx: Ctx) -> StatisticsOutput:
        """Count notes, words and tags."""
        notes, words, tags = await of(ctx).run(storage.count)
        shown = {tag: number for tag, number in sorted(tags.items()) if not is_private(tag)}
        return {"notes": notes, "words": words, "tags": shown}

    async def capture(self, input: Mapping[str, object], ctx: Ctx) -> CaptureOutput:
        """Keep the arguments as they came, under a title that says so."""
        body = json.dumps(input, indent=2, ensure_ascii=False)
        names = ", ".join(sorted(input)) or "nothing"
        title = f"Captured: {names}"[:200]
        return await of(ctx).run(storage.add, title, f"```json\n{body}\n```", ["captured"])

    async def ask(self, input: str, ctx: Ctx) -> AskOutput:
        """Answer with the sentence that has most of the question's words: no model is needed."""
        words = {word for word in re.findall(r"\w+", input.lower()) if len(word) >= _SHORTEST_WORD}
        if not words:
            return {"answer": None, "sources": []}
        expression = storage.any_of(" ".join(sorted(words)))
        notes, _ = await of(ctx).run(storage.search, expression, None, _SOURCES)
        sentences = [each for note in notes for each in _SENTENCE_END.split(note["body"]) if each]
        best = max(sentences, key=lambda each: _shared(each, words), default=None)
        return {"answer": best, "sources": [note["id"] for note in notes]}


def title_is_known(title: str) -> ToolError:
    """Return the error for a title that another note has."""
    message = f"a note with the title `{title}` exists already"
    return ToolError.conflict(message, details={"title": title, "effect": "none"})


def _no_such_note(note_id: str) -> ToolError:
    message = f"there is no note `{note_id}`"
    return ToolError.not_found(message, details={"id": note_id, "effect": "none"})


def _shared(sentence: str, words: set[str]) -> int:
    return len(words.intersection(re.findall(r"\w+", sentence.lower())))
