"""Program to artifacts: one folder a target, found by its name; none is privileged."""
