"""A client that is generated from /openapi.json, at work: nothing of the description is in its way."""

import importlib
import subprocess
import sys
from pathlib import Path

import openapi_spec_validator
import pytest

BIN = Path(sys.executable).parent
METHODS = {"get", "put", "post", "patch", "delete"}


@pytest.fixture
def description(http) -> dict:
    return http.get("/openapi.json").json()


@pytest.fixture
def generated(http, tmp_path, monkeypatch):
    """The package that openapi-python-client makes, the client that it has for the server, and what it said."""
    (tmp_path / "openapi.json").write_bytes(http.get("/openapi.json").content)
    result = subprocess.run(
        [BIN / "openapi-python-client", "generate", "--path", "openapi.json", "--output-path", "callboard_generated",
         "--meta", "none"],
        cwd=tmp_path, timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert result.returncode == 0, result.stdout
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "callboard_generated", result.stdout
    for name in [name for name in sys.modules if name.partition(".")[0] == "callboard_generated"]:
        del sys.modules[name]


def operations(description: dict) -> set[str]:
    return {each["operationId"] for path in description["paths"].values() for method, each in path.items()
            if method in METHODS}


def test_the_document_is_valid(description):
    openapi_spec_validator.validate(description)


def test_the_document_is_sent_compressed_and_once(http):
    plain = http.get("/openapi.json", headers={"Accept-Encoding": "identity"})
    packed = http.get("/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in plain.headers and packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert packed.content == plain.content and int(packed.headers["Content-Length"]) * 10 < len(plain.content)
    assert packed.headers["ETag"] != plain.headers["ETag"]
    for answer in (plain, packed):
        coding = answer.request.headers["Accept-Encoding"]
        again = http.get("/openapi.json", headers={"Accept-Encoding": coding, "If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304 and again.headers["ETag"] == answer.headers["ETag"] and not again.content


def test_every_operation_has_a_function_and_every_schema_a_class(description, generated):
    folder, said = generated
    functions = [path for path in folder.glob("api/*/*.py") if path.name != "__init__.py"]
    assert len(functions) == len(operations(description))
    assert "Unable to process schema" not in said, said


def test_a_generated_client_does_its_work(http, generated):
    with importlib.import_module("callboard_generated").Client(base_url=str(http.base_url)) as client:
        make_it_work(client)


def make_it_work(client):
    models = importlib.import_module("callboard_generated.models")
    called = []

    def call(module: str, *path, status: int = 200, **rest):
        function = importlib.import_module(f"callboard_generated.api.{module}").sync_detailed
        answer = function(*path, client=client, **rest)
        assert answer.status_code == status, (module, answer.status_code, answer.content)
        called.append(module)
        return answer.parsed

    def make(name: str, value: dict):
        return getattr(models, name).from_dict(value)

    def section(name: str, *ids: str, **rest):
        elements = [{"model": "P", "value": {"id": each}} for each in ids]
        return make("SectionInput", {"id": name, "elements": elements} | rest)

    call("service.is_alive")
    call("directors.put_director", "d", body=make("DirectorDefinitionType0", {"kind": "table"}), status=201)
    adapter = call("adapters.put_adapter", "d", "P", status=201,
                   body=make("CellAdapterInput", {"cell": "Cell", "identifier": "{id}", "content": ["/name"]}))
    assert (adapter.model, adapter.cell, adapter.content) == ("P", "Cell", ["/name"])
    call("adapters.read_adapter", "d", "P")
    assert [each.model for each in call("adapters.list_adapters", "d").adapters] == ["P"]
    call("sections.set_sections", "d", body=[section("s", "a", "b"), section("t")], reload=True)
    call("sections.add_sections", "d", body=section("u", headerTitle="U"), status=201)
    assert call("sections.read_section", "d", "u").header_title == "U"
    call("sections.patch_section", "d", "u", body=make("SectionInput", {"headerTitle": None, "footerTitle": "end"}))
    call("sections.move_section", "d", body=make("Move", {"from": "u", "to": 0}))
    call("sections.swap_sections", "d", body=make("Swap", {"at": "u", "with": "t"}))
    call("sections.remove_section", "d", "u", status=204)
    assert len(call("sections.list_sections", "d").sections) == 2
    call("elements.add_elements", "d", "s", body={"model": "P", "value": {"id": "c", "n": 1}}, status=201)
    call("elements.put_element", "d", "s", "x", body={"model": "P", "value": {"id": "x"}}, at="@first", status=201)
    patched = call("elements.patch_element", "d", "s", "c", body={"n": 2, "name": "Ada"})
    assert (patched.index_path, patched.value) == ([1, 3], {"id": "c", "n": 2, "name": "Ada"})
    call("elements.move_element", "d", "s", body=make("ElementMove", {"from": "x", "to": "@last"}))
    call("elements.swap_elements", "d", "s", body=make("Swap", {"at": "a", "with": "b"}))
    call("elements.remove_element", "d", "s", "x", status=204)
    assert call("elements.list_elements", "d", "s").total == 3
    assert call("elements.list_all_elements", "d", id="c").total == 1
    assert call("elements.read_element", "d", "s", "c").model == "P"
    call("variables.set_variable", "d", "isOpen", body=False, status=201)
    assert call("variables.list_variables", "d").variables["isOpen"] is False
    rows = [make("RowInput", {"id": "r", "type": "constant", "cell": "Cell", "hideWhen": {"var": "variables.isOpen"}})]
    call("sections.put_section", "d", "rows", status=201, body=make("SectionInput", {"id": "rows", "rows": []}))
    call("rows.set_rows", "d", "rows", body=rows)
    call("rows.patch_row", "d", "rows", "r", body=make("RowPatch", {"height": 44}))
    assert call("rows.list_rows", "d", "rows").total == 1
    batch = {"operations": [{"op": "removeElement", "section": "s", "element": "c"}, {"op": "removeAllRows", "section": "rows"},
                            {"op": "setVariable", "name": "v", "value": [1]}], "reload": True}
    change = call("publishing.perform_operations", "d", body=make("OperationsBody", batch))
    assert change.version == 2 and [operation.op for operation in make("OperationsBody", batch).operations] == [
        "removeElement", "removeAllRows", "setVariable"]
    call("publishing.reload", "d", body=make("ReloadBody", {}))
    hook = make("EventHookInput", {"url": "http://127.0.0.1:9/", "kind": "notification"})
    call("events.put_adapter_event", "d", "P", "didSelect", body=hook, status=201)
    assert call("events.list_hooks").hooks
    call("events.remove_adapter_event", "d", "P", "didSelect", status=204)
    call("publishing.replace_content", "d", body=[section("only", "z")], reload=True)
    assert call("directors.read_director", "d").counts.elements == 1
    assert [each.name for each in call("directors.list_directors").directors] == ["d"]
    problem = call("directors.read_director", "nobody", status=404)
    assert problem.type_ == "urn:callboard:problem:not-found"
    call("directors.delete_director", "d", status=204)
    assert len(set(called)) >= 30
