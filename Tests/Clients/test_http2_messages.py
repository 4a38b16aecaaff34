"""HTTP/2's messages and HPACK: what RFC 9113, sections 8 and 9, and RFC 7541 have a server do
about those that break a rule."""

import socket
import ssl

import hpack
import pytest

from support.frame_cases import (
    Case, GoAway, Reset, Status, ended, first_of_each_section, parameters, sealed, service, was_reset,
)
from support.frames import (
    COMPRESSION_ERROR, CONTINUATION, END_HEADERS, END_STREAM, FOLLOW, GET, HEADERS, PATIENCE, PREFACE, PROTOCOL_ERROR,
    PUT, STREAM_CLOSED, Peer, block, changed, data, frame, headers, indexed, integer, setting,
)

__all__ = ["sealed", "service"]

MALFORMED = Reset(PROTOCOL_ERROR)
COMPRESSION = GoAway(COMPRESSION_ERROR)
OPEN = headers(1, PUT, ends=False)
# The request's fields by their numbers in the static table: only the path and the authority are written out.
SHORT = b"\x82\x86\x04\x06/livez\x01\x09localhost"

# Fields of which a table of 4,096 bytes holds two.
THREE = b"".join(indexed(name, "x" * 2000) for name in "abc")


def field(name: str, value: str = "1") -> bytes:
    return headers(1, [*GET, (name, value)])


def length(value: str, content: bytes | None) -> bytes:
    """A request that announces a length, and its content."""
    return headers(1, [*PUT, ("content-length", value)], content is None) + (
        b"" if content is None else data(1, content, True))


