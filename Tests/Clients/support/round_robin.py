"""A relay in front of several servers, which a client cannot tell from one of them."""

import itertools
import socket

from support.proxy import Relay


class RoundRobin(Relay):
    """A relay that leads each connection to the next target, from the address that its client has."""

    def __init__(self, host: str, port: int, targets: list[int]):
        self._next = itertools.cycle(targets)
        self._host = host
        self._half_closed: set[frozenset] = set()
        super().__init__(targets[0], host, port)

    def connect(self, client: str) -> socket.socket:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self._host, self._host)
        source = (client, 0) if client.startswith("127.") else None
        return socket.create_connection((host, next(self._next)), timeout=60, source_address=source)

    def pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        """One direction that ends leaves the other open, as between a client and a server without a relay."""
        pair = frozenset((source, sink))
        try:
            while piece := source.recv(1 << 16):
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
            with self.lock:
                self._half_closed ^= {pair}
                is_over = pair not in self._half_closed
        except OSError:
            is_over = True
            with self.lock:
                self._half_closed.discard(pair)
        if is_over:
            self.end(source, sink)
