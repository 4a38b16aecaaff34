"""slowhttptest's three modes: clients that are slow on purpose leave the others served."""

import statistics
import subprocess
import time

import httpx
import pytest

from conftest import BOOK, api

CONNECTIONS = 300
SECONDS = 12
# Of the pairs of requests, 19 of 20 take so many seconds at most; one may meet a disk that others keep busy.
MOST = 2.0

MODES = {
    "slow heads": ["-H", "-i", "2", "-t", "GET", "-x", "24"],
    "slow bodies": ["-B", "-i", "2", "-t", "POST", "-s", "8192", "-x", "24"],
    "slow reading": ["-X", "-w", "64", "-y", "128", "-n", "2", "-z", "32", "-k", "1"],
}
PATHS = {"slow heads": "/livez", "slow bodies": f"{BOOK}/operations", "slow reading": f"{BOOK}/sections?limit=10000"}


@pytest.mark.parametrize("mode", MODES, ids=[name.replace(" ", "-") for name in MODES])
def test_other_clients_are_served(start, tool, mode):
    program = tool("slowhttptest", "slowhttptest")
    server = start(SERVER_HEAD_TIMEOUT="4", SERVER_BODY_TIMEOUT="4", SERVER_WRITE_STALL_TIMEOUT="4")
    with api(server) as client:
        client.put(BOOK, json={"kind": "table"})
        client.put(f"{BOOK}/adapters/Person", json={"cell": "PersonCell", "identifier": "{name}"})
        # A megabyte: more than a socket's buffers hold, so that a slow reader does keep the server waiting.
        people = [{"value": {"name": f"person {number}", "note": "n" * 400}} for number in range(2_000)]
        client.post(f"{BOOK}/sections", json={"id": "people", "elements": people})

        command = [program, "-c", str(CONNECTIONS), "-r", str(CONNECTIONS), "-l", str(SECONDS), "-p", "2", *MODES[mode],
                   "-u", f"{server.url}{PATHS[mode]}"]
        attack = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        times = []
        try:
            while attack.poll() is None and len(times) < 10_000:
                began = time.monotonic()
                client.patch(f"{BOOK}/sections/people/elements/person%201", params={"reload": "true"},
                             json={"age": len(times)})
                assert client.get("/livez").status_code == 200
                times.append(time.monotonic() - began)
                time.sleep(0.05)
        finally:
            attack.kill()
            output = attack.communicate()[0].decode(errors="replace")
        print(output[-1500:])
        print(f"{len(times)} pairs of requests, median {statistics.median(times) * 1000:.1f} ms, "
              f"slowest {max(times) * 1000:.1f} ms")
        assert len(times) > SECONDS and sorted(times)[(len(times) - 1) * 19 // 20] < MOST

    # They did not keep their connections: only the next client's own is open.
    deadline = time.monotonic() + 60
    while (count := open_connections(server)) > 5:
        assert time.monotonic() < deadline, f"{count} connections are still open"
        time.sleep(0.2)


def open_connections(server) -> int:
    """Established connections of the server, by the kernel's own table."""
    port = f":{server.port:04X}"
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table.readlines()[1:]]
    return sum(1 for row in rows if row[1].endswith(port) and row[3] == "01")
