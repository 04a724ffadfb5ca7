"""Handlers of the crm service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generated.crm import CrmHandlers

if TYPE_CHECKING:
    from toolspec.runtime import Context

    from generated.crm import (
        AddCustomerInput,
        AddCustomerOutput,
        CrmCredentials,
        ListCustomersInput,
        ListCustomersOutput,
    )

    Ctx = Context[None, CrmCredentials]


class Crm(CrmHandlers):
    """Keeps the customers of each branch in memory."""

    def __init__(self) -> None:
        self.customers: dict[str, list[str]] = {"north": ["ann@example.com"], "south": []}

    async def list_customers(self, input: ListCustomersInput, ctx: Ctx) -> ListCustomersOutput:
        """List the customers of the branch that the call names."""
        return self.customers[ctx.instance][: input["limit"]]

    async def add_customer(self, input: AddCustomerInput, ctx: Ctx) -> AddCustomerOutput:
        """Add a customer to the branch that the call names."""
        self.customers[ctx.instance].append(input["mail"])
