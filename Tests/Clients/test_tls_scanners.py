"""What the scanners testssl.sh and sslyze find in the TCP port over TLS, and the client and the load of nghttp2."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from conftest import BOOK
from support.ports import free_port

# What testssl says of a certificate of `callboard certificate`.
ALLOWED = {
    "cert_revocation": "a private authority has no list of revoked certificates and no OCSP responder to name",
    "cert_chain_of_trust": "a private authority is in no public store",
    "cert_trust": "a private authority vouches for names such as localhost",
    "DNS_CAArecord": "localhost has no record in the DNS",
    "OCSP_stapling": "a private authority has no OCSP responder",
    "certificate_transparency": "a private authority publishes no log",
}
# What testssl says of itself: that its openssl has no GOST, whose ciphers no server here has.
OF_ITSELF = {"engine_problem"}
# WARN and FATAL are what testssl says where a part of the scan has failed.
SERIOUS = {"MEDIUM", "HIGH", "CRITICAL", "WARN", "FATAL"}
# Protocols, standard ciphers, forward secrecy, the server's preferences and defaults, headers, vulnerabilities.
PARTS = ["-p", "-s", "-f", "-P", "-S", "-h", "-U"]
# One finding of each part: where it is missing, the scan has not been made.
EXPECTED = {"SSLv2", "TLS1", "TLS1_2", "TLS1_3", "cipherlist_NULL", "PFS", "cipher_order", "cert_keySize",
            "HTTP_status_code", "heartbleed", "secure_client_renego", "LUCKY13", "RC4"}


@pytest.fixture
def certificate(program, tmp_path) -> Path:
    """The folder of a certificate that the program has made."""
    folder = tmp_path / "certificates"
    subprocess.run([program, "certificate", "--out", str(folder)], check=True, capture_output=True)
    return folder


@pytest.fixture
def secure(start, certificate):
    """A server with that certificate."""
    return start(TLS_CERTIFICATE=str(certificate / "certificate.pem"), TLS_KEY=str(certificate / "key.pem"))


@pytest.fixture
def weak(tool, certificate):
    """The port of another program's server, which speaks TLS 1.0 with any cipher: what a scanner is there to find."""
    port = free_port()
    command = [tool("openssl", "openssl"), "s_server", "-accept", str(port),
               "-cert", str(certificate / "certificate.pem"), "-key", str(certificate / "key.pem"),
               "-tls1", "-cipher", "ALL:COMPLEMENTOFALL:@SECLEVEL=0", "-www"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
                break
            assert process.poll() is None and time.monotonic() < deadline, "openssl s_server does not listen"
            time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait()


def findings_of(program: str, port: int, authority: Path, folder: Path, *parts: str) -> list[dict]:
    """The findings of testssl, each with `id`, `severity` and `finding`."""
    written = folder / f"testssl-{port}.json"
    command = [program, "--jsonfile", str(written), "--warnings", "off", "--color", "0", "--quiet", "--ip", "one",
               "--nodns", "min", "--add-ca", str(authority), *parts, f"https://localhost:{port}/"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False)
    assert written.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(written.read_text())


def serious(findings: list[dict]) -> dict[str, str]:
    """What is of severity medium or higher."""
    return {each["id"]: f"{each['severity']}: {each['finding']}" for each in findings
            if each["severity"] in SERIOUS and each["id"] not in OF_ITSELF}


def test_testssl_finds_nothing_of_weight(secure, certificate, tool, tmp_path):
    findings = findings_of(tool("testssl", "testssl.sh"), secure.port, certificate / "authority.pem", tmp_path, *PARTS)
    missing = EXPECTED - {each["id"] for each in findings}
    assert not missing, f"these parts of the scan were not made: {missing}"
    found = serious(findings)
    print(f"{len(findings)} findings, of weight: {found}")
    # testssl closes its connection at once, and where the session's ticket comes later than that, it has none to try.
    for attempt in range(5):
        if "WARN" not in found.get("sessionresumption_ticket", ""):
            break
        folder = tmp_path / str(attempt)
        folder.mkdir()
        again = findings_of(tool("testssl", "testssl.sh"), secure.port, certificate / "authority.pem", folder, "-S")
        found = {name: text for name, text in found.items() if "sessionresumption" not in name} | serious(again)
    assert not {name: text for name, text in found.items() if name not in ALLOWED}


def test_testssl_would_find_a_weak_server(weak, certificate, tool, tmp_path):
    found = serious(findings_of(tool("testssl", "testssl.sh"), weak, certificate / "authority.pem", tmp_path, "-p"))
    assert {"TLS1_2", "TLS1_3"} & found.keys() and not found.keys() & ALLOWED.keys(), found


@pytest.fixture
def sslyze(tmp_path):
    """Scans a port with sslyze: its exit status, what it prints, and its findings."""
    # It has an environment of its own, since it takes an older `cryptography` than the other tests.
    program = os.environ.get("CALLBOARD_SSLYZE") or shutil.which("sslyze")
    if program is None:
        pytest.skip("sslyze is not installed (Config/requirements-sslyze.txt; CALLBOARD_SSLYZE names the program)")

    def scan(port: int, authority: Path) -> tuple[int, str, dict]:
        written = tmp_path / f"sslyze-{port}.json"
        done = subprocess.run(
            [program, "--json_out", str(written), "--mozilla_config", "intermediate",
             "--certinfo_ca_file", str(authority), f"localhost:{port}"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        (result,) = json.loads(written.read_text())["server_scan_results"]
        assert result["connectivity_status"] == "COMPLETED", done.stdout
        return done.returncode, done.stdout, result["scan_result"]

    return scan


OLD = ["ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1"]
# What each of sslyze's other scans has to say.
REQUIRED = {
    "tls_compression": {"supports_compression": False}, "heartbleed": {"is_vulnerable_to_heartbleed": False},
    "openssl_ccs_injection": {"is_vulnerable_to_ccs_injection": False},
    "tls_fallback_scsv": {"supports_fallback_scsv": True},
    "robot": {"robot_result": "NOT_VULNERABLE_RSA_NOT_SUPPORTED"},
    "session_renegotiation": {
        "supports_secure_renegotiation": True, "is_vulnerable_to_client_renegotiation_dos": False},
    "tls_extended_master_secret": {"supports_ems_extension": True},
}


def weaknesses(scan: dict) -> list[str]:
    """What a scan of sslyze has found, besides that public authorities do not vouch for the certificate."""
    found = [f"{name} failed: {part['error_reason']}" for name, part in scan.items()
             if part["status"] not in ("COMPLETED", "NOT_SCHEDULED")]
    for name, values in REQUIRED.items():
        result = scan[name]["result"] or {}
        found += [f"{name}: {key} is {result.get(key)}" for key, value in values.items() if result.get(key) != value]
    versions = {name: scan[f"{name}_cipher_suites"]["result"] or {} for name in [*OLD, "tls_1_2", "tls_1_3"]}
    found += [f"{name} is {supported}" for name, result in versions.items()
              if (supported := result.get("is_tls_version_supported")) is not (name not in OLD)]
    for deployment in (scan["certificate_info"]["result"] or {}).get("certificate_deployments", []):
        supplied = [each for each in deployment["path_validation_results"]
                    if each["trust_store"]["name"].startswith("Supplied")]
        if not supplied or not all(each["was_validation_successful"] for each in supplied):
            found.append("the certificate's own authority does not vouch for it")
    return found


def test_sslyze_finds_the_port_as_mozilla_recommends(secure, certificate, sslyze):
    status, printed, scan = sslyze(secure.port, certificate / "authority.pem")
    assert not weaknesses(scan)
    assert status == 0 and "OK - Compliant" in printed, printed[-1500:]


def test_sslyze_would_find_a_weak_server(weak, certificate, sslyze):
    status, printed, scan = sslyze(weak, certificate / "authority.pem")
    assert status != 0 and "OK - Compliant" not in printed
    found = weaknesses(scan)
    assert "tls_1_0 is True" in found and "tls_1_2 is False" in found, found


@pytest.fixture(params=["in the clear", "over TLS"])
def port(request, start, certificate):
    """The address of a server that takes HTTP/2 in one way; in the clear it is spoken without an upgrade."""
    if request.param == "over TLS":
        paths = {"TLS_CERTIFICATE": str(certificate / "certificate.pem"), "TLS_KEY": str(certificate / "key.pem")}
        return start(**paths).port, "https"
    return start(HTTP2_CLEARTEXT="true").port, "http"


def nghttp(program: str, *arguments: str) -> str:
    """What nghttp tells of every frame, without the colours."""
    done = subprocess.run([program, "-nv", "--no-dep", *arguments], capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)


def test_nghttp_and_h2load_get_every_answer(port, tool, tmp_path):
    number, scheme = port
    book, body = f"{scheme}://localhost:{number}{BOOK}", tmp_path / "body.json"
    program = tool("nghttp", "nghttp2-client")

    def sent(method: str, path: str, value: dict) -> str:
        body.write_text(json.dumps(value))
        fields = ["-H", f":method: {method}", "-H", "content-type: application/json"]
        return nghttp(program, *fields, "-d", str(body), book + path)

    assert ":status: 201" in sent("PUT", "", {"kind": "table"})
    told = sent("POST", "/sections?reload=true", {"id": "s", "elements": []})
    assert ":status: 201" in told and re.search(r"recv DATA frame <.*\n\s+; END_STREAM", told), told
    told = nghttp(program, book)
    assert ":status: 200" in told and "error_code=NO_ERROR" in told, told
    assert re.search(r"recv GOAWAY frame|recv RST_STREAM frame", told) is None, told
    assert ":status: 404" in nghttp(program, f"{book}x")

    done = subprocess.run([tool("h2load", "nghttp2-client"), "-n", "20000", "-c", "8", "-m", "32", book],
                          capture_output=True, text=True, timeout=120, check=False)
    print(done.stdout)
    assert f"Application protocol: {'h2' if scheme == 'https' else 'h2c'}\n" in done.stdout
    assert "status codes: 20000 2xx, 0 3xx, 0 4xx, 0 5xx" in done.stdout, done.stdout
    assert "20000 succeeded, 0 failed, 0 errored, 0 timeout" in done.stdout, done.stdout
