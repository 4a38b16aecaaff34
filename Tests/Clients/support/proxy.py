"""A relay in front of a server, whose connections a test can cut as a network would."""

import contextlib
import socket
import threading


class Relay:
    """Passes bytes both ways between clients and `target`, and can drop everybody and refuse newcomers."""

    def __init__(self, target: int, host: str = "127.0.0.1", port: int = 0):
        self.target = target
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.create_server((host, port), family=family)
        self.port = self.listener.getsockname()[1]
        self.refusing = threading.Event()
        self.passing = threading.Event()
        self.passing.set()
        self.open: set[socket.socket] = set()
        self.lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Closes every connection and refuses new ones until `mend`."""
        self.refusing.set()
        with self.lock:
            for each in self.open:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Lets newcomers through again."""
        self.refusing.clear()

    def fall_silent(self) -> None:
        """Passes nothing more on, either way, and closes nothing, as a network that loses every packet, until `speak`."""
        self.passing.clear()

    def speak(self) -> None:
        """Passes on what has come meanwhile, and what comes."""
        self.passing.set()

    def close(self) -> None:
        """Cuts everything for good."""
        self.speak()
        self.cut()
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def connect(self, client: str) -> socket.socket:
        """The connection on which the bytes of a client at this address are passed."""
        return socket.create_connection(("127.0.0.1", self.target), timeout=60)

    def _accept(self) -> None:
        while True:
            try:
                client, address = self.listener.accept()
            except OSError:
                return
            if self.refusing.is_set():
                client.close()
                continue
            try:
                server = self.connect(address[0])
            except OSError:
                client.close()
                continue
            server.settimeout(None)
            for each in (client, server):
                # What comes in pieces goes on in pieces, and none waits for the one before to be acknowledged.
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.open |= {client, server}
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self.pass_on, args=(source, sink), daemon=True).start()

    def pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        """Passes one direction on until it ends."""
        with contextlib.suppress(OSError):
            while piece := source.recv(1 << 16):
                self.passing.wait()
                sink.sendall(piece)
        # The end of one direction ends the other: a stream's client does not close half of its connection.
        self.end(source, sink)

    def end(self, *pair: socket.socket) -> None:
        """Closes both ends; the second time, nothing happens."""
        for each in pair:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
            with self.lock:
                self.open.discard(each)
