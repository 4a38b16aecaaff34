"""What clients speak to the server: CALLBOARD_TEST_PROTOCOL, h1 where it is not set, or h2, known beforehand."""

import os

import httpx
import pytest

PROTOCOL = os.environ.get("CALLBOARD_TEST_PROTOCOL") or "h1"
if PROTOCOL not in ("h1", "h2"):
    pytest.exit(f"CALLBOARD_TEST_PROTOCOL is {PROTOCOL!r}; it may be: h1, h2", 2)

IS_H2 = PROTOCOL == "h2"
# What a server needs, an httpx client or transport, and curl.
SETTINGS = {"HTTP2_CLEARTEXT": "true"} if IS_H2 else {}
VERSIONS = {"http1": False, "http2": True} if IS_H2 else {}
CURL = ["--http2-prior-knowledge"] if IS_H2 else []
STATUS_LINE = "HTTP/2" if IS_H2 else "HTTP/1.1"


def client(**options) -> httpx.Client:
    """An httpx client that speaks the protocol of this run, and asks no proxy."""
    return httpx.Client(trust_env=False, **VERSIONS, **options)


def only_h1(reason: str):
    """Leaves a test out where HTTP/2 has nothing of the kind."""
    return pytest.mark.skipif(IS_H2, reason=reason)
