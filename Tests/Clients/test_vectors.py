"""The vectors for clients, as the reader in Python reads them: what each of their kinds expects follows from the wire contract.

The readers in Swift (`SharedVectorTests.swift`) and in JavaScript (`vectors.test.mjs`) read the same files with the clients.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

VECTORS = Path(__file__).resolve().parents[1] / "Vectors"
sys.path.insert(0, str(VECTORS))
import reader  # noqa: E402
from reader import apply, overlay, parse, report, resume, sparse  # noqa: E402

KINDS = list(reader.RULES)
# What a reader may lack, and has to name: the page WritingAClient.md says of each what it is.
FEATURES = {
    "parse": {"ids"}, "apply": set(), "resume": set(), "sparse": {"any-span"}, "overlay": set(),
    "report": {"queue", "file", "bound"}}


def read(kind: str) -> list[dict]:
    return [json.loads(line) for line in (VECTORS / f"{kind}.jsonl").read_text().splitlines()]


def misses(kind: str) -> list[str]:
    """The vectors that the reader does not come to the expectation of; one that it cannot read counts."""
    found = []
    for vector in read(kind):
        try:
            if reader.outcome(vector) != vector["expect"]:
                found.append(vector["name"])
        except Exception:
            found.append(vector["name"])
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_reader_comes_to_what_is_expected(kind):
    vectors = read(kind)
    assert len(vectors) > 100 and {vector["kind"] for vector in vectors} == {kind}
    assert max(Counter(vector["name"] for vector in vectors).values()) == 1
    assert {need for vector in vectors for need in vector.get("needs", ())} == FEATURES[kind]
    assert misses(kind) == []


def test_there_are_a_thousand_and_they_are_small():
    assert sum(len(read(kind)) for kind in KINDS) >= 1000
    assert sum(path.stat().st_size for path in VECTORS.rglob("*") if path.suffix in (".py", ".jsonl")) < 1_500_000


def test_each_file_is_what_its_generator_makes():
    done = subprocess.run([sys.executable, VECTORS / "make.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_feature_stands_in_the_page():
    page = (VECTORS.parents[1] / "Sources/CallboardClient/CallboardClient.docc/WritingAClient.md").read_text()
    assert [name for names in FEATURES.values() for name in names if f"`{name}`" not in page] == []
    assert [kind for kind in KINDS if f"{kind}.jsonl" not in page] == []


def never(*_) -> bool:
    return False


def forgets_the_carriage_return(stream, chunk: bytes) -> list[dict]:
    stream._after_cr = False
    return PUSH(stream, chunk)


def keeps_its_place(follower, event: str, event_id: str | None, data: dict) -> bool:
    before = follower.last_id
    went = TAKE(follower, event, event_id, data)
    follower.last_id = follower.last_id or before
    return went


def forgets_what_is_awaited(copy, name: str, found: list[dict]) -> None:
    for section in copy.sections:
        for at, item in enumerate(section["elements"]):
            if isinstance(item, sparse.Hole) and item.load == name:
                item.number = at


def with_a_new_key(queue, step: dict) -> None:
    if "answer" not in step:
        queue.attempt = None
    ANSWER(queue, step)


PUSH, TAKE, ANSWER, FILL = parse.EventStream.push, resume.Follower.take, report.Queue.answer, sparse.SparseList.answer

# A fault in the reader's rule: its kind, what is replaced, by what.
FAULTS = {
    "CR LF in two pieces": ("parse", parse.EventStream, "push", forgets_the_carriage_return),
    "the byte order mark is text": ("parse", parse, "BOM", b"\0"),
    "whatever an update replaces": ("apply", apply.Stage, "take", lambda stage, path, why: (path[0], path[1])),
    "places are not checked": ("apply", apply, "index", lambda value, count, why: value),
    "counts are not checked": ("apply", apply, "check_counts", never),
    "what does not fit keeps its place": ("resume", resume.Follower, "take", keeps_its_place),
    "every refusal is for good": ("resume", resume, "is_final", lambda answer: True),
    "no refusal is for good": ("resume", resume, "is_final", never),
    "pages stand where they were asked for": (
        "sparse", sparse.SparseList, "answer",
        lambda copy, name, found: (forgets_what_is_awaited(copy, name, found), FILL(copy, name, found))),
    "what is on its way is asked for again": ("sparse", sparse.SparseList, "_is_free",
                                              staticmethod(lambda item: isinstance(item, sparse.Hole))),
    "causes are not heeded": ("overlay", overlay.Shown, "settle", never),
    "an overlay goes with any version": ("overlay", overlay.Overlay, "is_in", lambda overlay, copy, causes: True),
    "a repetition is a new request": ("report", report.Queue, "answer", with_a_new_key),
    "lists share a request": ("report", report, "MOST", 1),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_rule_is_found(name, monkeypatch):
    kind, owner, member, fault = FAULTS[name]
    monkeypatch.setattr(owner, member, fault)
    assert misses(kind)


def test_a_file_that_was_changed_by_hand_is_found(tmp_path):
    for path in VECTORS.rglob("*"):
        if path.suffix in (".py", ".jsonl"):
            copy = tmp_path / path.relative_to(VECTORS)
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(path.read_text())
    (tmp_path / "overlay.jsonl").write_text((VECTORS / "overlay.jsonl").read_text().replace('"rejected":[]', '"rejected":["x"]', 1))
    done = subprocess.run([sys.executable, tmp_path / "make.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr == "not what make.py writes: overlay.jsonl\n"
