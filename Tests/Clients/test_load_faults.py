"""`callboard load` through connections that break, beside a writer that reloads: what is published is the old list or the new one."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import threading

import httpx
import pytest

# A short form for every run; CALLBOARD_LOAD_HISTORIES=1000 is the long one.
HISTORIES = int(os.environ.get("CALLBOARD_LOAD_HISTORIES", "12"))


class Proxy:
    """Passes connections on, and breaks the first that bring a list: after so many bytes, or in place of the answer."""

    def __init__(self, port: int, cut: int | None, times: int):
        self.port_behind, self.cut, self.left = port, cut, times
        self.carriers: list[threading.Thread] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.acceptor = threading.Thread(target=self.accept, daemon=True)
        self.acceptor.start()

    def accept(self):
        while True:
            try:
                front, _ = self.listener.accept()
            except OSError:
                return
            carrier = threading.Thread(target=self.carry, args=(front,), daemon=True)
            self.carriers.append(carrier)
            carrier.start()

    def carry(self, front):
        with front, socket.create_connection(("127.0.0.1", self.port_behind)) as back:
            state = {"list": False, "passed": 0}
            answers = threading.Thread(target=self.answer, args=(front, back, state), daemon=True)
            answers.start()
            try:
                while data := front.recv(1 << 14):
                    if b"/content" in data.split(b"\r\n")[0] and self.left > 0:
                        self.left -= 1
                        state["list"] = True
                    if state["list"] and self.cut is not None:
                        data = data[:max(0, self.cut - state["passed"])]
                        state["passed"] += len(data)
                        back.sendall(data)
                        if state["passed"] >= self.cut:
                            break
                    else:
                        back.sendall(data)
                else:
                    # A client that has gone may have sent its request as a whole: the server goes on with it.
                    back.shutdown(socket.SHUT_WR)
                    answers.join(30)
            except OSError:
                pass
            for end in (front, back):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def answer(self, front, back, state):
        try:
            while data := back.recv(1 << 14):
                if state["list"]:
                    break
                with contextlib.suppress(OSError):
                    front.sendall(data)
            front.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self):
        """Lets no further connection in, and waits until the server is done with what those before have brought."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.acceptor.join()
        self.listener.close()
        for carrier in self.carriers:
            carrier.join()


def write(file, ids):
    file.write_text("".join(f'{{"id":{each},"text":"{"x" * 40}"}}\n' for each in ids), encoding="utf-8")


def listed(client, **query) -> list[int]:
    page = client.get("/v1/directors/d/elements", params={"limit": 10_000} | query)
    assert page.status_code == 200, page.text
    return [each["value"]["id"] for each in page.json()["elements"]]


def load(program, file, url, *arguments):
    return [program, "load", str(file), "--director", "d", "--server", url, *arguments]


@pytest.mark.parametrize("times", [1, 2])
def test_a_list_whose_answer_is_lost_is_sent_again_and_is_there_once(program, server, tmp_path, times):
    file = tmp_path / "d.ndjson"
    write(file, range(5001))
    proxy = Proxy(server.port, None, times)
    for arguments in ([], ["--append"]):
        proxy.left = times
        result = subprocess.run(load(program, file, proxy.url, *arguments), capture_output=True, text=True, timeout=60)
        assert result.returncode == 0 and proxy.left == 0, result.stderr
    proxy.close()
    with httpx.Client(base_url=server.url) as client:
        assert client.get("/v1/directors/d").json()["counts"]["elements"] == 2 * 5001, "each load once"


def test_random_histories_go_from_whole_to_whole(program, server, tmp_path):
    seed = random.randrange(1 << 32)
    dice = random.Random(seed)
    file = tmp_path / "d.ndjson"
    client = httpx.Client(base_url=server.url, timeout=30)
    old = list(range(10))
    write(file, old)
    subprocess.run(load(program, file, server.url), check=True, capture_output=True, timeout=60)
    for history in range(HISTORIES):
        told = f"seed {seed}, history {history}"
        new = dice.sample(range(2000), dice.randrange(1, 1500))
        write(file, new)
        first = client.get("/v1/directors/d").json()["version"]
        fault = dice.choice(["cut", "answer", "kill", "interrupt", "bad", "none"])
        if fault == "bad":
            with file.open("a") as text:
                text.write(dice.choice(['{"id":', '{"x":1}', '{"id":1,"d":' + "[" * 122 + "]" * 122 + "}"]) + "\n")
        size = 60 * len(new)
        proxy = Proxy(server.port, dice.randrange(1, size) if fault == "cut" else None, 9 if fault in ("cut", "answer") else 0)
        process = subprocess.Popen(load(program, file, proxy.url), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        note = 0
        signalled = dice.randrange(1, 20)
        while process.poll() is None:
            note += 1
            client.put("/v1/directors/d/variables/note", params={"reload": "true"}, json=note).raise_for_status()
            assert listed(client, state="published") in (old, new), told
            if note == signalled and fault in ("kill", "interrupt"):
                process.send_signal(signal.SIGKILL if fault == "kill" else signal.SIGINT)
        process.communicate()
        proxy.close()
        last = client.post("/v1/directors/d/reload", params={"elements": "false"}).json()["version"]
        for version in range(max(first, 1), last + 1):
            assert listed(client, state="published", version=version) in (old, new), told
        now = listed(client)
        if fault == "none":
            assert process.returncode == 0 and now == new, told
        if fault in ("cut", "bad"):
            assert process.returncode != 0 and now == old, told
        old = now
    client.close()


SMALL = {
    "csv": "id,text\n1,one\n2,\"two, and\"\n3,three\n",
    "ndjson": '{"id":"1","text":"one"}\n{"id":"2","text":"two, and"}\n{"id":"3","text":"three"}\n',
    "json": '[{"id":"1","text":"one"},\n{"id":"2","text":"two, and"},\n{"id":"3","text":"three"}]\n',
}


@pytest.mark.parametrize("kind", SMALL)
def test_a_file_that_is_cut_at_any_byte_deletes_nothing(program, server, tmp_path, kind):
    """An array that is cut is refused by itself; of lines and CSV nobody can tell, and --max-removed is what refuses."""
    file, whole = tmp_path / f"d.{kind}", SMALL[kind].encode()
    bound = [] if kind == "json" else ["--max-removed", "0"]
    file.write_bytes(whole)
    subprocess.run(load(program, file, server.url), check=True, capture_output=True, timeout=60)
    with httpx.Client(base_url=server.url) as client:
        refused = 0
        for count in range(len(whole)):
            file.write_bytes(whole[:count])
            done = subprocess.run(load(program, file, server.url, *bound), capture_output=True, text=True, timeout=60)
            assert listed(client, state="published") == ["1", "2", "3"], f"{count} bytes: {done.stderr}"
            assert done.returncode in (0, 65), done.stderr
            refused += done.returncode == 65
        # The last line's end may be missing, and of CSV what its last field ends in.
        assert refused >= len(whole) - {"csv": 7, "ndjson": 2, "json": 2}[kind], refused
