"""HTTP/2: GET over TLS under h2load, against nginx; and one changeset to 10,000 streams on few connections, in
deliveries a second, against a bare loop of send on as many sockets and against a bare program on nghttp2.

The receivers are C programs (fanout.c, streams.c), and the rounds are interleaved. The server has one loop, as the two
others have one thread.
"""

import contextlib
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

from fanout import BareRounds, OurRounds, Receiver, change, marker, one_round, prepare, receiver, record_frame, STREAM
from harness import HOST, callboard, nginx, raise_descriptor_limit, report, running, workspace
from rates import ELEMENT, prepare as prepare_element
from tls import certificate

ROUNDS = 5
REQUESTS = 60_000
GET_TARGET = 0.8
STREAMS = 10_000
FAN_ROUNDS = 20
# Of each number of connections: how many times the bare loop of send.
FAN_TARGETS = {100: 6.0, 1_000: 2.5}
BARE_TARGET = 0.6
MEMORY_LIMIT = 2 * 1024


def h2load(port: int) -> float:
    """Requests a second over one round; an answer other than a success ends the benchmark."""
    command = ["h2load", "-t1", "-c8", "-m32", f"-n{REQUESTS}", f"https://{HOST}:{port}{ELEMENT}"]
    output = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    if f"{REQUESTS} succeeded" not in output or "Application protocol: h2" not in output:
        raise SystemExit(f"h2load saw errors:\n{output}")
    return float(re.search(r"([\d.]+) req/s", output).group(1))


def measure_requests(folder: Path) -> None:
    chain, key = certificate(folder)
    with callboard(folder, SERVER_LOOPS="1", LOG_LEVEL="warning", TLS_CERTIFICATE=str(chain),
                   TLS_KEY=str(key)) as server:
        body = prepare_element(server).decode()
        fixed = body.replace("\\", "\\\\").replace("'", "\\'").replace("$", "")
        settings = (f"ssl_certificate {chain}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;")
        with nginx(folder, f"location / {{ return 200 '{fixed}'; }}", settings=settings, listen="ssl http2") as port:
            h2load(server.port), h2load(port)
            rounds = [(h2load(server.port), h2load(port)) for _ in range(ROUNDS)]
            mine, yardstick = (statistics.median(column) for column in zip(*rounds))
            report("GET over HTTP/2 and TLS, 8 connections of 32", f"{mine:,.0f}/s", f"nginx {yardstick:,.0f}/s",
                   mine / yardstick, GET_TARGET)


@contextlib.contextmanager
def streams(folder: Path, port: int, path: str, connections: int):
    """The program that holds all streams on so many connections."""
    command = [os.environ["STREAMS_BIN"], "receive", HOST, str(port), path, str(connections), str(STREAMS)]
    log = folder / f"streams-{port}-{connections}.log"
    with running(command, log, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        self = Receiver(process, STREAMS)
        try:
            self.expect_line("ready")
        except SystemExit as error:
            raise SystemExit(f"{error}: {log.read_text()}") from None
        yield self


@contextlib.contextmanager
def sender(command: list[str], log: Path):
    """One of the two yardsticks, and the port that it listens on."""
    with running(command, log, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield BareRounds(process), int(process.stdout.readline().split()[1])


def measure_fanout(connections: int, target: float, folder: Path) -> None:
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(callboard(
            folder, SERVER_LOOPS="1", SERVER_MAX_CONNECTIONS="20000", FEED_HEARTBEAT="600", LOG_LEVEL="warning",
            HTTP2_CLEARTEXT="true"))
        prepare(server)
        frame = record_frame(server)
        # As HTTP/1.1 sends it, and without the framing of the chunk.
        (folder / "chunk").write_bytes(frame)
        (folder / "event").write_bytes(frame.partition(b"\r\n")[2].removesuffix(b"\r\n"))
        before = server.resident_bytes()
        our_ends = stack.enter_context(streams(folder, server.port, STREAM, connections))
        each = (server.resident_bytes() - before) / STREAMS
        bare, bare_port = stack.enter_context(sender(
            [os.environ["STREAMS_BIN"], "send", str(connections), str(STREAMS), str(folder / "event")],
            folder / "bare.log"))
        bare_ends = stack.enter_context(streams(folder, bare_port, "/", connections))
        loop, loop_port = stack.enter_context(sender(
            [os.environ["FANOUT_BIN"], "send", str(STREAMS), str(folder / "chunk")], folder / "loop.log"))
        loop_ends = stack.enter_context(receiver(folder, loop_port, "/", STREAMS))

        ours = OurRounds(server)
        times: dict[str, list[float]] = {"ours": [], "bare": [], "loop": []}
        for number in range(2, 2 + FAN_ROUNDS + 2):
            text = marker(number)
            change(server, text)
            times["ours"].append(one_round(ours, our_ends, text))
            times["bare"].append(one_round(bare, bare_ends, text))
            times["loop"].append(one_round(loop, loop_ends, text))
        # The first two rounds of each warm the caches and are not counted.
        rates = {name: STREAMS / statistics.median(values[2:]) * 1000 for name, values in times.items()}
        name = f"{STREAMS:,} streams on {connections:,} connections"
        shown = {name: f"{rate:,.0f}/s" for name, rate in rates.items()}
        report(name, shown["ours"], f"bare send loop {shown['loop']}", rates["ours"] / rates["loop"], target)
        report(name, shown["ours"], f"bare nghttp2 {shown['bare']}", rates["ours"] / rates["bare"], BARE_TARGET)
        if connections == min(FAN_TARGETS):
            report("memory of an idle HTTP/2 stream", f"{each:,.0f} bytes", f"{MEMORY_LIMIT:,} bytes",
                   each / MEMORY_LIMIT, 1.0, at_most=True)


def main() -> None:
    raise_descriptor_limit()
    with workspace() as name:
        measure_requests(Path(name))
    for connections, target in FAN_TARGETS.items():
        with workspace() as name:
            measure_fanout(connections, target, Path(name))


if __name__ == "__main__":
    sys.exit(main())
