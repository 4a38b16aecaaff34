import Directors
import JSONValues
import ListDiff
import Notation

/// Between the domain's values and the bodies of requests and answers.
///
/// The JSON forms themselves are the domain's; here are the bodies that only the API has: lists with pages, places,
/// and the choice between one and several.
enum Coding {
    // MARK: Reading

    /// Reads a body; what is wrong with it has its place there.
    static func read<Value>(
        _ decode: @autoclosure () throws(RepresentationError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try decode()
        } catch {
            throw Problem(error)
        }
    }

    /// The content of a body with one item or several.
    struct Several<Draft> {
        /// The items.
        let drafts: [Draft]
        /// Whether the body was a single one, not a list.
        let isSingle: Bool
        /// Which part of the operation's JSON form the body is.
        let part: BodyPart

        init(_ drafts: [Draft], _ root: JSONNode, isSingle: Bool, list: String, isBare: Bool = false) {
            self.drafts = drafts
            self.isSingle = isSingle
            if isBare {
                part = isSingle ? .bareValue("/\(list)/0") : .bareValues
            } else if isSingle {
                part = .value(at: "/\(list)/0")
            } else {
                part = .part("/\(list)", at: root.kind == .array ? "" : "/\(list)")
            }
        }
    }

    /// One section or several.
    static func sections(
        _ document: JSONDocument, within limits: DirectorLimits
    ) throws(Problem) -> Several<SectionDraft> {
        let root = document.root
        let isSingle = root.kind == .object && root["sections"] == nil
        let drafts = try read(try SectionDraft.decodeSeveral(root, within: limits))
        return Several(drafts, root, isSingle: isSingle, list: "sections")
    }

    /// One section.
    static func section(_ document: JSONDocument, within limits: DirectorLimits) throws(Problem) -> SectionDraft {
        try read(try SectionDraft.decode(document.root, within: limits))
    }

    /// One row or several.
    static func rows(
        _ document: JSONDocument, within limits: DirectorLimits
    ) throws(Problem) -> Several<RowDraft> {
        let root = document.root
        let isSingle = root.kind == .object && root["rows"] == nil
        let drafts = try read(try RowDraft.decodeSeveral(root, within: limits))
        return Several(drafts, root, isSingle: isSingle, list: "rows")
    }

    /// One row.
    static func row(_ document: JSONDocument, within limits: DirectorLimits) throws(Problem) -> RowDraft {
        try read(try RowDraft.decode(document.root, within: limits))
    }

    /// One element or several; with a model, bare values.
    static func elements(_ document: JSONDocument, model: String?) throws(Problem) -> Several<ElementDraft> {
        let root = document.root
        let isSingle = model == nil ? root.kind == .object && root["elements"] == nil : root.kind != .array
        let drafts = try read(try ElementDraft.decodeSeveral(root, model: model))
        return Several(drafts, root, isSingle: isSingle, list: "elements", isBare: model != nil)
    }

    /// One element; with a model, the body is its bare value, whatever that is.
    static func element(
        _ document: JSONDocument, model: String?
    ) throws(Problem) -> ElementDraft {
        if let model { return ElementDraft(model: model, reading: document.root) }
        return try read(try ElementDraft.decode(document.root))
    }

    /// A cell adapter for the path's model.
    static func cellAdapter(
        _ document: JSONDocument, model: String, within limits: DirectorLimits
    ) throws(Problem) -> CellAdapter {
        try read(try CellAdapter.decode(document.root, model: model, within: limits))
    }

    /// Several cell adapters: an array, or a list as a read has answered it; each is read with its place in the body.
    static func cellAdapters(
        _ document: JSONDocument, within limits: DirectorLimits
    ) throws(Problem) -> [(adapter: CellAdapter, node: JSONNode, place: String)] {
        let root = document.root
        let isList = root.kind == .object && root["adapters"] != nil
        guard let list = isList ? root["adapters"] : root, list.kind == .array,
            !isList || root.members.allSatisfy({ $0.isNamed("adapters") })
        else {
            throw .unprocessable(
                "The content is neither an array of adapters nor {\"adapters\": […]}.",
                faults: [.init(pointer: "", detail: "expected an array of adapters")])
        }
        var adapters: [(adapter: CellAdapter, node: JSONNode, place: String)] = []
        var models: Set<Name> = []
        for node in list.elements {
            do {
                let adapter = try CellAdapter.decode(node, model: nil, within: limits)
                guard models.insert(Name(adapter.model)).inserted else {
                    throw RepresentationError([
                        Directors.Fault(
                            pointer: "\(node.pointer)/model",
                            detail: "the model \(adapter.model.quoted) has another adapter in this list")
                    ])
                }
                adapters.append((adapter, node, isList ? "/adapters" : ""))
            } catch let error as RepresentationError {
                throw Problem(error)
            } catch let problem as Problem {
                throw problem
            } catch {
                throw .unprocessable("The adapter cannot be read: \(error)")
            }
        }
        return adapters
    }

    /// A header/footer adapter for the path's view.
    static func headerFooterAdapter(
        _ document: JSONDocument, view: String, within limits: DirectorLimits
    ) throws(Problem) -> HeaderFooterAdapter {
        try read(try HeaderFooterAdapter.decode(document.root, view: view, within: limits))
    }

