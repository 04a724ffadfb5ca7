"""The notes service, called as a client calls it: every input and output is checked on the way."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import IsolatedAsyncioTestCase

from notes import open_registry
from notes.database import connect
from notes.storage import count_notes
from toolspec.runtime import ToolError

from generated.notes import NotesClient

if TYPE_CHECKING:
    from toolspec.runtime import Progress, Registry

SHOPPING = "- bread\n- salt"


class NotesTest(IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(Path(folder.name) / "notes.sqlite3")
        self.registry = self.opened()
        # Calls that write want a yes, and here there is always one.
        self.notes = NotesClient(self.registry, approver=lambda question: True)

    def opened(self, *, read_only: bool = False) -> Registry:
        """Return the service, which says yes to calls that come without one too."""
        registry = open_registry({"path": self.path, "readOnly": read_only})
        self.addAsyncCleanup(registry.settled)  # hooks beside the answer use the file too
        return registry.with_controls(approver=lambda question: True)

    def write_many(self, count: int) -> None:
        """Write notes without a tool, as another program would."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            connection.executemany(
                "INSERT INTO notes (title, body, tags, created_at, updated_at)"
                " VALUES (?, 'the same words', '[]', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')",
                [(f"note {number}",) for number in range(count)],
            )

    async def titles(self, query: str) -> list[str]:
        found = await self.notes.search({"query": query})
        return [note["title"] for note in found["notes"]]

    async def refused(self, tool: str, **arguments: object) -> ToolError:
        with self.assertRaises(ToolError) as caught:
            await self.registry.call(tool, arguments)
        return caught.exception


class Life(NotesTest):
    async def test_a_note_is_written_found_changed_and_deleted(self) -> None:
        note = await self.notes.create({"title": "Shopping", "body": SHOPPING, "tags": ["home"]})
        self.assertEqual(note["id"], "n1")
        self.assertEqual(await self.titles("bread salt"), ["Shopping"])
        changed = await self.notes.update({"id": "n1", "body": "- butter"})
        self.assertEqual(changed["previous"], note)
        self.assertEqual(changed["note"]["title"], "Shopping")
        self.assertEqual(await self.titles("bread"), [])
        self.assertEqual(await self.notes.delete({"id": "n1"}), changed["note"])
        self.assertEqual(await self.titles("butter"), [])

    async def test_a_title_is_taken_once(self) -> None:
        await self.notes.create({"title": "Shopping"})
        error = await self.refused("notes_create", title="Shopping")
        self.assertEqual((error.category, error.code), ("conflict", "conflict"))

    async def test_a_note_that_is_not_there(self) -> None:
        for tool in ("notes_update", "notes_delete"):
            more = {"body": ""} if tool == "notes_update" else {}
            for note in ("n404", "n" + "9" * 40):
                error = await self.refused(tool, id=note, **more)
                self.assertEqual((error.category, error.code), ("not_found", "not_found"))

    async def test_words_of_a_search_mean_nothing_to_sqlite(self) -> None:
        await self.notes.create({"title": 'A "quoted" NOT'})
        for query in ('"', "NOT", "title:quoted", "quoted*", "--", "a OR b", "(", 'quoted"'):
            await self.titles(query)
        self.assertEqual(await self.titles("not quoted"), ['A "quoted" NOT'])

    async def test_matches_are_bold_in_the_answer_and_nowhere_else(self) -> None:
        await self.notes.create({"title": "Bread", "body": "Bread, breadcrumbs."})
        for _ in range(2):  # the second answer is a kept one
            found = await self.notes.search({"query": "bread"})
            self.assertEqual(found["notes"][0]["body"], "**Bread**, breadcrumbs.")
        self.assertEqual(
            [note["body"] async for note in self.notes.export({})], ["Bread, breadcrumbs."]
        )

    async def test_an_answer_is_kept_until_anybody_writes(self) -> None:
        self.assertEqual(await self.titles("words"), [])
        self.write_many(1)
        self.assertEqual(await self.titles("words"), ["note 0"])

    async def test_private_tags_are_kept_and_never_shown(self) -> None:
        note = await self.notes.create({"title": "Gift", "tags": ["home", "_secret"]})
        self.assertEqual(note["tags"], ["home"])
        self.assertEqual([each["tags"] async for each in self.notes.export({})], [["home"]])
        self.assertEqual((await self.notes.statistics({}))["tags"], {"home": 1})
        await self.notes.delete({"id": "n1"})
        await self.registry.revert_last()
        found = await self.notes.search({"query": "gift", "tag": "_secret"})
        self.assertEqual(found["total"], 1)

    async def test_a_question_is_answered_by_a_sentence(self) -> None:
        await self.notes.create({"title": "Key", "body": "Buy bread. The key is under the mat."})
        self.assertEqual(
            await self.notes.ask("Where is the key under which mat?"),
            {"answer": "The key is under the mat.", "sources": ["n1"]},
        )

    async def test_anything_is_captured(self) -> None:
        note = await self.notes.capture({"from": "a shell", "lines": [1, 2]})
        self.assertEqual(note["title"], "Captured: from, lines")
        self.assertIn('"lines": [\n', note["body"])

    async def test_uses_of_tools_that_write_are_counted(self) -> None:
        await self.refused("notes_delete", id="n404")
        await self.registry.settled()
        with closing(sqlite3.connect(self.path)) as connection:
            uses = set(connection.execute("SELECT * FROM uses"))
        self.assertEqual(uses, {("notes_delete", "failed", 1)})

    async def test_tools_that_only_read_write_nothing(self) -> None:
        await self.notes.create({"title": "Bread"})
        await self.registry.settled()
        before = self.dump()
        await self.notes.search({"query": "bread"})
        await self.notes.statistics({})
        await self.notes.ask("bread?")
        await self.registry.settled()
        self.assertEqual(self.dump(), before)

    def dump(self) -> list[str]:
        with closing(sqlite3.connect(self.path)) as connection:
            return [
                row
                for table in ("notes", "uses", "changes")
                for row in map(repr, connection.execute(f"SELECT * FROM {table}"))
            ]


