"""Settings and credentials of services, from a program, environment variables and a file."""

from __future__ import annotations

import json

from toolspec.runtime.record import Record
from toolspec.runtime.settings import (
    ConfigurationError,
    checked_credentials,
    checked_settings,
)
from toolspec.runtime.validation import SchemaCheck
from toolspec.runtime.values import copied
from toolspec.serving.environment import FILE, variable
from toolspec.shared.json_values import path_text
from toolspec.shared.spelling import suggestion

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.definition import Formats, ServiceDefinition
    from toolspec.runtime.errors import FieldError
    from toolspec.shared.json_values import JsonObject, JsonValue

    Tables: TypeAlias = Mapping[str, object]
    """Tables by service name: settings, with credentials in a nested table."""

_PREFIX = "TOOLSPEC"
_CREDENTIALS = "credentials"
_WORDS: dict[str, JsonValue] = {"yes": True, "on": True, "1": True, "no": False, "off": False}
_WORDS |= {"0": False, "true": True, "false": False}


class ServiceSettings(Record):
    """Settings and credentials of one service; None without any.

    Both are keyed by instance name if the service has instances.
    """

    settings: Confidential | dict[str, Confidential] | None
    credentials: Confidential | dict[str, Confidential] | None


class _Slot(Record):
    """One possible setting or credential: its names, and the schema of its value."""

    service: str
    name: str
    what: str
    variable: str
    schema: JsonObject
    formats: Formats


def settings_for(
    services: Iterable[ServiceDefinition],
    *,
    environ: Mapping[str, str],
    file: Tables | None = None,
    code: Tables | None = None,
    mode: str = "",
) -> dict[str, ServiceSettings]:
    """Return validated settings and credentials of each service, with defaults.

    `code` takes precedence over environment variables, these over the file, the file over defaults.
    A setting `baseUrl` of `github` is `TOOLSPEC_GITHUB_BASE_URL`; a credential has `CREDENTIALS`
    after the service. `TOOLSPEC_GITHUB_BASE_URL_FILE` names a file with the value, unless that is
    a setting itself. An empty variable counts as unset. Credentials may be absent, since they may
    come with each call.

    An instance `main` of `slack` has the table `[slack.instances.main]` and variables that begin
    with `TOOLSPEC_SLACK_MAIN`; a mode `sandbox` has `[slack.modes.sandbox]` and
    `TOOLSPEC_SLACK_SANDBOX`, and uses nothing of other modes. Raises ConfigurationError listing
    everything missing, unknown or invalid in all services, without values.
    """
    definitions = tuple(services)
    problems = [
        *_strangers(definitions, file, "the file"),
        *_strangers(definitions, code, "the program"),
        *_shared_variables(definitions, mode),
    ]
    configured: dict[str, ServiceSettings] = {}
    for service in definitions:
        gathered: dict[str, list[_Gathered]] = {}
        for path in _paths(service, mode):
            sources = [
                ("the file", _table(file, service, path)),
                ("the program", _table(code, service, path)),
            ]
            parts = [
                _Gathered(service, path, what, sources, environ)
                for what in ("setting", "credential")
            ]
            problems += [line for part in parts for line in part.problems]
            gathered[path[-1] if path else ""] = parts
        problems += _misplaced(service, file, code, mode)
        configured[service.name] = _configured(service, gathered)
    if problems:
        raise ConfigurationError(problems)
    return configured


def parsed_settings(text: str, name: str) -> Tables:
    """Return the tables of a settings file: JSON if the name ends in it, else TOML.

    Raises ConfigurationError if the text is invalid.
    """
    import tomllib

    form = "JSON" if name.endswith(".json") else "TOML"
    try:
        tables: object = json.loads(text) if form == "JSON" else tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ConfigurationError([f"`{name}` is not valid {form}: {problem}"]) from None
    if not isinstance(tables, dict):
        raise ConfigurationError([f"`{name}` has no table for each service"])
    return tables


def variable_of(service: str, name: str, what: str = "setting", path: tuple[str, ...] = ()) -> str:
    """Return the environment variable of a setting or a credential.

    `path` leads to the table of a mode and an instance; of `modes`, `sandbox` only the name is
    used.
    """
    credentials = (_CREDENTIALS,) if what == "credential" else ()
    parts = (_PREFIX, service, *path[1::2], *credentials, name)
    return "_".join(_words(part) for part in parts)


