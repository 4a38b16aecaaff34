"""The browser that all tests of a process share, and the console in it. What needs selenium is skipped where it is not."""

import pytest


@pytest.fixture(scope="session")
def chrome(tool):
    from support.console import make_driver
    driver = make_driver(tool("chromium", "chromium"), tool("chromedriver", "chromium-driver"))
    yield driver
    driver.quit()


@pytest.fixture
def console(chrome, tool):
    """Opens the console of a server; when the test is over, the page must have been quiet."""
    from support.console import Front, Page
    fronts, pages = [], []

    def open_console(server, address: str = "/", **size: int):
        fronts.append(Front(tool("node", "nodejs"), server.url))
        pages.append(Page(chrome, fronts[-1], **size))
        return pages[-1].open(address)

    yield open_console
    try:
        for page in pages:
            page.assert_quiet()
    finally:
        chrome.get("about:blank")
        for front in fronts:
            front.stop()
