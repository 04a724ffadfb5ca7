"""Handlers of the till in a process with OpenTelemetry, which tell what it has exported."""

from __future__ import annotations

import json
from typing import Any

from app import Till
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

spans = InMemorySpanExporter()
measured = InMemoryMetricReader()
tracing = TracerProvider()
tracing.add_span_processor(SimpleSpanProcessor(spans))
trace.set_tracer_provider(tracing)
metrics.set_meter_provider(MeterProvider(metric_readers=[measured]))


class Traced(Till):
    async def look(self, input: Any) -> Any:
        if input["name"] == "spans":
            return json.dumps([json.loads(span.to_json()) for span in spans.get_finished_spans()])
        if input["name"] == "metrics":
            return measured.get_metrics_data().to_json()
        return await super().look(input)
