"""The vectors: those that were thought of, with what they expect, and those that are drawn."""
