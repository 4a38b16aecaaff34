"""What the documents say of a full disk, of several nodes and of the first minute is done as it stands there, and each other
example of a shell in README.md and the pages is read by a test, or it is said here why not."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.cluster import cluster, needs_postgres
from support.documents import CHECKOUT, examples
from support.fakes import Fakes
from support.pages import until
from support.ports import free_port
from support.walk import LIST, README, Walk, alike, needs_list, read, steps, walk  # noqa: F401

sys.path.insert(0, str(CHECKOUT / "Tests/Durability"))
from harness.disk import SIZES, WRITES, Disk  # noqa: E402

KEEPING = "Sources/JournalSQLite/JournalSQLite.docc/KeepingLists.md"
POSTGRES = "Sources/JournalPostgres/JournalPostgres.docc"
NODES, DATABASE = f"{POSTGRES}/Operating-several-nodes.md", f"{POSTGRES}/Operating-PostgreSQL.md"


@needs_list
def test_a_full_disk_word_for_word(walk, tool, tmp_path):  # noqa: F811
    tool("cc", "gcc")
    walk.end_last()
    disk = Disk(tmp_path, tmp_path / "callboard-data")
    plain, walk.environment = walk.environment, walk.environment | disk.environment
    walk.begin("callboard serve", "full", "listening on")
    walk.environment = plain
    walk.run(read(README, "Five minutes", "sh")[1])
    disk.fail(errno.ENOSPC, WRITES | SIZES)
    (load, refused), (ask, told) = steps(KEEPING, "A full disk")
    assert alike(walk.run(f"{{ {load}; }} 2>&1 || test $? = 75")) == alike(refused)
    assert alike(walk.run(f"{ask} || test $? = 22")) == alike(told)
    disk.heal()
    until(lambda: walk.run(f"{ask} || true").endswith("200\n"))


@needs_list
def test_several_nodes_word_for_word(program, tmp_path):
    """The list is loaded, a node is killed, and a change is made at another one, up to the answer and the state that follow."""
    needs_postgres()
    (start, _), = steps(NODES, "To try it")
    (load, _), (make, _), (ask, owned), _ = steps(NODES, "To try it", 1)
    (kill, killed), (name, _), (change, changed), (ask_again, status) = steps(NODES, "A node is killed")
    with cluster(program) as nodes:
        nodes.start()
        reader = Walk(program, tmp_path)
        reader.port, reader.place = nodes.http, LIST.parent
        reader.environment["CALLBOARD_SERVER"] = f"http://127.0.0.1:{nodes.http}"

        def here(command: str) -> str:
            return reader.run(command.replace("Config/cluster", f"NO_COLOR=1 {CHECKOUT}/Config/cluster --folder {nodes.folder}"))

        def states(text: str) -> list[list[str]]:
            return [alike(line).split() for line in text.splitlines()]

        assert start == "Config/cluster start" and "runs already" in nodes.run("start", "a", fails=True)
        here(load.replace(" …", ""))
        here(make)
        assert states(here(ask)) == states(owned)
        assert alike(here(kill)) == alike(killed)
        # The list may have been the lost node's: a change may be refused before it is taken over.
        retry = "curl --retry 30 --retry-delay 1 --retry-all-errors"
        assert alike(here(f"{name}\n{change.replace('curl', retry)}")).endswith(alike(changed))
        assert states(here(ask_again)) == states(status)

        nodes.run("start", "b")
        lose_the_primary(here, states)
        [replace] = read(NODES, "Nodes are replaced by those of a new version", "sh")
        here(replace.replace("new/callboard", program))
        assert here("Config/cluster status").count(" ready; node") == 3


def lose_the_primary(here: Callable[[str], str], states: Callable[[str], list[list[str]]]) -> None:
    """A change is in doubt, a standby is promoted, and the former primary becomes a standby."""
    title = "The primary is killed"
    (kill, killed), (change, unknown), (ask, status), (promote, promoted) = steps(NODES, title)
    (start, refused), (rejoin, joined) = steps(NODES, title, 1)
    assert alike(here(kill)) == alike(killed)
    assert json.loads(here(f"{change} || test $? = 22"))["type"] == json.loads(unknown)["type"]
    until(lambda: states(here(ask)) == states(status))
    assert alike(here(promote)) == alike(promoted)
    retry = "curl --retry 30 --retry-delay 1 --retry-all-errors"
    assert "Andorra la Vieja" in here(change.replace("curl", retry))
    assert alike(here(f"{{ {start}; }} 2>&1 || true")) == alike(refused)
    assert alike(here(rejoin)) == alike(joined)


@pytest.fixture
def clone(tool, tmp_path) -> Path:
    """What somebody has who clones the repository, and nothing else."""
    if not (CHECKOUT / ".git").exists():
        pytest.skip("this is no clone")
    subprocess.run([tool("git", "git"), "-c", "safe.directory=*", "clone", "--quiet", CHECKOUT, tmp_path / "clone"], check=True)
    return tmp_path / "clone"


def test_the_first_command_starts_a_server_from_a_fresh_clone(clone, program, tmp_path):
    """All but the compiler is what it will be: that is given the program under test."""
    command = read(README, "Install", "sh")[0].splitlines()[0].split("#")[0].strip()
    (tmp_path / "fakes").mkdir()
    fakes = Fakes(tmp_path / "fakes")
    fakes.add_debian()
    fakes.add("swift", f"""case "$*" in
        --version) echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)' ;;
        "build "*--show-bin-path) echo '{Path(program).parent}' ;;
        build*) [[ -e Package.swift && -d Sources ]] && echo "swift $*" >>"$CALLS" ;;
        *) exit 1 ;;
    esac""")
    port, log = free_port(), tmp_path / "log"
    environment = fakes.environment(CALLBOARD_SERVER_PORT=str(port))
    with log.open("w") as file, subprocess.Popen([command], cwd=clone, env=environment, stdout=file, stderr=file) as server:
        try:
            until(lambda: server.poll() is not None or f"listening on http://127.0.0.1:{port}" in log.read_text())
            assert server.poll() is None, log.read_text()
        finally:
            server.terminate()
    [build] = fakes.called()
    assert re.fullmatch(r"swift build --configuration release (.* )?--product callboard", build)
    done = subprocess.run(["git", "-C", clone, "status", "--porcelain"], check=True, capture_output=True, text=True)
    assert done.stdout == "", "what the server keeps is ignored"


def test_the_second_command_is_what_every_change_has_to_pass(clone):
    command = read(README, "Install", "sh")[0].splitlines()[1].split("#")[0].strip()
    assert any(line.startswith(f'"$root/{command}" ') for line in (clone / ".ci/run").read_text().splitlines())
    assert os.access(clone / command, os.X_OK)


API = "Sources/CallboardAPI/CallboardAPI.docc"
ROWS = f"{API}/RowConfigurations.md"


@needs_list
def test_row_configurations_word_for_word(walk):  # noqa: F811
    """The whole page, as one after the other has it."""
    printed = [walk.run(commands) for commands in examples((CHECKOUT / ROWS).read_text(), "sh")]
    assert len(printed) == 7
    dry, published = printed[4].split('}{"director"')
    assert '"elementDeleted":"fade"' in published and '"from":1' in dry
    assert '"indexPaths":[]' in printed[5], "the people are hidden by now"


VIEWS = f"{API}/ListsFromLists.md"
ORDERS = """
curl -X PUT localhost:8080/v1/directors/orders -d '{"kind": "table"}'
curl -X PUT localhost:8080/v1/directors/orders/adapters/Order -d '{"cell": "OrderCell", "identifier": "{dish}"}'
curl -X PUT 'localhost:8080/v1/directors/orders/sections?reload=true' -d '{"sections": [{"id": "today", "elements": [
  {"value": {"dish": "Ribs", "station": "grill", "course": 2, "placedAt": 2, "price": 19}},
  {"value": {"dish": "Steak", "station": "grill", "course": 2, "placedAt": 1, "price": 24}},
  {"value": {"dish": "Cola", "station": "bar", "course": 1, "placedAt": 3, "price": 4}}]}]}'
