#!/usr/bin/env python3
"""Makes the vectors for clients: files of JSON lines, one vector a line.

    python3 Tests/Vectors/make.py            writes them
    python3 Tests/Vectors/make.py --check    changes nothing; fails where a file is not what would be written

Each vector's expectation was written by hand, or follows from how the vector was drawn, and the reader in Python has to come to the
same. Of drawn streams and queues the reader's own outcome is written. Nothing depends on the time, the machine or chance.
"""

import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from cases import applying, overlaying, parsing, reporting, resuming, sparing  # noqa: E402
from cases.tools import Dice  # noqa: E402
from reader import outcome  # noqa: E402

# Each kind with its cases, and how many are drawn.
KINDS = {"parse": (parsing, 150), "apply": (applying, 220), "resume": (resuming, 100), "sparse": (sparing, 130),
         "overlay": (overlaying, 100), "report": (reporting, 110)}


def vectors(kind: str) -> list[dict]:
    """The vectors of a kind, checked against the reader."""
    cases, count = KINDS[kind]
    made = cases.written() + cases.drawn(Dice(sum(kind.encode())), count)
    names = [vector["name"] for vector in made]
    if len(set(names)) != len(names):
        raise SystemExit(f"{kind}: two vectors have the name {max(names, key=names.count)!r}")
    for vector in made:
        found = outcome(vector)
        if vector.setdefault("expect", found) != found:
            raise SystemExit(f"{kind}: {vector['name']!r} expects\n{vector['expect']}\nand the reader comes to\n{found}")
    return made


def lines(kind: str) -> str:
    """The content of a kind's file."""
    return "".join(json.dumps(vector, separators=(",", ":")) + "\n" for vector in vectors(kind))


def main(check: bool) -> int:
    stale, total = [], 0
    for kind in KINDS:
        path, text = HERE / f"{kind}.jsonl", lines(kind)
        total += text.count("\n")
        print(f"{kind}: {text.count(chr(10))} vectors, {len(text)} bytes")
        if not check:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(path.name)
    print(f"{total} vectors")
    if stale:
        print(f"not what make.py writes: {', '.join(stale)}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
