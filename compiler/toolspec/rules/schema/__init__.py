"""Rules about valid schemas that are vague or confusing."""
