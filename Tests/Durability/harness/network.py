"""Machines with addresses of their own on one machine, and cuts between them."""

import itertools
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

# An Ethernet address that nobody has: what is sent there is lost without a word, as behind a cable that was pulled.
NOBODY = "02:00:00:00:00:00"
numbers = itertools.count()


class Loopback:
    """Where network namespaces cannot be made: members have loopback addresses, and nothing can be cut."""

    can_cut = False
    host = "127.0.0.1"
    range = "127.0.0.0/8"

    def __init__(self) -> None:
        self.members: dict[str, int] = {}

    def add(self, name: str) -> None:
        """Adds a member."""
        self.members[name] = len(self.members) + 1

    def address(self, name: str) -> str:
        """A member's address."""
        return f"127.0.1.{self.members[name]}"

    def inside(self, name: str) -> list[str]:
        """What a command begins with that is to run at a member."""
        return []

    def heal(self, *cuts: tuple[str, str]) -> None:
        """Undoes these cuts, or all of them."""

    def close(self) -> None:
        """Leaves nothing behind."""


class Namespaces(Loopback):
    """A network namespace for each member, all of them joined by a bridge in another one; this process is a member too.

    Everything disappears with the processes that hold the namespaces, which end with this process.
    """

    can_cut = True

    def __init__(self) -> None:
        """Raises `subprocess.CalledProcessError` where the machine does not allow it."""
        super().__init__()
        self.holders: dict[str, subprocess.Popen] = {}
        self.cuts: set[tuple[str, str]] = set()
        # The range that RFC 2544 sets aside for tests.
        self.net = free_net()
        self.range, self.host = f"{self.net}.0/24", f"{self.net}.254"
        self.link = f"cb{os.getpid()}x{next(numbers)}"
        try:
            self._hold("switch")
            self._ip("switch", "link add bridge type bridge forward_delay 0")
            self._ip("switch", "link set bridge up")
            run(["ip", "link", "add", self.link, "type", "veth", "peer", "name", "host",
                 "netns", str(self.holders["switch"].pid)])
            self._ip("switch", "link set host master bridge up")
            run(["ip", "address", "add", f"{self.host}/24", "dev", self.link])
            run(["ip", "link", "set", self.link, "up"])
        except Exception:
            self.close()
            raise

    def add(self, name: str) -> None:
        super().add(name)
        self._hold(name)
        port = f"port{self.members[name]}"
        self._ip("switch", f"link add {port} type veth peer name eth0 netns {self.holders[name].pid}")
        self._ip("switch", f"link set {port} master bridge up")
        self._ip(name, f"address add {self.address(name)}/24 dev eth0")
        self._ip(name, "link set eth0 up")
        self._ip(name, "link set lo up")

    def address(self, name: str) -> str:
        return f"{self.net}.{self.members[name]}"

    def inside(self, name: str) -> list[str]:
        return ["nsenter", f"--net=/proc/{self.holders[name].pid}/ns/net", "--"]

    def cut(self, *cuts: tuple[str, str]) -> None:
        """Loses whatever the first of each pair sends to the second; what comes back is another cut."""
        self.cuts |= set(cuts)
        self._change(set(cuts), f"neighbour replace {{}} lladdr {NOBODY} dev eth0 nud permanent")

    def heal(self, *cuts: tuple[str, str]) -> None:
        healed = self.cuts & set(cuts) if cuts else set(self.cuts)
        self._change(healed, "neighbour delete {} dev eth0")
        self.cuts -= healed

    def _change(self, cuts: set[tuple[str, str]], command: str) -> None:
        """One run of `ip` at each sender, so that cuts of many come at about the same moment."""
        for name in {sender for sender, _ in cuts}:
            lines = [command.format(self.address(receiver)) for sender, receiver in cuts if sender == name]
            run([*self.inside(name), "ip", "-batch", "-"], "\n".join(lines))

    def close(self) -> None:
        for holder in self.holders.values():
            holder.kill()
            holder.wait()
        self.holders.clear()

    def _hold(self, name: str) -> None:
        """Makes a namespace, which lasts as long as somebody is inside."""
        self.holders[name] = holder = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "sleep", "infinity"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        own, deadline = namespace(os.getpid()), time.monotonic() + 5
        while holder.poll() is None and namespace(holder.pid) == own and time.monotonic() < deadline:
            time.sleep(0.005)
        if holder.poll() is not None or namespace(holder.pid) == own:
            raise subprocess.CalledProcessError(1, "unshare --net")

    def _ip(self, name: str, command: str) -> None:
        run([*self.inside(name), "ip", *command.split()])


def run(command: list[str], given: str = "") -> str:
    """Runs a command on what it is given; what it prints."""
    return subprocess.run(command, input=given, check=True, capture_output=True, text=True).stdout


def namespace(process: int) -> int:
    """What tells the network namespace of a process from others."""
    return Path(f"/proc/{process}/ns/net").stat().st_ino


def free_net() -> str:
    """The first three numbers of a range that no interface of this machine has."""
    taken = set(re.findall(r"inet (\d+\.\d+\.\d+)\.", run(["ip", "-4", "address"])))
    first = os.getpid() % 512
    for number in itertools.chain(range(first, 512), range(first)):
        if (net := f"198.{18 + number // 256}.{number % 256}") not in taken:
            return net
    raise RuntimeError("every network of 198.18.0.0/15 is in use on this machine")


def network() -> Loopback:
    """Namespaces where this machine allows them, loopback addresses otherwise."""
    if os.geteuid() == 0 and all(map(shutil.which, ["ip", "nsenter", "unshare", "setpriv"])):
        try:
            return Namespaces()
        except (subprocess.CalledProcessError, OSError):
            pass
    return Loopback()
