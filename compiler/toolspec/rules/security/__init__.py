"""Rules about hidden, injected and secret text, and about unsafe parameters."""
