"""Rules about streaming tools."""
