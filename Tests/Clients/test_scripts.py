"""The scripts in Config, run with programs that stand in for the system's."""

import subprocess

import pytest

from support.fakes import CHECKOUT, Fakes

MISSING_LIBRARY = "swift: error while loading shared libraries: libncurses.so.6: cannot open shared object file"


@pytest.fixture
def fakes(tmp_path) -> Fakes:
    folder = tmp_path / "fakes"
    folder.mkdir()
    made = Fakes(folder)
    made.add_debian()
    made.add("swift", "echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'")
    return made


@pytest.mark.parametrize(
    "script, sentences",
    [
        (f"echo '{MISSING_LIBRARY}' >&2; exit 127",
         [MISSING_LIBRARY, "A library that the toolchain needs is missing", "libncurses-dev", "cannot start"]),
        ("exit 127", ["cannot start", "'swift --version' has failed"]),
        ("echo 'no toolchain is chosen' >&2; exit 1", ["no toolchain is chosen", "cannot start"]),
        ("echo 'OpenStack Object Storage 2.5'", ["OpenStack Object Storage 2.5", "does not tell a version"]),
        ("echo 'Swift version 5.10'", ["Swift 5.10 is too old", "swiftly install"]),
    ],
    ids=["a library is missing", "status 127 without a word", "no toolchain", "another swift", "an old one"])
def test_setup_says_why_a_swift_that_is_found_cannot_be_used(fakes, script, sentences):
    fakes.add("swift", script)
    done = fakes.run("Config/setup")
    assert done.returncode == 1
    for sentence in sentences:
        assert sentence in done.stderr
    assert fakes.called() == [], "the packages are there: apt is not called"


def test_setup_says_nothing_and_calls_nothing_where_everything_is_there(fakes):
    done = fakes.run("Config/setup", "test", "bench", "lint", "prove")
    assert (done.returncode, done.stdout, done.stderr, fakes.called()) == (0, "", "", [])


@pytest.mark.parametrize(
    "release, has, names",
    [
        ("bookworm", "libsimdjson14|libnghttp2-14|libssl3|libcurl4", ["libsimdjson14", "libssl3", "libnghttp2-14", "libcurl4", "zlib1g"]),
        ("trixie", "libsimdjson25|libnghttp2-14|libssl3t64|libcurl4t64", ["libsimdjson25", "libssl3t64", "libnghttp2-14", "libcurl4t64", "zlib1g"]),
        ("noble", "libsimdjson19|libnghttp2-14|libssl3t64|libcurl4t64", ["libsimdjson19", "libssl3t64", "libnghttp2-14", "libcurl4t64", "zlib1g"]),
        ("one without lists", "nothing", ["libsimdjson14", "libssl3", "libnghttp2-14", "libcurl4", "zlib1g"]),
    ])
def test_packages_are_listed_by_the_names_of_the_release(fakes, release, has, names):
    others = "libsqlite3-0|libpq5|libstdc++6|ca-certificates|tzdata"
    fakes.add_debian(installed="none", available=f"{has}|{others}")
    listed = fakes.run("Config/setup", "--list", "run").stdout.split()
    assert [name for name in listed if name not in others.split("|")] == names


def test_a_package_that_is_installed_meets_a_requirement_under_any_of_its_names(fakes):
    fakes.add_debian(installed="libcurl4t64", available="libcurl4|libsimdjson19|libssl3t64")
    assert {"libcurl4t64", "libsimdjson19", "libssl3t64"} < set(fakes.run("Config/setup", "--list", "run").stdout.split())


def test_setup_installs_what_the_release_has_and_says_what_it_has_not(fakes):
    fakes.add_debian(available="slowhttptest")
    fakes.add("dpkg-query", 'case "${@: -1}" in chromium|slowhttptest) exit 1 ;; *) echo installed ;; esac')
    done = fakes.run("Config/setup", "test")
    assert done.returncode == 0
    assert fakes.called()[0] == "apt-get update -q"
    assert fakes.called()[1].endswith(" slowhttptest") and "chromium" not in fakes.called()[1]
    assert 'this release has no package "chromium"' in done.stderr
    assert "what needs these packages will be skipped" in done.stderr


def test_setup_fails_where_the_release_has_not_what_the_build_needs(fakes):
    fakes.add("dpkg-query", 'case "${@: -1}" in libsimdjson-dev) exit 1 ;; *) echo installed ;; esac')
    fakes.add("apt-cache", 'echo "$2:"')
    done = fakes.run("Config/setup")
    assert done.returncode == 1
    assert 'this release has no package "libsimdjson-dev"' in done.stderr
    assert "packages that the build needs are missing" in done.stderr


def test_a_section_that_is_not_there_is_an_error(fakes):
    done = fakes.run("Config/setup", "--list", "nonsense")
    assert done.returncode == 1 and "Config/packages.txt has no section [nonsense]" in done.stderr


def test_tests_that_are_not_there_are_an_error(fakes):
    done = fakes.run("Config/test", "nonsense")
    assert done.returncode == 1 and "there are no tests 'nonsense'" in done.stderr


@pytest.mark.parametrize("fault", ["venv", "pip"])
def test_a_python_environment_that_could_not_be_made_is_not_taken_for_one(fakes, tmp_path, fault):
    (tmp_path / "Config").mkdir()
    (tmp_path / "Config" / "requirements-test.txt").write_text("httpx\n")
    inside = "#!/bin/bash\\nexit 1\\n"
    made = f'mkdir -p "$3/bin"; printf "{inside}" >"$3/bin/python"; chmod +x "$3/bin/python"'
    fakes.add("python3", "exit 1" if fault == "venv" else made)
    # As in Config/test: in a condition, where "set -e" is off.
    script = (
        f'source "{CHECKOUT}/Config/common.sh"; callboard_root="{tmp_path}"; '
        'if environment="$(python_environment)"; then echo "made"; else echo "not made"; fi')
    for _ in range(2):
        done = subprocess.run(
            ["bash", "-c", script], env=fakes.environment(), text=True, timeout=60, capture_output=True)
        assert done.stdout == "not made\n"
    assert not (tmp_path / ".build" / "python" / "installed.txt").exists()


def test_setup_demo_installs_the_list_alone(fakes):
    fakes.add_debian()
    fakes.add("dpkg-query", 'case "${@: -1}" in iso-codes|chromium|g++) exit 1 ;; *) echo installed ;; esac')
    fakes.add("swift", "exit 127")
    done = fakes.run("Config/setup", "demo")
    assert done.returncode == 0, done.stderr
    assert [call.split()[-1] for call in fakes.called()] == ["-q", "iso-codes"], "neither the compiler nor a browser"
