"""The hooks of the notes service: what happens around the handlers."""

from __future__ import annotations

import re
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from toolspec.runtime import ToolError

from generated.notes import NotesHooks
from notes import storage
from notes.handlers import title_is_known
from notes.private_tags import without_private_tags
from notes.transaction import Transaction, keep, of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from typing import TypeAlias

    from toolspec.runtime import Call, Next, Outcome

    from generated.notes import CreateInput, SearchInput, SearchOutput

    Question: TypeAlias = tuple[int, str, str | None, int]

_KEPT = 100
_WORD_START, _WORD_END = r"(?<!\w)", r"(?!\w)"


class Hooks(NotesHooks):
    """What runs before, around and after the tools."""

    def __init__(self) -> None:
        self._answers: dict[str, dict[Question, object]] = {}
        """Results of searches by database, the least recent first."""

    async def check_writable(self, call: Call) -> None:
        """Stop every call that would change something, where the settings say so."""
        if call.tool.mutation and call.context.settings["readOnly"]:
            message = f"the notes are read-only: `{call.tool.full_name}` would change them"
            raise ToolError.permission(message, code="read_only")

    async def in_transaction(self, call: Call, next: Next) -> object:
        """Put a transaction around the handler: all that it does, or nothing."""
        if call.tool.streaming:
            return _streamed(call, next)
        async with Transaction(call.context.settings, writes=call.tool.mutation) as transaction:
            keep(call.context, transaction)
            return await next()

    async def strip_private_tags(self, call: Call, result: object) -> object:
        """Take private tags out of every result."""
        shown = without_private_tags(result)
        return None if shown == result else shown

    async def count_use(self, call: Call, outcome: Outcome) -> None:
        """Count in the table `uses` how often each tool that writes was used, and how that ended.

        A tool with `mutation: false` says that nothing is written, and that holds for its hooks too.
        """
        settings = call.context.settings
        if settings["readOnly"] or not call.tool.mutation:
            return
        try:
            async with Transaction(settings, writes=True) as own:
                await own.run(storage.count_use, call.tool.full_name, outcome.status)
        except ToolError as problem:
            call.context.log.warning("its use is not counted: %s", problem)

    async def reject_known_title(self, call: Call) -> None:
        """Stop a note whose title is taken, before anything waits for its turn to write."""
        title = cast("CreateInput", call.input)["title"]
        async with Transaction(call.context.settings, writes=False) as own:
            if await own.run(storage.has_title, title):
                raise title_is_known(title)

    async def cache_results(self, call: Call, next: Next) -> object:
        """Answer a question as it was answered before, as long as no note has changed."""
        asked = cast("SearchInput", call.input)
        answers = self._answers.setdefault(call.context.settings["path"], {})
        # Other programs write too: the file itself says whether anything has changed.
        revision = await of(call.context).run(storage.revision)
        question = (revision, asked["query"], asked.get("tag"), asked["limit"])
        if question not in answers:
            answers[question] = await next()
            if len(answers) > _KEPT:
                del answers[min(answers, key=lambda each: each[0])]
        return answers[question]

    async def mark_matches(self, call: Call, result: object) -> object:
        """Print the words that were searched for bold, in bodies: they are Markdown."""
        words = "|".join(map(re.escape, cast("SearchInput", call.input)["query"].split()))
        pattern = re.compile(f"{_WORD_START}(?:{words}){_WORD_END}", re.IGNORECASE)
        found = cast("SearchOutput", result)
        for note in found["notes"]:  # a copy: each hook has its own
            note["body"] = pattern.sub(r"**\g<0>**", note["body"])
        return found

    async def forget_cached(self, call: Call, outcome: Outcome) -> None:
        """Keep nothing of a note that was deleted, not even in memory."""
        if outcome.status == "ok":
            self._answers.pop(call.context.settings["path"], None)


async def _streamed(call: Call, next: Next) -> AsyncGenerator[object, None]:
    """Yield what the handler does, in a transaction that lasts as long as the stream."""
    async with Transaction(call.context.settings, writes=call.tool.mutation) as transaction:
        keep(call.context, transaction)
        source = cast("AsyncGenerator[object, None]", await next())
        async with aclosing(source) as chunks:
            async for chunk in chunks:
                yield chunk
