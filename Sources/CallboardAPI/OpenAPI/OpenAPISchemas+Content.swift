import Directors
import ListDiff

extension OpenAPISchemas {
    /// Sections, elements and adapters.
    static let sections = """
        "ElementBody": {"description": "An element; with `?model=`, the bare value.",
          "$ref": "#/components/schemas/AnyValue"},
        "ElementsBody": {"description": "An element or an array of elements; with `?model=`, bare values.",
          "$ref": "#/components/schemas/AnyValue"},
        "SectionsBody": {"description": "A section, an array of sections, or a list as a read answers it.",
          "oneOf": [{"$ref": "#/components/schemas/SectionInput"},
            {"type": "array", "items": {"$ref": "#/components/schemas/SectionInput"}},
            {"type": "object", "required": ["sections"], "properties": {
              "sections": {"type": "array", "items": {"$ref": "#/components/schemas/SectionInput"}},
              "offset": {"readOnly": true}, "limit": {"readOnly": true}, "total": {"readOnly": true}},
              "additionalProperties": false}]},
        "ContentLines": {"type": "string",
          "description": "Newline-delimited JSON: sections without their elements, each followed by its elements."}
        """

    /// Rows and their expressions.
    static let rows = """
        "Expression": {"type": "object", "minProperties": 1, "maxProperties": 1,
          "description": "A JsonLogic expression over `variables`, `section`, `row`, `model` and `index`.",
          "examples": [{"var": "variables.hidePeople"}, {">": [{"var": "model.age"}, 60]}]},
        "RowCondition": {"anyOf": [{"type": "boolean"}, {"$ref": "#/components/schemas/Expression"}]},
        "RowLength": {"anyOf": [{"$ref": "#/components/schemas/Length"}, {"$ref": "#/components/schemas/Expression"}]},
        "RowConfig": {"type": "object", "description": "`{\\"$logic\\": …}` in it stands for an expression's value.",
          "examples": [{"on": {"$logic": {"var": "variables.hidePeople"}}}]},
        "RowsBody": {"description": "A row, an array of rows, or a list as a read answers it.",
          "oneOf": [{"$ref": "#/components/schemas/RowInput"},
            {"type": "array", "items": {"$ref": "#/components/schemas/RowInput"}},
            {"type": "object", "required": ["rows"], "properties": {
              "rows": {"type": "array", "items": {"$ref": "#/components/schemas/RowInput"}},
              "offset": {"readOnly": true}, "limit": {"readOnly": true}, "total": {"readOnly": true}},
              "additionalProperties": false}]}
        """

    /// Cell and header/footer adapters.
    static let adapters = """
        "ViewSource": {"oneOf": [{"enum": ["storyboard", "class"]},
            {"type": "object", "required": ["xib"], "properties": {
              "xib": {"type": "string"}, "bundle": {"type": "string"}}, "additionalProperties": false}]},
        "ViewSourceInput": {"oneOf": [{"enum": ["storyboard", "class"]},
            {"type": "object", "required": ["xib"], "properties": {
              "xib": {"type": ["string", "null"], "minLength": 1,
                "description": "The interface file's name; null is the cell's own name."},
              "bundle": {"type": ["string", "null"], "minLength": 1}}, "additionalProperties": false}]},
        "CellAdapterInputs": {"description": "An array of adapters that name their models, or a list as a read answers it.",
          "oneOf": [
            {"type": "array", "items": {"$ref": "#/components/schemas/CellAdapterInput"}},
            {"type": "object", "required": ["adapters"], "properties": {
              "adapters": {"type": "array", "items": {"$ref": "#/components/schemas/CellAdapterInput"}}},
              "additionalProperties": false}]}
        """

