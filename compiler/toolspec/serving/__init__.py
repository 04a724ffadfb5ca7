"""An island beside the runtime: registries served over MCP, and mocks of services nobody has written."""
