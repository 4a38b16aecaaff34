"""That cost.py has a case for every operation and every operator of JsonLogic."""

import re

import cost_cases
from cost_cases import SOURCES


def test_every_operation_has_its_largest_batch():
    forms = (SOURCES / "Directors/Representation/Operation+Forms.swift").read_text()
    assert set(re.findall(r'Form\("(\w+)"', forms)) == set(cost_cases.OPERATIONS)


def test_every_operator_has_forms():
    text = (SOURCES / "JSONLogic/LogicOperator.swift").read_text()
    listed = text.split("enum LogicOperator", 1)[1].split("/// How many arguments", 1)[0]
    operators = {raw or name for name, raw in re.findall(r'case `?(\w+)`?(?: = "([^"]+)")?', listed)}
    assert operators == set(cost_cases.EXPRESSIONS)