    // MARK: Writing

    /// A single element with its place in the state that is read.
    static func encode(elementAt place: ElementPlace, in list: ListState) -> [UInt8] {
        let section = list.sections[place.list.section]
        let element = list.elements(at: place.list)[place.position]
        var writer = JSONWriter(reservingCapacity: element.value.bytes.count + 192)
        if let row = place.list.row.flatMap({ section.rows?[$0] }) {
            element.encode(in: section.identifier, row: row.identifier, at: place.position, to: &writer)
        } else {
            element.encode(in: section.identifier, at: place.path, to: &writer)
        }
        return writer.bytes
    }

    static func encode(_ section: Section, _ query: Query) -> [UInt8] {
        var writer = JSONWriter()
        write(section, withElements: query.flag("elements", otherwise: true), to: &writer)
        return writer.bytes
    }

    /// A section as a read answers it: with its elements, or with their number.
    private static func write(_ section: Section, withElements: Bool, to writer: inout JSONWriter) {
        if withElements {
            section.encode(to: &writer, includingElements: true)
        } else {
            section.encodeCounted(to: &writer)
        }
    }

    /// Sections as a whole list, which has no further page.
    static func list(_ sections: Slice<SectionList>, _ query: Query) -> [UInt8] {
        let withElements = query.flag("elements", otherwise: true)
        return ListForm.sections.page(sections, offset: 0, limit: sections.count, total: sections.count) {
            write($0, withElements: withElements, to: &$1)
        }
    }

    /// Elements that were added as a whole list, which has no further page, and the section that was made for them.
    static func list(_ elements: Slice<PersistentList<Element>>, newSection: String?) -> [UInt8] {
        ListForm.elements.page(
            elements, offset: 0, limit: elements.count, total: elements.count, section: newSection
        ) { $0.encode(to: &$1) }
    }

    /// The page of sections that a query asks for.
    static func page(_ sections: SectionList, _ query: Query) -> [UInt8] {
        let (offset, limit) = query.page
        let withElements = query.flag("elements", otherwise: true)
        return ListForm.sections.page(
            sections.window(offset, limit), offset: offset, limit: limit, total: sections.count
        ) { write($0, withElements: withElements, to: &$1) }
    }

    /// A row as it is read by itself: with where it is.
    static func encode(_ row: Row, in section: String, at position: Int, _ query: Query) -> [UInt8] {
        var writer = JSONWriter()
        let withElements = query.flag("elements", otherwise: true)
        row.encode(in: section, at: position, includingElements: withElements, to: &writer)
        return writer.bytes
    }

    /// A row in a list of rows: with its elements, or with their number.
    static func write(_ row: Row, withElements: Bool, to writer: inout JSONWriter) {
        if withElements { row.encode(to: &writer) } else { row.encodeCounted(to: &writer) }
    }

    /// About how many bytes some rows have as a read answers them.
    static func work(_ rows: some Sequence<Row>, _ query: Query) -> Int {
        let withElements = query.flag("elements", otherwise: true)
        return rows.reduce(0) { $0 + 512 + (withElements ? $1.bytes + 64 * $1.elements.count : 0) }
    }

    /// The page of elements that a query asks for.
    static func page(_ elements: PersistentList<Element>, _ query: Query) -> [UInt8] {
        let (offset, limit) = query.page
        return ListForm.elements.page(
            elements.window(offset, limit), offset: offset, limit: limit, total: elements.count
        ) { $0.encode(to: &$1) }
    }

    /// About how many bytes a section has as a read answers it.
    static func work(_ section: Section, _ query: Query) -> Int {
        let rows = 512 * (section.rows?.count ?? 0)
        guard query.flag("elements", otherwise: true) else { return 256 + rows }
        return 256 + rows + (section.rows?.measure.bytes ?? 0) + work(section.list[...])
    }

    /// About how many bytes several sections have.
    static func work(_ sections: Slice<SectionList>, _ query: Query) -> Int {
        sections.reduce(0) { $0 + work($1, query) }
    }

    /// About how many bytes a list of elements has; O(log *n*) in the length of the list.
    static func work(_ elements: Slice<PersistentList<Element>>) -> Int {
        let list = elements.base
        let bytes = list.measure(before: elements.endIndex).bytes - list.measure(before: elements.startIndex).bytes
        return bytes + 64 * elements.count
    }

    static func variables(_ variables: some Sequence<(key: Name, value: JSONValue)>) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("variables")
        writer.beginObject()
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            writer.key(name.text)
            writer.value(value)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}

extension Query {
    /// A page's first position and its largest length.
    var page: (offset: Int, limit: Int) {
        (integer("offset") ?? 0, integer("limit") ?? 100)
    }
}

extension RandomAccessCollection where Index == Int {
    /// The part of a list that a page shows; empty beyond its end. Nothing is copied.
    func window(_ offset: Int, _ limit: Int) -> SubSequence {
        let start = Swift.min(offset, count)
        return self[start..<(start + Swift.min(limit, count - start))]
    }
}
