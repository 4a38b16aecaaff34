"""The contact sheet of the console in a short form: a few of its pages in two widths, without pictures."""

import sys

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.documents import CHECKOUT  # noqa: E402

sys.path.append(str(CHECKOUT / "Tests/WebConsole"))
import contact_sheet  # noqa: E402
import pictures  # noqa: E402

SHORT = ["list", "texts", "changesets", "deliveries", "server"]


def test_no_page_is_cut_off_or_wider_than_a_window(server, program, console, chrome):
    if not pictures.ISO.exists():
        pytest.skip("the countries are not installed (Debian: apt-get install iso-codes)")
    pictures.fill(program, server.url)
    contact_sheet.fill_states(server.url)
    page = console(server)
    page.tolerate(404, 409)
    pages = {name: contact_sheet.PAGES[name] for name in SHORT}
    assert contact_sheet.take(chrome, page.front.url, pages, {390: 844, 1440: 900}, lambda name: None) == []
