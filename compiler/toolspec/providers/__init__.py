"""What each model provider accepts of a tool, and how a tool is made to fit."""
