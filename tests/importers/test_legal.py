"""Foreign names become legal ones, and stay apart."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toolspec.importers.legal import (
    is_service_name,
    is_version,
    service_name,
    tool_name,
    tool_names,
)

TOOL = re.compile(r"[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("git", "git"),
        ("mcp-git", "git"),
        ("Notion API", "notion"),
        ("Slack MCP Server", "slack"),
        ("awslabs.iam-mcp-server", "awslabs-iam"),
        ("mcp-servers/everything", "everything"),
        ("MCP Server", "mcp-server"),
        ("MCP", "service-mcp"),
        ("system", "service-system"),
        ("3d_printer", "service-3d-printer"),
        ("my__service", "my-service"),
        ("日本", ""),
    ],
)
def test_service_names_are_made_of_the_words_that_say_something(text: str, name: str) -> None:
    assert service_name(text) == name


@given(st.text(max_size=20))
@settings(max_examples=200, derandomize=True)
def test_a_made_service_name_is_legal_or_empty(text: str) -> None:
    assert service_name(text) == "" or is_service_name(service_name(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("listRepositories", "listRepositories"),
        ("notes.list", "notes_list"),
        ("nasa/apod", "nasa_apod"),
        ("create a note", "create_a_note"),
        ("a__b", "a_b"),
        ("a-_b", "a-b"),
        ("_private_", "private"),
        ("${PREFIX}_x", "PREFIX_x"),
        ("3d", "tool_3d"),
        ("…", "tool"),
    ],
)
def test_tool_names_keep_their_words(text: str, name: str) -> None:
    assert tool_name(text) == name


@given(st.lists(st.text("ab_-./1 git", min_size=1, max_size=8), max_size=8))
@settings(max_examples=300, derandomize=True)
def test_made_tool_names_are_legal_and_no_two_alike(origins: list[str]) -> None:
    names = tool_names(origins, "git")
    assert all(TOOL.fullmatch(name) for name in names)
    assert len(set(names)) == len(origins)


@pytest.mark.parametrize(
    ("origins", "names"),
    [
        (["git_status", "git_add"], ["status", "add"]),
        (["git-status"], ["status"]),
        (["git_status", "status"], ["git_status", "status"]),
        (["git_3way"], ["git_3way"]),
        (["git_a", "git-a"], ["git_a", "git-a"]),
        (["gitStatus", "git"], ["gitStatus", "git"]),
        (["a.b", "a_b", "a/b"], ["a_b_2", "a_b", "a_b_3"]),
        (["x", "x"], ["x", "x_2"]),
    ],
)
def test_the_services_name_is_dropped_where_what_is_left_is_free(
    origins: list[str], names: list[str]
) -> None:
    assert tool_names(origins, "git") == names


@pytest.mark.parametrize(
    "version", ["0.1.0", "2026.10.19", "1.64.0-alpha-1790635538000", "1.0.0+b"]
)
def test_semantic_versions_pass(version: str) -> None:
    assert is_version(version)


@pytest.mark.parametrize("version", ["", "1", "1.0", "01.0.0", "1.0.0-01", "v1.0.0", "1.0.0 "])
def test_other_versions_do_not(version: str) -> None:
    assert not is_version(version)
