"""How long the dearest requests hold up everybody else, the stop, and the next start.

    python3 Tests/Durability/cost.py PROGRAM

Each case is one request to a new server with a data folder; while it is at work another connection asks for /livez on
every loop. Prints for each case its status, its time, the longest wait of the others, the time that SIGTERM takes, and that
of the next start. A time is the wall's: compare two programs on the same quiet machine.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time


class Server:
    """A server of a data folder, on a port of its own."""

    def __init__(self, program: str, folder: str):
        start = time.monotonic()
        self.process = subprocess.Popen([program, "serve", "--port", "0", "--data", folder], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.started = time.monotonic() - start

    def call(self, method: str, path: str, body=None):
        """Sends a request; returns the status, the answer and the time."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        text = body if isinstance(body, (str, type(None))) else json.dumps(body)
        start = time.monotonic()
        connection.request(method, path, text, {"Content-Type": "application/json"} if body is not None else {})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content, time.monotonic() - start

    def stop(self) -> float:
        """Sends SIGTERM; returns how long the end takes."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=600)
        return time.monotonic() - start


def waits(server: Server, path: str, done: threading.Event) -> list[float]:
    """Asks for something of the director's loop until something is done; returns the times."""
    times = []
    while not done.is_set():
        times.append(server.call("GET", path)[2])
    return times


def cell(identifier="{id}", **members) -> dict:
    return {"cell": "C", "identifier": identifier, **members}


def batch(*operations, **members) -> dict:
    return {"operations": list(operations), **members}


def rows_of(*rows) -> dict:
    return {"op": "setSections", "sections": [{"id": "s", "rows": list(rows)}]}


HOLES = [{"$logic": {"+": [{"var": "variables.x"}, n]}} for n in range(900)]
OBJECT = {f"m{n:04}": n for n in range(1_020)}
STEPS = {"+": [{"var": "variables.o.m1018"}] * 8_000}

# Name: what is there before, the dear request.
CASES = {
    "350 patches of a row of 900 expressions": (
        [], ("POST", "operations", batch(
            rows_of({"id": "r", "type": "constant", "cell": "C", "additionalConfig": {"a": HOLES}}),
            *[{"op": "patchRow", "section": "s", "row": "r", "patch": {"height": n}} for n in range(350)]))),
    "300 patches beside a title of 10 MB": (
        [("PUT", "sections", [{"id": "s", "headerTitle": "t" * 10_000_000}])],
        ("POST", "operations", batch(*[
            {"op": "patchSection", "section": "s", "patch": {"footerTitle": str(n)}} for n in range(300)]))),
    "500 pairs of adapters on 200,000 elements": (
        [("PUT", "adapters/M", cell()),
         ("PUT", "sections", [{"id": "s", "elements": [{"model": "M", "value": {"id": n}} for n in range(200_000)]}])],
        ("POST", "operations", batch(*[o for _ in range(500) for o in (
            {"op": "setAdapter", "model": "N", "value": cell()}, {"op": "removeAdapter", "model": "N"})]))),
    "five million sections": ([], ("PUT", "sections", "[" + ",".join(["{}"] * 5_000_000) + "]")),
    "250,000 sections": ([], ("PUT", "sections", "[" + ",".join(["{}"] * 250_000) + "]")),
    "4 MB of expressions": ([], ("PUT", "sections", [{"id": "s", "rows": [
        {"id": str(n), "type": "constant", "cell": "C", "hideWhen": {"==": [{"var": "variables.x"}, n]}}
        for n in range(99_000)]}])),
    "an identifier of 341 times 15 MB": (
        [("PUT", "adapters/M", cell("{a}" * 341))], ("POST", "elements?model=M", {"a": "x" * 15_000_000})),
    "64 equal content pointers": (
        [("PUT", "adapters/M", cell(content=[""] * 64)), ("POST", "elements?model=M", {"id": "a", "t": ["x"] * 3_000_000})],
        ("PATCH", "sections/@0/elements/a", {"b": 1})),
    "a pointer of 8 MB": ([], ("PUT", "adapters/M", cell(content=["/" * 8_000_000]))),
    "50 rows of many paths past 1,019 members": (
        [("PUT", "variables/o", OBJECT)] + [("PUT", "sections", [{"id": "s", "rows": [
            {"id": str(n), "type": "constant", "cell": "C", "hideWhen": STEPS} for n in range(50)]}])],
        ("POST", "reload", None)),
}


def run(program: str, name: str) -> None:
    before, (method, path, body) = CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder)
        director = "/v1/directors/d"
        server.call("PUT", director, {"kind": "table"})
        for step in before:
            status, content, _ = server.call(step[0], f"{director}/{step[1]}", step[2])
            assert status < 300, content[:500]
        done, found = threading.Event(), []
        thread = threading.Thread(target=lambda: found.extend(waits(server, director, done)))
        thread.start()
        status, content, taken = server.call(method, f"{director}/{path}", body)
        done.set()
        thread.join()
        peak = next(int(line.split()[1]) for line in open(f"/proc/{server.process.pid}/status") if "VmHWM" in line)
        stopped = server.stop()
        again = Server(program, folder)
        _, _, first = again.call("POST", f"{director}/reload")
        again.stop()
        detail = json.loads(content).get("detail", "")[:160] if status >= 400 else ""
        print(f"{name}: {status}, {taken:.2f} s, others wait {max(found):.2f} s, {peak >> 10} MiB, stop {stopped:.2f} s, "
              f"start {again.started:.2f} s, reload after it {first:.2f} s {detail}", flush=True)


if __name__ == "__main__":
    for case in CASES:
        if not sys.argv[2:] or any(part in case for part in sys.argv[2:]):
            try:
                run(sys.argv[1], case)
            except Exception as error:
                print(f"{case}: {type(error).__name__} {error}", flush=True)
