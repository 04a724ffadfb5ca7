"""Foreign catalogues to spec documents: pure functions that say what they guessed, changed and lost."""
