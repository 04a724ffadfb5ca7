"""Code shared by compiler and runtime; imports only the standard library and the validator."""
