"""Handlers of the tools in `specs/`: imported by the server that the suite is run against."""

from __future__ import annotations

import asyncio
from typing import Any, NoReturn

from toolspec.runtime import ToolError

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
"""One pixel."""
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
"""A sound of no length."""
PDF = "JVBERi0xLjQKJSVFT0YK"


class Test:
    async def simple_text(self, input: Any) -> str:
        return "A line of text."

    async def image_content(self, input: Any) -> str:
        return PNG

    async def audio_content(self, input: Any) -> str:
        return WAV

    async def embedded_resource(self, input: Any) -> str:
        return PDF

    async def multiple_content_types(self, input: Any) -> Any:
        return {"title": "Both", "picture": PNG, "document": PDF}

    async def error_handling(self, input: Any) -> NoReturn:
        raise ToolError("on_purpose", "This tool fails on purpose.")

    async def tool_with_progress(self, input: Any, ctx: Any) -> bool:
        for reached in (0, 50, 100):
            ctx.progress(reached, 100)
            await asyncio.sleep(0.05)
        return True

    async def tool_with_headers(self, input: Any) -> str:
        region: str = input["region"]
        return region

    async def logging_tool(self, input: Any, ctx: Any) -> bool:
        ctx.client_log("the suite was here", "warning")
        return True

    async def tool_with_logging(self, input: Any, ctx: Any) -> bool:
        for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            ctx.client_log(text)
            await asyncio.sleep(0.05)
        return True

    async def sampling(self, input: Any, ctx: Any) -> str:
        result = await ctx.sample(input["prompt"], max_tokens=100)
        return f"LLM response: {result.text}"

    async def elicitation(self, input: Any, ctx: Any) -> Any:
        fields = {"username": string("User name."), "email": string("Address of the user.")}
        return shown(await ctx.elicit(input["message"], form(fields)))

    async def elicitation_sep1034_defaults(self, input: Any, ctx: Any) -> Any:
        fields = {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": {"type": "boolean", "default": True},
        }
        return shown(await ctx.elicit("Check the defaults.", form(fields)))

    async def elicitation_sep1330_enums(self, input: Any, ctx: Any) -> Any:
        plain = ["option1", "option2", "option3"]
        titled = [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)]
        fields = {
            "untitledSingle": {"type": "string", "enum": plain},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        }
        return shown(await ctx.elicit("Choose.", form(fields)))

    async def input_required_result_elicitation(self, input: Any, ctx: Any) -> str:
        return await greeted(ctx)

    async def input_required_result_sampling(self, input: Any, ctx: Any) -> str:
        question = "What is the capital of France?"
        return (await ctx.sample(question, max_tokens=100, key="capital_question")).text

    async def input_required_result_list_roots(self, input: Any, ctx: Any) -> list[str]:
        return [root.uri for root in await ctx.roots(key="client_roots")]

    async def input_required_result_multiple_inputs(self, input: Any, ctx: Any) -> str:
        greeting, sample, roots = await asyncio.gather(
            greeted(ctx),
            ctx.sample("Generate a greeting", max_tokens=50, key="greeting"),
            ctx.roots(key="client_roots"),
        )
        return f"{greeting} {sample.text} {len(roots)}"

    async def input_required_result_capabilities(self, input: Any, ctx: Any) -> str:
        try:
            return await greeted(ctx)
        except ToolError:
            return (await ctx.sample("What is your name?", max_tokens=10)).text

    async def missing_capability(self, input: Any, ctx: Any) -> str:
        return (await ctx.sample("What is your name?", max_tokens=10)).text

    async def streaming_elicitation(self, input: Any, ctx: Any) -> str:
        ctx.progress(1, 2, "asking")
        return await greeted(ctx)

    async def input_required_result_request_state(self, input: Any) -> bool:
        return True

    async def input_required_result_tampered_state(self, input: Any) -> bool:
        return True

    async def input_required_result_multi_round(self, input: Any, ctx: Any) -> bool:
        await ctx.request_permission("file:~/conformance.txt", "to write it down", "write")
        return True


def string(description: str) -> Any:
    return {"type": "string", "description": description}


def form(fields: Any) -> Any:
    return {"type": "object", "properties": fields, "required": list(fields)}


def shown(result: Any) -> Any:
    return {"action": result.action, "content": result.content}


async def greeted(ctx: Any) -> str:
    form_of_name = form({"name": {"type": "string"}})
    result = await ctx.elicit("What is your name?", form_of_name, key="user_name")
    return f"Hello, {result.content.get('name', 'stranger')}!"


class Json:
    async def schema_2020_12_tool(self, input: Any) -> bool:
        return True
