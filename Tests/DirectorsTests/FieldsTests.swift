import JSONValues
import Testing

@testable import Directors

/// A resource of which each field is declared in one place.
private struct Parcel: Equatable, Sendable {
    var label: String?
    var weight = 1.0
    var isFragile = false
    var size = SizePolicy<Double>.default

    static let fields = Fields<Parcel>("a parcel") {
        Field("label", get: { $0.label }, set: { $0.label = $1 }, .optional(.text), only: [.flow], "What it is called.")
        Field("weight", \.weight, .length, isRequired: true, "How heavy it is.")
        Field(
            "isFragile", get: { $0.isFragile }, set: { $0.isFragile = $1 }, .nullable(.boolean), after: "size",
            "Whether it breaks.")
        Field("size", \.size, .heightPolicy, "How high it is.")
    }

    static func read(_ text: String) throws -> Parcel {
        let root = try node(text)
        return try decoding { fields.decode(root, into: Parcel(), &$0) }
    }

    var text: String {
        DirectorsTests.text { Parcel.fields.encode(self, to: &$0) }
    }
}

@Suite("Fields: what follows from one declaration")
struct FieldsTests {
    private let whole = #"{"label":"a","weight":2.5,"size":{"auto":3},"isFragile":true}"#

    @Test("every field is read and written, in its place")
    func form() throws {
        let parcel = try Parcel.read(whole)
        #expect(parcel.label == "a" && parcel.weight == 2.5 && parcel.isFragile && parcel.size == .auto(estimate: 3))
        #expect(parcel.text == whole)
        #expect(try Parcel.read(#"{"weight":1,"label":null,"isFragile":null}"#) == Parcel())
        #expect(Parcel().text == #"{"weight":1,"size":"default","isFragile":false}"#)
        #expect(Parcel.fields.sum(ofTextsIn: parcel) { $0.utf8.count } == 1)
    }

