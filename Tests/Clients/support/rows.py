"""What a section of rows publishes, evaluated from its working state.

It is written apart from the Swift code on purpose, from the contract's description and that of JsonLogic; it knows the
operators that the tests use.
"""


def evaluated(expression, data: dict):
    """What an expression gives."""
    if isinstance(expression, list):
        return [evaluated(each, data) for each in expression]
    if not isinstance(expression, dict):
        return expression
    ((name, given),) = expression.items()
    given = given if isinstance(given, list) else [given]
    if name in ("if", "and", "or"):
        return chosen(name, given, data)
    arguments = [evaluated(each, data) for each in given]
    match name:
        case "var":
            found = member(data, arguments[0])
            return arguments[1] if found is None and len(arguments) > 1 else found
        case "!":
            return not holds(arguments[0])
        case "==":
            return number(arguments[0]) == number(arguments[1])
        case "<":
            return number(arguments[0]) < number(arguments[1])
        case ">":
            return number(arguments[0]) > number(arguments[1])
        case "%":
            return arguments[0] % arguments[1]
        case "cat":
            return "".join(map(str, arguments))
    raise ValueError(f"no operator {name}")


def chosen(name: str, given: list, data: dict):
    """The operators that evaluate no more of their arguments than they need."""
    if name == "if":
        while len(given) > 1:
            if holds(evaluated(given[0], data)):
                return evaluated(given[1], data)
            given = given[2:]
        return evaluated(given[0], data) if given else None
    value = None
    for each in given:
        value = evaluated(each, data)
        if holds(value) is (name == "or"):
            break
    return value


def member(data, path):
    """What a `var` finds; None where nothing is there."""
    for step in str(path).split("."):
        data = data.get(step) if isinstance(data, dict) else None
    return data


def holds(value) -> bool:
    """Whether a value is taken for true: an object always is."""
    return isinstance(value, dict) or bool(value)


def number(value):
    """What is compared: booleans are 1 and 0, and null is 0; texts stay what they are."""
    return int(value or 0) if value is None or isinstance(value, bool) else value


def filled(template, data: dict):
    """An `additionalConfig` with the values of its expressions."""
    if isinstance(template, dict):
        if set(template) == {"$logic"}:
            return evaluated(template["$logic"], data)
        return {name: filled(each, data) for name, each in template.items()}
    return [filled(each, data) for each in template] if isinstance(template, list) else template


def reads_element(expression) -> bool:
    """Whether an expression is evaluated for each element."""
    if isinstance(expression, dict):
        path = expression.get("var")
        path = path[0] if isinstance(path, list) else path
        # A path that is computed may lead anywhere.
        if isinstance(path, dict) or isinstance(path, str) and path.split(".")[0] in ("", "model", "index"):
            return True
        return any(reads_element(each) for each in expression.values())
    return isinstance(expression, list) and any(reads_element(each) for each in expression)


def faces(row: dict, section: dict, variables: dict, cells: dict[str, str]) -> list[dict] | None:
    """What a row publishes; None where it is hidden: as a whole, or since all its elements are.

    `cells` has the adapter's cell for each model.
    """
    around = {"variables": variables, "row": {"id": row["id"]},
              "section": {name: section.get(name) for name in ("id", "headerTitle", "footerTitle")}}
    is_model, rule = row["type"] == "model", row.get("hideWhen", False)
    elements = row["elements"] if is_model else [{"id": row["id"], "value": row.get("value")}]
    if not elements:
        return None if not reads_element(rule) and holds(evaluated(rule, around)) else []
    cell = row.get("cell") or cells[row["model"]]
    names = {"row": row["id"], "cell": cell, "reuseIdentifier": row.get("reuseIdentifier", cell)}
    shown = []
    for index, each in enumerate(elements):
        data = around | ({"model": each["value"], "index": index} if is_model else {})
        if not holds(evaluated(rule, data)):
            shown.append(each | names | extras(row, data))
    return shown or None


def extras(row: dict, data: dict) -> dict:
    """The evaluated members that an element of a row has besides its cell."""
    result = {}
    for name in ("height", "estimatedHeight"):
        if (value := evaluated(row.get(name), data)) is not None:
            result[name] = value
    if "additionalConfig" in row:
        result["config"] = filled(row["additionalConfig"], data)
    if "afterSelection" in row:
        result["afterSelection"] = row["afterSelection"]
    return result


def shown(sections: list[dict], variables: dict, cells: dict[str, str]) -> list[dict]:
    """What a reload publishes of sections as the working state has them.

    Collapsed sections have no elements; one whose rows are all hidden is not there.
    """
    result = []
    for section in sections:
        elements = section.get("elements", [])
        if "rows" in section:
            rows = [faces(row, section, variables, cells) for row in section["rows"]]
            if rows and all(row is None for row in rows):
                continue
            elements = [face for row in rows for face in row or []]
        own = {name: value for name, value in section.items() if name not in ("elements", "rows")}
        result.append(own | {"elements": [] if section["isCollapsed"] else list(elements)})
    return result


def merged(target, patch):
    """A merge patch applied (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result
