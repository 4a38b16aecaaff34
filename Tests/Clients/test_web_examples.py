"""The examples of the pages for web developers, taken out of the pages: in Node, and in Chromium."""

import re
import subprocess
from pathlib import Path

import httpx
import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.documents import CHECKOUT, examples, section  # noqa: E402
from support.pages import served, until  # noqa: E402
from support.ports import free_port  # noqa: E402

from conftest import api  # noqa: E402

PAGES = "Sources/WebAssets/WebAssets.docc"
FRIENDS = "/v1/directors/contacts/sections/friends"


class Examples:
    """The pages' examples as files in a folder, with the addresses of a server and of a web server for the folder."""

    def __init__(self, folder: Path, server, port: int):
        self.folder, self.server, self.port = folder, server, port
        for page in ("OnAWebPage.md", "WithAFramework.md"):
            text = (CHECKOUT / PAGES / page).read_text()
            for language in ("js", "jsx", "ts", "tsx"):
                for example in examples(text, language):
                    name = re.match(r"// (\S+)\n", example).group(1)
                    (folder / name).write_text(self.addressed(example))

    def addressed(self, text: str) -> str:
        return text.replace(":8080", f":{self.server.port}").replace(":8000", f":{self.port}")

    def page(self, script: str, head: str = "") -> str:
        """Saves a page with a script, and gives its address."""
        (self.folder / "page.html").write_text(
            f'<!doctype html><meta charset="utf-8"><link rel="icon" href="data:">{head}<main></main><script type="module">{script}</script>')
        return f"http://localhost:{self.port}/page.html"

    def node(self, program: str, script: str) -> list[str]:
        """What a script prints in Node, which imports from files only."""
        client = httpx.get(f"{self.server.url}/client.js").text
        (self.folder / "client.js").write_text(client)
        (self.folder / "package.json").write_text('{"type": "module"}')
        for path in self.folder.glob("*.js"):
            path.write_text(path.read_text().replace(f"{self.server.url}/client.js", "./client.js"))
        (self.folder / "run.js").write_text(f"{script}\nprocess.exit(0);\n")
        done = subprocess.run([program, "run.js"], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()


@pytest.fixture
def written(start, tmp_path):
    """The examples, and the list of contacts that they are about."""
    port = free_port()
    server = start(CORS_ORIGINS=f"http://localhost:{port}")
    folder = tmp_path / "examples"
    folder.mkdir()
    made = Examples(folder, server, port)
    contacts = examples(section("Sources/CallboardAPI/CallboardAPI.docc/ChangingAList.md", "Overview"), "sh")[0]
    subprocess.run(["sh", "-ec", made.addressed(contacts).replace("curl ", "curl --fail --silent ")], check=True, capture_output=True)
    return made


@pytest.fixture
def node(tool) -> str:
    program = tool("node", "nodejs")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if int(re.match(r"v(\d+)", version).group(1)) < 20:
        pytest.skip(f"node is {version.strip()}, and the client needs 20 (Debian 13: apt-get install nodejs)")
    return program


def phone(client, name: str) -> str:
    return client.get(f"{FRIENDS}/elements/{name}").json()["value"]["phone"]


def test_every_example_is_run_or_said_not_to_be():
    """A new example has to be run here, or named in the page as one that is not."""
    names = {re.search(r"\S+\.\w+", each.split("\n", 1)[0]).group()
             for page in ("OnAWebPage.md", "WithAFramework.md") for language in ("js", "jsx", "ts", "tsx", "svelte")
             for each in examples((CHECKOUT / PAGES / page).read_text(), language)}
    there = Path(__file__).with_name("test_web_package.py").read_text()
    here = Path(__file__).read_text() + there
    run = {name for name in names if f'/{name.removesuffix("x").removesuffix(".ts")}' in here or f'"{name}"' in there}
    assert names - run == {"Contacts.svelte"}
    assert "was read, not run" in section(f"{PAGES}/WithAFramework.md", "Which of these are tested")


def test_reading_a_list(written, node):
    printed = written.node(node, """
        import "./read.js";
        import { board } from "./board.js";
        await new Promise(resolve => {
            board.follow("contacts").addEventListener("change", () => setTimeout(resolve));
            board.director("contacts").section("friends").patch("Ada_Lovelace", { phone: "1" }, { reload: true });
        });""")
    assert printed[0].endswith("[ 'Ada', 'Alan' ]")
    assert printed[1].startswith("version ") and "elementUpdated" in "".join(printed[1:])


def test_a_page_that_a_server_has_made(written, opened, chrome, node):
    """The page shows what it was made with before there is a stream, and goes on from there without a snapshot."""
    with api(written.server) as client:
        client.patch(f"{FRIENDS}/elements/Alan_Turing", params={"reload": "true"}, json={"phone": "</script><b>"})
        [script] = written.node(node, 'import { script } from "./write.js"; console.log(script);')
        assert "\\u003c/script>" in script
        client.patch(f"{FRIENDS}/elements/Ada_Lovelace", params={"reload": "true"}, json={"phone": "1843"})
        opened("""
            const send = window.fetch;
            window.fetch = (...given) => window.network.then(() => send(...given));
            import("/begin.js").then(async () => {
              window.list = (await import("/board.js")).board.follow("contacts");
              window.told = [];
              for (const type of ["snapshot", "resumed", "change"]) window.list.addEventListener(type, () => window.told.push(type));
            });""", f'{script}<script>window.network = new Promise(resolve => {{ window.begin = resolve; }});</script>')
        shows(chrome, "Friends", "1815", "</script><b>")
        assert chrome.execute_script("return window.list.isStale")
        chrome.execute_script("window.begin()")
        shows(chrome, "1843")
        assert chrome.execute_script("return window.told") == ["resumed", "change"]


def test_changing_a_list(written, node):
    printed = written.node(node, 'import "./change.js";')
    with api(written.server) as client:
        published = client.get(FRIENDS, params={"state": "published"}).json()
        assert [each["id"] for each in published["elements"]] == ["Alan_Turing", "Ada_Lovelace"]
        assert published["headerTitle"] == "Old friends" and phone(client, "Ada_Lovelace") == "1843"
    version = int(re.match(r"(\d+) \{", printed[0]).group(1))
    assert f"version: {version + 2}," in "".join(printed)


def test_a_change_that_shows_at_once(written, node):
    assert written.node(node, """
        import { call } from "./optimistic.js";
        import { board } from "./board.js";
        const list = board.follow("contacts"), phone = sections => sections[0].elements[0].value.phone;
        const outcome = call("Ada_Lovelace", "2");
        console.log(phone(list.shown), phone(list.sections));
        await outcome;
        await new Promise(resolve => setTimeout(resolve, 300));
        console.log(phone(list.shown), phone(list.sections));
        const refused = call("Ada_Lovelace", 1n).catch(() => {});
        console.log(phone(list.shown));
        await refused;
        console.log(phone(list.shown));""") == ["2 1815", "2 2", "1n", "2"]


def test_a_selection(written, node):
    identifiers = re.findall(r"'([^']+)'", "".join(written.node(node, 'import "./selection.js";')))
    assert "Ada_Lovelace" in identifiers and identifiers == sorted(identifiers), identifiers


def test_a_long_list(written, node, program):
    subprocess.run([program, "load", "/usr/share/iso-codes/json/iso_3166-2.json", "--director", "countries", "--identifier", "{code}",
                    "--section-field", "code", "--section-separator", "-", "--server", written.server.url], check=True, capture_output=True)
    lengths, *value = written.node(node, 'import "./sparse.js";')
    assert re.fullmatch(r"200 \d+ undefined", lengths) and "AD-0" in "".join(value)


def test_events(written, node):
    delivery, *values = written.node(node, 'import "./events.js";')
    assert delivery == "{ delivery: null }"
    assert "".join(values).count("source: 'default'") == 2


def test_errors(written, node):
    [printed] = written.node(node, 'import "./errors.js";')
    assert printed.startswith("404 false ") and "Nobody" in printed


def test_the_contract_of_a_store(written, node):
    """React compares snapshots by identity; Svelte is called at once, and never after it has unsubscribed."""
    assert written.node(node, """
        import { states, stop, isSame } from "./store.js";
        import { board } from "./board.js";
        const list = board.follow("contacts"), friends = board.director("contacts").section("friends");
        const change = phone => friends.patch("Ada_Lovelace", { phone }, { reload: true });
        const next = () => new Promise(resolve => list.addEventListener("change", () => setTimeout(resolve), { once: true }));
        console.log(isSame, states.length);
        await Promise.all([next(), change("1")]);
        console.log(states.length, states[0] === states[1], states[1] === list.getSnapshot());
        const [before, after] = states.map(state => state.sections[0].elements);
        console.log(before[0] === after[0], before[1] === after[1], before[0].value.phone);
        stop();
        await Promise.all([next(), change("2")]);
        console.log(states.length, list.getSnapshot().sections[0].elements[0].value.phone);
        """) == ["true 1", "2 false true", "false true 1815", "2 2"]


def test_types(written, node, tool):
    compiler = tool("tsc", "node-typescript")
    for name in ("client.js", "client.d.ts", "list.js", "list.d.ts", "offline.js", "offline.d.ts"):
        (written.folder / name).write_text(httpx.get(f"{written.server.url}/{name}").text)
        assert "@internal" not in (written.folder / name).read_text(), "a member of a public class is for everybody"
    options = ["--strict", "--target", "ES2022", "--module", "ES2022", "--moduleResolution", "node", "--lib", "ES2022,DOM,DOM.Iterable"]
    (written.folder / "lists.ts").write_text("""
        import { Callboard } from "./client.js";
        import { type CallboardList, renderVirtual } from "./list.js";
        import { ListStore, ReportQueue, type Report } from "./offline.js";
        const list = new Callboard().follow("a", { sparse: true });
        renderVirtual(list, document.body, { select: (element, [section, index]) => console.log(element.id, section + index) }).stop();
        (document.querySelector("callboard-list") as CallboardList).row = (element, cell) => document.createElement(cell ?? "p");
        const board = new Callboard(), refused: Report[] = [];
        const reports = new ReportQueue(board, { name: "a", limit: 5, onRefused: (report, { status }) => status && refused.push(report) });
        await reports.report("a", { event: "didSelect", indexPath: [0, 1], version: list.version }, { limit: 3 }).kept;
        const kept = await new ListStore("a", { pause: 5000 }).follow(board, "a", { limit: 3 });
        const begun = board.follow("a", { from: kept.getSnapshot(), limit: 3 });
        console.log(list.isStale, reports.waiting, begun.version);""")
    done = subprocess.run([compiler, *options, "types.ts", "lists.ts"], cwd=written.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert written.node(node, 'import "./types.js";') == ["[ 'Ada', 'Alan' ]"]
    wrong = (written.folder / "types.ts").read_text().replace(".changeset.version", ".changeset.revision")
    (written.folder / "types.ts").write_text(wrong)
    done = subprocess.run([compiler, *options, "types.ts"], cwd=written.folder, capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "revision" in done.stdout, "a member that is not there is found"


@pytest.fixture
def opened(written, chrome):
    """Opens a page of the examples; when the test is over, nothing may have been logged as an error."""
    chrome.get_log("browser")
    with served(written.folder, written.port):
        yield lambda script, head="": chrome.get(written.page(script, head))
        errors = [entry for entry in chrome.get_log("browser") if entry["level"] != "INFO"]
        chrome.get("about:blank")
    assert not errors, errors


def shown(driver) -> str:
    return driver.execute_script("return document.querySelector('main').innerText")


def shows(driver, *texts: str) -> None:
    until(lambda: all(text in shown(driver) for text in texts))


def test_plain_rows(written, opened, chrome):
    opened('import "/plain.js";')
    shows(chrome, "Friends", "Ada Lovelace, 1815", "Alan Turing, 1912")
    chrome.execute_script("window.rows = [...document.querySelectorAll('li.ContactCell')]")
    with api(written.server) as client:
        client.patch(f"{FRIENDS}/elements/Ada_Lovelace", params={"reload": "true"}, json={"phone": "<b>1843</b>"})
        shows(chrome, "Ada Lovelace, <b>1843</b>")
        client.patch(FRIENDS, params={"reload": "true"}, json={"headerTitle": "Old friends"})
        shows(chrome, "Old friends")
    assert chrome.execute_script("return window.rows.length === 2 && window.rows.every(row => row.isConnected)")


@pytest.mark.parametrize("example", ["tag.js", "virtual.js"])
def test_a_list_of_any_length(written, opened, chrome, example):
    opened({"tag.js": 'import "/tag.js";', "virtual.js": 'import "/virtual.js";'}[example])
    rows = lambda: chrome.execute_script("""const root = document.querySelector("callboard-list")?.shadowRoot ?? document;
        return [...root.querySelectorAll("[role=option]")].map(row => row.textContent.trim())""")  # noqa: E731
    until(lambda: "Ada Lovelace" in "".join(rows()) and "Alan Turing" in "".join(rows()))
    with api(written.server) as client:
        client.patch(f"{FRIENDS}/elements/Ada_Lovelace", params={"reload": "true"}, json={"firstName": "<b>Ada</b>"})
        until(lambda: "<b>Ada</b> Lovelace" in "".join(rows()))


def test_offline(written, opened, chrome):
    """A visit without a network, between two with one: the list of the visit before is shown, and what is reported is sent later."""
    opened("""
        if (sessionStorage.offline) window.fetch = () => Promise.reject(new TypeError("no network"));
        const { reports } = await import("/keep.js");
        window.waits = async () => `${(await reports.ready).survives} ${reports.waiting}`;""")
    until(lambda: shown(chrome) == "Ada, Alan")
    with api(written.server) as client:
        client.patch(f"{FRIENDS}/elements/Alan_Turing", params={"reload": "true"}, json={"firstName": "Alonzo"})
    until(lambda: shown(chrome) == "Ada, Alonzo")
    until(lambda: "Alonzo" in chrome.execute_async_script("""
        const done = arguments[0], request = indexedDB.open("callboard lists contacts");
        request.onsuccess = () => {
            const all = request.result.transaction("records").objectStore("records").getAll();
            all.onsuccess = () => { request.result.close(); done(JSON.stringify(all.result)); };
        };"""))

    def waits():
        return chrome.execute_async_script("const done = arguments[0]; window.waits ? window.waits().then(done) : done();")

    chrome.execute_script("sessionStorage.offline = true; location.reload();")
    until(lambda: shown(chrome) == "Ada, Alonzo (of an earlier visit)")
    until(lambda: waits() == "true 0")
    chrome.execute_script("document.querySelector('main').click()")
    until(lambda: waits() == "true 1")
    chrome.execute_script("sessionStorage.clear(); location.reload();")
    until(lambda: shown(chrome) == "Ada, Alonzo" and waits() == "true 0")


def test_a_token_for_a_page(written, opened, chrome, start):
    server = start(AUTH_MODE="required", CORS_ORIGINS=f"http://localhost:{written.port}")
    token = (server.folder / "data/first-token").read_text().strip()
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {token}"}) as client:
        client.put("/v1/directors/secret", json={"kind": "table"}).raise_for_status()
        client.post("/v1/directors/secret/sections", params={"reload": "true"}, json={"id": "kept"}).raise_for_status()
    (written.folder / "token").write_text(f'{{"token": "{token}"}}')
    path = written.folder / "token.js"
    path.write_text(path.read_text().replace(written.server.url, server.url))
    opened('import { board } from "/token.js";'
           'document.querySelector("main").textContent = (await board.follow("secret").ready).sections[0].id;')
    shows(chrome, "kept")
