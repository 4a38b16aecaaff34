"""That cost.py has a case for every operation and every operator of JsonLogic."""

import json
import re

import cost_cases
from cost_cases import SOURCES
from harness.process import Server
from harness.wire import Connection


def test_every_operation_has_its_largest_batch(program, tmp_path):
    server = Server(program, "memory", tmp_path / "server.log")
    try:
        server.start()
        with Connection(server.port) as connection:
            document = json.loads(connection.get("/openapi.json").body)
    finally:
        server.kill()
    kinds = document["components"]["schemas"]["Operation"]["discriminator"]["mapping"]
    assert set(kinds) == set(cost_cases.OPERATIONS)


def test_every_operator_has_forms():
    text = (SOURCES / "JSONLogic/LogicOperator.swift").read_text()
    listed = text.split("enum LogicOperator", 1)[1].split("/// How many arguments", 1)[0]
    operators = {raw or name for name, raw in re.findall(r'case `?(\w+)`?(?: = "([^"]+)")?', listed)}
    assert operators == set(cost_cases.EXPRESSIONS)
