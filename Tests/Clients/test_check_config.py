"""`callboard serve --check-config`: everything that is wrong, or the settings in force, and nothing changed."""

import json
import os
import subprocess

import pytest

from support.certificates import Authority


@pytest.fixture
def check(program, tmp_path):
    """Checks a configuration: a settings file, flags and variables."""

    def run(*arguments: str, file: object = None, **settings: str) -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CALLBOARD_")}
        environment |= {f"CALLBOARD_{name}": value for name, value in settings.items()}
        if file is not None:
            (tmp_path / "settings.json").write_text(file if isinstance(file, str) else json.dumps(file))
            arguments = ("--config", "settings.json", *arguments)
        return subprocess.run([program, "serve", "--check-config", *arguments], env=environment, cwd=tmp_path,
                              capture_output=True, text=True, timeout=30, check=False)

    return run


def test_all_faults_are_told_at_once(check, tmp_path):
    (tmp_path / "data").write_text("no folder")
    file = {"server": {"port": "many", "hots": 1}, "feed": {"retryMin": 9000}, "auth": {"anonymous": [{"actions": ["fly"]}]},
            "tls": {"certificate": "none.pem", "key": "none-key.pem"}, "audit": {"file": "no-folder/audit.log"}, "data": "data"}
    done = check("--host", "0.0.0.0", file=file, SERVER_LOOPS="-1", SERVER_PROT="1")
    assert done.returncode == 78 and done.stdout == ""
    wanted = ['"server.port" is "many"', 'unknown key "server.hots"', "CALLBOARD_SERVER_PROT is unknown", 'CALLBOARD_SERVER_LOOPS is "-1"',
              "auth.anonymous/0/actions", "feed.retryMin is larger", "other machines can reach the address 0.0.0.0", "none.pem", "none-key.pem",
              "data is not a folder", "audit.file: there is no folder no-folder"]
    assert [each for each in wanted if each not in done.stderr] == [], done.stderr
    errors = json.loads(check("--host", "0.0.0.0", "--json", file=file, SERVER_LOOPS="-1", SERVER_PROT="1").stdout)
    assert errors["valid"] is False and len(errors["errors"]) == len(wanted) and "settings" not in errors


def test_the_settings_in_force_are_a_settings_file(check, tmp_path, program):
    done = check("--json", "--port", "9000", file={"server": {"port": 1, "loops": 3}}, FEED_WINDOW="7")
    assert done.returncode == 0 and done.stderr == ""
    settings = json.loads(done.stdout)["settings"]
    assert (settings["server"]["port"], settings["server"]["loops"], settings["feed"]["window"]) == (9000, 3, 7)
    assert json.loads(check("--json", file=settings).stdout)["settings"] == settings
    lines = check(file=settings).stdout.splitlines()
    assert "server.port = 9000" in lines and 'data = "callboard-data"' in lines
    assert os.listdir(tmp_path) == ["settings.json"], "a check makes no folder"


def test_a_password_is_not_shown(check):
    for options in ([], ["--json"]):
        done = check(*options, JOURNAL_URL="postgresql://callboard:hunter2@db.example/lists")
        assert done.returncode == 0 and "hunter2" not in done.stdout and "db.example/lists" in done.stdout


@pytest.mark.parametrize("file, said", [("{", "settings.json:1:2"), ("[]", "expected an object"), (None, "cannot read settings.json")])
def test_a_file_that_cannot_be_read_is_the_only_fault(check, file, said):
    done = check("--json", *([] if file else ["--config", "settings.json"]), file=file)
    [error] = json.loads(done.stdout)["errors"]
    assert done.returncode == 78 and said in error["message"]


def test_certificates_are_looked_at_as_a_start_does(check, tmp_path):
    authority, stranger = Authority(tmp_path), Authority(tmp_path, "Stranger")
    chain, key = authority.issue("localhost")
    other, other_key = stranger.issue("shop.example", file="other")
    good = check(TLS_CERTIFICATE=str(chain), TLS_KEY=str(key), TLS_CLIENT_CA=str(authority.path))
    assert good.returncode == 0, good.stderr
    os.chmod(other_key, 0o644)
    files = json.dumps([{"certificate": str(chain), "key": str(tmp_path / "gone.pem")}, {"certificate": str(other), "key": str(other_key)}])
    bad = check(TLS_CERTIFICATE=str(chain), TLS_KEY=str(key), TLS_CERTIFICATES=files, TLS_CLIENT_CA=str(key))
    assert bad.returncode == 78 and bad.stderr.count("a certificate cannot be used") == 3
    assert "gone.pem" in bad.stderr and str(other_key) in bad.stderr
    soon, soon_key = authority.issue("localhost", file="soon", lasts=__import__("datetime").timedelta(days=2))
    warned = check(TLS_CERTIFICATE=str(soon), TLS_KEY=str(soon_key))
    assert warned.returncode == 0 and "warning: " in warned.stderr and "expires in" in warned.stderr


def test_a_running_servers_folder_is_looked_at_and_left_alone(check, start):
    server = start()
    folder = server.nodes[0].folder / "data"
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    done = check("--data", str(folder))
    assert done.returncode == 0, done.stderr
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_json_goes_with_check_config(program):
    done = subprocess.run([program, "serve", "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 64 and "--check-config" in done.stderr