MESSAGES = [
    Case("8.1 HEADERS behind DATA that do not end the stream",
         OPEN + data(1, b"1") + headers(1, [("a", "b")], False), MALFORMED),
    Case("8.1 HEADERS behind HEADERS that do not end the stream", OPEN + headers(1, [("a", "b")], False), MALFORMED),
    Case("8.1 DATA behind trailers", headers(1, FOLLOW, False) + headers(1, [("a", "b")]) + data(1, b"1"),
         GoAway(STREAM_CLOSED)),
    Case("8.1 HEADERS behind trailers", headers(1, FOLLOW, False) + headers(1, [("a", "b")]) + headers(1, [("a", "b")]),
         GoAway(STREAM_CLOSED)),
    Case("8.1 trailers", OPEN + data(1, b"1") + headers(1, [("a", "b")]), Status(200)),
    Case("8.1 trailers in HEADERS and CONTINUATION",
         OPEN + data(1, b"1") + frame(HEADERS, END_STREAM, 1, block([("a", "b")]))
         + frame(CONTINUATION, END_HEADERS, 1, block([("c", "d")])), Status(200)),
    Case("8.1 no trailers in a field block", OPEN + data(1, b"1") + headers(1, b""), Status(200)),
    Case("8.1 END_STREAM on DATA of no bytes", OPEN + data(1, b"1") + data(1, b"", True), Status(200)),
    Case("8.1.1 more content than announced", length("1", b"12"), MALFORMED),
    Case("8.1.1 less content than announced", length("2", b"1"), MALFORMED),
    Case("8.1.1 content, and a length of 0", length("0", b"1"), MALFORMED),
    Case("8.1.1 a length, and no content", length("1", None), MALFORMED),
    Case("8.1.1 a length, and content of no bytes", length("1", b""), MALFORMED),
    Case("8.1.1 more content than announced that goes on",
         headers(1, [*PUT, ("content-length", "1")], False) + data(1, b"12"), MALFORMED),
    Case("8.1.1 less content than announced in front of trailers",
         headers(1, [*PUT, ("content-length", "2")], False) + data(1, b"1") + headers(1, [("a", "b")]), MALFORMED),
    *(Case(f"8.1.1 a length of {value!r}", length(value, b"1"), MALFORMED)
      for value in ("x", "-1", "+1", "1 1", "1, 1", "0x1", "", "99999999999999999999")),
    Case("8.1.1 two lengths that differ", headers(1, [*PUT, ("content-length", "1"), ("content-length", "2")], False)
         + data(1, b"1", True), MALFORMED),
    Case("8.1.1 one length twice", headers(1, [*PUT, ("content-length", "1"), ("content-length", "1")], False)
         + data(1, b"1", True), MALFORMED),
    Case("8.1.1 the right length", length("1", b"1"), Status(200)),
    Case("8.1.1 the right length in two frames",
         headers(1, [*PUT, ("content-length", "2")], False) + data(1, b"1") + data(1, b"2", True), Status(200)),
    *(Case(f"8.2.1 a field's name with {name}", field(value), MALFORMED) for name, value in {
        "a capital": "X-Capital", "capitals alone": "ACCEPT", "a space": "a b", "a space at its end": "a ",
        "a tab": "a\tb", "NUL": "a\0b", "CR": "a\rb", "LF": "a\nb",
        "DEL": "a\x7Fb", "a byte above ASCII": "a\xE9", "no characters": "",
        "a colon within": "a:b", "a colon at its end": "ab:", "a quotation mark": "a\"b", "a parenthesis": "a(b",
        "a slash": "a/b",
    }.items()),
    *(Case(f"8.2.1 a value with {name}", field("a", value), MALFORMED) for name, value in {
        "NUL": "1\x002", "LF": "1\n2", "CR": "1\r2", "CR and LF": "1\r\nb: 2", "NUL at its end": "1\0",
        "a space in front": " 1", "a tab in front": "\t1",
        "a space at its end": "1 ", "a tab at its end": "1\t", "LF alone": "\n",
    }.items()),
    Case("8.2.1 a value with a byte above ASCII", field("a", "\xE9"), Status(200)),
    Case("8.2.1 a value of no bytes", field("a", ""), Status(200)),
    Case("8.2.1 a value with a tab within", field("a", "1\t2"), Status(200)),
    Case("8.2.1 a capital in the name of a trailer", OPEN + data(1, b"1") + headers(1, [("Big", "1")]), MALFORMED),
    Case("8.2.1 LF in the value of a trailer", OPEN + data(1, b"1") + headers(1, [("a", "1\n2")]), MALFORMED),
    *(Case(f"8.2.2 {name}: {value}", field(name, value), MALFORMED) for name, value in [
        ("connection", "close"), ("connection", "keep-alive"), ("connection", ""), ("keep-alive", "timeout=5"),
        ("proxy-connection", "keep-alive"), ("transfer-encoding", "chunked"), ("transfer-encoding", "identity"),
        ("upgrade", "h2c"), ("upgrade", "websocket"), ("te", "gzip"), ("te", "trailers, gzip"), ("te", "")]),
    Case("8.2.2 te: trailers", field("te", "trailers"), Status(200)),
    Case("8.2.2 connection in trailers", OPEN + data(1, b"1") + headers(1, [("connection", "close")]), MALFORMED),
    Case("8.2.2 transfer-encoding in trailers",
         OPEN + data(1, b"1") + headers(1, [("transfer-encoding", "chunked")]), MALFORMED),
    Case("8.2.3 cookies in pieces",
         headers(1, [*GET, ("cookie", "a=1"), ("cookie", "b=2"), ("cookie", "c=3")]), Status(200)),
    Case("8.3 a pseudo-field behind a field", headers(1, [("a", "1"), *GET]), MALFORMED),
    Case("8.3 one pseudo-field behind a field", headers(1, [*GET[:3], ("a", "1"), GET[3]]), MALFORMED),
    *(Case(f"8.3 {name} in a request", field(name), MALFORMED)
      for name in (":x", ":", ":status", ":Path", ":protocol")),
    *(Case(f"8.3 {name} twice", headers(1, [*GET, (name, value)]), MALFORMED) for name, value in GET),
    Case("8.3 :path in trailers", OPEN + data(1, b"1") + headers(1, [(":path", "/")]), MALFORMED),
    Case("8.3 :status in trailers", OPEN + data(1, b"1") + headers(1, [(":status", "200")]), MALFORMED),
    *(Case(f"8.3.1 no {name}", headers(1, changed(name, None)), MALFORMED) for name in (":method", ":scheme", ":path")),
    Case("8.3.1 neither :authority nor Host", headers(1, changed(":authority", None)), MALFORMED),
    Case("8.3.1 no fields at all", headers(1, b""), MALFORMED),
    Case("8.3.1 fields and no pseudo-fields", headers(1, [("a", "1"), ("host", "localhost")]), MALFORMED),
    *(Case(f"8.3.1 a path of {path!r}", headers(1, changed(":path", path)), MALFORMED)
      for path in ("", "livez", "*", "http://localhost/livez", "/a b", "/a\0", "/a\r\nb: c", "/\x7F")),
    *(Case(f"8.3.1 a method of {method!r}", headers(1, changed(":method", method)), MALFORMED)
      for method in ("", "G T", "GET\r\n", "GET/", "G\0T")),
    *(Case(f"8.3.1 a scheme of {scheme!r}", headers(1, changed(":scheme", scheme)), MALFORMED)
      for scheme in ("", "ht tp", "http:", "1http")),
    Case("8.3.1 the authority's user information", headers(1, changed(":authority", "user@localhost")), Status(400)),
    Case("8.3.1 Host that differs from :authority", field("host", "elsewhere"), Status(400)),
    Case("8.3.1 Host that is :authority", field("host", "localhost"), Status(200)),
    Case("8.3.1 Host in the place of :authority", headers(1, [*GET[:3], ("host", "localhost")]), Status(200)),
    Case("8.3.1 Host twice", headers(1, [*GET[:3], ("host", "localhost"), ("host", "localhost")]), MALFORMED),
    Case("8.3.1 OPTIONS of *", headers(1, changed(":path", "*", changed(":method", "OPTIONS"))), Status(204)),
    Case("8.3.1 an unknown method", headers(1, changed(":method", "BREW")), Status(405)),
    Case("8.5 CONNECT with :scheme",
         headers(1, [(":method", "CONNECT"), (":scheme", "http"), (":authority", "h:1")]), MALFORMED),
    Case("8.5 CONNECT with :path",
         headers(1, [(":method", "CONNECT"), (":path", "/"), (":authority", "h:1")]), MALFORMED),
    Case("8.5 CONNECT without :authority", headers(1, [(":method", "CONNECT")]), MALFORMED),
    Case("8.5 CONNECT", headers(1, [(":method", "CONNECT"), (":authority", "h:1")]), Status(501)),
    Case("8.5 CONNECT of RFC 8441, which was not offered",
         headers(1, [*changed(":method", "CONNECT"), (":protocol", "websocket")]), MALFORMED),
]

