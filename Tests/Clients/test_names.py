"""The page "Names of other libraries": every name of the libraries stands in it, and every name of ours in it exists.

`recordings/names/LIBRARY.txt` has a library's public names, one a line. In the page they stand in the first column of a table,
under a heading that has the types that they belong to. The second column has our Swift names, the third what a program says on
the wire; a line without either has a reason, and one name.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from support.declarations import Declarations
from support.documents import CHECKOUT

PAGE = "Sources/CallboardClient/CallboardClient.docc/NamesOfOtherLibraries.md"
SOURCES = CHECKOUT / "Sources"
RECORDINGS = Path(__file__).parent / "recordings"
MODULES = ["ListDiffUIKit", "CallboardClient", "CallboardUIKit", "ListDiff"]
LIBRARIES = sorted(path.stem for path in (RECORDINGS / "names").glob("*.txt"))
# What the page names as not built.
NOT_BUILT = {"stack", "source"}


@dataclass
class Line:
    """A line of a table, and what stands above the table."""

    number: int
    libraries: list[str]
    types: list[str]
    theirs: list[str]
    here: str
    wire: str
    note: str

    @property
    def has_counterpart(self) -> bool:
        return bool(self.here or self.wire)


def spans(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def lines(page: str) -> list[Line]:
    found, libraries, types = [], [], []
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("## "):
            libraries, types = [name for name in LIBRARIES if name in line], []
        elif line.startswith("### "):
            types = spans(line)
        elif line.startswith("| ") and not line.startswith(("| ---", "| theirs ")):
            cells = [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
            assert len(cells) == 4, f"line {number} has {len(cells)} columns"
            found.append(Line(number, libraries, types, spans(cells[0]), *cells[1:]))
    return found


@cache
def names(library: str) -> frozenset[str]:
    return frozenset((RECORDINGS / "names" / f"{library}.txt").read_text().split())


def meant(theirs: str, line: Line, library: str) -> set[str]:
    """The names of a library that a name in a line stands for."""
    if theirs in names(library):
        return {theirs}
    return {f"{owner}.{theirs}" for owner in line.types} & names(library)


@cache
def swift() -> Declarations:
    return Declarations(*(SOURCES / module for module in MODULES))


def text(folder: str) -> str:
    return "\n".join(file.read_text() for file in sorted((SOURCES / folder).rglob("*.swift")))


@cache
def wire() -> dict[str, frozenset[str]]:
    """What the sources have of each kind of name on the wire."""
    catalog, operations = text("Directors/Events/Catalog"), text("CallboardClient/REST")
    found = {
        "event": re.findall(r'\b(?:notification|question|source)\(\s*"(\w+)"', catalog),
        "parameter": re.findall(r'EventParameter\(\s*"(\w+)"', catalog),
        "member": re.findall(r'(?:Field|MemberDescription|OperationMember(?:<[^(]*>)?)\(\s*"(\w+)"', text("")),
        "operation": re.findall(r'Self\("(\w+)"', operations),
        "value": re.findall(r'"(\w+)"|\bcase `?(\w+)`?', text("Directors")),
    }
    found["value"] = [one or other for one, other in found["value"]]
    assert all(found.values()), "a kind of names is no longer where it was"
    return {kind: frozenset(names) for kind, names in found.items()}


@cache
def requests() -> list[tuple[str, str]]:
    """A request for each route, of those that `test_recording` sends."""
    return re.findall(r"^(?:> open \w+ )?(GET|PUT|POST|PATCH|DELETE) ([^? \n]+)", (RECORDINGS / "requests.txt").read_text(), re.M)


def is_route(span: str) -> bool:
    method, _, path = span.partition(" ")
    pattern = re.sub(r"\\\{\w+\\\}", "[^/:]+", re.escape(path.replace("…", "/v1/directors/{director}")))
    return any(method == sent and re.fullmatch(pattern, target) for sent, target in requests())


def is_there(kind: str, name: str) -> bool:
    return name in wire()[kind]


def faults_here(line: Line) -> list[str]:
    named = re.findall(r"`([^`]+)`(, the same names)?", line.here)
    wanted = [f"{name}.{theirs}" for name, same in named if same for theirs in line.theirs] + [name for name, _ in named]
    return [f"there is no {name} in Swift" for name in wanted if not swift().has(name)]


def faults_on_the_wire(line: Line) -> list[str]:
    faults, kind = [], ""
    for word, same, span in re.findall(rf"\b({'|'.join(wire())})s?\b|(\bof the same names)|`([^`]+)`", line.wire):
        if word:
            kind = word
        elif re.match(r"[A-Z]+ ", span):
            faults += [] if is_route(span) else [f"there is no route {span}"]
        elif not kind:
            faults.append(f"{span} is a name of which kind?")
        else:
            wanted = line.theirs if same else [span]
            faults += [f"there is no {kind} {name}" for name in wanted if not is_there(kind, name)]
    return faults


def faults_in_the_note(line: Line) -> list[str]:
    return [f"nobody has a {span}" for span in spans(line.note)
            if not (span in MODULES or span in NOT_BUILT or span.startswith(("{", "UI")) or swift().has(span)
                    or any(span in names(library) for library in LIBRARIES) or any(is_there(kind, span) for kind in wire()))]


def faults_of_theirs(line: Line) -> list[str]:
    faults = [f"no library has {name}" for name in line.theirs
              if not any(meant(name, line, library) for library in line.libraries)]
    if not line.has_counterpart and not re.search(r"\w+ \w+", line.note):
        faults.append("there is neither a counterpart nor a reason")
    if not line.has_counterpart and len(line.theirs) != 1:
        faults.append("a name without a counterpart has a line of its own")
    return faults


CHECKS = [faults_of_theirs, faults_here, faults_on_the_wire, faults_in_the_note]


def faults(page: str) -> list[str]:
    return [f"{PAGE}:{line.number}: {fault}" for line in lines(page) for check in CHECKS for fault in check(line)]


def missing(page: str, library: str) -> list[str]:
    found = {name for line in lines(page) if library in line.libraries for theirs in line.theirs
             for name in meant(theirs, line, library)}
    return [name for name in sorted(names(library)) if name not in found]


@pytest.fixture(scope="module")
def page() -> str:
    return (CHECKOUT / PAGE).read_text()


def test_what_the_page_names_exists(page):
    assert len(lines(page)) > 300, "the tables are no longer read"
    found = faults(page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("library", LIBRARIES)
def test_each_name_of_a_library_has_a_counterpart_or_a_reason(page, library):
    found = missing(page, library)
    assert not found, f"{PAGE} says nothing of {', '.join(found)}"


@pytest.mark.parametrize("old, new, fault", [
    ("`RemoteDirector.setSections`", "`RemoteDirector.setSection5`", "there is no RemoteDirector.setSection5 in Swift"),
    ("`RemoteTableDirector.init(table:list:)`", "`RemoteTableDirector.init(table:)`",
     "there is no RemoteTableDirector.init(table:) in Swift"),
    ("`TableCellEvents`, the same names", "`TableCellEvent`, the same names", "there is no TableCellEvent.dequeue in Swift"),
    ("event `didSelect`", "event `didSelekt`", "there is no event didSelekt"),
    ("member `hideWhen`", "member `hiddenWhen`", "there is no member hiddenWhen"),
    ("operation `setSections`", "operation `putSections`", "there is no operation putSections"),
    ("`POST …/refresh`", "`POST …/refreshing`", "there is no route POST …/refreshing"),
    ("| `remove(sectionsAt:)`", "| `remove(sectionAt:)`", "no library has remove(sectionAt:)"),
    ("| `stackView` | | | The app has the view. |", "| `stackView` | | | |", "there is neither a counterpart nor a reason"),
    ("| `controller` |", "| `controller`, `index` |", "a name without a counterpart has a line of its own"),
])
def test_a_name_that_is_misspelt_fails_with_its_line(page, old, new, fault):
    assert old in page
    found = faults(page.replace(old, new, 1))
    number = page[:page.index(old)].count("\n") + 1
    assert any(one.startswith(f"{PAGE}:{number}: ") and fault in one for one in found), found


def test_a_name_that_is_left_out_is_missed(page):
    assert missing(page.replace("| `remove(sectionsAt:)`", "| `move(from:to:)`"), "Owl") == [
        "CollectionDirector.remove(sectionsAt:)", "TableDirector.remove(sectionsAt:)"]
