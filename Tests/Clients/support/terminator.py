"""A front that takes TLS off and speaks one protocol alone, so that a client has to agree upon that one."""

import contextlib
import select
import socket
import ssl
import threading

from support.certificates import Authority


class Terminator:
    """Passes bytes between clients over TLS and a server without it; `protocols` says what was agreed upon (ALPN)."""

    def __init__(self, target: int, authority: Authority, protocol: str):
        self.target, self.protocols = target, []
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*authority.issue("localhost", "127.0.0.1", file="front"))
        self.context.set_alpn_protocols([protocol])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"https://localhost:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Takes nobody in any more; connections end with their clients."""
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        with contextlib.suppress(OSError), plain, socket.create_connection(("127.0.0.1", self.target)) as server:
            with self.context.wrap_socket(plain, server_side=True) as client:
                self.protocols.append(client.selected_alpn_protocol())
                # OpenSSL's two directions share a lock, so that reading must not wait for a byte.
                client.setblocking(False)
                server.setblocking(False)
                self._pass(client, server)

    @staticmethod
    def _pass(client: ssl.SSLSocket, server: socket.socket) -> None:
        while True:
            if not client.pending():
                select.select([client, server], [], [])
            for source, sink in ((client, server), (server, client)):
                try:
                    piece = source.recv(65536)
                except (ssl.SSLWantReadError, BlockingIOError):
                    continue
                if not piece:
                    return
                sink.setblocking(True)
                sink.sendall(piece)
                sink.setblocking(False)
