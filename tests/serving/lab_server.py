"""Options of a server of the lab: with its handlers and settings, or with a store for several processes."""

SHARED = ("--handlers", "together:registry", "--no-auth")
LAB = ("--handlers", "app:Lab", "--settings", "settings.toml")
