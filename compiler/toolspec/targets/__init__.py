"""Targets: one folder for each output format, discovered by name; all have equal rights."""
