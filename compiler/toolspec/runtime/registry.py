"""The registry: calls and streams tools by name, in process or behind a server."""

from __future__ import annotations

from toolspec.runtime.memory import Memory
from toolspec.runtime.names import Names

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Iterable, Mapping, Sequence
    from typing import Any, NoReturn, Unpack

    from toolspec.runtime.call import After, AfterResponse, Before, GlobalHooks, Middleware, OnError
    from toolspec.runtime.call_options import CallOptions
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.controls import ControlOptions, Controls
    from toolspec.runtime.controls.journal import RevertOutcome
    from toolspec.runtime.controls.policy import Policy
    from toolspec.runtime.controls.revert import Reverting
    from toolspec.runtime.definition import ServiceDefinition, ToolDefinition
    from toolspec.runtime.errors import ToolError
    from toolspec.runtime.pipeline import Plan
    from toolspec.runtime.service import BoundService
    from toolspec.runtime.stores import Entry
    from toolspec.shared.json_values import JsonValue


class Registry:
    """The tools of bound services. Immutable; the `with_` methods return new registries."""

    __slots__ = ("_answers", "_controls", "_hooks", "_memory", "_names", "_plans", "_services")

    def __init__(  # noqa: PLR0913 - all fields, for derived registries
        self,
        services: Sequence[BoundService],
        *,
        names: Names | None = None,
        hooks: GlobalHooks | None = None,
        controls: Controls | None = None,
        memory: Memory | None = None,
        answers: set[tuple[object, ...]] | None = None,
    ) -> None:
        self._services = tuple(services)
        self._names = names or Names(self._services)
        self._hooks = hooks
        self._controls = controls
        self._plans: dict[str, Plan] = {}
        self._memory = memory or Memory()
        self._answers = set() if answers is None else answers

    def __repr__(self) -> str:
        names = ", ".join(service.name for service in self.services)
        return f"Registry({names}: {len(self.tools)} tools)"

    @property
    def services(self) -> tuple[ServiceDefinition, ...]:
        """The definitions of the services, in the order passed."""
        return tuple(service.definition for service in self._services)

    @property
    def bound(self) -> tuple[BoundService, ...]:
        """The services with their handlers, settings and credentials."""
        return self._services

    @property
    def controls(self) -> Controls:
        """The controls of the calls."""
        from toolspec.runtime.controls import Controls

        return self._controls or Controls()

    @property
    def tools(self) -> tuple[ToolDefinition, ...]:
        """The definitions of all tools: services in the order passed, tools in document order."""
        return tuple(tool for service in self.services for tool in service.tools)

    def definition(self, name: str) -> ToolDefinition:
        """Return the tool with a name: full, an alias, or `name@version`.

        A bare name means the highest version; a tool without a version answers any. Raises ToolError `not_found` with the nearest names.
        """
        entry = self._names.find(name)
        if entry is None:
            raise self._names.unknown(name)
        return entry[1]

    def call(
        self,
        name: str,
        arguments: Mapping[str, object] | None = None,
        **options: Unpack[CallOptions],
    ) -> Coroutine[Any, Any, JsonValue]:
        """Return a coroutine for the tool's complete result, a JSON value that is not shared.

        (With `copies=False` of the controls it may be the handler's own, checked only by the
        schema.) It raises ToolError for every failure, including an unknown name.
        """
        plan = self._plan_of(name)
        if plan is None:
            return self._unknown(name, options)
        return plan.call(arguments, options)

    def stream(
        self,
        name: str,
        arguments: Mapping[str, object] | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncGenerator[JsonValue, None]:
        """Return an iterator of the tool's chunks; one item if the tool does not stream.

        It raises ToolError for every failure. Close it (`contextlib.aclosing`) to end a stream
        early, which closes the handler's generator.
        """
        plan = self._plan_of(name)
        if plan is None:
            return self._unknown_stream(name, options)
        return plan.stream(arguments, options)

    async def call_from(
        self,
        target: str,
        name: str,
        arguments: Mapping[str, object] | str | None = None,
        **options: Unpack[CallOptions],
    ) -> JsonValue:
        """Return the complete result of a tool that a model called in a provider's form.

        `target` is one that the package was compiled for, or a family (`openai`); `name` and
        `arguments` are passed as received from the provider, the latter as an object or JSON text.
        Arguments are decoded by `<target>.decode.json`, then passed to `call`. Raises ValueError if
        nothing was compiled for the target, ToolError for every other failure.
        """
        from toolspec.runtime.errors import ToolError
        from toolspec.runtime.provider_calls import decode_call

        try:
            tool, decoded = decode_call(self.services, target, name, arguments)
        except ToolError as error:
            await self._refuse(name, error, options)
        return await self.call(tool, decoded, **options)

    def with_hooks(
        self,
        *,
        before: Sequence[Before] = (),
        middleware: Sequence[Middleware] = (),
        after: Sequence[After] = (),
        after_response: Sequence[AfterResponse] = (),
        on_error: Sequence[OnError] = (),
    ) -> Registry:
        """Return a registry of the same services with additional hooks around every tool.

        They run outside existing hooks: first in `before` and middleware, last in the others.
        `on_error` runs exactly once for every failure, including unknown names and invalid
        arguments, but not for cancellation. Raises ValueError for anything that cannot be a hook.
        """
        from toolspec.runtime.call import GlobalHooks
        from toolspec.runtime.invocation import awaitable
        from toolspec.runtime.required_methods import global_hook_misfits

        given = {
            "before": before,
            "middleware": middleware,
            "after": after,
            "afterResponse": after_response,
            "on_error": on_error,
        }
        problems = global_hook_misfits(given)
        if problems:
            raise ValueError("; ".join(problems))
        inner = self._hooks or GlobalHooks()
        hooks = GlobalHooks(
            before=(*before, *inner.before),
            middleware=(*middleware, *inner.middleware),
            after=(*inner.after, *after),
            after_response=(*inner.after_response, *map(awaitable, after_response)),
            on_error=(*inner.on_error, *on_error),
        )
        return self._with(hooks, self._controls, self._answers)

    def with_controls(self, **controls: Unpack[ControlOptions]) -> Registry:
        """Return a registry of the same services with these controls; omitted ones stay.

        They are the fields of `toolspec.runtime.controls.Controls`. Raises ValueError for unknown
        modes and impossible patterns of a policy, invalid limits, and a store without the methods of
        one. Logs rules of a new policy that match no tool. A new policy or approver discards
        remembered approvals.
        """
        from toolspec.runtime.controls import Controls, check_controls

        check_controls(controls)
        present = {} if self._controls is None else vars(self._controls)
        together = Controls(**{**present, **controls})
        if together.policy is not None:
            self._report_unmatched_rules(together.policy)
        others = "policy" in controls or "approver" in controls
        answers = None if others else self._answers
        return self._with(self._hooks, together, answers)

    def _report_unmatched_rules(self, policy: Policy) -> None:
        own = self.controls.policy
        if own is not None and own.sources is policy.sources:
            return
        from toolspec.runtime.controls.policy import unmatched_rules

        problems = unmatched_rules(policy, self.tools)
        if problems:
            import logging

            logging.getLogger("toolspec").warning("the policy's %s", "; ".join(problems))

    def checked(self, name: str, arguments: Mapping[str, object] | None = None) -> JsonValue:
        """Return validated arguments with defaults filled in, without running the tool.

        Raises ToolError `validation`, or `not_found` for an unknown name.
        """
        plan = self._plan_of(name)
        if plan is None:
            raise self._names.unknown(name)
        return plan.input_validator.checked(arguments)

    async def journal_entries(
        self, *, caller: str | None = None, tool: str | None = None
    ) -> tuple[Entry, ...]:
        """Return the calls that are in the journal, newest first; of one caller or tool, or all.

        Raises ToolError `unavailable` if the journal cannot be read.
        """
        from toolspec.runtime.controls.revert import Selection

        chosen = Selection(caller=caller, tool=tool)
        return await self._reverting().entries(self._plan_of, chosen)

    async def revert_last(
        self, *, caller: str | None = None, tool: str | None = None
    ) -> RevertOutcome | None:
        """Revert the last call of a revertible tool and return the outcome; None without one.

        With `caller` or `tool`, only calls of these count. Unfinished calls and reverts are reported
        as `unknown`, calls of tools missing here as `failed`: each once, and skipped the next time.
        Raises ToolError `unavailable` if the journal cannot be read.
        """
        from toolspec.runtime.controls.revert import Selection

        return await self._reverting().last(self._plan_of, Selection(caller=caller, tool=tool))

    async def revert_all(
        self,
        *,
        caller: str | None = None,
        tool: str | None = None,
        entries: Iterable[str] | None = None,
    ) -> tuple[RevertOutcome, ...]:
        """Revert every call of a revertible tool, newest first, and return the outcomes.

        With `entries`, those with these ids. A failure does not stop the others. Otherwise like
        `revert_last`.
        """
        from toolspec.runtime.controls.revert import Selection

        ids = None if entries is None else frozenset(entries)
        chosen = Selection(caller=caller, tool=tool, entries=ids)
        return await self._reverting().all(self._plan_of, chosen)

    async def forget_entry(self, entry: str) -> None:
        """Drop an entry of the journal without a revert, once its effect is known.

        Raises ToolError `not_found` for an unknown id, `unavailable` if the journal cannot be read.
        """
        await self._reverting().forget(self._plan_of, entry)

    async def release_entry(self, entry: str) -> None:
        """Let an entry of the journal be reverted again whose revert never finished.

        Raises ToolError `not_found` for an unknown id, `conflict` for an entry in another state,
        `unavailable` if the journal cannot be read.
        """
        await self._reverting().release(self._plan_of, entry)

    def _with(
        self,
        hooks: GlobalHooks | None,
        controls: Controls | None,
        answers: set[tuple[object, ...]] | None,
    ) -> Registry:
        return Registry(
            self._services,
            names=self._names,
            hooks=hooks,
            controls=controls,
            memory=self._memory,
            answers=answers,
        )

    def _reverting(self) -> Reverting:
        from toolspec.runtime.controls import Controls

        return self._memory.reverting(self._controls or Controls())

    def _plan_of(self, name: str) -> Plan | None:
        try:
            return self._plans[name]
        except (KeyError, TypeError):  # its first call, or a name that is not a string
            return self._plan(name)

    async def settled(self) -> None:
        """Wait until the afterResponse hooks of all calls of this event loop so far have run."""
        import asyncio

        here = asyncio.get_running_loop()
        pending = [task for task in tuple(self._memory.pending) if task.get_loop() is here]
        if pending:
            await asyncio.wait(pending)

    def _plan(self, name: str) -> Plan | None:
        entry = self._names.find(name)
        if entry is None:
            return None
        unversioned = f"{entry[1].full_name}@"
        if name not in self._names.tools and name != unversioned:
            return self._plan_of(unversioned)  # callers may request it by any number of names
        from toolspec.runtime.call import GlobalHooks
        from toolspec.runtime.controls import Controls
        from toolspec.runtime.plan import RegistryContext, plan_for

        context = RegistryContext(
            hooks=self._hooks or GlobalHooks(),
            controls=self._controls or Controls(),
            memory=self._memory,
            answers=self._answers,
        )
        plan = plan_for(*entry, context)
        self._plans[name] = plan
        return plan

    async def _unknown(self, name: str, options: CallOptions) -> NoReturn:
        await self._refuse(name, self._names.unknown(name), options)

    async def _refuse(self, name: object, refusal: ToolError, options: CallOptions) -> NoReturn:
        """Raise an error that occurred before there was a plan, after running on_error hooks."""
        from toolspec.runtime.call import Failure, run_on_error
        from toolspec.runtime.context import Context

        tool = name if isinstance(name, str) else ""
        context: AnyContext = Context(tool=tool, request_id=options.get("request_id", ""))
        error = refusal.sent(context.request_id, retryable=False)
        if self._hooks is not None:
            await run_on_error(self._hooks.on_error, Failure(name=tool, error=error), context)
        raise error

    async def _unknown_stream(
        self, name: str, options: CallOptions
    ) -> AsyncGenerator[JsonValue, None]:
        yield await self._unknown(name, options)


def merge(*registries: Registry) -> Registry:
    """Return one registry of the services of several, in the order passed.

    Raises BindError for names with two tools, for services bound in different modes, and for a
    registry with hooks or controls: set those on the result
    (`merge(…).with_hooks(…).with_controls(…)`).
    """
    own = [repr(one) for one in registries if one._hooks or one._controls]  # noqa: SLF001 - same module
    if own:
        from toolspec.runtime.errors import BindError

        heading = "merge first, then add the hooks that run around every tool, and the controls"
        raise BindError(heading, own)
    services = [service for one in registries for service in one._services]  # noqa: SLF001 - the same
    if len({service.definition.mode for service in services}) > 1:
        from toolspec.runtime.errors import BindError

        modes = [
            f"`{service.definition.name}`: {service.definition.mode or 'live'}"
            for service in services
        ]
        heading = "the services were bound in different modes; one registry has one mode"
        raise BindError(heading, modes)
    names = Names.joined([one._names for one in registries], services)  # noqa: SLF001 - the same
    return Registry(services, names=names)
