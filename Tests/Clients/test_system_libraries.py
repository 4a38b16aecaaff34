"""What the C targets use of the system's libraries, in the forms that one release and the next have it in."""

import re
import subprocess
from pathlib import Path

import pytest

from support.fakes import CHECKOUT

# Debian 13's libcurl has as macros of type long what Debian 12's has as enumerations.
MACROS = """
#undef CURL_NETRC_IGNORED
#define CURL_NETRC_IGNORED 0L
#undef CURL_HTTP_VERSION_1_1
#define CURL_HTTP_VERSION_1_1 2L
#undef CURL_HTTP_VERSION_2_0
#define CURL_HTTP_VERSION_2_0 3L
#undef CURL_HTTP_VERSION_2TLS
#define CURL_HTTP_VERSION_2TLS 4L
#undef CURL_POLL_IN
#define CURL_POLL_IN 1L
"""
OLD = """
#undef LIBCURL_VERSION_NUM
#define LIBCURL_VERSION_NUM 0x075400
"""
PROBE = """
import CCurl
let options: [Int] = [CCURL_NETRC_IGNORED, CCURL_HTTP_VERSION_1_1, CCURL_HTTP_VERSION_2_0, CCURL_HTTP_VERSION_2TLS]
let events: [Int32] = [CCURL_POLL_IN, CCURL_POLL_OUT, CCURL_POLL_REMOVE, CCURL_CSELECT_IN, CCURL_CSELECT_OUT]
let sockets: [curl_socket_t] = [CCURL_SOCKET_BAD, CCURL_SOCKET_TIMEOUT]
"""


def check_in_swift(tmp_path: Path, swiftc: str, amendment: str) -> subprocess.CompletedProcess:
    """Has Swift check the types of libcurl's values, with a header that says something else than the installed one."""
    (tmp_path / "curl").mkdir()
    (tmp_path / "curl" / "curl.h").write_text(f"#include_next <curl/curl.h>\n{amendment}")
    (tmp_path / "probe.swift").write_text(PROBE)
    return subprocess.run(
        [swiftc, "-typecheck", "-module-cache-path", tmp_path / "modules", "-Xcc", f"-I{tmp_path}",
         "-I", CHECKOUT / "Sources" / "CCurl", tmp_path / "probe.swift"],
        text=True, timeout=300, capture_output=True)


@pytest.mark.parametrize("amendment", ["", MACROS], ids=["as installed", "as macros (libcurl 8.14)"])
def test_libcurls_values_have_one_type_in_swift_whatever_form_its_header_has_them_in(tmp_path, tool, amendment):
    done = check_in_swift(tmp_path, tool("swiftc", "swiftlang"), amendment)
    assert done.returncode == 0, done.stderr


def test_a_libcurl_that_is_too_old_is_refused_with_a_sentence(tmp_path, tool):
    done = check_in_swift(tmp_path, tool("swiftc", "swiftlang"), OLD)
    assert done.returncode != 0 and "Callboard needs libcurl 7.85 or later" in done.stderr


@pytest.mark.parametrize("target", ["HTTPClient", "../Tests/HTTPClientTests"])
def test_swift_takes_libcurls_values_from_the_shim_alone(target):
    for path in sorted((CHECKOUT / "Sources" / target).rglob("*.swift")):
        code = re.sub(r"//.*", "", path.read_text())
        assert not (named := re.findall(r"\bCURL_[A-Z0-9_]+", code)), f"{path}: {named}"


# simdjson as far as the C++ code reaches into it.
SIMDJSON = """
#ifndef SIMDJSON_H
#define SIMDJSON_H
#define SIMDJSON_IMPLEMENTATION_H
#include <cstddef>
#include <cstdint>
#include <memory>
namespace simdjson {
enum error_code { SUCCESS, EMPTY, UTF8_ERROR, UNESCAPED_CHARS, UNCLOSED_STRING };
enum class stage1_mode { regular };
namespace internal {
class dom_parser_implementation {
  public:
    virtual error_code stage1(const uint8_t *bytes, size_t length, stage1_mode mode) noexcept = 0;
    virtual ~dom_parser_implementation() = default;
    size_t capacity() const noexcept;
    uint32_t n_structural_indexes{0};
    std::unique_ptr<uint32_t[]> structural_indexes{};
};
}
class implementation {
  public:
    virtual error_code create_dom_parser_implementation(
        size_t capacity, size_t depth, std::unique_ptr<internal::dom_parser_implementation> &made) const noexcept = 0;
};
const implementation *get_active_implementation();
}
#endif
"""


def compile_against(tmp_path: Path, compiler: str, simdjson: str) -> subprocess.CompletedProcess:
    """Has the compiler check the C++ code with that in the place of simdjson's header."""
    (tmp_path / "simdjson.h").write_text(simdjson)
    sources = CHECKOUT / "Sources" / "CSimdJSON"
    return subprocess.run(
        [compiler, "-std=gnu++17", "-fsyntax-only", "-w", f"-I{tmp_path}", f"-I{sources / 'include'}",
         str(sources / "CSimdJSON.cpp")],
        text=True, timeout=120, capture_output=True)


def test_a_simdjson_that_is_the_same_inside_is_taken(tmp_path, tool):
    done = compile_against(tmp_path, tool("c++", "g++"), SIMDJSON)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "old, new, sentence",
    [
        ("class dom_parser_implementation {\n", "class parser {\n", "there is no simdjson::internal::dom_parser_impl"),
        ("{ regular }", "{ whole }", "there is no simdjson::stage1_mode::regular"),
        ("size_t length, stage1_mode mode) noexcept", "size_t length, bool streaming) noexcept", "stage1 does not take"),
        ("std::unique_ptr<uint32_t[]> structural", "std::unique_ptr<uint64_t[]> structural",
         "structural_indexes is no unique_ptr<uint32_t[]>"),
        ("uint32_t n_structural_indexes{0};", "", "n_structural_indexes is no uint32_t"),
        ("size_t capacity() const noexcept;", "bool capacity() const noexcept;", "capacity() gives no size_t"),
        ("size_t capacity, size_t depth, ", "size_t capacity, ", "create_dom_parser_implementation does not make one"),
    ],
    ids=["class", "mode", "stage1", "indexes", "count", "capacity", "making"])
def test_a_simdjson_that_is_another_inside_is_refused_with_a_sentence(tmp_path, tool, old, new, sentence):
    assert old in SIMDJSON
    done = compile_against(tmp_path, tool("c++", "g++"), SIMDJSON.replace(old, new))
    assert done.returncode != 0 and sentence in done.stderr
    assert "change Sources/CSimdJSON for it, then run the tests of JSONValues" in done.stderr
