"""The console's policy (Content-Security-Policy), as the browser says that it enforces it."""

import http.server
import threading
import time

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")

# What each kind of markup or script is refused by. Each tries to leave a mark in `window.ran`, or to ask elsewhere.
ATTEMPTS = {
    "script": ("script-src-elem", "make('script', {textContent: 'ran.push(\"script\")'})"),
    "foreign script": ("script-src-elem", "make('script', {src: elsewhere + '/script'})"),
    "handler": ("script-src-attr", "box.innerHTML = `<button onclick='ran.push(\"handler\")'>b</button>`; box.firstChild.click()"),
    "image's handler": ("script-src-attr", "box.innerHTML = `<img src='/nothing' onerror='ran.push(\"image\")'>`"),
    "link": ("script-src-elem", "make('a', {href: 'javascript:ran.push(\"link\")', textContent: 'l'}).click()"),
    "eval": ("script-src", "try { eval('ran.push(\"eval\")') } catch {}"),
    "timer": ("script-src", "try { setTimeout('ran.push(\"timer\")') } catch {}"),
    "image": ("img-src", "make('img', {src: elsewhere + '/image'})"),
    "style": ("style-src-elem", "make('style', {textContent: `#box { background: url(${elsewhere}/style) }`})"),
    "style's attribute": ("style-src-attr", "box.innerHTML = `<p style='background: url(${elsewhere}/attribute)'>p</p>`"),
    "frame": ("frame-src", "make('iframe', {src: elsewhere + '/frame'})"),
    "object": ("object-src", "make('object', {data: elsewhere + '/object'})"),
    "request": ("connect-src", "fetch(elsewhere + '/request', {mode: 'no-cors'}).catch(() => {})"),
    "base": ("base-uri", "make('base', {href: elsewhere + '/base/'}); if (document.baseURI.endsWith('/base/')) ran.push('base')"),
    "form": ("form-action", """box.innerHTML = `<form method="post" target="sink" action="${elsewhere}/form"><input name="a"></form>
        <iframe name="sink"></iframe>`; box.firstChild.submit()"""),
}

# Puts something into the page, a little later: what a driver itself evaluates is not held to the policy.
ATTEMPT = """
const [elsewhere, done] = arguments;
window.ran = [];
window.violations = [];
document.addEventListener("securitypolicyviolation", ({effectiveDirective, disposition}) => violations.push([effectiveDirective, disposition]));
const box = document.body.appendChild(document.createElement("div"));
box.id = "box";
const make = (tag, members) => {
  const node = Object.assign(document.createElement(tag), members);
  (tag === "base" ? document.head : box).append(node);
  return node;
};
setTimeout(() => { %s; setTimeout(done); });
"""


class Elsewhere(http.server.ThreadingHTTPServer):
    """Another origin, which notes what is asked of it; its own page has no policy."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        # The browser asks for an icon by itself, whenever it has the time.
        if self.path != "/favicon.ico":
            self.server.asked.append(self.path)
        content = b'<!doctype html><html lang="en"><title>open</title><main></main>' if self.path == "/" else b""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET

    def log_message(self, *_):
        pass


@pytest.fixture
def elsewhere():
    made = Elsewhere()
    yield made
    made.shutdown()
    made.server_close()


def attempt(driver, page: str, elsewhere: Elsewhere, code: str) -> None:
    driver.get(page)
    until(lambda: driver.find_elements("css selector", "main"), f"{page} shows nothing")
    driver.execute_async_script(ATTEMPT % code, elsewhere.url)


def until(condition, says: str) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, says
        time.sleep(0.05)


@pytest.mark.parametrize("name", ATTEMPTS)
def test_the_browser_refuses_what_the_console_does_not_serve(server, chrome, elsewhere, name):
    """The headers are the server's own; the same markup does its harm on a page without a policy."""
    directive, code = ATTEMPTS[name]
    attempt(chrome, f"{elsewhere.url}/", elsewhere, code)
    until(lambda: chrome.execute_script("return window.ran.length") or set(elsewhere.asked) - {"/", "/nothing"},
          "the attempt does no harm anywhere, and so shows nothing")
    elsewhere.asked.clear()
    attempt(chrome, f"{server.url}/console/", elsewhere, code)
    until(lambda: chrome.execute_script("return window.violations.length"), "the browser reports no violation")
    violations = chrome.execute_script("return window.violations")
    assert [directive, "enforce"] in violations and {each[1] for each in violations} == {"enforce"}, violations
    time.sleep(0.3)
    assert chrome.execute_script("return window.ran") == [] and elsewhere.asked == []


def test_the_console_stands_in_no_other_page(server, chrome, elsewhere):
    chrome.get(f"{elsewhere.url}/")
    chrome.get_log("browser")
    chrome.execute_script("document.body.append(Object.assign(document.createElement('iframe'), {src: arguments[0]}))", f"{server.url}/console/")
    said: list[str] = []
    until(lambda: said.extend(each["message"] for each in chrome.get_log("browser")) or any("frame-ancestors" in each for each in said),
          f"the browser does not refuse it: {said}")
