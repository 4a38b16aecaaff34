"""How long nothing is acknowledged, and how long requests take meanwhile: measured by a process of its own.

The process of the subscribers is late by seconds when hundreds of them come back at one moment, which says nothing of the
servers. Clocks are `time.monotonic`, which all processes of a machine share. Run as a program, this file is that process: it
reads what to ask for as a line of JSON, and prints a line for each request until its standard input ends.
"""

import contextlib
import http.client
import json
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

# A probe does not wait long for a node that may be dead.
PATIENCE = 0.7
# How long it rests after each request.
PAUSE = 0.02


@dataclass(frozen=True)
class Request:
    """One that was answered, or not: when it was sent, how long it took, and with what it ended (0: without an answer)."""

    at: float
    took: float
    director: str
    node: str
    status: int


class Probe:
    """Changes some directors all the time, at nodes that are not harmed: one request after the other for each director."""

    def __init__(self, element: str, directors: list[str], at: list, rng: random.Random):
        """`element` is the path of the element that is changed, within its director; `at` are the nodes, which have names and
        addresses."""
        self.requests: list[Request] = []
        self.late = 0.0
        nodes = {each.name: (each.address.host, each.address.port) for each in at}
        self._process = subprocess.Popen([sys.executable, Path(__file__)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        given = {"element": element, "directors": directors, "nodes": nodes, "seed": rng.getrandbits(32)}
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        for line in self._process.stdout:
            *request, late = json.loads(line)
            self.requests.append(Request(*request))
            self.late = max(self.late, late)

    def close(self) -> None:
        """Ends the process; what it has measured is there then."""
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.wait(timeout=30)
        self._reader.join()
        self._process.stdout.close()

    def answers(self, director: str) -> list[float]:
        """When changes of a director were acknowledged."""
        return [each.at + each.took for each in list(self.requests) if each.director == director and each.status == 200]


def longest_pause(answers: list[float], since: float, until: float) -> float:
    """The longest time between two acknowledgements, of which the first is the last before `since`.

    The last one has not ended before `until`.
    """
    before = [each for each in answers if each <= since][-1:] or [since]
    times = before + [each for each in answers if since < each < until] + [until]
    return max(later - earlier for earlier, later in zip(times, times[1:]))


def percentile(requests: list[Request], share: float) -> float:
    """The time that this share of the requests took at most; 0 without requests."""
    took = sorted(each.took for each in requests)
    return took[min(len(took) - 1, int(share * len(took)))] if took else 0.0


class _Prober(threading.Thread):
    """Sends the requests for one director, over a connection to each node."""

    def __init__(self, given: dict, director: str):
        super().__init__(daemon=True)
        self.director, self.element, self.nodes = director, given["element"], given["nodes"]
        self.rng = random.Random(f"{given['seed']} {director}")
        self.connections: dict[str, http.client.HTTPConnection] = {}

    def run(self) -> None:
        # What a change does is the same each time, so that it needs no key.
        number, late = 0, 0.0
        while True:
            number += 1
            node, began = self.rng.choice(list(self.nodes)), time.monotonic()
            status = self.change(node, number)
            took = time.monotonic() - began
            # One write for a line: the threads share the output.
            sys.stdout.write(json.dumps([began, took, self.director, node, status, late]) + "\n")
            sys.stdout.flush()
            began = time.monotonic()
            time.sleep(PAUSE)
            late = time.monotonic() - began - PAUSE

    def change(self, node: str, number: int) -> int:
        """Sends one change; 0 where no answer came."""
        connection = self.connections.get(node)
        if connection is None:
            connection = self.connections[node] = http.client.HTTPConnection(*self.nodes[node], timeout=PATIENCE)
        try:
            connection.request(
                "PATCH", f"/v1/directors/{self.director}{self.element}", json.dumps({"n": number}),
                {"Content-Type": "application/merge-patch+json"})
            answer = connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            connection.close()
            del self.connections[node]
            return 0


def main() -> None:
    given = json.loads(sys.stdin.readline())
    for director in given["directors"]:
        _Prober(given, director).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
