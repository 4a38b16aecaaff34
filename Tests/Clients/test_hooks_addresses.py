"""Targets inside the network are refused: where the address is literal when the hook is put, otherwise at each call."""

import socket

import pytest

from support.hooks import BOOK, HASTY, ask, client_of, deliveries, done, eventually, fill, new_secret, notify, register
from support.receiver import Reply, value

QUESTION = f"{BOOK}/adapters/Person/events/shouldHighlight"
SELECT = f"{BOOK}/adapters/Person/events/didSelect"


@pytest.mark.parametrize("url", [
    "http://169.254.169.254",
    "http://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/",
    "http://172.16.4.4:8080/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://224.0.0.1/",
    "http://0.0.0.0/",
    "http://255.255.255.255/",
    "http://[::ffff:10.0.0.1]",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::10.0.0.1]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[ff02::1]/",
    "http://[::]/",
    "http://[fd00:ec2::254]/",
])
def test_an_address_inside_is_refused(hooked, url):
    answer = hooked.put(SELECT, json={"url": url})
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0]["pointer"] == "/url"
    assert hooked.get(SELECT).status_code == 404


@pytest.mark.parametrize("url", [
    "http://user:word@example.org/", "http://user@example.org/", "ftp://example.org/", "example.org/hook", "/hook",
    "http:///hook", "http://example.org/#part", "http://exa mple.org/", "http://example.org:0/",
    "http://example.org:99999/", "file:///etc/passwd", "gopher://example.org/", "http://example.org\\@127.0.0.1/",
    "http://[::1/", "", "http://example.org/\r\nX-Header: value", "http://" + "a" * 3000, 17, None,
])
def test_what_is_no_address_is_refused(hooked, url):
    answer = hooked.put(SELECT, json={"url": url})
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0]["pointer"] in ("/url", "")
    assert hooked.get(SELECT).status_code == 404


@pytest.fixture
def careful(start, receiver):
    """A client of a server that may call no address of this machine."""
    server = start(HOOKS_ALLOW="hooks.example.org", **HASTY)
    with client_of(server) as client:
        fill(client)
        yield client


# All of them lead to this machine, whoever reads them.
HOSTS = ["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0",
         "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "localhost", "LOCALHOST",
         "localhost."]


@pytest.mark.parametrize("host", HOSTS)
def test_no_writing_of_this_machine_gets_through(careful, receiver, host):
    """Refused at once or at the call; the receiver, which would answer, sees not even a connection."""
    receiver.secrets["/hook"] = [new_secret()]
    body = {"url": f"http://{host}:{receiver.port}/hook", "default": False}
    answer = careful.put(QUESTION, json=body)
    if answer.is_success:
        answer = ask(careful, "shouldHighlight", indexPath=[0, 0])
        assert (answer["value"], answer["source"]) == (False, "default")
        error = done(careful.get(QUESTION)).json()["health"]["lastError"]["detail"]
        assert "address" in error or "resolve" in error, error
        done(careful.put(SELECT, json={"url": body["url"]}))
        notify(careful, "didSelect", indexPath=[0, 0])
        eventually(lambda: deliveries(careful, status="dead"), "the delivery to die")
    else:
        assert answer.status_code == 422 and answer.json()["errors"][0]["pointer"] == "/url"
    assert receiver.connections == 0


def test_a_literal_address_of_this_machine_is_refused_when_the_hook_is_put(careful, receiver):
    for host in ("127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"):
        answer = careful.put(SELECT, json={"url": f"http://{host}:{receiver.port}/hook"})
        assert answer.status_code == 422 and "hooks.allow" in answer.text


@pytest.mark.parametrize("allowed", ["loopback", "127.0.0.1", "127.0.0.0/8", "localhost,127.0.0.1"])
def test_what_is_allowed_is_called(start, receiver, allowed):
    with client_of(start(HOOKS_ALLOW=allowed)) as client:
        fill(client)
        register(client, receiver, QUESTION)
        receiver.on("/hook", value(False))
        assert ask(client, "shouldHighlight", indexPath=[0, 0]) == {"value": False, "source": "hook"}


def test_a_server_that_listens_to_others_calls_nothing_on_its_own_machine_unless_told(start, receiver):
    with client_of(start("--host", "0.0.0.0", AUTH_OPEN_TO_ALL="true")) as client:
        assert client.put(BOOK, json={"kind": "table"}).is_success
        answer = client.put(f"{BOOK}/events/willDisplayHeader", json={"url": receiver.url})
        assert answer.status_code == 422 and "hooks.allow" in answer.text


def test_the_start_says_what_may_be_called(start):
    assert "hooks.allow" in start().tail()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(hooked, receiver, status):
    with socket.create_server(("127.0.0.1", 0)) as inside:
        inside.setblocking(False)
        where = {"Location": f"http://127.0.0.1:{inside.getsockname()[1]}/secret"}
        register(hooked, receiver, QUESTION, "/asked", default=False)
        receiver.on("/asked", Reply(status, b"", where))
        answer = ask(hooked, "shouldHighlight", indexPath=[0, 0])
        assert (answer["value"], answer["source"]) == (False, "default")
        with pytest.raises(BlockingIOError):
            inside.accept()
        assert [call.path for call in receiver.at()] == ["/asked"]
        assert str(status) in done(hooked.get(QUESTION)).json()["health"]["lastError"]["detail"]


def test_a_proxy_of_the_environment_is_not_asked(start, receiver, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.setblocking(False)
        for name in ("http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.getsockname()[1]}")
        with client_of(start()) as client:
            fill(client)
            register(client, receiver, QUESTION)
            receiver.on("/hook", value(False))
            assert ask(client, "shouldHighlight", indexPath=[0, 0])["source"] == "hook"
        with pytest.raises(BlockingIOError):
            proxy.accept()
