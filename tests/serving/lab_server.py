"""Options of a server of the lab: with its handlers and settings, or with a store for several processes."""

SHARED = ("--handlers", "together:registry", "--no-auth", "--approve", "ask")
LAB = ("--handlers", "app:Lab", "--settings", "settings.toml", "--approve", "ask")
