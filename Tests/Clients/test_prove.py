"""The script that proves a release: what it refuses, and that it leaves nothing behind."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from support.fakes import CHECKOUT, Fakes


@pytest.fixture
def fakes(tmp_path) -> Fakes:
    """A machine on which everything is there, with a toolchain in a folder of its own."""
    folder = tmp_path / "fakes"
    folder.mkdir()
    made = Fakes(folder)
    made.add_debian()
    made.add("apt-get", '[[ "$1" != indextargets ]] || echo "http://mirror.example/pub/debian/"')
    made.add("apt-config", "true")
    toolchain = tmp_path / "toolchain"
    (toolchain / "usr" / "bin").mkdir(parents=True)
    made.add(
        "swift",
        f'case "$1" in --version) echo "Swift version 6.3.1" ;; '
        f'*) echo \'    "runtimeResourcePath": "{toolchain}/usr/lib/swift"\' ;; esac')
    shutil.copy(made.folder / "swift", toolchain / "usr" / "bin" / "swift")
    (tmp_path / "keys.gpg").touch()
    (tmp_path / "work").mkdir()
    return made


def needs_root_and_git() -> None:
    if os.geteuid() != 0:
        pytest.skip("making a release takes root")
    if not (CHECKOUT / ".git").exists():
        pytest.skip("this is no git checkout")
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True).returncode != 0:
        pytest.skip("no namespaces can be made here")


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["potato"], "the release 'potato' is not known here; there are: bookworm, trixie, noble"),
        (["trixie", "noble"], "one release at a time"),
        (["--nonsense", "trixie"], "there is no option '--nonsense'"),
        (["trixie", "--mirror"], "--mirror takes a value"),
        (["trixie", "--package", "/none.deb"], "there is no package /none.deb" if os.geteuid() == 0 else "takes root"),
    ])
def test_what_cannot_be_proven_is_refused(fakes, arguments, sentence):
    done = fakes.run("Config/prove", *arguments)
    assert done.returncode == 1 and sentence in done.stderr


def test_help_names_the_releases_and_every_option(fakes):
    done = fakes.run("Config/prove", "--help")
    assert done.returncode == 0
    for word in ["bookworm", "trixie", "noble", "--only-run", "--package", "--without-browser", "--mirror", "--unsigned", "--bind"]:
        assert word in done.stdout


@pytest.mark.parametrize(
    "release, mirror", [("trixie", "http://mirror.example/pub/debian"), ("noble", "http://mirror.example/pub/ubuntu")])
def test_packages_come_from_the_mirror_of_the_machine_and_a_failure_leaves_nothing_behind(
        fakes, tmp_path, release, mirror):
    needs_root_and_git()
    fakes.add("debootstrap", 'echo "$@" >>"$CALLS"; echo "there is no such release" >&2; exit 1')
    done = fakes.run(
        "Config/prove", "--keyring", str(tmp_path / "keys.gpg"), release, TMPDIR=str(tmp_path / "work"))
    assert done.returncode == 1
    assert "there is no such release" in done.stderr and f"{release} at commit" in done.stderr
    assert f" {mirror}" in fakes.called()[0] and f"--keyring={tmp_path / 'keys.gpg'}" in fakes.called()[0]
    assert list((tmp_path / "work").iterdir()) == []


def test_a_release_that_nobody_has_the_keys_of_is_refused(fakes, tmp_path):
    needs_root_and_git()
    done = fakes.run("Config/prove", "--keyring", str(tmp_path / "none.gpg"), "noble", TMPDIR=str(tmp_path / "work"))
    assert done.returncode == 1 and "--unsigned" in done.stderr
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_an_interruption_ends_its_processes_and_unmounts_and_deletes_everything(fakes, tmp_path, number):
    needs_root_and_git()
    marker = f"callboard-prove-test-{os.getpid()}"
    fakes.add(
        "debootstrap",
        f'for root in "$@"; do [[ "$root" != */root ]] || break; done; mkdir -p "$root/mounted"; '
        f'mount -t tmpfs {marker} "$root/mounted"; touch "$root/mounted/file"; echo mounted >>"$CALLS"; '
        f'exec -a {marker} sleep 600')
    process = subprocess.Popen(
        [str(CHECKOUT / "Config" / "prove"), "--keyring", str(tmp_path / "keys.gpg"), "trixie"],
        env=fakes.environment(TMPDIR=str(tmp_path / "work")), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
        # What is started in the background of a script ignores the keyboard's signal, and hands that down.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    deadline = time.monotonic() + 60
    while fakes.called() != ["mounted"]:
        assert process.poll() is None and time.monotonic() < deadline, "it has not come to making the release"
        time.sleep(0.05)
    assert is_running(marker)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "nothing is proven" in said
    assert not is_running(marker)
    assert marker not in Path("/proc/mounts").read_text()
    assert list((tmp_path / "work").iterdir()) == []


def is_running(name: str) -> bool:
    """Whether a process has this name as the first word of its command."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if path.read_bytes().split(b"\0")[0] == name.encode():
                return True
        except OSError:
            pass
    return False
