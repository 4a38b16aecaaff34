import Directors

extension OpenAPISchemas {
    /// Sections, elements and adapters.
    static let sections = """
        "PlacedElementList": {"type": "object", "required": ["elements", "offset", "limit", "total"], "properties": {
            "elements": {"type": "array", "items": {"$ref": "#/components/schemas/PlacedElement"}},
            "offset": {"type": "integer"}, "limit": {"type": "integer"}, "total": {"type": "integer"}},
          "additionalProperties": false},
        "ElementBody": {"description": "An element; with `?model=`, the bare value.",
          "$ref": "#/components/schemas/AnyValue"},
        "ElementsBody": {"description": "An element or an array of elements; with `?model=`, bare values.",
          "$ref": "#/components/schemas/AnyValue"},
        "ElementList": {"type": "object", "required": ["elements", "offset", "limit", "total"], "properties": {
            "elements": {"type": "array", "items": {"$ref": "#/components/schemas/Element"}},
            "offset": {"type": "integer"}, "limit": {"type": "integer"}, "total": {"type": "integer"},
            "section": {"type": "string", "description": "The new section that elements were added to."}},
          "additionalProperties": false},
        "ElementOrList": {"anyOf": [{"$ref": "#/components/schemas/PlacedElement"},
            {"$ref": "#/components/schemas/ElementList"}]},
        "SectionsBody": {"description": "A section, an array of sections, or a list as a read answers it.",
          "oneOf": [{"$ref": "#/components/schemas/SectionInput"},
            {"type": "array", "items": {"$ref": "#/components/schemas/SectionInput"}},
            {"type": "object", "required": ["sections"], "properties": {
              "sections": {"type": "array", "items": {"$ref": "#/components/schemas/SectionInput"}},
              "offset": {"readOnly": true}, "limit": {"readOnly": true}, "total": {"readOnly": true}},
              "additionalProperties": false}]},
        "ContentLines": {"type": "string",
          "description": "Newline-delimited JSON: sections without their elements, each followed by its elements."},
        "ContentResult": {"type": "object", "required": ["director", "epoch", "revision", "counts", "refused"],
          "properties": {"director": {"type": "string"}, "epoch": {"type": "string"}, "revision": {"type": "integer"},
            "counts": {"$ref": "#/components/schemas/Counts"},
            "removed": {"type": "integer", "minimum": 0, "description": "Elements that are gone, with `maxRemoved`."},
            "refused": {"type": "integer", "minimum": 0, "description": "Lines that were left out."},
            "errors": {"type": "array", "minItems": 1, "maxItems": 1000, "items": {"type": "object",
              "required": ["line", "pointer", "detail"], "properties": {"line": {"type": "integer", "minimum": 1},
                "pointer": {"type": "string"}, "detail": {"type": "string"}}, "additionalProperties": false}},
            "duplicates": {"type": "integer", "minimum": 1,
              "description": "Lines whose model and identifier their section has already; they are in the list."},
            "duplicated": {"type": "array", "maxItems": 20, "items": {"type": "object", "required": ["line", "id"],
              "properties": {"line": {"type": "integer", "minimum": 1}, "id": {"type": "string"}},
              "additionalProperties": false}},
            "published": {"$ref": "#/components/schemas/CountedChangeset"}}, "additionalProperties": false},
        "SectionList": {"type": "object", "required": ["sections", "offset", "limit", "total"], "properties": {
            "sections": {"type": "array", "items": {"$ref": "#/components/schemas/Section"}},
            "offset": {"type": "integer"}, "limit": {"type": "integer"}, "total": {"type": "integer"}},
          "additionalProperties": false},
        "SectionOrList": {"anyOf": [{"$ref": "#/components/schemas/Section"},
            {"$ref": "#/components/schemas/SectionList"}]}
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
              "additionalProperties": false}]},
        "RowList": {"type": "object", "required": ["rows", "offset", "limit", "total"], "properties": {
            "rows": {"type": "array", "items": {"$ref": "#/components/schemas/Row"}},
            "offset": {"type": "integer"}, "limit": {"type": "integer"}, "total": {"type": "integer"}},
          "additionalProperties": false},
        "RowOrList": {"anyOf": [{"$ref": "#/components/schemas/PlacedRow"}, {"$ref": "#/components/schemas/RowList"}]},
        "IndexPathList": {"type": "object", "required": ["director", "version", "indexPaths"], "properties": {
            "director": {"type": "string"}, "version": {"type": "integer"},
            "indexPaths": {"type": "array", "items": {"$ref": "#/components/schemas/IndexPath"}}},
          "additionalProperties": false}
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
              "additionalProperties": false}]},
        "CellAdapterList": {"type": "object", "required": ["adapters"], "properties": {
            "adapters": {"type": "array", "items": {"$ref": "#/components/schemas/CellAdapter"}}},
          "additionalProperties": false},
        "ViewAdapterList": {"type": "object", "required": ["adapters"], "properties": {
            "adapters": {"type": "array", "items": {"$ref": "#/components/schemas/ViewAdapter"}}},
          "additionalProperties": false}
        """