HPACK = [
    Case("2.3.3 a field beyond an empty table", headers(1, SHORT + b"\xBE"), COMPRESSION),
    Case("2.3.3 a field beyond a table of one", headers(1, SHORT + indexed("a", "b") + b"\xBF"), COMPRESSION),
    Case("2.3.3 a name beyond the table", headers(1, SHORT + integer(62, 6, 0x40) + b"\x01x"), COMPRESSION),
    Case("2.3.3 the last field of the static table", headers(1, SHORT + b"\xBD"), Status(200)),
    Case("2.3.3 a field of the dynamic table", headers(1, SHORT + indexed("a", "b") + b"\xBE"), Status(200)),
    Case("2.3.2 the dynamic table lasts from request to request",
         (headers(1, SHORT + indexed("a", "b")), headers(3, SHORT + b"\xBE")), Status(200, 3)),
    Case("2.3.2 the dynamic table is filled by a malformed request",
         (headers(1, SHORT + b"\0\x01A\x011" + indexed("a", "b")), was_reset(1), headers(3, SHORT + b"\xBE"), ended(3)),
         MALFORMED),
    Case("4.2 a table size above the limit", headers(1, integer(4097, 5, 0x20) + SHORT), COMPRESSION),
    Case("4.2 a table size of the limit", headers(1, integer(4096, 5, 0x20) + SHORT), Status(200)),
    Case("4.2 a table size behind a field", headers(1, SHORT + b"\x20"), COMPRESSION),
    Case("4.2 a table size between fields", headers(1, b"\x82\x20" + SHORT[1:]), COMPRESSION),
    Case("4.2 two table sizes", headers(1, b"\x20" + integer(4096, 5, 0x20) + SHORT), Status(200)),
    Case("4.2 a table size at the start of trailers", OPEN + data(1, b"1") + headers(1, b"\x20" + block([("a", "b")])),
         Status(200)),
    Case("4.3 a smaller table evicts its fields",
         (headers(1, SHORT + indexed("a", "b")), ended(1), headers(3, b"\x20" + SHORT + b"\xBE")), COMPRESSION),
    Case("4.3 a table that was emptied and is large again is empty",
         (headers(1, SHORT + indexed("a", "b")), ended(1),
          headers(3, b"\x20" + integer(4096, 5, 0x20) + SHORT + b"\xBE")),
         COMPRESSION),
    Case("4.4 a field larger than the table empties it",
         headers(1, SHORT + indexed("a", "b") + indexed("c", "x" * 4096) + b"\xBE"), COMPRESSION),
    Case("4.4 the oldest field is evicted",
         headers(1, SHORT + THREE + b"\xC0"),
         COMPRESSION),
    Case("4.4 a field in the place of those evicted",
         headers(1, SHORT + THREE + b"\xBE\xBF"),
         Status(200)),
    Case("5.1 an index that overflows", headers(1, SHORT + b"\xFF" + b"\xFF" * 10 + b"\x7F"), COMPRESSION),
    Case("5.1 the length of a name that overflows",
         headers(1, SHORT + b"\0\x7F" + b"\xFF" * 10 + b"\x7F"), COMPRESSION),
    Case("5.1 the length of a value that overflows",
         headers(1, SHORT + b"\0\x01a\x7F" + b"\xFF" * 5 + b"\x0F"), COMPRESSION),
    Case("5.1 a table size that overflows", headers(1, b"\x3F" + b"\xFF" * 10 + b"\x7F" + SHORT), COMPRESSION),
    Case("5.1 a number of many octets that mean nothing",
         headers(1, SHORT + b"\xFF" + b"\x80" * 1000 + b"\0"), COMPRESSION),
    Case("5.1 a number that does not end", headers(1, SHORT + b"\xFF\x80"), COMPRESSION),
    Case("5.2 a name that does not end", headers(1, SHORT + b"\0\x05ab"), COMPRESSION),
    Case("5.2 a value that does not end", headers(1, SHORT + b"\0\x01a\x05b"), COMPRESSION),
    Case("5.2 a value that is missing", headers(1, SHORT + b"\0\x01a"), COMPRESSION),
    Case("5.2 Huffman's code with padding of eight bits", headers(1, SHORT + b"\0\x01a\x82\x1F\xFF"), COMPRESSION),
    Case("5.2 Huffman's code with padding of zeros", headers(1, SHORT + b"\0\x01a\x81\x18"), COMPRESSION),
    Case("5.2 Huffman's code with EOS", headers(1, SHORT + b"\0\x01a\x84\xFF\xFF\xFF\xFC"), COMPRESSION),
    Case("5.2 Huffman's code with EOS in a name", headers(1, SHORT + b"\0\x84\xFF\xFF\xFF\xFF\x01b"), COMPRESSION),
    Case("5.2 Huffman's code", headers(1, SHORT + b"\0\x01a\x81\x1F"), Status(200)),
    Case("5.2 Huffman's code in an upper-case name", headers(1, SHORT + b"\0\x81\x87\x01b"), MALFORMED),
    Case("6.1 index 0", headers(1, SHORT + b"\x80"), COMPRESSION),
    Case("6.2.1 a literal that is indexed with a static name", headers(1, SHORT + b"\x7A\x01x"), Status(200)),
    Case("6.2.3 a literal that is never indexed", headers(1, SHORT + b"\x10\x01a\x01b"), Status(200)),
    Case("6.2.3 a literal that is never indexed does not enter the table", headers(1, SHORT + b"\x10\x01a\x01b\xBE"),
         COMPRESSION),
    Case("6.2.2 a literal without indexing does not enter the table",
         headers(1, SHORT + b"\0\x01a\x01b\xBE"), COMPRESSION),
    Case("6.3 the largest table size that can be written",
         headers(1, integer(2**32 - 1, 5, 0x20) + SHORT), COMPRESSION),
]

