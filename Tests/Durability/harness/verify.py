"""What has to hold after a restart."""

from harness.model import ListModel, digest
from harness.mutation import Expected, Mutation
from harness.wire import Connection
from harness.writer import Writer
from harness.witness import Witness


def read(connection: Connection, name: str) -> ListModel:
    """All that a server shows of a director; nobody may be changing it meanwhile."""
    path = f"/v1/directors/{name}"
    answer = connection.get(path)
    if answer.status == 404:
        return ListModel(exists=False)
    director = expect(answer, path)

    def part(tail: str, member: str):
        return expect(connection.get(path + tail), path + tail)[member]

    adapters = part("/adapters", "adapters")
    return ListModel(
        True, director["epoch"], part("/sections?limit=10000", "sections"),
        part("/sections?limit=10000&state=published", "sections"), part("/variables", "variables"),
        {each["model"]: each["cell"] for each in adapters}, director["properties"]["rowHeight"],
        director["revision"], director["version"])


def expect(answer, path: str) -> dict:
    if answer.status != 200:
        raise AssertionError(f"GET {path}: {answer.status} {answer.body[:300]!r}")
    return answer.json()


def differences(writer: Writer, expected: ListModel, found: ListModel) -> list[str]:
    """How what is there differs from what should be; empty where it does not."""
    if expected.exists != found.exists:
        return ["the director is gone" if expected.exists else "the deleted director is there"]
    if not expected.exists:
        return []
    result = []
    if expected.epoch is not None and expected.epoch != found.epoch:
        result.append(f"epoch {found.epoch}, not {expected.epoch}")
    own = found
    if not writer.is_exact:
        scope = {writer.dice.scope}
        own = ListModel(
            sections=[each for each in found.sections if each["id"] in scope],
            variables={name: value for name, value in found.variables.items() if name.startswith(f"{writer.name}-")})
    result += list_differences("working", expected.sections, own.sections)
    result += dictionary_differences("variable", expected.variables, own.variables)
    if writer.is_exact:
        result += dictionary_differences("adapter", expected.adapters, own.adapters)
        result += list_differences("published", expected.published, own.published)
        for what in ("revision", "version", "row_height"):
            if getattr(expected, what) != getattr(own, what):
                result.append(f"{what} is {getattr(own, what)}, not {getattr(expected, what)}")
    return result


def list_differences(which: str, expected: list[dict], found: list[dict]) -> list[str]:
    if expected == found:
        return []
    there, due = ({each["id"]: each for each in sections} for sections in (found, expected))
    result = [f"{which}: section {name} is lost" for name in due.keys() - there.keys()]
    result += [f"{which}: section {name} should not be there" for name in there.keys() - due.keys()]
    for name in due.keys() & there.keys():
        one, other = contents(due[name]), contents(there[name])
        result += [f"{which}: {each} of {name} is lost" for each in one.keys() - other.keys()]
        result += [f"{which}: {each} of {name} should not be there" for each in other.keys() - one.keys()]
        result += [f"{which}: {each} of {name} has another value" for each in one.keys() & other.keys()
                   if one[each] != other[each]]
        if without_content(due[name]) != without_content(there[name]):
            result.append(f"{which}: section {name} has other attributes")
    return result or [f"{which}: the order differs"]


def contents(section: dict) -> dict[str, dict]:
    """What a section holds, each by a name for the report: its elements, or its rows and their elements."""
    result = {f"element {each['id']}": each for each in section.get("elements", [])}
    for row in section.get("rows", []):
        result[f"row {row['id']}"] = without_content(row)
        result |= {f"element {row['id']}/{each['id']}": each for each in row.get("elements", [])}
    return result


def without_content(holder: dict) -> dict:
    """A section or a row by itself; of a section also whether it holds elements or rows."""
    return {name: None if name in ("elements", "rows") else value for name, value in holder.items()}


def dictionary_differences(what: str, expected: dict, found: dict) -> list[str]:
    return [f"{what} {name} is {found.get(name)!r}, not {expected.get(name)!r}"
            for name in sorted(expected.keys() | found.keys()) if expected.get(name) != found.get(name)]


