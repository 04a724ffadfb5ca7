"""The version of the compiler and of the runtime it generates for: one number, read by the build too."""

__version__ = "0.1.0"
