"""A target: the tools of each service as comma-separated values."""

from toolspec.targets.target import Artifact, Emission, Target


def _emit_service(service, context):
    head = "name,mutation\n" if context.options["header"] else ""
    rows = "".join(f"{tool.names.full},{tool.mutation}\n" for tool in service.tools)
    return Emission((Artifact(f"{service.name}/tools.csv", head + rows),))


TARGET = Target(
    name="acme-csv",
    summary="the tools of each service, as <service>/tools.csv",
    emit_service=_emit_service,
    options={
        "type": "object",
        "properties": {"header": {"type": "boolean", "default": False, "description": "A first line."}},
        "additionalProperties": False,
    },
)
