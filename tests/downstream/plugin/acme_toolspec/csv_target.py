"""A target: the tools of each service as comma-separated values."""

from toolspec.diagnostics import Checked
from toolspec.targets.target import Artifact, Target


def _emit(request):
    head = "name,mutation\n" if request.options["header"] else ""
    return Checked(
        tuple(
            Artifact(
                f"{service.name}/tools.csv",
                head + "".join(f"{tool.names.full},{tool.mutation}\n" for tool in service.tools),
            )
            for service in request.program.services
        )
    )


TARGET = Target(
    name="acme-csv",
    summary="the tools of each service, as <service>/tools.csv",
    emit=_emit,
    options={
        "type": "object",
        "properties": {"header": {"type": "boolean", "default": False, "description": "A first line."}},
        "additionalProperties": False,
    },
)