class Reverts(NotesTest):
    async def test_everything_is_undone_the_newest_first(self) -> None:
        first = await self.notes.create({"title": "First"})
        await self.notes.update({"id": "n1", "title": "Second"})
        await self.notes.delete({"id": "n1"})
        outcome = await self.registry.revert_last()
        assert outcome is not None
        self.assertEqual((outcome.tool, outcome.status), ("notes_delete", "reverted"))
        self.assertEqual(await self.titles("second"), ["Second"])
        await self.registry.revert_last()
        self.assertEqual([note async for note in self.notes.export({})], [first])
        outcomes = await self.registry.revert_all()
        self.assertEqual([each.tool for each in outcomes], ["notes_create"])
        self.assertEqual((await self.notes.statistics({}))["notes"], 0)

    async def test_what_somebody_changed_since_is_left_alone(self) -> None:
        await self.notes.create({"title": "First"})
        other = self.opened()
        await other.call("notes_update", {"id": "n1", "body": "theirs"})
        outcome = await self.registry.revert_last()
        assert outcome is not None
        self.assertEqual(
            (outcome.status, outcome.message), ("failed", "the note has been changed since")
        )

    async def test_a_call_without_an_effect_is_not_in_the_journal(self) -> None:
        await self.refused("notes_delete", id="n404")
        self.assertIsNone(await self.registry.revert_last())