class _Gathered:
    """The settings or credentials of one service from all sources, and their problems."""

    def __init__(
        self,
        service: ServiceDefinition,
        path: tuple[str, ...],
        what: str,
        sources: list[tuple[str, Mapping[str, object]]],
        environ: Mapping[str, str],
    ) -> None:
        self.value: Confidential | None = None
        self.problems: list[str] = []
        self._service = service.name
        self._table = ".".join((service.name, *path))
        self._what = what
        self._origins: dict[str, str] = {}
        self._members: dict[str, object] = {}
        self._nested = {_CREDENTIALS} | _tables_of(service, path)
        self._slots = list(_slots(service, what, path))
        from_file, from_code = ((origin, self._part(table, origin)) for origin, table in sources)
        self._add(*from_file)
        variables = {slot.variable for slot in self._slots}
        for slot in self._slots:
            has_file = slot.variable + FILE not in variables
            try:
                text = variable(environ, slot.variable) if has_file else environ.get(slot.variable)
            except ConfigurationError as problem:
                self.problems += [f"`{self._table}`: {line}" for line in problem.problems]
                continue
            if text:
                self._add(f"`{slot.variable}`", {slot.name: _read(text, slot)})
        self._add(*from_code)
        self._check(service)

    def _part(self, table: Mapping[str, object], origin: str) -> Mapping[str, object]:
        """Return the settings of a table, or the nested table of credentials."""
        if self._what == "setting":
            return {name: value for name, value in table.items() if name not in self._nested}
        inner = table.get(_CREDENTIALS, {})
        if _is_table(inner):
            return inner  # type: ignore[return-value]  # just checked
        self.problems.append(f"`{self._table}`: `{_CREDENTIALS}` in {origin} is not a table")
        return {}

    def _add(self, origin: str, members: Mapping[str, object]) -> None:
        self._members.update(members)
        self._origins.update(dict.fromkeys(members, origin))

    def _check(self, service: ServiceDefinition) -> None:
        try:
            if self._what == "setting":
                self.value = checked_settings(service, self._members)
            elif self._members:
                self.value = checked_credentials(service, self._members)
        except ConfigurationError as problem:
            lines = [self._line(field) for field in problem.fields]
            self.problems += lines or problem.problems

    def _line(self, field: FieldError) -> str:
        head = f"`{self._table}`: {self._what} `{field.path}`"
        for name, origin in self._origins.items():
            if _is_within(field.path, name):
                return f"{head} from {origin}: {field.message}"
        table = self._table if self._what == "setting" else f"{self._table}.{_CREDENTIALS}"
        for slot in self._slots:
            if _is_within(field.path, slot.name):
                remedy = f"set `{slot.variable}`, or `{slot.name}` under `[{table}]`"
                return f"{head} {field.message}: {remedy}"
        return f"{head} {field.message}: set it under `[{table}]`"


def _is_within(path: str, name: str) -> bool:
    """Return whether a path leads to a member or into it."""
    top = path_text([name])
    return path == top or path.startswith((f"{top}.", f"{top}["))


def _strangers(
    services: tuple[ServiceDefinition, ...], tables: Tables | None, origin: str
) -> Iterator[str]:
    """Yield a line for each entry that is not a table or names no service."""
    names = [service.name for service in services]
    for name, table in (tables or {}).items():
        if name not in names:
            yield f"{origin} names `{name}`, which is not a service here{suggestion(name, names)}"
        elif not _is_table(table):
            yield f"`{name}` in {origin} is not a table of settings"


def _shared_variables(services: tuple[ServiceDefinition, ...], mode: str) -> Iterator[str]:
    """Yield a line for each environment variable with two meanings."""
    first: dict[str, _Slot] = {}
    parts = [
        (service, what, path)
        for service in services
        for path in _paths(service, mode)
        for what in ("setting", "credential")
    ]
    for slot in (slot for part in parts for slot in _slots(*part)):
        other = first.setdefault(slot.variable, slot)
        if other is not slot:
            both = " and ".join(
                f"{one.what} `{one.name}` of `{one.service}`" for one in (other, slot)
            )
            yield f"`{slot.variable}` would be {both}: rename one of them"


def _paths(service: ServiceDefinition, mode: str) -> list[tuple[str, ...]]:
    """Return the path below a service's table to each table that applies in a mode."""
    start = ("modes", mode) if mode else ()
    return [(*start, "instances", name) for name in service.instances] or [start]


