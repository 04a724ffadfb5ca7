"""Rules about how tools are named."""
