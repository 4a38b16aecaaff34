"""A view that is followed beside its source, and what it has to show: computed from what the source has published."""

from harness.model import digest
from harness.wire import Connection
from harness.witness import Witness

VIEW, LIMIT = "view", 7


def definition(source: str) -> dict:
    """The elements with an even number, the greatest first, and no more than some."""
    return {"kind": "table", "view": {
        "from": source, "where": {"==": [{"%": [{"var": "value.n"}, 2]}, 0]}, "sectionBy": None,
        "sortBy": [{"key": {"var": "value.n"}, "order": "descending"}], "limit": LIMIT}}


def derived(sections: list[dict]) -> list[dict]:
    """The view of a published list."""
    belonging = [each for section in sections for each in section["elements"] if each["value"]["n"] % 2 == 0]
    return [{"id": "all", "isCollapsed": False, "elements": sorted(belonging, key=lambda each: -each["value"]["n"])[:LIMIT]}]


def is_id_of(identifier: str, name: str, epoch: str, version: int) -> bool:
    """Whether an event's id is that of a version; of a view it may be that of a later version of its source."""
    for place in identifier.split("."):
        of, _, number = place.rpartition("-")
        if of == epoch and number.isdigit() and (int(number) == version or name == VIEW and int(number) > version):
            return True
    return False


def published(connection: Connection, name: str, version: int | None = None) -> tuple[str, int, list[dict]]:
    """The epoch, the version and the sections of a list, the newest or the one with this number."""
    path = f"/v1/directors/{name}/sections?limit=10000&state=published" + (f"&version={version}" if version is not None else "")
    answer = connection.get(path)
    if answer.status != 200:
        raise AssertionError(f"GET {path}: {answer.status} {answer.body[:300]!r}")
    epoch, _, number = answer.fields["etag"].strip('"').rpartition("-v")
    return epoch, int(number), answer.json()["sections"]


def check(witness: Witness, connection: Connection, source: str) -> None:
    """The view shows what follows from its source, in the newest version and in those that anybody was shown; nobody changes the
    source meanwhile."""
    epoch, version, found = published(connection, VIEW)
    if found != derived(published(connection, source)[2]):
        witness.fault(f"{VIEW}: version {version} is not what follows from {source}")
    witness.version("the restarted server", VIEW, epoch, version, digest(found))
    shown = witness.lists(VIEW, epoch)
    for number in sorted(shown)[-4:]:
        if digest(derived(published(connection, source, number)[2])) != shown[number]:
            witness.fault(f"{VIEW}: version {number}, as it was shown, is not what follows from that of {source}")
        if digest(published(connection, VIEW, number)[2]) != shown[number]:
            witness.fault(f"{VIEW}: version {number} is another list than before the restart")
