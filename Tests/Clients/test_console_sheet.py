"""The contact sheet of the console without pictures: every page and state, from a wide window to one that is zoomed to 400 %."""

import sys

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.documents import CHECKOUT  # noqa: E402

sys.path.append(str(CHECKOUT / "Tests/WebConsole"))
import contact_sheet  # noqa: E402
import pictures  # noqa: E402
from states import STATES  # noqa: E402

# A window of 1,280 px has 640 at 200 %, and 320 at 400 %.
WIDTHS = {1280: 800, 900: 800, 640: 400, 390: 844, 320: 256}
# What is shown over a page of its own is looked at with it.
PARTS = 3


@pytest.fixture(scope="module")
def servers(program, tmp_path_factory):
    from support import nodes
    if not pictures.ISO.exists():
        pytest.skip("the countries are not installed (Debian: apt-get install iso-codes)")
    started = []

    def start(**settings: str):
        started.append(nodes.launch(program, tmp_path_factory.mktemp("sheet"), [], **settings))
        return started[-1]

    full = start(HOOKS_RETRY_DELAYS="0.02")
    pictures.fill(program, full.url)
    made = contact_sheet.Servers(full, start(), start(AUTH_MODE="required"))
    yield made
    made.stop()
    for each in started:
        each.stop()


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_is_cut_off_or_wider_than_its_window_at_any_width_or_zoom(servers, chrome, part):
    found = []
    for name, state in list(STATES.items())[part::PARTS]:
        contact_sheet.size(chrome, *next(iter(WIDTHS.items())))
        with contact_sheet.opened(chrome, servers, name, state):
            for width, height in WIDTHS.items():
                contact_sheet.size(chrome, width, height)
                found += contact_sheet.faults(chrome, name, width)
    contact_sheet.size(chrome, 1280, 800)
    assert not found, "\n".join(found)