    /// Addresses, batches, reloads and announcements.
    static let operations = """
        "Address": {"type": "string", "minLength": 1,
          "description": "An identifier, or a position: `@0`, `@first`, `@last`."},
        "Position": {"type": "integer", "minimum": 0, "maximum": 2147483647},
        "Place": {"anyOf": [{"$ref": "#/components/schemas/Position"}, {"$ref": "#/components/schemas/Address"}]},
        "RefreshBody": {"type": "object", "properties": {
            "indexPaths": {"type": ["array", "null"], "maxItems": 10000,
              "items": {"$ref": "#/components/schemas/IndexPath"}},
            "elements": {"type": ["array", "null"], "maxItems": 10000,
              "items": {"type": "object", "required": ["section", "element"], "properties": {
                "section": {"$ref": "#/components/schemas/Place"}, "element": {"$ref": "#/components/schemas/Place"}},
                "additionalProperties": false}},
            "rows": {"type": ["array", "null"], "maxItems": 10000,
              "items": {"type": "object", "required": ["section", "row"], "properties": {
                "section": {"$ref": "#/components/schemas/Place"},
                "row": {"type": "string", "minLength": 1, "description": "The row's identifier."}},
                "additionalProperties": false}}},
          "additionalProperties": false},
        "Refresh": {"type": "object", "required": ["director", "version"], "properties": {
            "director": {"type": "string"}, "version": {"type": "integer"}, "all": {"type": "boolean"},
            "elements": {"type": "array", "items": {"$ref": "#/components/schemas/ElementAt"}}},
          "additionalProperties": false},
        "ScrollBody": {"type": "object", "required": ["to"], "properties": {
            "to": {"type": "object", "minProperties": 1,
              "description": "An `indexPath`; a `section` and an `element` or a `row`; or a `section`, whose first element is meant.",
              "properties": {"indexPath": {"$ref": "#/components/schemas/IndexPath"},
                "section": {"$ref": "#/components/schemas/Place"}, "element": {"$ref": "#/components/schemas/Place"},
                "row": {"type": "string", "minLength": 1}}, "additionalProperties": false},
            "position": {"$ref": "#/components/schemas/ScrollPosition"}, "animated": {"type": "boolean", "default": true}},
          "additionalProperties": false},
        "ScrollPosition": {"enum": [\(positions)],
          "description": "The place in the visible part, as UIKit's; in a list that scrolls sideways `top` is its start."},
        "Scroll": {"type": "object", "required": ["director", "version", "indexPath", "section", "element"], "properties": {
            "director": {"type": "string"}, "version": {"type": "integer"},
            "indexPath": {"$ref": "#/components/schemas/IndexPath"}, "section": {"type": "string"},
            "element": {"type": "string", "description": "The identifier: whoever shows another version finds it by this one."},
            "position": {"$ref": "#/components/schemas/ScrollPosition"}, "animated": {"type": "boolean"}},
          "additionalProperties": false}
        """

    private static let positions = ScrollRequest.Position.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

    /// Changesets and their parts.
    static let changesets = """
        "IndexPath": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 2147483647},
          "minItems": 2, "maxItems": 2},
        "Stage": {"type": "object", "minProperties": 1, "properties": {
            "elementUpdated": {"type": "array", "items": {"$ref": "#/components/schemas/ElementAt"}},
            "sectionDeleted": {"type": "array", "items": {"type": "integer"}},
            "elementDeleted": {"type": "array", "items": {"$ref": "#/components/schemas/IndexPath"}},
            "sectionInserted": {"type": "array", "items": {"$ref": "#/components/schemas/SectionAt"}},
            "sectionMoved": {"type": "array", "items": {"type": "object", "required": ["from", "to"], "properties": {
              "from": {"type": "integer"}, "to": {"type": "integer"}}, "additionalProperties": false}},
            "elementInserted": {"type": "array", "items": {"$ref": "#/components/schemas/ElementAt"}},
            "elementMoved": {"type": "array", "items": {"type": "object", "required": ["from", "to"], "properties": {
              "from": {"$ref": "#/components/schemas/IndexPath"}, "to": {"$ref": "#/components/schemas/IndexPath"}},
              "additionalProperties": false}},
            "sectionUpdated": {"type": "array", "items": {"$ref": "#/components/schemas/SectionAt"}}},
          "additionalProperties": false},
        "ChangeCounts": {"type": "object", "description": "Operations of each kind, of all stages; none of 0.",
          "propertyNames": {"enum": [\(changes)]},
          "additionalProperties": {"type": "integer", "minimum": 1}},
        "Causes": {"type": "array", "minItems": 1, "maxItems": \(CauseList.limit), "uniqueItems": true,
          "items": \(cause), "description": "The names of the mutations that are shown for the first time, in order."},
        "EventStream": {"type": "string",
          "description": "Server-sent events: snapshot or resumed first, then changeset, heartbeat, refresh, scroll, definition, end."},
        "PlainText": {"type": "string"}, "OpenAPI": {"type": "object"}
        """

    /// The kinds of changes that a changeset counts, quoted.
    private static let changes = (ChangesetOperation.allCases.map(\.rawValue) + ["replaced"])
        .map { "\"\($0)\"" }.joined(separator: ", ")
}
