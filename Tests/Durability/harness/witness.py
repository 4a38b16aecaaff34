"""What everybody saw in a round, from the beginning to the end and across every kill."""

import threading
from collections import defaultdict


class Witness:
    """Gathers sightings from all threads, and a fault as soon as two of them cannot both be true.

    `retained` is how many versions the server keeps: a client that comes back from further behind begins anew.
    """

    def __init__(self, retained: int = 1024) -> None:
        self.retained = retained
        self._lock = threading.Lock()
        self.faults: list[str] = []
        self._lists: dict[tuple[str, str, int], tuple[str, str]] = {}
        self._revisions: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
        self._newest: dict[tuple[str, str, str], tuple[int, str]] = {}

    def fault(self, text: str) -> None:
        """Something that must not happen has happened."""
        with self._lock:
            if len(self.faults) < 50:
                self.faults.append(text)

    def version(self, who: str, director: str, epoch: str, version: int, digest: str | None = None) -> None:
        """`who` was shown a version, as a list with this digest where the whole list is known."""
        with self._lock:
            self._note("version", who, director, epoch, version)
            if digest is None:
                return
            other, earlier = self._lists.setdefault((director, epoch, version), (digest, who))
        if other != digest:
            self.fault(f"version {version} of {director} ({epoch}) is one list to {who} and another to {earlier}")

    def revision(self, who: str, director: str, epoch: str, revision: int) -> None:
        """`who` was shown a revision by a read."""
        with self._lock:
            self._note("revision", who, director, epoch, revision)

    def acknowledged(self, who: str, director: str, epoch: str, revision: int) -> None:
        """A mutation of `who` was acknowledged with this revision, which no other mutation may have."""
        with self._lock:
            self._note("revision", who, director, epoch, revision)
            other = self._revisions[director, epoch].setdefault(revision, who)
        if other != who:
            self.fault(f"revision {revision} of {director} ({epoch}) was given to {who} and before to {other}")

    def newest(self, kind: str, director: str, epoch: str) -> tuple[int, str]:
        """The highest "version" or "revision" that anybody was shown, and who that was; 0 and nobody."""
        with self._lock:
            return self._newest.get((kind, director, epoch), (0, "nobody"))

    def lists(self, director: str, epoch: str) -> dict[int, str]:
        """The digest of every version that was seen whole."""
        with self._lock:
            return {key[2]: found[0] for key, found in self._lists.items() if key[:2] == (director, epoch)}

    def _note(self, kind: str, who: str, director: str, epoch: str, number: int) -> None:
        if number > self._newest.get((kind, director, epoch), (-1, ""))[0]:
            self._newest[kind, director, epoch] = (number, who)
