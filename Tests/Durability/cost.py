"""How long the dearest requests hold up everybody else, the stop, and the next start.

    python3 Tests/Durability/cost.py PROGRAM [PART-OF-A-NAME…]

Each case is one request to a new server with a data folder; while it is at work another connection asks for the director
on its loop. Prints for each case its status, its time, the longest wait of the others, the processor time of all threads
meanwhile, the most memory, the time that SIGTERM takes, that of the next start, and that of a reload after it. Times are
the wall's, but for the processor's: compare two programs on the same quiet machine. `cost_cases.py` has the cases.
"""

import http.client
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time

import cost_cases

HEADING = f"{'case':52} {'status':>6} {'time':>6} {'others':>6} {'cpu':>6} {'MiB':>5} {'stop':>6} {'start':>6} {'reload':>6}"


class Server:
    """A server of a data folder, on a port of its own."""

    def __init__(self, program: str, folder: str):
        start = time.monotonic()
        self.process = subprocess.Popen([program, "serve", "--port", "0", "--data", folder], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.started = time.monotonic() - start

    def call(self, method: str, path: str, body=None, fields=()):
        """Sends a request; returns the status, the answer and the time."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        body = body() if callable(body) else body
        text = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
        type_ = "application/x-ndjson" if "/content" in path else "application/json"
        start = time.monotonic()
        connection.putrequest(method, path)
        if text is not None:
            text = text.encode() if isinstance(text, str) else text
            connection.putheader("Content-Type", type_)
            connection.putheader("Content-Length", str(len(text)))
        for name, value in fields:
            connection.putheader(name, value)
        connection.endheaders(text)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, content, time.monotonic() - start

    def cpu(self) -> float:
        """The processor time that the server has taken, on all its threads."""
        with open(f"/proc/{self.process.pid}/stat") as status:
            return sum(map(int, status.read().rsplit(")", 1)[1].split()[11:13])) / 100

    def peak(self) -> int:
        """The most memory that the server has had, in MiB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if "VmHWM" in line) >> 10

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


def address(director: str, path: str) -> str:
    """The address of a part of the director; of the director itself where the path is a query or empty."""
    return f"{director}{path}" if path[:1] in ("", "?") else f"{director}/{path}"


def prepare(server: Server, director: str, steps) -> None:
    """Makes the director and what is there before the dear request."""
    server.call("PUT", director, {"kind": "table"})
    for method, path, *body in steps:
        status, content, _ = server.call(method, address(director, path), *body)
        assert status < 300, content[:500]


def detail_of(status: int, content: bytes) -> str:
    """Why a request was refused."""
    if status < 400:
        return ""
    try:
        return json.loads(content).get("detail", "")[:160]
    except ValueError:
        return str(content[:80])


def run(program: str, name: str, case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder)
        try:
            director = "/v1/directors/d"
            before, (method, path, *rest) = case(server) if callable(case) else case
            prepare(server, director, before)
            done, found = threading.Event(), []
            thread = threading.Thread(target=lambda: found.extend(waits(server, director, done)))
            thread.start()
            before = server.cpu()
            status, content, taken = server.call(method, address(director, path), *rest)
            spent = server.cpu() - before
            done.set()
            thread.join()
            peak, stopped = server.peak(), server.stop()
            again = Server(program, folder)
            _, _, first = again.call("POST", f"{director}/reload?elements=false")
            again.stop()
        finally:
            server.process.kill()
        print(f"{name[:52]:52} {status:6} {taken:6.2f} {max(found):6.2f} {spent:6.2f} {peak:5} {stopped:6.2f} {again.started:6.2f} "
              f"{first:6.2f} {detail_of(status, content)}", flush=True)


if __name__ == "__main__":
    print(HEADING, flush=True)
    for name, case in cost_cases.cases().items():
        if not sys.argv[2:] or any(part in name for part in sys.argv[2:]):
            try:
                run(sys.argv[1], name, case)
            except Exception as error:
                print(f"{name}: {type(error).__name__} {error}", flush=True)
