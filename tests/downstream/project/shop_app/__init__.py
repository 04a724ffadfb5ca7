"""The shop and its customers: handlers, hooks and a program."""