def _tables_of(service: ServiceDefinition, path: tuple[str, ...]) -> set[str]:
    """Return the names of the nested tables at a path that are not settings."""
    nested = {"modes"} if service.modes and not path else set()
    return nested | ({"instances"} if service.instances and "instances" not in path else set())


def _table(
    tables: Tables | None, service: ServiceDefinition, path: tuple[str, ...]
) -> Mapping[str, object]:
    table: object = (tables or {}).get(service.name, {})
    for step in path:
        table = table.get(step, {}) if _is_table(table) else {}  # type: ignore[attr-defined]  # a table
    return table if _is_table(table) else {}  # type: ignore[return-value]  # just checked


def _misplaced(
    service: ServiceDefinition, file: Tables | None, code: Tables | None, mode: str
) -> Iterator[str]:
    """Yield a line for each setting outside instance tables, and each unknown table there."""
    path = ("modes", mode) if mode else ()
    for tables, origin in ((file, "the file"), (code, "the program")):
        where = ".".join((service.name, *path))
        if service.instances:
            outer = _table(tables, service, path)
            for name in sorted(outer.keys() - _tables_of(service, path)):
                yield f"`{where}`: `{name}` in {origin} is outside `[{where}.instances.NAME]`"
            named = _table(tables, service, (*path, "instances"))
            for name in sorted(named.keys() - set(service.instances)):
                hint = suggestion(name, service.instances)
                yield f"`{where}`: `{name}` in {origin} is not an instance{hint}"
        if service.modes:
            for name in sorted(_table(tables, service, ("modes",)).keys() - set(service.modes)):
                hint = suggestion(name, service.modes)
                yield f"`{service.name}`: `{name}` in {origin} is not a mode{hint}"


def _configured(
    service: ServiceDefinition, gathered: dict[str, list[_Gathered]]
) -> ServiceSettings:
    """Return the settings and credentials of a service, by instance if it has instances."""
    if not service.instances:
        ((settings, credentials),) = gathered.values()
        return ServiceSettings(settings=settings.value, credentials=credentials.value)
    of = [
        {name: parts[at].value for name, parts in gathered.items() if parts[at].value is not None}
        for at in (0, 1)
    ]
    return ServiceSettings(settings=of[0] or None, credentials=of[1] or None)  # type: ignore[arg-type]  # no None left


def _is_table(value: object) -> bool:
    return hasattr(type(value), "keys") and hasattr(type(value), "__getitem__")


def _slots(service: ServiceDefinition, what: str, path: tuple[str, ...]) -> Iterator[_Slot]:
    """Yield the slots that the schema of settings or credentials declares."""
    text = service.settings_schema if what == "setting" else service.credentials_schema
    if text is None:
        return
    schema = json.loads(text)
    around = {name: schema[name] for name in ("$schema", "$defs") if name in schema}
    for name, member in schema.get("properties", {}).items():
        whole = {**around, **member} if isinstance(member, dict) else {}
        variable = variable_of(service.name, name, what, path)
        yield _Slot(
            service=service.name,
            name=name,
            what=what,
            variable=variable,
            schema=whole,
            formats=service.formats,
        )


def _read(text: str, slot: _Slot) -> JsonValue:
    """Return the first reading of a variable that its schema accepts: text, word, or JSON.

    If none is accepted, return the reading with the most specific validation errors.
    """
    readings = list(_readings(text))
    check = SchemaCheck(json.dumps(slot.schema), slot.formats)
    for reading in readings:
        if check.accepts(reading):
            return reading
    return text if slot.schema.get("type", "string") == "string" else readings[-1]


def _readings(text: str) -> Iterator[JsonValue]:
    yield text
    if text.lower() in _WORDS:
        yield _WORDS[text.lower()]
    try:
        yield copied(json.loads(text))  # rejects NaN and cycles
    except (ValueError, RecursionError):
        return


def _words(name: str) -> str:
    """Return a name in capitals with `_` between its words: `baseUrl` becomes `BASE_URL`."""
    parts: list[str] = []
    for index, char in enumerate(name):
        before = name[index - 1 : index]
        if char.isupper() and (before.islower() or before.isdigit()):
            parts.append("_")
        parts.append(char.upper() if char.isalnum() and char.isascii() else "_")
    return "".join(parts)
