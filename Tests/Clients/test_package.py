"""What Config/package makes, looked at without root; Config/prove installs it."""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from support.documents import CHECKOUT

pytestmark = pytest.mark.skipif(not shutil.which("dpkg-shlibdeps"), reason="dpkg-dev is not installed")
DATE = "1000000000"
SETTINGS = "/etc/callboard/callboard.json"


def make(program: str, folder: Path, *before: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*before, CHECKOUT / "Config/package", "--program", program, "--any-program", "--out", folder],
        env=os.environ | environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def packages(program, tmp_path_factory) -> dict[str, Path]:
    """The .deb and the tarball, by their last suffix."""
    done = make(program, tmp_path_factory.mktemp("packages"), SOURCE_DATE_EPOCH=DATE)
    assert done.returncode == 0, done.stderr
    return {path.suffix: path for path in map(Path, done.stdout.split())}


@pytest.fixture(scope="module")
def deb(packages, tmp_path_factory) -> Path:
    """The package's files, and its control files in DEBIAN."""
    folder = tmp_path_factory.mktemp("deb") / "root"
    subprocess.run(["dpkg-deb", "--raw-extract", packages[".deb"], folder], check=True)
    return folder


def fields(deb: Path) -> dict[str, str]:
    return dict(re.findall(r"^(\S+): (.*)$", (deb / "DEBIAN/control").read_text(), re.M))