CASES = MESSAGES + HPACK


@pytest.mark.parametrize("case", parameters(CASES))
def test_a_message_has_the_consequence_of_its_section(service, case):
    service.check(case)


@pytest.mark.parametrize("case", parameters(first_of_each_section(CASES)))
def test_over_TLS_a_message_has_the_same_consequence(sealed, case):
    sealed.check(case)


@pytest.mark.parametrize("fault", [
    length("2", b"7"), length("1", b"78"), headers(1, [*PUT, ("connection", "close")], False) + data(1, b"7", True),
    OPEN + data(1, b"7") + headers(1, [(":path", "/")]), OPEN + data(1, b"7") + headers(1, [("a", "b")], False),
], ids=["short", "long", "connection", "pseudo-field in trailers", "trailers that do not end"])
def test_8_1_1_a_malformed_request_changes_nothing(service, fault):
    service.put("/v1/directors/book/variables/x", b"5")
    with service.connect() as peer:
        peer.send(fault)
        peer.wait(lambda: 1 in peer.resets)
    assert service.bystander.answer(changed(":path", "/v1/directors/book/variables/x")) == (200, b"5")


def test_4_3_an_encoder_of_others_is_understood_through_many_requests(service):
    encoder = hpack.Encoder()
    with service.connect() as peer:
        for number in range(200):
            if number % 50 == 49:
                encoder.header_table_size = number % 4 * 1000
            fields = [*GET, (f"name-{number % 70}", "value " * (number % 20) + "."),
                      hpack.NeverIndexedHeaderTuple("z", "1")]
            peer.send(headers(2 * number + 1, encoder.encode(fields, huffman=number % 2 == 0)))
        peer.wait(lambda: len(peer.ended) == 200)
        assert {peer.status(stream) for stream in peer.ended} == {200} and not peer.resets and peer.goaway is None


