"""Command line interface `toolspec`: one module for each command, all on the same pipeline."""
