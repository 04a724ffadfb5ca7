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
        ctx.log.warning("the suite was here")
        return True

    async def input_required_result_elicitation(self, input: Any) -> bool:
        return True

    async def input_required_result_request_state(self, input: Any) -> bool:
        return True

    async def input_required_result_tampered_state(self, input: Any) -> bool:
        return True

    async def input_required_result_capabilities(self, input: Any) -> bool:
        return True

    async def input_required_result_multi_round(self, input: Any, ctx: Any) -> bool:
        await ctx.request_permission("file:~/conformance.txt", "to write it down", "write")
        return True

    async def missing_capability(self, input: Any) -> bool:
        return True

    async def streaming_elicitation(self, input: Any) -> bool:
        return True


class Json:
    async def schema_2020_12_tool(self, input: Any) -> bool:
        return True
