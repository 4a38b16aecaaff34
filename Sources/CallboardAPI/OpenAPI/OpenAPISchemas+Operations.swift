extension OpenAPISchemas {
    /// The forms of one operation of a batch.
    static let operationForms = """
        "Address": {"type": "string", "minLength": 1,
          "description": "An identifier, or a position: `@0`, `@first`, `@last`."},
        "Position": {"type": "integer", "minimum": 0, "maximum": 2147483647},
        "Place": {"anyOf": [{"$ref": "#/components/schemas/Position"}, {"$ref": "#/components/schemas/Address"}]},
        "Operation": {"oneOf": [
            {"type": "object", "required": ["op", "sections"], "properties": {
              "op": {"const": "setSections"},
              "sections": {"type": "array", "items": {"$ref": "#/components/schemas/SectionInput"}}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "sections"], "properties": {
              "op": {"const": "addSections"},
              "sections": {"type": "array", "items": {"$ref": "#/components/schemas/SectionInput"}},
              "at": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "value"], "properties": {
              "op": {"const": "setSection"},
              "section": {"$ref": "#/components/schemas/Place"},
              "value": {"$ref": "#/components/schemas/SectionInput"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "patch"], "properties": {
              "op": {"const": "patchSection"},
              "section": {"$ref": "#/components/schemas/Place"},
              "patch": {"$ref": "#/components/schemas/SectionInput"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section"], "properties": {
              "op": {"const": "removeSection"},
              "section": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "at"], "properties": {
              "op": {"const": "removeSections"},
              "at": {"type": "array", "items": {"$ref": "#/components/schemas/Place"}}},
              "additionalProperties": false},
            {"type": "object", "required": ["op"], "properties": {
              "op": {"const": "removeAllSections"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "from", "to"], "properties": {
              "op": {"const": "moveSection"},
              "from": {"$ref": "#/components/schemas/Place"},
              "to": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "at", "with"], "properties": {
              "op": {"const": "swapSections"},
              "at": {"$ref": "#/components/schemas/Place"},
              "with": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "elements"], "properties": {
              "op": {"const": "setElements"},
              "section": {"$ref": "#/components/schemas/Place"},
              "elements": {"type": "array", "items": {"$ref": "#/components/schemas/ElementInput"}}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "elements"], "properties": {
              "op": {"const": "addElements"},
              "newSection": {"type": "string", "minLength": 1},
              "section": {"$ref": "#/components/schemas/Place"},
              "elements": {"type": "array", "items": {"$ref": "#/components/schemas/ElementInput"}},
              "at": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "element", "value"], "properties": {
              "op": {"const": "setElement"},
              "section": {"$ref": "#/components/schemas/Place"},
              "element": {"$ref": "#/components/schemas/Place"},
              "value": {"$ref": "#/components/schemas/ElementInput"},
              "at": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "element", "patch"], "properties": {
              "op": {"const": "patchElement"},
              "section": {"$ref": "#/components/schemas/Place"},
              "element": {"$ref": "#/components/schemas/Place"},
              "patch": {"$ref": "#/components/schemas/AnyValue"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "element"], "properties": {
              "op": {"const": "removeElement"},
              "section": {"$ref": "#/components/schemas/Place"},
              "element": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "at"], "properties": {
              "op": {"const": "removeElements"},
              "section": {"$ref": "#/components/schemas/Place"},
              "at": {"type": "array", "items": {"$ref": "#/components/schemas/Place"}}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section"], "properties": {
              "op": {"const": "removeAllElements"},
              "section": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "from", "to"], "properties": {
              "op": {"const": "moveElement"},
              "section": {"$ref": "#/components/schemas/Place"},
              "from": {"$ref": "#/components/schemas/Place"},
              "to": {"$ref": "#/components/schemas/Place"},
              "toSection": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "section", "at", "with"], "properties": {
              "op": {"const": "swapElements"},
              "section": {"$ref": "#/components/schemas/Place"},
              "at": {"$ref": "#/components/schemas/Place"},
              "with": {"$ref": "#/components/schemas/Place"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "name", "value"], "properties": {
              "op": {"const": "setVariable"},
              "name": {"type": "string", "minLength": 1},
              "value": {"$ref": "#/components/schemas/AnyValue"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "name"], "properties": {
              "op": {"const": "removeVariable"},
              "name": {"type": "string", "minLength": 1}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "model", "value"], "properties": {
              "op": {"const": "setAdapter"},
              "model": {"type": "string", "minLength": 1},
              "value": {"$ref": "#/components/schemas/CellAdapterInput"}},
              "additionalProperties": false},
            {"type": "object", "required": ["op", "model"], "properties": {
              "op": {"const": "removeAdapter"},
              "model": {"type": "string", "minLength": 1}},
              "additionalProperties": false}]}
        """
}
