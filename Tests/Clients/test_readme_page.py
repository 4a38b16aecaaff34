"""The page that the README has its readers copy, in Chromium, in front of a real server."""

import json
import re
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.documents import examples, section  # noqa: E402
from support.pages import served, until  # noqa: E402
from support.ports import free_port  # noqa: E402

COUNTRIES = Path("/usr/share/iso-codes/json/iso_3166-2.json")


@pytest.fixture
def page(start, program, chrome, tmp_path):
    """Saves and serves the README's page; gives the server, the page's address, the section's text and the file."""
    text, port = section("README.md", "On a web page"), free_port()
    [settings] = re.findall(r"^CALLBOARD_CORS_ORIGINS=(\S+) Config/run$", text, re.M)
    server = start(CORS_ORIGINS=settings.replace(":8000", f":{port}"))
    [file] = examples(text, "html")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/countries.html").write_text(file.replace(":8080", f":{server.port}"))
    [address] = re.findall(r"<(http://localhost:8000/\S+)>", text)
    chrome.get_log("browser")
    with served(tmp_path / "pages", port):
        yield server, address.replace(":8000", f":{port}"), text, file
        chrome.get("about:blank")


def load(program: str, server) -> None:
    subprocess.run([program, "load", COUNTRIES, "--director", "countries", "--identifier", "{code}", "--section-field", "code",
                    "--section-separator", "-", "--server", server.url], check=True, capture_output=True)


def test_a_row_of_the_page_changes_where_it_stands(page, program, chrome):
    server, address, text, file = page
    assert len(file.splitlines()) <= 15
    load(program, server)
    chrome.get(address)

    def row(code: str) -> str | None:
        return chrome.execute_script(
            "return [...document.querySelectorAll('li')].find(row => row.textContent.startsWith(arguments[0]))?.textContent", code)

    before = until(lambda: row("AD-07 "))
    chrome.execute_script("window.row = [...document.querySelectorAll('li')].find(row => row.textContent.startsWith('AD-07'))")
    assert chrome.execute_script("return document.querySelectorAll('li').length") == len(json.loads(COUNTRIES.read_text())["3166-2"])
    [command] = [each for each in examples(text, "sh") if "PATCH" in each]
    subprocess.run(["sh", "-ec", command.replace("curl ", "curl --fail --silent ").replace(":8080", f":{server.port}")],
                   check=True, capture_output=True)
    after = until(lambda: now if (now := row("AD-07 ")) != before else None)
    assert after == "AD-07 Andorra la Nova" != before
    assert chrome.execute_script("return window.row.isConnected && window.row.textContent") == after, "the row keeps its node"
    errors = [entry for entry in chrome.get_log("browser") if "favicon.ico" not in entry["message"]]
    assert not errors, errors


def test_the_page_says_what_is_missing(page, chrome):
    _, address, _, _ = page
    chrome.get(address)
    assert "countries" in until(lambda: chrome.execute_script("return document.body.innerText"))
