"""A small server that keeps its lists, or that fails to in a way that is asked for: what the harness is tested with."""
