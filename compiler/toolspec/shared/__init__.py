"""What compiler and runtime both need, written once. Imports the standard library only."""
