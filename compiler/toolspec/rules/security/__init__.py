"""Rules about text that is not what it seems, or should not be there."""