def resolve(writer: Writer, found: ListModel) -> int | None:
    """How many of the unknown mutations were performed, as told by what is there; None and a fault where nothing fits.

    The writer's account is set to it. Several answers may fit where a mutation shows nowhere; the least is taken then,
    which is right whether or not it was performed.
    """
    model, candidates = writer.sure, [(0, writer.sure)]
    for index, mutation in enumerate(writer.pending):
        model = writer.after(mutation, model)
        candidates.append((index + 1, model))
    nearest: list[str] = []
    distance: tuple[bool, int] | None = None
    for count, candidate in candidates:
        wrong = differences(writer, candidate, found)
        if not wrong:
            adopt(writer, count, candidate, found)
            return count
        # A list that is there is nearer to any list than to none, however many of its parts differ.
        if distance is None or (candidate.exists != found.exists, len(wrong)) < distance:
            nearest, distance = wrong, (candidate.exists != found.exists, len(wrong))
    more = f" (and {len(nearest) - 6} more)" if len(nearest) > 6 else ""
    writer.fault(
        f"after {writer.acknowledged} acknowledged mutations and with {len(writer.pending)} unknown: "
        + "; ".join(nearest[:6]) + more)
    return None


def adopt(writer: Writer, count: int, model: ListModel, found: ListModel) -> None:
    for mutation in writer.pending[:count]:
        writer.forget_if_deleted(mutation)
    writer.sure = model
    if model.exists and model.epoch is None:
        writer.sure.epoch = found.epoch


def check_sightings(witness: Witness, connection: Connection, name: str, found: ListModel) -> None:
    """Nothing that anybody was shown lies ahead of what the server knows, and shown versions are still the same."""
    for what, reached in (("revision", found.revision), ("version", found.version)):
        seen, who = witness.newest(what, name, found.epoch)
        if seen > reached:
            witness.fault(f"{name}: {who} was shown {what} {seen}, and the restarted server is at {reached}")
    witness.version("the restarted server", name, found.epoch, found.version, digest(found.published))
    shown = witness.lists(name, found.epoch)
    for version in sorted(shown)[-4:]:
        if version >= found.version:
            continue
        answer = connection.get(f"/v1/directors/{name}/sections?limit=10000&state=published&version={version}")
        if answer.status != 200:
            witness.fault(f"{name}: version {version} was retained and is answered {answer.status} after the restart")
        elif digest(answer.json()["sections"]) != shown[version]:
            witness.fault(f"{name}: version {version} is another list than before the restart")


def settle_unknown(writer: Writer, connection: Connection, performed: int) -> None:
    """Sends unknown POSTs that carry a key again: in all, each of them is performed once.

    Those that were performed, and the first that was not; what was sent behind that one may no longer fit.
    """
    unknown, writer.pending = writer.pending, []
    for mutation in unknown[:performed]:
        if mutation.is_keyed and not is_stale(mutation, unknown[:performed]):
            answer = connection.call(mutation.request())
            writer.remembered.append((mutation, mutation.request(), answer))
            if answer.is_success is not (mutation.expected is Expected.ACCEPTED):
                writer.fault(f"mutation {mutation.number} was performed before the kill, its repeat with the same key "
                             f"was answered {answer.status}: {answer.body[:200]!r}")
    for mutation in unknown[performed:performed + 1]:
        if mutation.is_keyed:
            writer.send(connection, mutation)
            writer.settle(connection.receive())


def is_stale(mutation: Mutation, performed: list[Mutation]) -> bool:
    """Whether the director has been deleted since, and its keys with it."""
    later = performed[performed.index(mutation) + 1:] if mutation in performed else []
    return any(operation["op"] == "deleteDirector" for each in later for operation in each.operations)


def verify(writers: list[Writer], witness: Witness, port: int) -> None:
    """The whole check of a server that has just started and that no writer uses yet."""
    with Connection(port) as connection:
        for writer in writers:
            found = read(connection, writer.director)
            performed = resolve(writer, found)
            if performed is None:
                continue
            if found.exists:
                check_sightings(witness, connection, writer.director, found)
            settle_unknown(writer, connection, performed)
            newest = list(writer.remembered)[-3:]
            sample = writer.rng.sample(list(writer.remembered), min(3, len(writer.remembered)))
            for mutation, request, answer in newest + sample:
                writer.repeat(connection, mutation, request, answer)
            if wrong := differences(writer, writer.sure, read(connection, writer.director)):
                writer.fault("after repeating requests with their keys: " + "; ".join(wrong[:6]))
