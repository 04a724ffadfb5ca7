"""A client of a language server: what an editor asks of it, over its stdin and stdout."""

from __future__ import annotations

import json
import queue
import re
import subprocess
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CURSOR = "@@"  # where the cursor stands in a text
PATIENCE = 60  # seconds after which a silent server counts as dead
SETTINGS = {
    "yaml": {
        "validate": True,
        "completion": True,
        "hover": True,
        "schemaStore": {"enable": False},  # or it fetches a catalogue of schemas
    },
    "json": {"validate": {"enable": True}},
    "editor": {"tabSize": 2},
}
CAPABILITIES = {
    "workspace": {"configuration": True},
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {},
    },
}
STOP = re.compile(r"\$\{\d+\|([^,|]*)[^}]*\}|\$\{\d+:([^}]*)\}|\$\{?\d+\}?")

Message = dict[str, Any]


class LanguageServer:
    """A running server. Each text is opened as a document of its own, asked about, and closed."""

    def __init__(self, command: list[str], language: str) -> None:
        self._language = language
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._inbox: queue.Queue[Message] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._last = 0
        self._request(
            "initialize", {"processId": None, "rootUri": None, "capabilities": CAPABILITIES}
        )
        self._send({"method": "initialized", "params": {}})

    def stop(self) -> None:
        self._request("shutdown", None)
        self._send({"method": "exit"})
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            pipe.close()

    def problems(self, path: Path, text: str) -> list[str]:
        """Return the messages that the server publishes about a text at a path."""
        uri = self._open(path, text)
        found = self._await(
            lambda message: (
                message.get("method") == "textDocument/publishDiagnostics"
                and message["params"]["uri"] == uri
            )
        )
        self._close(uri)
        return [each["message"] for each in found["params"]["diagnostics"]]

    def offers(self, path: Path, text: str) -> dict[str, Message]:
        """Return what the server offers at the cursor, by label."""
        found = self._ask("textDocument/completion", path, text)
        return {item["label"]: item for item in found["items"]}

    def hover(self, path: Path, text: str) -> str:
        """Return what the server shows over the cursor, Markdown's escapes undone."""
        found = self._ask("textDocument/hover", path, text)
        return re.sub(r"\\(.)", r"\1", found["contents"]["value"])

    def _ask(self, method: str, path: Path, text: str) -> Message:
        before, after = text.split(CURSOR)
        uri = self._open(path, before + after)
        at = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
        found: Message = self._request(method, {"textDocument": {"uri": uri}, "position": at})
        self._close(uri)
        return found

    def _open(self, path: Path, text: str) -> str:
        """Open a text under a fresh name: a late message about another is not taken for its own."""
        self._last += 1
        uri = path.with_name(f"{self._last}-{path.name}").as_uri()
        document = {"uri": uri, "languageId": self._language, "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        return uri

    def _close(self, uri: str) -> None:
        self._send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})

    def _request(self, method: str, params: Message | None) -> Any:
        self._last += 1
        number = self._last
        self._send({"id": number, "method": method, "params": params})
        answer = self._await(lambda message: message.get("id") == number)
        assert "error" not in answer, answer
        return answer["result"]

    def _await(self, is_wanted: Callable[[Message], bool]) -> Message:
        while not is_wanted(message := self._inbox.get(timeout=PATIENCE)):
            pass
        return message

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        pipe = self._process.stdin
        assert pipe
        pipe.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        pipe.flush()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe
        while header := pipe.readline():
            length = int(header.removeprefix(b"Content-Length:"))
            while pipe.readline().strip():
                pass
            message = json.loads(pipe.read(length))
            if "id" in message and "method" in message:
                self._reply(message)
            else:
                self._inbox.put(message)

    def _reply(self, question: Message) -> None:
        """Answer the server: it asks for the editor's settings; nothing else matters here."""
        result = None
        if question["method"] == "workspace/configuration":
            result = [SETTINGS.get(item["section"]) for item in question["params"]["items"]]
        self._send({"id": question["id"], "result": result})


def accepted(text: str, item: Message) -> str:
    """Return a text after an editor has put an offer in at its cursor, first choices taken."""
    lines = text.replace(CURSOR, "").split("\n")
    edit = item["textEdit"]
    start, end = edit["range"]["start"], edit["range"]["end"]
    assert start["line"] == end["line"]
    line = lines[start["line"]]
    indent = line[: len(line) - len(line.lstrip())]
    new = STOP.sub(lambda stop: stop[1] or stop[2] or "text", edit["newText"])
    inserted = new.replace("\n", "\n" + indent)
    lines[start["line"]] = line[: start["character"]] + inserted + line[end["character"] :]
    return "\n".join(lines)
