"""A web server with TLS in front of Callboard, as a proxy is: the origin that a browser's session belongs to."""

import datetime
import http.client
import ipaddress
import ssl
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

HOP = {"connection", "transfer-encoding", "keep-alive"}


def certificate(folder: Path) -> Path:
    """A key and a certificate for this machine in one file, which nobody has signed but itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1)).add_extension(x509.SubjectAlternativeName(names), False)
        .sign(key, hashes.SHA256()))
    path = folder / "front.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + made.public_bytes(serialization.Encoding.PEM))
    return path


def encrypt(server, folder: Path) -> None:
    """Has a server of `http.server` speak TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(folder))
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
    handler.send_response_only(answer.status)
    for name, value in answer.getheaders():
        if name.lower() not in HOP:
            handler.send_header(name, value)
    handler.send_header("Connection", "close")
    handler.end_headers()
    while piece := answer.read1(65536):
        handler.wfile.write(piece)
    connection.close()
