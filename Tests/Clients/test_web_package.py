"""The JavaScript client's package, as a registry has it: its imports, its types, and the examples for React, Vue and Svelte."""

import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("selenium", reason="selenium is not installed (Config/requirements-test.txt)")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed (Config/requirements-test.txt)")
from support.documents import CHECKOUT, examples, section  # noqa: E402
from support.pages import until  # noqa: E402
from support.server import metric  # noqa: E402
from test_web_examples import FRIENDS, PAGES, node, opened, shown, written  # noqa: E402

from conftest import api  # noqa: E402

__all__ = ["node", "opened", "written"]
DEBIAN = Path("/usr/share/nodejs")
# The modules of Debian find each other so.
ENVIRONMENT = {"NODE_PATH": f"{DEBIAN}", "PATH": "/usr/local/bin:/usr/bin:/bin"}
FRAMEWORKS = f"{PAGES}/WithAFramework.md"
IMPORTS = ["callboard", "callboard/list", "callboard/offline", "callboard/react", "callboard/svelte", "callboard/vue"]


@pytest.fixture(scope="module")
def tarball(tmp_path_factory) -> Path:
    """What the first line of the page's commands makes."""
    command, install = examples(section(FRAMEWORKS, "Overview"), "sh")[0].splitlines()
    assert command == "Config/web-package ." and install == "npm install ./callboard-*.tgz"
    folder = tmp_path_factory.mktemp("package")
    made = [subprocess.run([CHECKOUT / "Config/web-package", folder], capture_output=True, text=True, check=True) for _ in range(2)]
    assert made[0].stdout == made[1].stdout
    return Path(made[0].stdout.strip())


@pytest.fixture
def project(written, tarball, tool):
    """The examples in a project that has the package, as npm unpacks it; React is Debian's."""
    modules = written.folder / "node_modules"
    modules.mkdir()
    with tarfile.open(tarball) as tar:
        tar.extractall(modules, filter="data")
    (modules / "package").rename(modules / "callboard")
    for name in ("react", "react-dom"):
        if not (DEBIAN / name).exists():
            pytest.skip("React is not installed (Debian: apt-get install node-react node-react-dom)")
        (modules / name).symlink_to(DEBIAN / name)
    board = written.folder / "board.js"
    board.write_text(board.read_text().replace(f"{written.server.url}/client.js", "callboard"))
    return written


def compiled(project, node: str) -> None:
    """Makes JavaScript of the examples in JSX."""
    if not (DEBIAN / "typescript").exists():
        pytest.skip("the TypeScript compiler is not installed (Debian: apt-get install node-typescript)")
    script = """const ts = require("typescript"), fs = require("fs"), options = {jsx: "react", target: "es2022", module: "es2022"};
        for (const fileName of fs.readdirSync(".").filter(name => name.endsWith(".jsx"))) fs.writeFileSync(fileName.slice(0, -1),
          ts.transpileModule(fs.readFileSync(fileName, "utf8"), {compilerOptions: options, fileName}).outputText);"""
    subprocess.run([node, "-e", script], cwd=project.folder, env=ENVIRONMENT, check=True)


