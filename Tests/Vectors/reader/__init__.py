"""A client's rules in Python, one module for each kind of vector, written from the wire contract and the standard library alone.

It shares no code with the clients in Swift and JavaScript, and is what the vectors' expectations are checked against.
"""

from reader import apply, overlay, parse, report, resume, sparse

# What each kind of vector expects, by the rule: the vector goes in, its `expect` comes out.
RULES = {
    "parse": parse.outcome, "apply": apply.outcome, "resume": resume.outcome,
    "sparse": sparse.outcome, "overlay": overlay.outcome, "report": report.outcome,
}


def outcome(vector: dict) -> dict:
    """What a reader makes of a vector."""
    return RULES[vector["kind"]](vector)
