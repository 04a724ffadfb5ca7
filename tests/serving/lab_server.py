"""How a server of the lab is started: with its handlers, and with settings for them."""

LAB = ("--handlers", "app:Lab", "--settings", "settings.toml")
