"""A web server with TLS in front of Callboard, as a proxy is: the origin that a browser's session belongs to."""

import http.client
import ssl
from pathlib import Path

from support.certificates import Authority

HOP = {"connection", "transfer-encoding", "keep-alive"}


def encrypt(server, folder: Path) -> None:
    """Has a server of `http.server` speak TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*Authority(folder).issue("localhost", "127.0.0.1", file="front"))
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)


def relay(handler, target: int) -> None:
    """Passes a request of `http.server` on to a port of this machine, and the answer back as it comes."""
    length = int(handler.headers.get("Content-Length") or 0)
    body = handler.rfile.read(length) if length else None
    connection = http.client.HTTPConnection("127.0.0.1", target)
    connection.putrequest(handler.command, handler.path, skip_host=True, skip_accept_encoding=True)
    for name, value in handler.headers.items():
        if name.lower() not in HOP:
            connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    handler.log_request(answer.status)
    handler.send_response_only(answer.status)
    for name, value in answer.getheaders():
        if name.lower() not in HOP:
            handler.send_header(name, value)
    handler.send_header("Connection", "close")
    handler.end_headers()
    while piece := answer.read1(65536):
        handler.wfile.write(piece)
    connection.close()