def test_8_6_an_offer_to_upgrade_is_not_taken(service):
    with socket.create_connection(("127.0.0.1", service.server.port), PATIENCE) as plain:
        plain.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\n"
                      b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n")
        answer = b""
        while piece := plain.recv(65536):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 200 ") and b"\r\n\r\nok\n" in answer and b"upgrade" not in answer.lower()


@pytest.mark.parametrize(("offered", "taken"), [
    (["h2"], "h2"), (["http/1.1", "h2"], "h2"), (["http/1.1"], "http/1.1"), (["http/1.1", "h2c"], "http/1.1"),
    ([], None)])
def test_3_2_what_is_spoken_over_TLS_is_agreed_upon(sealed, offered, taken):
    context = sealed.trusting()
    if offered:
        context.set_alpn_protocols(offered)
    else:
        context = ssl.create_default_context(cadata=None)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with Peer(sealed.server.port, context, begins=False) as peer:
        assert peer.socket.selected_alpn_protocol() == taken
        peer.send(PREFACE + setting() + headers(1))
        if taken == "h2":
            peer.wait(lambda: 1 in peer.ended)
        else:
            peer.drain()
            assert not peer.frames and peer.input.startswith(b"HTTP/1.1 505 ")


def test_9_2_2_the_cipher_that_has_to_be_there_is(sealed):
    context = sealed.trusting()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("ECDHE-ECDSA-AES128-GCM-SHA256")
    context.set_ecdh_curve("prime256v1")
    with Peer(sealed.server.port, context) as peer:
        assert peer.answer()[0] == 200 and peer.socket.version() == "TLSv1.2"