    /// Addresses, batches, reloads and refreshes.
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
        "OperationsResult": {"anyOf": [{"$ref": "#/components/schemas/Director"},
            {"$ref": "#/components/schemas/Changeset"}]}
        """

    /// Changesets and their parts.
    static let changesets = """
        "IndexPath": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 2147483647},
          "minItems": 2, "maxItems": 2},
        "ElementAt": {"type": "object", "required": ["at", "element"], "properties": {
            "at": {"$ref": "#/components/schemas/IndexPath"}, "element": {"$ref": "#/components/schemas/Element"}},
          "additionalProperties": false},
        "SectionAt": {"type": "object", "required": ["at", "section"], "properties": {
            "at": {"type": "integer"}, "section": {"$ref": "#/components/schemas/Section"}},
          "additionalProperties": false},
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
        "Causes": {"type": "array", "minItems": 1, "maxItems": \(CauseList.limit), "uniqueItems": true,
          "items": \(cause), "description": "What mutations that are shown for the first time were named, in order."},
        "Changeset": {"type": "object", "required": ["director", "epoch", "from", "version", "stages", "counts"],
          "properties": {"director": {"type": "string"}, "epoch": {"type": "string"},
            "from": {"type": "integer"}, "version": {"type": "integer"},
            "animations": {"$ref": "#/components/schemas/Animations"},
            "causes": {"$ref": "#/components/schemas/Causes"},
            "stages": {"type": "array", "maxItems": 5, "items": {"$ref": "#/components/schemas/Stage"}},
            "replaced": {"type": "array", "minItems": 1, "items": {"$ref": "#/components/schemas/ElementAt"},
              "description": "Elements that show what they showed and have new values: put into the data after the stages."},
            "counts": {"$ref": "#/components/schemas/Counts"}}, "additionalProperties": false},
        "CountedChangeset": {"type": "object", "required": ["director", "epoch", "from", "version", "changes", "counts"],
          "properties": {"director": {"type": "string"}, "epoch": {"type": "string"},
            "from": {"type": "integer"}, "version": {"type": "integer"},
            "animations": {"$ref": "#/components/schemas/Animations"},
            "causes": {"$ref": "#/components/schemas/Causes"},
            "changes": {"type": "object", "description": "Operations of each kind, of all stages; none of 0.",
              "propertyNames": {"enum": ["elementUpdated", "sectionDeleted", "elementDeleted", "sectionInserted",
                "sectionMoved", "elementInserted", "elementMoved", "sectionUpdated", "replaced"]},
              "additionalProperties": {"type": "integer", "minimum": 1}},
            "counts": {"$ref": "#/components/schemas/Counts"}}, "additionalProperties": false},
        "ReloadResult": {"anyOf": [{"$ref": "#/components/schemas/Changeset"},
            {"$ref": "#/components/schemas/CountedChangeset"}]},
        "ChangesetList": {"type": "object", "required": ["changesets", "from", "version"], "properties": {
            "changesets": {"type": "array", "items": {"$ref": "#/components/schemas/Changeset"}},
            "from": {"type": "integer"}, "version": {"type": "integer"}}, "additionalProperties": false},
        "ChangesetOrList": {"anyOf": [{"$ref": "#/components/schemas/Changeset"},
            {"$ref": "#/components/schemas/ChangesetList"}]},
        "StreamList": {"type": "object", "required": ["streams", "offset", "limit", "total"], "properties": {
            "streams": {"type": "array", "items": {"$ref": "#/components/schemas/Stream"}},
            "offset": {"type": "integer"}, "limit": {"type": "integer"}, "total": {"type": "integer"}},
          "additionalProperties": false},
        "Stream": {"type": "object", "required": ["id", "since", "directors", "address", "protocol", "principal"],
          "properties": {"id": {"type": "string"}, "since": {"type": "string", "format": "date-time"},
            "directors": {"type": "array", "items": {"type": "object", "required": ["name", "version", "lag"],
              "properties": {"name": {"type": "string"}, "version": {"type": ["integer", "null"]},
                "lag": {"type": ["integer", "null"], "minimum": 0}}, "additionalProperties": false}},
            "address": {"type": ["string", "null"]}, "protocol": {"enum": ["http/1.1", "h2", null]},
            "principal": {"type": ["object", "null"], "required": ["kind", "name"], "properties": {
              "kind": {"enum": ["token", "jwt", "certificate"]}, "name": {"type": "string"}},
              "additionalProperties": false}},
          "additionalProperties": false},
        "EventStream": {"type": "string", 
          "description": "Server-sent events: snapshot or resumed first, then changeset, heartbeat, refresh, definition, end."},
        "PlainText": {"type": "string"}, "OpenAPI": {"type": "object"}
        """
}