    @Test("no field can change and the resource be the same", arguments: Parcel.fields.all.indices)
    func equality(_ index: Int) throws {
        let changed = [#"{"weight":1,"label":"b"}"#, #"{"weight":2}"#, #"{"weight":1,"isFragile":true}"#]
        let forms = changed + [#"{"weight":1,"size":{"explicit":1}}"#]
        #expect(forms.count == Parcel.fields.all.count)
        #expect(try Parcel.read(forms[index]) != Parcel())
    }

    @Test(
        "what is wrong is named with its place",
        arguments: [
            ("[]", "expected a parcel, an object, found an array"),
            ("{}", #"a parcel needs the member "weight""#),
            (
                #"{"weight":1,"colour":2}"#,
                #"/colour: a parcel has no member "colour"; it has label, weight, isFragile, size"#
            ),
            (#"{"weight":null}"#, "/weight: expected a number, found null"),
            (
                #"{"weight":-1,"label":1}"#,
                "/weight: a length is a number from 0 to 1e9; /label: expected a string, found a number"
            ),
        ])
    func faults(_ row: (String, String)) throws {
        let error = #expect(throws: RepresentationError.self) { try Parcel.read(row.0) }
        #expect(error?.description == row.1)
    }

    @Test(
        "a merge patch changes fields, puts them back, and replaces a policy of another form",
        arguments: [
            (#"{"label":"b"}"#, #"{"label":"b","weight":2.5,"size":{"auto":3},"isFragile":true}"#),
            (#"{"label":null,"isFragile":null}"#, #"{"weight":2.5,"size":{"auto":3},"isFragile":false}"#),
            (#"{"size":{"explicit":4}}"#, #"{"label":"a","weight":2.5,"size":{"explicit":4},"isFragile":true}"#),
        ])
    func patch(_ row: (String, String)) throws {
        let parcel = try Parcel.read(whole)
        #expect(try Parcel.fields.merging(node(row.0), into: parcel, initial: Parcel()).text == row.1)
        for (patch, pointer) in [("[]", ""), (#"{"colour":1}"#, "/colour"), (#"{"weight":null}"#, "")] {
            let error = #expect(throws: RepresentationError.self) {
                try Parcel.fields.merging(node(patch), into: parcel, initial: Parcel())
            }
            #expect(error?.faults.map(\.pointer) == [pointer])
        }
    }

    @Test("an answer's schema requires what is always written, a body's what is needed")
    func schemas() throws {
        func schema(_ side: JSONSchema.Side) -> String {
            text { JSONSchema.object(Parcel.fields.members, side: side).encode(to: &$0) }
        }
        let properties =
            ##""weight":{"$ref":"#/components/schemas/Length","description":"How heavy it is."},"isFragile":{"type":TYPE,"description":"Whether it breaks."},"size":{"$ref":"#/components/schemas/HeightPolicy","description":"How high it is."}},"additionalProperties":false}"##
        #expect(
            schema(.answer)
                == #"{"type":"object","required":["weight","isFragile","size"],"properties":{"label":{"type":"string","description":"What it is called."},"#
                + properties.replacing("TYPE", with: #""boolean""#))
        #expect(
            schema(.body)
                == #"{"type":"object","required":["weight"],"properties":{"label":{"type":["string","null"],"description":"What it is called."},"#
                + properties.replacing("TYPE", with: #"["boolean","null"]"#))
    }

    @Test("a text that is normalised in another way is another text", arguments: SectionAttributes.fields.all.indices)
    func verbatim(_ index: Int) throws {
        let field = SectionAttributes.fields.all[index]
        guard field.text != nil else { return }
        let forms = ["e\u{301}", "\u{E9}"].map { #"{"id":"s","\#(field.member.name)":"\#($0)"}"# }
        let attributes = try forms.map { try SectionDraft.decode(node($0)).attributes }
        #expect(attributes[0] != attributes[1])
        #expect(try attributes[0] == SectionDraft.decode(node(forms[0])).attributes)
    }

    @Test("a section and an element are written with the members that are declared")
    func declared() throws {
        let section =
            #"{"id":"s","headerTitle":"H","footerTitle":"F","headerView":"HV","footerView":"FV","indexTitle":"I","isCollapsed":true,"sectionInsets":{},"minimumInteritemSpacing":5,"minimumLineSpacing":6,"headerHeight":7,"footerHeight":-1,"headerSize":{"width":8,"height":9},"footerSize":{"width":0,"height":0},"elements":[]}"#
        let draft = try SectionDraft.decode(node(section))
        let written = try node(text { draft.encode(to: &$0) })
        #expect(Set(written.members.map(\.name)) == Set(Section.members.map(\.name)).subtracting(["count", "rows"]))
        #expect(SectionAttributes.fields.all.allSatisfy { $0.isPresent(draft.attributes.values) })
        let rows = try node(text { try SectionDraft.decode(node(#"{"id":"s","rows":[]}"#)).encode(to: &$0) })
        #expect(rows.members.map(\.name) == ["id", "isCollapsed", "rows"])
    }

    @Test("a row and the elements that it publishes are written with the members that are declared")
    func declaredRows() throws {
        let director = try emptyDirector(DirectorProperties(defaultsOf: .stack))
        let both =
            #""cell":"C","reuseIdentifier":"R","hideWhen":false,"height":1,"estimatedHeight":2,"additionalConfig":{},"afterSelection":"deselect","rowInsets":{},"rowPadding":{},"separator":{},"backgroundColor":"b","highlightColor":"h""#
        let rows =
            "[{\"id\":\"c\",\"type\":\"constant\",\"value\":1,\(both)},"
            + "{\"id\":\"m\",\"type\":\"model\",\"model\":\"Item\",\"elements\":[{\"value\":\"a\"}],\(both)}]"
        try director.perform([.sections(.add([SectionDraft.decode(node("{\"id\":\"s\",\"rows\":\(rows)}"))]))])
        let written = try director.working.list.rows(inSectionAt: 0).map { row in
            try node(text { row.encode(to: &$0) }).members.map(\.name)
        }
        let others = ["count", "section", "position"]
        #expect(Set(written.joined()) == Set(Row.members.map(\.name)).subtracting(others))
        let counted = try director.working.list.rows(inSectionAt: 0).map { row in
            try node(text { row.encode(in: "s", at: 0, includingElements: false, to: &$0) }).members.map(\.name)
        }
        #expect(Set(counted.joined()) == Set(Row.members.map(\.name)).subtracting(["elements"]))
        #expect(try director.reload() != nil)
        let elements = try director.published.list.sections[0].list.map { element in
            try node(text { element.encode(to: &$0) }).members.map(\.name)
        }
        let declared = Set(Element.members.map(\.name))
        #expect(Set(elements[1]) == declared && Set(elements[0]) == declared.subtracting(["model"]))
    }

    @Test("an operation takes the members of its form, and needs those that the form requires")
    func forms() throws {
        for form in Directors.Operation.forms {
            let all = form.members.filter { $0.name != "newSection" }.map(\.name)
            #expect(throws: Never.self, "\(form.name)") { try Directors.Operation.decode(node(body(form, all))) }
            for member in form.members where member.use == .required {
                let others = all.filter { $0 != member.name }
                let error = #expect(throws: RepresentationError.self) {
                    try Directors.Operation.decode(node(body(form, others)))
                }
                #expect(error?.faults.map(\.detail) == ["the member \(member.name.quoted) is missing"])
            }
        }
        let new = #"{"op":"addElements","newSection":"n","section":null,"at":null,"elements":[]}"#
        #expect(throws: Never.self) { try Directors.Operation.decode(node(new)) }
        for form in RepresentationTests.operations {
            let names = try node(form).members.map(\.name)
            let declared = try Directors.Operation.forms.first { try node(form)["op"]?.string == $0.name }
            #expect(Set(names).isSubset(of: ["op"] + (declared?.members.map(\.name) ?? [])), "\(form)")
        }
    }

    private func body(_ form: Directors.Operation.Form, _ names: [String]) throws -> String {
        let members = try form.members.filter { names.contains($0.name) }.map { member in
            "\(member.name.quoted):\(try #require(sample(member.bodySchema), "\(member.name)"))"
        }
        return "{" + (["\"op\":\(form.name.quoted)"] + members).joined(separator: ",") + "}"
    }

    /// A value that keeps to a schema.
    private func sample(_ schema: JSONSchema) -> String? {
        switch schema {
        case .any, .reference("Place"): "0"
        case .string: #""n""#
        case .array: "[]"
        case .reference("SectionInput"): "{}"
        case .reference("RowInput"), .reference("RowPatch"): #"{"type":"constant","cell":"C"}"#
        case .reference("ElementInput"): #"{"value":1}"#
        case .reference("CellAdapterInput"): #"{"cell":"C"}"#
        case .nullable(let schema): sample(schema)
        default: nil
        }
    }
}
