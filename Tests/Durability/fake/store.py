"""Where the fake server keeps its records: an SQLite database with a write-ahead log, and sums over every record."""

import fcntl
import json
import sqlite3
import sys
import zlib
from pathlib import Path

from harness.wal import WriteAheadLog

NAME = "fake.sqlite"


class Damaged(Exception):
    """The data folder cannot be trusted; the message names the file and the place."""


class Store:
    """An ordered list of JSON records. Each `append` is a commit."""

    def __init__(self, folder: Path, is_careless: bool = False, syncs: bool = True):
        """Opens or makes the database; `is_careless` leaves out everything that notices damage."""
        self.path, self.syncs = folder / NAME, syncs
        self.is_careless = is_careless
        self._lock = (folder / "lock").open("a")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Damaged(f"{folder} is in use by another process") from error
        if not is_careless:
            self._check_log()
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            if not is_careless:
                raise Damaged(f"{self.path}: page 1: {error}") from error
            print(f"ignored: {error}", file=sys.stderr)

    def _open(self) -> None:
        self.connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute(f"PRAGMA synchronous={'FULL' if self.syncs else 'OFF'}")
        self.connection.execute("CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, body TEXT, sum INTEGER)")

    def append(self, record: dict) -> None:
        """Stores a record, or raises `sqlite3.Error` and stores nothing."""
        body = json.dumps(record)
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.execute("INSERT INTO log (body, sum) VALUES (?, ?)", (body, zlib.crc32(body.encode())))
            self.connection.execute("COMMIT")
        except sqlite3.Error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    def probe(self) -> None:
        """Writes something that does not matter: raises `sqlite3.Error` while the disk takes nothing."""
        self.append({"probe": True})

    def settle(self, record: dict) -> bool:
        """Whether a record is stored whose `append` failed; raises `sqlite3.Error` while that cannot be told."""
        self.connection.close()
        self._open()
        last = self.connection.execute("SELECT body FROM log ORDER BY seq DESC LIMIT 1").fetchone()
        if last and last[0] == json.dumps(record):
            # What a failed sync has left in the log is not to be relied on: the database has to have it.
            if self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise sqlite3.OperationalError("the log could not be taken over")
            return True
        # Written over the place where the failed record may stand.
        self.probe()
        return False

    def close(self) -> None:
        """Takes the log over into the database."""
        self.connection.close()

    def records(self) -> list[dict]:
        """All records in order; raises `Damaged` where one is not as it was stored."""
        result, expected = [], 0
        try:
            problem = "ok" if self.is_careless else self.connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if problem != "ok":
                raise Damaged(f"{self.path}: {' '.join(problem.split())} (page or header)")
            for sequence, body, total in self.connection.execute("SELECT seq, body, sum FROM log ORDER BY seq"):
                expected += 1
                try:
                    if not self.is_careless and (zlib.crc32(body.encode()) != total or sequence != expected):
                        raise Damaged(f"{self.path}: record {sequence} is not as it was stored")
                    result.append(json.loads(body))
                except (ValueError, AttributeError) as error:
                    if not self.is_careless:
                        raise Damaged(f"{self.path}: record {sequence}: {error}") from error
        except sqlite3.DatabaseError as error:
            if not self.is_careless:
                raise Damaged(f"{self.path}: after record {expected}: {error}") from error
        return result

    def _check_log(self) -> None:
        """SQLite takes a log to end where its sums stop being right; that is damage where good commits follow."""
        path = self.path.with_name(self.path.name + "-wal")
        if path.exists() and (place := WriteAheadLog(path).damage()) is not None:
            raise Damaged(f"{path}: byte {place}: the log is broken here and goes on behind")