def version(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()


def test_the_fields_say_what_it_is_and_needs(deb, program):
    control = fields(deb)
    release = dict(re.findall(r'^(ID|VERSION_ID)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(), re.M))
    assert control["Version"] == f"{version(program)}+{release['ID']}{release.get('VERSION_ID', '')}"
    needed = {re.split(r"[ (|]", each.strip())[0] for each in control["Depends"].split(",")}
    assert {"libc6", "libsqlite3-0", "libpq5", "adduser", "debconf", "ca-certificates"} < needed
    # What the program is linked with is what the packages have; nothing of Swift's is a package.
    linked = subprocess.run(["objdump", "-p", program], capture_output=True, text=True, check=True).stdout
    names = [name for name in re.findall(r"NEEDED +(\S+)", linked) if not re.match(r"lib(swift|_?Foundation|dispatch|BlocksRuntime)", name)]
    owners = subprocess.run(["dpkg", "-S", *(f"*/{name}" for name in names)], capture_output=True, text=True, check=False).stdout
    for name in names:
        assert {line.split(":")[0] for line in owners.splitlines() if line.endswith(f"/{name}")} & needed, name


def test_it_holds_these_files_for_root_alone_to_change(packages):
    listed = subprocess.run(["dpkg-deb", "--contents", packages[".deb"]], capture_output=True, text=True, check=True).stdout
    files = {line.split()[5].removeprefix("."): line.split()[:2] for line in listed.splitlines()}
    assert {path for path, (mode, _) in files.items() if mode.startswith("-")} == {
        "/usr/bin/callboard", "/usr/lib/systemd/system/callboard.service", SETTINGS,
        "/usr/share/man/man1/callboard.1.gz", "/usr/share/man/man5/callboard.json.5.gz",
        "/usr/share/bash-completion/completions/callboard", "/usr/share/zsh/vendor-completions/_callboard",
        "/usr/share/fish/vendor_completions.d/callboard.fish", "/usr/share/doc/callboard/changelog.gz",
        "/usr/share/doc/callboard/copyright", "/usr/share/doc/callboard/examples/callboard.json"}
    for path, (mode, owner) in files.items():
        assert owner == "root/root" and mode == ("-rw-r--r--" if mode.startswith("-") and path != "/usr/bin/callboard" else mode[0] + "rwxr-xr-x"), path


def test_its_sums_settings_pages_and_changelog_are_right(deb, program):
    sums = re.findall(r"^(\w{32})  (\S+)$", (deb / "DEBIAN/md5sums").read_text(), re.M)
    assert all(hashlib.md5((deb / path).read_bytes()).hexdigest() == told for told, path in sums)
    assert {path for _, path in sums} == {str(path.relative_to(deb)) for path in (deb / "usr").rglob("*") if path.is_file()}
    assert (deb / "DEBIAN/conffiles").read_text() == SETTINGS + "\n"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
    done = subprocess.run([deb / "usr/bin/callboard", "serve", "--config", deb / SETTINGS[1:], "--check-config", "--json"],
                          capture_output=True, text=True, env=environment | {"CALLBOARD_DATA": str(deb.parent / "data")}, check=False)
    settings = json.loads(done.stdout)["settings"]
    assert (settings["auth"]["mode"], settings["server"]["host"]) == ("required", "127.0.0.1")
    assert '"data": "/var/lib/callboard"' in (deb / SETTINGS[1:]).read_text()
    changelog = gzip.decompress((deb / "usr/share/doc/callboard/changelog.gz").read_bytes()).decode()
    assert changelog.startswith(f"callboard ({fields(deb)['Version']}) stable;")
    parsed = subprocess.run(["dpkg-parsechangelog", "--all", "--file", "-"], input=changelog, capture_output=True, text=True, check=True)
    assert not parsed.stderr and parsed.stdout.count("callboard (") >= 2
    page = gzip.decompress((deb / "usr/share/man/man5/callboard.json.5.gz").read_bytes()).decode().replace("\\-", "-")
    printed = subprocess.run([program, "serve", "--print-config"], capture_output=True, text=True, check=True).stdout
    assert re.findall(r"Variable: (CALLBOARD_\w+)$", page, re.M) == re.findall(r"; (CALLBOARD_\w+)$", printed, re.M)


def test_its_scripts_are_right(deb):
    for name in ("postinst", "prerm", "postrm"):
        subprocess.run(["sh", "-n", deb / "DEBIAN" / name], check=True)
        assert os.access(deb / "DEBIAN" / name, os.X_OK) and "\nset -e\n" in (deb / "DEBIAN" / name).read_text()
    assert "/var/lib/callboard" not in (deb / "DEBIAN/prerm").read_text()
    assert re.search(r'"\$RET" = true \]; then\n\s+rm -rf /var/lib/callboard', (deb / "DEBIAN/postrm").read_text())


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_the_unit_and_finds_it_closed(deb):
    unit = deb / "usr/lib/systemd/system/callboard.service"
    tried = deb.parent / "callboard.service"
    tried.write_text(re.sub(r"^Documentation=.*\n", "", unit.read_text().replace("/usr/bin/", f"{deb}/usr/bin/"), flags=re.M))
    done = subprocess.run(["systemd-analyze", "verify", tried], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "callboard.service" not in done.stderr, done.stderr
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=15", f"--root={deb}", "callboard.service"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_stop_fits_into_the_units_time(deb):
    unit = (deb / "usr/lib/systemd/system/callboard.service").read_text()
    settings = json.loads(re.sub(r"^\s*//.*$", "", (deb / "usr/share/doc/callboard/examples/callboard.json").read_text(), flags=re.M))
    assert int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.M).group(1)) >= 3 * settings["server"]["shutdownDeadline"]
    assert int(re.search(r"^LimitNOFILE=(\d+)$", unit, re.M).group(1)) > 2 * settings["server"]["maxConnections"]


def test_the_same_program_makes_the_same_bytes(packages, program, tmp_path):
    other = {"SOURCE_DATE_EPOCH": DATE, "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "TMPDIR": str(tmp_path / "other")}
    (tmp_path / "other").mkdir()
    done = make(program, tmp_path / "again", "bash", "-c", 'umask 077; exec "$@"', "-", **other)
    assert done.returncode == 0, done.stderr
    for path in packages.values():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes(), path.name
    with tarfile.open(fileobj=io.BytesIO(packages[".gz"].read_bytes())) as archive:
        assert {entry.mtime for entry in archive} == {int(DATE)}, "SOURCE_DATE_EPOCH dates it"


def test_the_tarball_installs_and_takes_itself_away(packages, program, tmp_path):
    with tarfile.open(fileobj=io.BytesIO(packages[".gz"].read_bytes())) as archive:
        archive.extractall(tmp_path, filter="tar")
    [folder] = tmp_path.iterdir()
    assert folder.name == f"callboard-{version(program)}-linux-{os.uname().machine}"
    prefix = tmp_path / "prefix"
    done = subprocess.run([folder / "install.sh", prefix], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and version(program) in done.stdout, done.stderr
    installed = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    assert {"bin/callboard", "share/man/man5/callboard.json.5", "share/doc/callboard/LICENSE"} < installed
    subprocess.run([folder / "install.sh", prefix], capture_output=True, check=True)
    subprocess.run([folder / "install.sh", "--uninstall", prefix], capture_output=True, check=True)
    assert [path for path in prefix.rglob("*") if path.is_file()] == []
    assert subprocess.run([folder / "install.sh", "--nonsense"], capture_output=True, check=False).returncode == 64


@pytest.mark.parametrize("arguments, said", [(["rpm"], "there is no 'rpm'"), (["--out"], "--out takes a value"), (["--program", "/none"], "is no program")])
def test_what_cannot_be_made_is_refused(arguments, said):
    done = subprocess.run([CHECKOUT / "Config/package", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and said in done.stderr


def test_a_program_that_needs_swift_on_the_machine_is_refused(program, tmp_path):
    linked = subprocess.run(["objdump", "-p", program], capture_output=True, text=True, check=True).stdout
    done = subprocess.run([CHECKOUT / "Config/package", "--program", program, "--out", tmp_path, "tarball"],
                          capture_output=True, text=True, check=False)
    assert (done.returncode == 1 and "--static-swift-stdlib" in done.stderr) == ("libswiftCore" in linked), done.stderr


def test_help_names_every_option():
    said = subprocess.run([CHECKOUT / "Config/package", "--help"], capture_output=True, text=True, check=True).stdout
    for word in re.findall(r"^    (--[a-z-]+)", (CHECKOUT / "Config/package").read_text(), re.M) + ["SOURCE_DATE_EPOCH", "deb", "tarball"]:
        assert word in said