def run(project, node: str, script: str) -> list[str]:
    """What a script of the project prints in Node."""
    (project.folder / "package.json").write_text('{"type": "module"}')
    (project.folder / "run.js").write_text(f"{script}\nprocess.exit(0);\n")
    done = subprocess.run([node, "run.js"], cwd=project.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


def head(project, **modules: str) -> str:
    """Where a page's imports come from: a bundler finds them in the same way."""
    imports = {name: f"/node_modules/callboard/{name.partition('/')[2] or 'client'}.js" for name in IMPORTS}
    return f'<script type="importmap">{json.dumps({"imports": imports | modules})}</script>'


def react(project) -> str:
    """The head of a page with React, which Debian has as scripts."""
    scripts = [DEBIAN / "react/umd/react.development.js", DEBIAN / "react-dom/umd/react-dom.development.js"]
    for path in scripts:
        shutil.copy(path, project.folder)
    (project.folder / "react.js").write_text("export const { useCallback, useMemo, useSyncExternalStore } = window.React;")
    (project.folder / "react-dom.js").write_text("export const { createRoot, hydrateRoot } = window.ReactDOM;")
    return head(project, **{"react": "/react.js", "react-dom/client": "/react-dom.js"}) + "".join(
        f'<script src="/{path.name}"></script>' for path in scripts)


def vue(project) -> str:
    """The head of a page with Vue, which a Python package brings along as a script."""
    module = pytest.importorskip("trame_client.module", reason="trame-client is not installed (Config/requirements-test.txt)")
    shutil.copy(Path(module.__file__).parent / "vue3-www/vue.global.js", project.folder)
    names = "createApp, createSSRApp, effectScope, getCurrentInstance, h, onMounted, onScopeDispose, ref, shallowRef, unref, watch"
    (project.folder / "vue.js").write_text(f"export const {{ {names} }} = window.Vue;")
    return head(project, vue="/vue.js") + '<script src="/vue.global.js"></script>'


def follows(project, client) -> float:
    return metric(project.server, client, "callboard_subscribers")


def change(client, phone: str) -> None:
    client.patch(f"{FRIENDS}/elements/Ada_Lovelace", params={"reload": "true"}, json={"phone": phone})


def test_the_package_is_what_it_says(tarball, program):
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert tarball.name == f"callboard-{version}.tgz"
    with tarfile.open(tarball) as tar:
        files = {entry.name.removeprefix("package/"): tar.extractfile(entry).read() for entry in tar}
    described = json.loads(files["package.json"])
    assert (described["name"], described["version"]) == ("callboard", version) and "dependencies" not in described
    named = [name for entry in described["exports"].values() for name in (entry.values() if isinstance(entry, dict) else [entry])]
    assert {name.removeprefix("./") for name in named} <= set(files)
    assert set(files) - {name.removeprefix("./") for name in named} == {"LICENSE", "README.md", "state.js"}
    assert {f"callboard{name[1:]}" for name in described["exports"]} == {*IMPORTS, "callboard/package.json"}
    table = section(FRAMEWORKS, "Overview")
    assert all(f"| `{name}` |" in table and f"`{name}`" in files["README.md"].decode() for name in IMPORTS)


def test_every_import_is_found_in_node(project, node):
    (project.folder / "node_modules/vue").mkdir()
    (project.folder / "node_modules/vue/package.json").write_text('{"type": "module", "exports": "./index.js"}')
    names = re.search(r"import \{(.*?)\} from \"vue\"", (CHECKOUT / "Sources/WebAssets/package/vue.js").read_text()).group(1)
    (project.folder / "node_modules/vue/index.js").write_text("".join(f"export const {name} = null;" for name in names.split(",")))
    script = "".join(f'console.log(Object.keys(await import("{name}")).join(" "));' for name in IMPORTS)
    client, listing, offline, in_react, in_svelte, in_vue = run(project, node, script)
    assert "Callboard" in client and listing == "CallboardList renderVirtual" and offline == "ListStore ReportQueue"
    assert in_react == in_vue == "useCallboard useList" and in_svelte == "callboard"


def test_react(project, opened, chrome, node):
    compiled(project, node)
    # Strict mode mounts everything twice; a second component follows the same list.
    opened("""
        import { Contacts } from "/Contacts.js";
        import { useCallboard, useList } from "callboard/react";
        import { board } from "/board.js";
        const { createElement, StrictMode, useEffect } = window.React;
        window.seen = [];
        const Versions = ({ list }) => {
          const versions = [useCallboard(board, "contacts").version, useList(list).version];
          useEffect(() => void window.seen.push(versions));
          return null;
        };
        window.list = board.follow("contacts");
        window.root = window.ReactDOM.createRoot(document.querySelector("main"));
        window.show = contacts => window.root.render(createElement(StrictMode, null, ...contacts.map(key => createElement(Contacts, { key })),
          createElement(Versions, { list: window.list })));
        window.show([1, 2]);""", react(project))
    until(lambda: shown(chrome).count("Ada Lovelace, 1815") == 2)
    with api(project.server) as client:
        assert follows(project, client) == 1
        change(client, "<b>1843</b>")
        until(lambda: shown(chrome).count("Ada Lovelace, <b>1843</b>") == 2)
        assert chrome.execute_script("return document.querySelector('main section').dataset.status") == "live"
        # One that comes later shows at once what the others show; one that goes leaves them the list.
        chrome.execute_script("window.show([1, 2, 3]); ReactDOM.flushSync(() => {})")
        until(lambda: shown(chrome).count("<b>1843</b>") == 3)
        chrome.execute_script("window.show([3])")
        change(client, "1852")
        until(lambda: shown(chrome).count("Ada Lovelace, 1852") == 1 and "1843" not in shown(chrome))
        seen = chrome.execute_script("return window.seen")
        assert all(one == other for one, other in seen if one >= 0) and len({one for one, _ in seen}) >= 3, seen
        chrome.execute_script("window.list.close(); window.root.unmount()")
        # Nothing is followed when no component is left.
        until(lambda: follows(project, client) == 0)


def test_a_page_that_react_renders_on_a_server(project, opened, chrome, node):
    compiled(project, node)
    [page] = run(project, node, """
        globalThis.React = (await import("react")).default;
        const { page } = await import("./Page.js");
        console.log(page());""")
    assert "Ada Lovelace" in re.sub(r"<!-- -->", "", page) and 'data-status="live"' in page
    with api(project.server) as client:
        change(client, "1843")
        opened("""
            const send = window.fetch;
            window.fetch = (...given) => window.network.then(() => send(...given));
            window.before = document.querySelector("main li");
            document.querySelectorAll("main")[1].remove();
            ({ root: window.root } = await import("/Takeover.js"));
            window.list = (await import("/board.js")).board.follow("contacts");
            window.told = [];
            for (const type of ["snapshot", "resumed", "change"]) window.list.addEventListener(type, () => window.told.push(type));
            """, f'{react(project)}{page}<script>window.network = new Promise(resolve => {{ window.begin = resolve; }});</script>')
        until(lambda: chrome.execute_script("return window.list && Object.keys(document.querySelector('main')).length"))
        assert "Ada Lovelace, 1815" in shown(chrome)
        chrome.execute_script("window.begin()")
        until(lambda: "Ada Lovelace, 1843" in shown(chrome))
        # What the server has made stays, and `opened` looks for the warning of a mismatch.
        assert chrome.execute_script("return window.before.isConnected && window.told.join()") == "resumed,change"
        chrome.execute_script("window.list.close(); window.root.unmount()")
        until(lambda: follows(project, client) == 0)


def test_vue(project, opened, chrome):
    with api(project.server) as client:
        client.put("/v1/directors/nobody", json={"kind": "table"})
        opened("""
            import { createApp, effectScope, h, ref } from "vue";
            import { useCallboard, useList } from "callboard/vue";
            import VueContacts from "/VueContacts.js";
            import { board } from "/board.js";
            window.name_ = ref("contacts");
            window.app = createApp({ render: () => [h(VueContacts, { name: window.name_.value }), h(VueContacts, { name: "contacts" })] });
            window.app.mount("main");
            window.scope = effectScope();
            window.list = board.follow("contacts");
            window.state = window.scope.run(() => [useCallboard(board, "contacts"), useList(window.list)]);""", vue(project))
        until(lambda: shown(chrome).count("Ada Lovelace, 1815") == 2)
        assert follows(project, client) == 1
        change(client, "<b>1843</b>")
        until(lambda: shown(chrome).count("Ada Lovelace, <b>1843</b>") == 2)
        assert chrome.execute_script("return window.state.every(({ value }) => value === window.list.getSnapshot())")
        chrome.execute_script("window.name_.value = 'nobody'")
        until(lambda: shown(chrome).count("Ada Lovelace") == 1)
        chrome.execute_script("window.name_.value = 'contacts'")
        until(lambda: shown(chrome).count("Ada Lovelace") == 2)
        chrome.execute_script("window.list.close(); window.app.unmount()")
        change(client, "1852")
        until(lambda: chrome.execute_script("return window.state[0].value.sections[0].elements[0].value.phone") == "1852")
        chrome.execute_script("window.scope.stop()")
        until(lambda: follows(project, client) == 0)


def test_a_page_of_a_server_that_vue_takes_over(project, opened, chrome, node):
    [state] = run(project, node, """
        const { stringifyJSON } = await import("callboard"), { board } = await import("./board.js");
        console.log(stringifyJSON((await board.follow("contacts").ready).getSnapshot()));""")
    names = [f"{each['value']['firstName']} {each['value']['lastName']}, {each['value']['phone']}"
             for each in json.loads(state)["sections"][0]["elements"]]
    page = f'<main><ul data-status="live">{"".join(f"<li>{name}</li>" for name in names)}</ul></main>'
    with api(project.server) as client:
        change(client, "1843")
        opened(f"""
            import {{ createSSRApp }} from "vue";
            import VueContacts from "/VueContacts.js";
            document.querySelectorAll("main")[1].remove();
            window.before = document.querySelector("main li");
            window.app = createSSRApp(VueContacts, {{ name: "contacts", from: {state} }});
            window.app.mount("main");
            window.first = document.querySelector("main").innerText;""", vue(project) + page)
        until(lambda: "Ada Lovelace, 1843" in shown(chrome))
        assert chrome.execute_script("return window.first.includes('Ada Lovelace, 1815') && window.before.isConnected")
        chrome.execute_script("window.app.unmount()")
        until(lambda: follows(project, client) == 0)


def test_svelte(project, opened, chrome, node):
    """A store calls its subscriber at once and after each change, and never after it has unsubscribed."""
    assert run(project, node, """
        const { callboard } = await import("callboard/svelte"), { board } = await import("./board.js");
        const told = [], stop = callboard(board, "contacts", { from: { version: 7, sections: [] } }).subscribe(state => told.push(state.version));
        stop();
        console.log(told.join());""") == ["7"]
    opened("""
        import { callboard } from "callboard/svelte";
        import { board } from "/board.js";
        const contacts = callboard(board, "contacts");
        window.told = [[], []];
        window.stops = window.told.map(told => contacts.subscribe(state => told.push(state.sections[0]?.elements[0].value.phone)));
        window.first = window.told.map(told => told.length);""", head(project))
    told = lambda: chrome.execute_script("return window.told.map(told => told.at(-1))")  # noqa: E731
    until(lambda: told() == ["1815", "1815"])
    assert chrome.execute_script("return window.first") == [1, 1]
    with api(project.server) as client:
        assert follows(project, client) == 1
        chrome.execute_script("window.stops[0](); window.stops[0]()")
        change(client, "1843")
        until(lambda: told() == ["1815", "1843"])
        chrome.execute_script("window.stops[1]()")
        until(lambda: follows(project, client) == 0)


def test_types(project, tool):
    """The compiler takes every example, strictly, by both ways that it finds a package; what is wrong it refuses."""
    compiler = tool("tsc", "node-typescript")
    modules = project.folder / "node_modules"
    (modules / "@types").symlink_to(DEBIAN / "@types")
    (modules / "vue").mkdir()
    (modules / "vue/package.json").write_text('{"name": "vue", "types": "./index.d.ts"}')
    (modules / "vue/index.d.ts").write_text(
        "export interface Ref<T> { value: T }\nexport interface ShallowRef<T> extends Ref<T> { readonly isShallow?: true }\nexport const h: any;\n")
    (project.folder / "uses.ts").write_text("""
        import { Callboard, type ListState } from "callboard";
        import { renderVirtual } from "callboard/list";
        import { ListStore } from "callboard/offline";
        import { useList } from "callboard/react";
        import { callboard } from "callboard/svelte";
        import { useCallboard } from "callboard/vue";
        interface Contact { firstName: string }
        const board = new Callboard(), list = board.follow<Contact>("contacts");
        const from: ListState<Contact> = useList(list, (await list.ready).getSnapshot());
        const name: string = useCallboard(board, () => "contacts", { from, limit: 3 }).value.sections[0].elements[0].value.firstName;
        const stop: () => void = callboard<Contact>(board, name).subscribe(({ sections }) => sections[0].elements[0].value.firstName.length);
        const kept = await new ListStore("a").follow<Contact>(board, "contacts");
        renderVirtual(board.follow<Contact, true>("contacts", { sparse: true }), document.body).stop();
        console.log(stop, kept.shown[0].elements[0].value.firstName.length);""")
    options = ["--strict", "--noEmit", "--target", "ES2022", "--lib", "ES2022,DOM,DOM.Iterable", "--typeRoots", "none"]
    (project.folder / "package.json").write_text('{"type": "module"}')

    def check(*more: str) -> str:
        return subprocess.run([compiler, *options, *more], cwd=project.folder, capture_output=True, text=True, check=False).stdout

    for ways in (["--module", "ES2022", "--moduleResolution", "node"], ["--module", "node16", "--moduleResolution", "node16"]):
        assert check(*ways, "uses.ts") == ""
    # Debian's types of React lack what they import.
    assert check(*ways, "--skipLibCheck", "--jsx", "react-jsx", "Names.tsx") == ""
    # What has no types is taken as it is, but a member that is not there is found in it, too.
    for path in project.folder.glob("*.js"):
        path.write_text(re.sub(r'"http://[\w.:]+/(\w+)\.js"', lambda found: f'"callboard/{found.group(1)}"'.replace("/client", ""), path.read_text()))
    plain = ["--allowJs", "--checkJs", "--noImplicitAny", "false", "--strictNullChecks", "false", "--skipLibCheck", "--jsx", "react-jsx"]
    names = [path.name for path in project.folder.glob("*.js*") if path.name != "package.json"]
    assert len(names) > 15 and check(*ways, *plain, *names) == ""
    for name in ("uses.ts", "Names.tsx"):
        path = project.folder / name
        path.write_text(path.read_text().replace(".firstName", ".surname"))
        assert "'surname' does not exist on type 'Contact'" in check(*ways, "--skipLibCheck", "--jsx", "react-jsx", name), name
