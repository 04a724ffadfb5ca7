"""The command `toolspec`: one verb a module, all on the same pipeline."""
