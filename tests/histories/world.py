"""A service whose handlers note what they do, and one history played on a registry of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stepping_loop import run
from steps import Step
from toolspec.runtime import (
    Approval,
    ApprovalPending,
    Caller,
    Limits,
    Question,
    Registry,
    ServiceDefinition,
    ToolDefinition,
    ToolError,
    approve,
    bind_service,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

LOCATIONS = 4
INPUT: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}
KEYED = {**INPUT, "properties": {**INPUT["properties"], "idempotency_key": {"type": "string"}}}
OUTPUT = json.dumps(INPUT)


def _tool(name: str, schema: dict[str, Any] = INPUT, **fields: Any) -> ToolDefinition:
    changes = {"mutation": fields.get("risk", 0) > 0, "read_only": fields.get("risk", 0) == 0}
    common = {"name": name, "full_name": f"demo_{name}", "method": name}
    schemas = {"arguments_schema": json.dumps(schema), "output_schema": OUTPUT}
    if fields.get("streaming"):
        schemas = {**schemas, "output_schema": '{"type":"string"}', "chunk_schema": CHUNK}
        fields["reduction"] = "join"
    return ToolDefinition(**{**common, **schemas, **changes, **fields})  # type: ignore[arg-type]


CHUNK = '{"type":"string"}'
DEFINITION = ServiceDefinition(
    name="demo",
    tools=(
        _tool("look", destructive=False, idempotent=True),
        _tool("add", risk=2, destructive=False, revert=True),
        _tool("wipe", risk=3, destructive=True, revert=True, verify=True, timeout_total=9.0),
        _tool("charge", KEYED, risk=3, destructive=True, idempotency="optional"),
        _tool(
            "post",
            {**KEYED, "required": ["n", "idempotency_key"]},
            risk=2,
            destructive=False,
            idempotency="required",
            timeout_total=8.0,
            revert=True,
        ),
        _tool("tell", streaming=True, destructive=False, idempotent=True, timeout_idle=6.0),
        _tool("pour", KEYED, risk=3, destructive=True, idempotency="optional", streaming=True),
    ),
)
TOOLS = {tool.full_name: tool for tool in DEFINITION.tools}


@dataclass(frozen=True)
class Effect:
    """Something that a handler did to the world; `turn` says when."""

    step: Step
    caller: str | None
    turn: int


@dataclass(frozen=True)
class Yes:
    """An answer that lets a call, or a permission in its middle, go on."""

    step: Step
    choice: str
    caller: str | None
    reason: str
    turn: int


@dataclass(frozen=True)
class Ended:
    """How a call ended for the one who made it."""

    step: Step
    how: str
    values: tuple[object, ...] = ()
    error: ToolError | None = None
    left_running: bool = False


@dataclass
class World:
    """All that was seen while a history was played."""

    steps: dict[int, Step]
    effects: list[Effect] = field(default_factory=list)
    answers: list[Yes] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    running: set[int] = field(default_factory=set)
    begun: list[int] = field(default_factory=list)
    undone: list[tuple[int, int, str]] = field(default_factory=list)
    """Which revert, of which call, and what came of it."""
    ended: list[Ended] = field(default_factory=list)
    tasks: list[str] = field(default_factory=list)
    probes: list[object] = field(default_factory=list)
    turn: int = 0
    reverting: int = -1
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def next(self) -> int:
        """Return the number of what happens now."""
        self.turn += 1
        return self.turn


class Handlers:
    """Handlers that do what the step of their call says, and write down what they did."""

    def __init__(self, world: World) -> None:
        self.world = world

    def by_name(self) -> dict[str, object]:
        """Return the handler of each tool."""
        return {
            **dict.fromkeys(("look", "add", "wipe", "charge", "post"), self.work),
            **dict.fromkeys(("tell", "pour"), self.flow),
            **dict.fromkeys(("revert_add", "revert_wipe", "revert_post"), self.undo),
            "verify_wipe": self.check,
        }

    async def work(self, input: Any, ctx: Any) -> object:
        if ctx.request_id == "probe":
            return {"n": 0}
        step = self.world.steps[int(ctx.request_id)]
        self.world.running.add(step.number)
        self.world.begun.append(step.number)
        try:
            return await self.done(step, ctx)
        finally:
            self.world.running.discard(step.number)

    async def done(self, step: Step, ctx: Any) -> object:
        ctx.metadata["step"] = step.number
        await asyncio.sleep(1)
        if step.ending == "busy":
            raise ToolError.unavailable("come back", details={"effect": "none"})
        if step.ending == "refused":
            raise ToolError.not_found("there is none", details={"effect": "none"})
        if step.ending == "asks":
            await ctx.request_permission("file:~/a", "it is needed", "read")
        self.world.effects.append(Effect(step, ctx.caller, self.world.next()))
        if step.ending == "stubborn":
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(20)
        await asyncio.sleep(20 if step.ending == "slow" else 1)
        match step.ending:
            case "gone":
                raise ToolError.not_found("gone after all")
            case "broken":
                raise ValueError("a defect")
            case "exit":
                raise SystemExit(3)
            case "astray":
                raise asyncio.CancelledError
        return {"n": "shapeless"} if step.ending == "shape" else {"n": step.value}

    async def flow(self, input: Any, ctx: Any) -> AsyncIterator[object]:
        step = self.world.steps[int(ctx.request_id)]
        self.world.running.add(step.number)
        try:
            yield "a "
            result: Any = await self.done(step, ctx)
            yield "b" if isinstance(result["n"], int) else 7
        finally:
            self.world.running.discard(step.number)

    async def check(self, input: Any, output: Any, ctx: Any) -> str | None:
        step = self.world.steps[int(ctx.request_id)]
        return "it is not so" if step.ending == "unverified" else None

    async def undo(self, input: Any, output: Any, metadata: Any) -> str | None:
        step = self.world.steps[metadata["step"]]
        await asyncio.sleep(1)
        how = step.revert
        self.world.undone.append((self.world.reverting, step.number, how))
        if how == "raises":
            raise ValueError("cannot")
        return "it is stuck" if how == "stuck" else None


class Hooks:
    """Hooks around every call, which fail, answer or replace where a step says so."""

    def __init__(self, world: World) -> None:
        self.world = world

    def around(self, registry: Registry) -> Registry:
        return registry.with_hooks(
            before=[self.before],
            middleware=[self.middleware],
            after=[self.after],
            after_response=[self.response],
            on_error=[self.error, self.told],
        )

    def hook(self, call: Any) -> str:
        request: str = call.context.request_id if call is not None else ""
        return self.world.steps[int(request)].hook if request.isdigit() else ""

    async def before(self, call: Any) -> None:
        if self.hook(call) == "before":
            raise RuntimeError("before")

    async def middleware(self, call: Any, following: Any) -> object:
        if self.hook(call) == "middleware":
            raise ToolError.conflict("middleware")
        if self.hook(call) == "answer" and not call.tool.streaming:
            return {"n": 7}
        return await following()

    async def after(self, call: Any, result: object) -> object:
        match self.hook(call):
            case "after":
                raise RuntimeError("after")
            case "replace":
                return "replaced" if call.tool.streaming else {"n": 8}
            case "misplace":
                return 1.5
        return None

    async def response(self, call: Any, outcome: Any) -> None:
        await asyncio.sleep(1)
        if self.hook(call) == "response":
            raise SystemExit(4)

    async def error(self, failure: Any) -> None:
        if self.hook(failure.call) == "error":
            raise RuntimeError("error")

    async def told(self, failure: Any) -> None:
        self.world.told.append(failure.error.request_id)


def play(
    steps: Sequence[Step],
    change: Callable[[World, Registry], Registry] = lambda _, registry: registry,
    handlers: type[Handlers] = Handlers,
    **options: Any,
) -> World:
    """Return what was seen of a history. `change` and `handlers` are for histories that are broken."""
    world = World({step.number: step for step in steps})
    registry = bind_service(DEFINITION, handlers(world).by_name(), **options).with_controls(
        limits=Limits(concurrency=LOCATIONS), authenticator=_authenticate
    )
    run(_played(world, change(world, Hooks(world).around(registry))))
    return world


def _authenticate(context: Any) -> Caller | None:
    return None if context.caller is None else Caller(name=context.caller)


async def _played(world: World, registry: Registry) -> None:
    shared = approve("demo_wipe", {"n": 0})
    calls = [
        asyncio.create_task(_taken(world, registry, step, shared)) for step in world.steps.values()
    ]
    await asyncio.gather(*calls)
    await asyncio.sleep(1000)
    await registry.settled()
    world.tasks = [str(task) for task in asyncio.all_tasks() - {asyncio.current_task()}]
    probing = (
        registry.call("demo_look", {"n": 0}, caller="ann", request_id="probe")
        for _ in range(LOCATIONS)
    )
    world.probes = await asyncio.gather(*probing, return_exceptions=True)
    await registry.settled()


async def _taken(world: World, registry: Registry, step: Step, shared: Approval) -> None:
    await asyncio.sleep(step.at)
    is_call = not step.name.startswith("demo_revert")
    work = _called(world, registry, step, shared) if is_call else _reverted(world, registry, step)
    call = asyncio.create_task(work)
    if step.leave is not None:
        seconds, turns = step.leave
        if seconds:
            await asyncio.sleep(seconds)
        for _ in range(turns):
            await asyncio.sleep(0)
        call.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await call
    if call.cancelled() and is_call:
        _end(world, step, "cancelled")


async def _reverted(world: World, registry: Registry, step: Step) -> None:
    async with world.lock:
        world.reverting = step.number
        if step.name == "demo_revert_all":
            await registry.revert_all()
        else:
            await registry.revert_last()


async def _called(world: World, registry: Registry, step: Step, shared: Approval) -> None:
    options: dict[str, Any] = {
        "caller": step.caller,
        "request_id": str(step.number),
        "approver": _approver(world, step),
        "approval": _approval(step, shared),
    }
    values: list[object] = []
    try:
        if step.form == "call":
            values.append(await registry.call(step.name, step.arguments, **options))
        else:
            stream = registry.stream(step.name, step.arguments, **options)
            async with contextlib.aclosing(stream):
                async for chunk in stream:
                    values.append(chunk)
                    if len(values) == step.chunks:
                        _end(world, step, "left", values)
                        return
        _end(world, step, "ok", values)
    except ToolError as error:
        _end(world, step, "failed", values, error)
    except ApprovalPending:
        _end(world, step, "parked", values)


def _end(
    world: World,
    step: Step,
    how: str,
    values: Sequence[object] = (),
    error: ToolError | None = None,
) -> None:
    """Note an end; of one whose stream is about to be closed nobody can say yet if it still runs."""
    runs = how != "left" and step.number in world.running
    world.ended.append(Ended(step, how, tuple(values), error, runs))


def _approval(step: Step, shared: Approval) -> Approval | None:
    match step.consent:
        case "ahead":
            return approve(step.name, step.arguments)
        case "expired":
            return approve(step.name, step.arguments, seconds=-1)
        case "other":
            return approve(step.name, {**step.arguments, "n": 9})
        case "shared":
            return shared
    return None


def _approver(world: World, step: Step) -> object:
    async def approver(question: Question) -> object:
        if step.consent in {"late", "parks"}:
            await asyncio.sleep(2)
        match step.consent:
            case "parks":
                raise ApprovalPending
            case "raises":
                raise RuntimeError("nobody is there")
            case "no":
                return False
            case "silent":
                return None
        choice = step.consent if step.consent in {"session", "always"} else "once"
        yes = Yes(step, choice, question.caller, question.reason, world.next())
        world.answers.append(yes)
        return choice

    silent = {"nobody", "expired", "other", "shared"}
    if step.consent in silent or (step.consent == "ahead" and step.ending != "asks"):
        return None
    return approver
