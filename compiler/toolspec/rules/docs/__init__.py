"""Rules about texts that models and people read."""
