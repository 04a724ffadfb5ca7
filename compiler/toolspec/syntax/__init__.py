"""Text to tree: YAML and JSON readers whose values remember where they stood."""