"""


def test_lists_from_lists_word_for_word(walk):  # noqa: F811
    """The whole page; what follows a list goes on beside the rest, and has to show it."""
    walk.run(ORDERS.replace(" -d ", " -H 'Content-Type: application/json' -d "))
    printed, followed = [], 0
    for commands in examples((CHECKOUT / VIEWS).read_text(), "sh"):
        for command in re.split(r"^(?=curl |callboard )", commands, flags=re.M)[1:]:
            if " -N " in command or "watch" in command:
                followed += 1
                walk.begin(command, f"followed-{followed}", "3 elements" if "watch" in command else "Steak")
            else:
                printed.append(walk.run(command))
    assert followed == 3
    defined, at_the_bar, selected = printed
    assert '"from":"orders"' in defined and '"Ribs"' not in at_the_bar
    assert at_the_bar.count('"Cola"') and selected.count('"dish"') == 3


PAGES = "Sources/CallboardProgram/CallboardProgram.docc"
# The tests that read the examples of a section, or why there is none: TEST, or what is said in words.
EXAMPLES = {
    "README.md": {
        "Install": "packages of a release, as a system's administrator; test_documents_walk.py does the first two lines",
        "Five minutes": "test_readme_walk.py", "On a web page": "test_readme_page.py", "Taps come back": "test_readme_walk.py",
        "Keep it safe": "test_readme_walk.py", "Run it": "test_readme_walk.py"},
    "Sources/CallboardUIKit/CallboardUIKit.docc/CallboardUIKit.md": {"From an empty project": "test_client_page.py"},
    f"{PAGES}/Installing.md": {
        "Overview": "packages of a release, as a system's administrator", "From a checkout": "the README has the same",
        "A container": "a container, which takes Docker"},
    f"{PAGES}/Configuring.md": {"Overview": "test_pages_walk.py"},
    f"{PAGES}/TLS.md": {"Overview": "test_pages_walk.py"},
    "Sources/Access/Access.docc/WhoMayDoWhat.md": {"Overview": "test_pages_walk.py"},
    f"{API}/ChangingAList.md": dict.fromkeys(
        ["Overview", "Working and published state", "Several changes at once", "From one director to another"],
        "test_pages_walk.py"),
    f"{API}/HooksByExample.md": {"A listener": "test_pages_walk.py", "Signatures": "test_pages_walk.py"},
    KEEPING: {
        "Overview": "test_pages_walk.py", "Backup, check, restore": "test_pages_walk.py", "A full disk": "test_documents_walk.py"},
    f"{PAGES}/Operating.md": {
        "Overview": "test_operating_page.py", "The disk is full": "test_operating_page.py",
        "A row of the data folder is damaged": "test_operating_page.py",
        "The certificate ends": "test_operating_page.py", "Deliveries die": "test_operating_page.py",
        "A stream lags": "test_operating_page.py"},
    f"{PAGES}/BehindAProxy.md": {
        "Overview": "test_proxies.py", "To see that it works": "test_proxies.py"},
    f"{PAGES}/Upgrading.md": {
        "One server": "test_upgrading_page.py", "Several nodes": "test_postgres_page.py", "Going back": "test_upgrading_page.py",
        "The service": "files of a package that is installed", "Taking it away": "a package that is installed, which Config/prove removes and purges"},
    NODES: {
        "Set-up": "three machines; test_several_nodes_page.py has what is named in it",
        "TLS between nodes": "test_nodes_tls.py",
        "To try it": "test_documents_walk.py", "A node is killed": "test_documents_walk.py",
        "The primary is killed": "test_documents_walk.py",
        "Nodes are replaced by those of a new version": "test_documents_walk.py"},
    DATABASE: dict.fromkeys(["Set-up", "Backups", "From a folder"], "test_postgres_page.py"),
    ROWS: dict.fromkeys([
        "Overview", "A constant row", "Constant rows before and after a model row", "A row that is selected",
        "The change set after an operation", "Index paths and refreshing"], "test_documents_walk.py"),
    VIEWS: dict.fromkeys(["Overview", "What a reader selects"], "test_documents_walk.py"),
    "Sources/Directors/Directors.docc/Event-Hooks.md": {"Registering": "test_pages_walk.py", "Sources": "test_pages_walk.py"},
    "Sources/WebAssets/WebAssets.docc/OnAWebPage.md": {"Overview": "test_pages_walk.py"},
    "Sources/WebAssets/WebAssets.docc/WithAFramework.md": {"Overview": "test_web_package.py"},
}


def headings(path: Path) -> set[str]:
    """The sections of a page that have examples of a shell."""
    found, heading = set(), ""
    for line in path.read_text().splitlines():
        if title := re.match(r"#+ (.+)", line):
            heading = title.group(1)
        elif re.match(r"\s*```(sh|console|bash)$", line):
            found.add(heading)
    return found


def test_each_example_of_a_shell_is_read_by_a_test_or_it_is_said_why_not():
    found = {str(path.relative_to(CHECKOUT)): headings(path)
             for path in [CHECKOUT / "README.md", *(CHECKOUT / "Sources").glob("*/*.docc/*.md")]}
    assert {path: titles for path, titles in found.items() if titles} == {path: set(titles) for path, titles in EXAMPLES.items()}
    for titles in EXAMPLES.values():
        for title, reader in titles.items():
            if reader.endswith(".py") and " " not in reader:
                text = (CHECKOUT / "Tests/Clients" / reader).read_text()
                assert f'"{title}"' in text or title == "Overview" or reader == Path(__file__).name, f"{reader} does not read {title!r}"
