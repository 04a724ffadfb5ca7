"""Checks of the user's handler class against its service; the file is parsed, never imported."""
