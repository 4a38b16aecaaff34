"""One mutation that a writer sends, and its form as a request."""

import json
from dataclasses import dataclass
from enum import Enum
from urllib.parse import quote, urlencode

from harness.model import ListModel


class Expected(Enum):
    """What the contract answers to a mutation when nothing fails."""

    ACCEPTED = "accepted"
    REFUSED = "refused"


@dataclass
class Mutation:
    """Operations in the contract's form, or in the model's own (`createDirector`, …) where the contract has none.

    With neither operations nor `is_batch` it is a reload by itself.
    """

    director: str
    operations: list[dict]
    reload: bool = False
    is_batch: bool = False
    key: str | None = None
    if_match: str | None = None
    expected: Expected = Expected.ACCEPTED
    number: int = 0

    def perform(self, model: ListModel) -> None:
        """What it does to a director; raises `Refused` where it does not fit, and the model is spoilt then."""
        model.perform(self.operations)
        if self.reload and model.exists:
            model.publish()

    def request(self) -> bytes:
        """The request's bytes for a connection that stays open."""
        method, path, query, body = self._parts()
        target = f"/v1/directors/{quote(self.director)}{path}"
        if self.reload and self.operations and not self.is_batch:
            query = query | {"reload": "true"}
        if query:
            target += "?" + urlencode(query)
        content = b"" if body is None else json.dumps(body).encode()
        fields = [f"{method} {target} HTTP/1.1", "Host: localhost", f"Content-Length: {len(content)}"]
        if content:
            fields.append("Content-Type: application/json")
        if self.key is not None and method == "POST":
            fields.append(f"Idempotency-Key: {self.key}")
        if self.if_match is not None:
            fields.append(f'If-Match: "{self.if_match}"')
        return "\r\n".join(fields).encode() + b"\r\n\r\n" + content

    @property
    def is_keyed(self) -> bool:
        """Whether the request carries an Idempotency-Key: only a POST may."""
        return self.key is not None and self._parts()[0] == "POST"

    def describe(self) -> dict:
        """What the log of a round says about it."""
        return {"number": self.number, "operations": self.operations, "reload": self.reload, "key": self.key}

    def _parts(self) -> tuple[str, str, dict, object]:
        if self.is_batch:
            return "POST", "/operations", {}, {"operations": self.operations, "reload": self.reload}
        if not self.operations:
            return "POST", "/reload", {}, None
        (op,) = self.operations
        return parts(op)


def address(identifier: str) -> str:
    return quote(identifier, safe="")


def parts(op: dict) -> tuple[str, str, dict, object]:
    """Method, path below the director, query and body of the resource that does what an operation does."""
    section = f"/sections/{address(op['section'])}" if "section" in op else ""
    rows, row = f"{section}/rows", f"{section}/rows/{address(op['row'])}" if "row" in op else section
    elements, at = f"{row}/elements", {"at": op["at"]} if "at" in op else {}
    match op["op"]:
        case "createDirector":
            return "PUT", "", {}, {"kind": "table"}
        case "deleteDirector":
            return "DELETE", "", {}, None
        case "patchDirector":
            return "PATCH", "", {}, {"properties": {"rowHeight": op["rowHeight"]}}
        case "putAdapter":
            return "PUT", f"/adapters/{address(op['model'])}", {}, {"cell": op["cell"]}
        case "setVariable":
            return "PUT", f"/variables/{address(op['name'])}", {}, op["value"]
        case "removeVariable":
            return "DELETE", f"/variables/{address(op['name'])}", {}, None
        case "addSections":
            return "POST", "/sections", at, op["sections"]
        case "patchSection":
            return "PATCH", section, {}, op["patch"]
        case "removeSection":
            return "DELETE", section, {}, None
        case "removeSections":
            return "DELETE", "/sections", {"at": ",".join(map(str, op["at"]))}, None
        case "moveSection":
            return "POST", "/sections:move", {}, {"from": op["from"], "to": op["to"]}
        case "swapSections":
            return "POST", "/sections:swap", {}, {"at": op["at"], "with": op["with"]}
        case "setElements":
            return "PUT", elements, {}, op["elements"]
        case "addElements":
            return "POST", elements, at, op["elements"]
        case "removeElements":
            return "DELETE", elements, {"at": ",".join(map(str, op["at"]))}, None
        case "setElement":
            return "PUT", f"{elements}/{address(op['element'])}", {}, op["value"]
        case "patchElement":
            return "PATCH", f"{elements}/{address(op['element'])}", {}, op["patch"]
        case "removeElement":
            return "DELETE", f"{elements}/{address(op['element'])}", {}, None
        case "moveElement":
            places = {name: op[name] for name in ("from", "to", "toSection", "toRow") if name in op}
            return "POST", f"{elements}:move", {}, places
        case "swapElements":
            return "POST", f"{elements}:swap", {}, {"at": op["at"], "with": op["with"]}
        case "setRows":
            return "PUT", rows, {}, op["rows"]
        case "addRows":
            return "POST", rows, at, op["rows"]
        case "setRow":
            return "PUT", row, {}, op["value"]
        case "patchRow":
            return "PATCH", row, {}, op["patch"]
        case "removeRow":
            return "DELETE", row, {}, None
        case "moveRow":
            places = {name: op[name] for name in ("from", "to", "toSection") if name in op}
            return "POST", f"{rows}:move", {}, places
        case "swapRows":
            return "POST", f"{rows}:swap", {}, {"at": op["at"], "with": op["with"]}
    raise ValueError(f"no resource does {op['op']}")
