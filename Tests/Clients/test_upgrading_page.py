"""The page about upgrades: its commands on a server and a folder of the test's own, without the system's service and packages."""

import re
import textwrap

import pytest
from support.documents import section
from support.fakes import Fakes
from support.walk import README, Walk, needs_list, read

PAGE = "Sources/CallboardProgram/CallboardProgram.docc/Upgrading.md"
pytestmark = needs_list


def commands(title: str) -> list[str]:
    """The examples of a section, those in the steps of a list too."""
    found = re.findall(r"^( *)```sh\n(.*?)^\1```$", section(PAGE, title), re.M | re.S)
    return [textwrap.dedent(text) for _, text in found]


class Administrator(Walk):
    """A reader whose service is a server of the test's, which `systemctl stop` ends."""

    def __init__(self, program, folder, fakes: Fakes):
        super().__init__(program, folder)
        self.fakes, self.data, self.settings = fakes, folder / "lib", folder / "callboard.json"
        self.environment = self.environment | {
            "PATH": fakes.environment()["PATH"], "CALLBOARD_DATA": str(self.data), "CALLBOARD_SERVER_HOST": "127.0.0.1"}
        (folder / "tmp").mkdir()

    def here(self, text: str) -> str:
        places = {"/var/lib/callboard": self.data, "/etc/callboard/callboard.json": self.settings, "/var/tmp": self.folder / "tmp"}
        for old, new in places.items():
            text = text.replace(old, str(new))
        return super().here(text)

    def serve(self, log: str) -> None:
        self.begin(f"callboard serve --config {self.settings}", log, "listening on")

    @property
    def directors(self) -> str:
        return self.run("callboard directors --server http://127.0.0.1:8080")


@pytest.fixture
def administrator(program, tmp_path):
    (tmp_path / "fakes").mkdir()
    fakes = Fakes(tmp_path / "fakes")
    (fakes.folder / "callboard").symlink_to(program)
    fakes.add("sudo", 'if [[ "$1" == -u ]]; then shift 2; fi; exec "$@"')
    fakes.add("apt", 'echo "apt $*" >>"$CALLS"')
    fakes.add("docker", 'echo "docker $*" >>"$CALLS"')
    fakes.add("systemctl", f"""echo "systemctl $*" >>"$CALLS"
        if [[ "$1" == stop ]]; then
            server="$(cat {tmp_path}/lib/lock)"
            ! kill "$server" 2>/dev/null || until grep -sq '^State:.Z' "/proc/$server/status" || [[ ! -e "/proc/$server" ]]; do
                sleep 0.02
            done
        fi""")
    administrator = Administrator(program, tmp_path, fakes)
    administrator.run(f"callboard serve --print-config > {administrator.settings}")
    administrator.serve("server")
    administrator.run(read(README, "Five minutes", "sh")[1])
    administrator.place = administrator.folder
    yield administrator
    administrator.end()


def test_an_upgrade_and_the_way_back(administrator):
    backup, install, look, check = commands("One server")
    assert "is whole" in administrator.run(backup)
    for each in (install, look, check):
        printed = administrator.run(each)
        assert each is not look or printed.startswith("ok\n")
    administrator.run('curl -X PUT http://127.0.0.1:8080/v1/directors/later --json \'{"kind": "table"}\'')

    back, restore = commands("Going back")
    administrator.run(back)
    assert administrator.running[-1].wait(20) == 0, "the service is stopped first"
    administrator.serve("earlier")
    assert "later" in administrator.directors, "where nothing refuses the folder, nothing is lost"
    administrator.run(restore)
    administrator.serve("restored")
    assert "countries" in administrator.directors and "later" not in administrator.directors
    called = [" ".join(call.split()[:2]) for call in administrator.fakes.called()]
    assert called == ["apt install", "systemctl status", "docker run", "systemctl stop", "apt install", "systemctl restart",
                      "systemctl stop", "systemctl start"]
