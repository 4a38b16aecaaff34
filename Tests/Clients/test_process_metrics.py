"""The metrics of the process, beside what the kernel says of it."""

import os
import re
import time
from pathlib import Path

import httpx

from support.server import metric


def test_they_are_what_the_kernel_says(start):
    server = start()
    with httpx.Client(base_url=server.url, trust_env=False) as http:
        [process] = [node.process for node in server.nodes[:1]]
        page = httpx.get(f"{server.nodes[0].url}/metrics", trust_env=False).text

        def value(name: str) -> float:
            assert re.search(rf"^# HELP {name} .+\n# TYPE {name} (gauge|counter)\n", page, re.M), name
            return float(re.search(rf"^{name} (\S+)$", page, re.M).group(1))

        started = value("process_start_time_seconds")
        assert time.time() - 120 < started < time.time()
        ticks, fields = os.sysconf("SC_CLK_TCK"), stat(process.pid)
        uptime = float(Path("/proc/uptime").read_text().split()[0])
        assert abs(started - (time.time() - uptime + fields[19] / ticks)) < 2
        assert 0 < value("process_cpu_seconds_total") <= (fields[11] + fields[12]) / ticks
        assert abs(value("process_open_fds") - len(os.listdir(f"/proc/{process.pid}/fd"))) <= 3
        limits = Path(f"/proc/{process.pid}/limits").read_text()
        assert value("process_max_fds") == int(re.search(r"^Max open files +(\d+)", limits, re.M).group(1))
        resident = int(re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text(), re.M).group(1)) * 1024
        assert abs(value("process_resident_memory_bytes") - resident) < 0.2 * resident
        held = [httpx.Client(base_url=server.url, trust_env=False) for _ in range(20)]
        for client in held:
            client.get("/livez").raise_for_status()
        assert metric(server, http, "process_open_fds") >= value("process_open_fds") + 20
        for client in held:
            client.close()


def stat(process: int) -> list[int]:
    """The numbers of /proc/PID/stat, from the third field on."""
    return [int(each) if each.lstrip("-").isdigit() else 0 for each in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()]
