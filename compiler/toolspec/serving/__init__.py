"""MCP servers and clients of registries, and mocks of services without handlers."""
