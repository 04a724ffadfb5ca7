"""Rules about destructive calls and their approval."""