class Reindexing(NotesTest):
    def indexes(self) -> list[str]:
        with closing(sqlite3.connect(self.path)) as connection:
            rows = connection.execute(
                "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'"
                " UNION ALL SELECT number FROM indexes"
            )
            return [str(name) for (name,) in rows]

    async def test_it_reports_its_progress_and_leaves_one_index(self) -> None:
        await self.notes.create({"title": "Loaf", "body": "two loaves"})
        self.write_many(450)
        reports: list[Progress] = []
        arguments = {"batch": 200, "language": "de"}
        done = await self.registry.call("notes_reindex", arguments, on_progress=reports.append)
        assert isinstance(done, dict)
        self.assertEqual(done["indexed"], 451)
        self.assertEqual(
            [(each.value, each.total) for each in reports], [(200, 451), (400, 451), (451, 451)]
        )
        self.assertEqual(self.indexes(), ["search_index_2", "2"])
        self.assertEqual(await self.titles("loave"), [])  # German knows no English stems
        await self.notes.reindex({})
        self.assertEqual(await self.titles("loave"), ["Loaf"])

    async def test_called_off_half_way_it_leaves_the_old_index_in_use(self) -> None:
        await self.notes.create({"title": "Loaf"})
        self.write_many(1000)

        def call_off(report: Progress) -> None:
            if report.value == 500:
                work.cancel()

        call = self.registry.call("notes_reindex", {"batch": 100}, on_progress=call_off)
        work = asyncio.create_task(call)
        with self.assertRaises(asyncio.CancelledError):
            await work
        self.assertEqual(self.indexes(), ["search_index_1", "1"])
        self.assertEqual(await self.titles("loaf"), ["Loaf"])
        await self.notes.create({"title": "Another loaf"})
        self.assertEqual(await self.titles("another"), ["Another loaf"])

    async def test_notes_that_change_meanwhile_are_in_the_new_index(self) -> None:
        await self.notes.create({"title": "Early"})
        self.write_many(300)
        changes = [
            self.notes.update({"id": "n1", "title": "Changed early"}),
            self.notes.delete({"id": "n300"}),
            self.notes.create({"title": "Fresh"}),
        ]
        running: list[asyncio.Future[object]] = []

        def meddle(report: Progress) -> None:
            if changes:
                running.append(asyncio.ensure_future(changes.pop(0)))

        await self.registry.call("notes_reindex", {"batch": 100}, on_progress=meddle)
        await asyncio.gather(*running)
        self.assertEqual(len(running), 3)
        self.assertEqual(await self.titles("changed"), ["Changed early"])
        self.assertEqual(await self.titles("fresh"), ["Fresh"])
        self.assertEqual(await self.titles("298"), [])

    async def test_of_two_at_once_the_later_one_counts(self) -> None:
        await self.notes.create({"title": "Loaf"})
        self.write_many(1000)
        quick: list[asyncio.Task[object]] = []

        def overtake(report: Progress) -> None:
            if not quick:
                quick.append(asyncio.create_task(self.registry.call("notes_reindex", {})))

        with self.assertRaises(ToolError) as caught:
            await self.registry.call("notes_reindex", {"batch": 100}, on_progress=overtake)
        self.assertEqual(caught.exception.code, "cancelled")
        self.assertIsInstance(await quick[0], dict)
        self.assertEqual(await self.titles("loaf"), ["Loaf"])
        self.assertEqual(self.indexes(), ["search_index_3", "3"])


class OtherPrograms(NotesTest):
    async def test_a_locked_database_is_told_of_and_does_not_hang(self) -> None:
        await self.notes.create({"title": "First"})
        with closing(sqlite3.connect(self.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with self.assertLogs("toolspec", "WARNING"):
                error = await self.refused("notes_create", title="Second")
                await self.registry.settled()
            self.assertEqual((error.category, error.code), ("unavailable", "database_locked"))
            self.assertTrue(error.retryable)
            self.assertEqual(await self.titles("first"), ["First"])  # readers do not wait
        await self.notes.create({"title": "Second"})

    async def test_a_new_file_waits_for_another_program(self) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            asyncio.get_running_loop().call_later(0.2, other.rollback)
            connection = await asyncio.to_thread(connect, self.path, read_only=False)
        with closing(connection):
            self.assertEqual(count_notes(connection), 0)

    async def test_a_file_of_another_program_is_left_alone(self) -> None:
        Path(self.path).write_text("a diary, and no database at all" * 50)
        with self.assertLogs("toolspec", "WARNING"):
            error = await self.refused("notes_create", title="First")
            await self.registry.settled()
        self.assertEqual(error.code, "database_unusable")
        self.assertIn("diary", Path(self.path).read_text())

    async def test_a_stream_shows_the_notes_as_they_were_when_it_began(self) -> None:
        await self.notes.create({"title": "First"})
        self.write_many(250)
        stream = self.notes.export({})
        first = await anext(stream)
        await self.notes.delete({"id": "n251"})
        rest = [note["id"] async for note in stream]
        self.assertEqual((first["id"], rest[-1], len(rest)), ("n1", "n251", 250))


class ReadOnly(NotesTest):
    async def test_what_writes_is_refused(self) -> None:
        await self.notes.create({"title": "First"})
        self.registry = self.opened(read_only=True)
        for tool, arguments in (
            ("notes_create", {"title": "Second"}),
            ("notes_update", {"id": "n1", "body": "more"}),
            ("notes_delete", {"id": "n1"}),
            ("notes_reindex", {}),
            ("notes_capture", {}),
        ):
            error = await self.refused(tool, **arguments)
            self.assertEqual((error.category, error.code), ("permission", "read_only"))
        found = await self.registry.call("notes_search", {"query": "first"})
        assert isinstance(found, dict)
        self.assertEqual(found["total"], 1)

    async def test_it_makes_no_file(self) -> None:
        self.registry = self.opened(read_only=True)
        error = await self.refused("notes_statistics")
        self.assertEqual(error.code, "database_unusable")
        self.assertFalse(Path(self.path).exists())
