"""The records that nodes have stored, copied by the database itself as they come, and what has to hold for them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from harness.postgres_cluster import PostgresCluster

# Snapshots take the place of records; the copies stay. What a node puts and takes away in one transaction, to try whether it can
# store, is a record of no life: numbers of lives begin at 1.
COPY = """
CREATE SCHEMA audit;
CREATE TABLE audit.records (seen bigserial PRIMARY KEY, life bigint, number bigint, term bigint, payload bytea);
CREATE FUNCTION audit.copy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO audit.records (life, number, term, payload) SELECT life, number, term, payload FROM added WHERE life > 0 ORDER BY life, number;
    RETURN NULL;
END $$;
CREATE TRIGGER copy AFTER INSERT ON callboard.records REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION audit.copy();
"""
# How the writers' changes are named (harness/node_writer.py).
MARK = re.compile(rb"\bw\d+-\d+\b")


@dataclass(frozen=True)
class Record:
    """One record of a director's life."""

    life: int
    number: int
    term: int
    payload: bytes = b""


class Records:
    """Follows the copies; `check` finds what is wrong with those that have come since it was called last."""

    def __init__(self, database: PostgresCluster):
        """Begins to copy: the first node has made its tables, and there are no directors yet."""
        self.database, self.seen = database, 0
        self.ends: dict[int, tuple[int, int]] = {}
        self.marks: set[str] = set()
        database.execute(COPY)

    def check(self, acknowledged: set[str]) -> list[str]:
        """All clients rest. Faults in sentences; empty where there are none."""
        rows = self.database.execute(
            "SELECT seen, life, number, term, encode(payload, 'hex') FROM audit.records "
            f"WHERE seen > {self.seen} ORDER BY life, number, seen").splitlines()
        added = []
        for row in rows:
            seen, life, number, term, payload = row.split("|")
            self.seen = max(self.seen, int(seen))
            added.append(Record(int(life), int(number), int(term), bytes.fromhex(payload)))
        wrong = sequence_faults(added, self.ends)
        for each in added:
            self.marks |= {mark.decode() for mark in MARK.findall(each.payload)}
        return wrong + missing_faults(acknowledged, self.marks) + self._head_faults()

    def _head_faults(self) -> list[str]:
        """The heads of lives that go on are their last records' numbers."""
        rows = self.database.execute("SELECT life, head FROM callboard.lives WHERE NOT ended").splitlines()
        heads = {int(life): int(head) for life, head in (row.split("|") for row in rows)}
        return [f"life {life} ends with record {self.ends.get(life, (0, 0))[0]}, and its head is {head}"
                for life, head in heads.items() if self.ends.get(life, (0, 0))[0] != head]


def sequence_faults(records: Iterable[Record], ends: dict[int, tuple[int, int]]) -> list[str]:
    """Gaps, numbers that stand twice, and terms that fall.

    `ends` are the last number and term of each life so far, and are brought up to date. Records come by life and number.
    """
    wrong = []
    for each in records:
        number, term = ends.get(each.life, (0, 0))
        if each.number <= number:
            wrong.append(f"record {each.number} of life {each.life} was stored twice")
        elif each.number > number + 1:
            wrong.append(f"record {number + 1} of life {each.life} is missing before {each.number}")
        if each.term < term:
            wrong.append(f"the term of life {each.life} falls from {term} to {each.term} at record {each.number}")
        ends[each.life] = (max(number, each.number), max(term, each.term))
    return wrong


def missing_faults(acknowledged: set[str], stored: set[str]) -> list[str]:
    """Changes that were acknowledged and are in no record."""
    missing = sorted(acknowledged - stored)
    return [f"{len(missing)} changes were acknowledged and are in no record: {missing[:5]}"] if missing else []
