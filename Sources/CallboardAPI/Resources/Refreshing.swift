import DirectorLife
import Directors
import HTTPTypes
import JSONValues
import ListDiff

extension Mutation {
    /// Tells subscribers to draw cells anew. Nothing is stored: who is away has nothing to refresh.
    mutating func refresh(_ call: Call) throws(Problem) -> Reply {
        try call.require(.content)
        let newest = draft.published
        var elements: [(path: ElementPath, element: Element)]?
        if !call.exchange.body.isEmpty {
            elements = try refreshed(try Coding.refresh(try call.document()), in: newest.list)
        }
        // At once, not after what is being stored: it speaks of what is published now, and its id must not go back.
        let frame = draft.announce(.refresh(director: name, version: newest.version, elements: elements))
        return Reply(body: Array(frame.json))
    }

    /// The elements that a request names, each once, in its order; nil for all.
    private func refreshed(
        _ request: RefreshRequest, in list: ListState
    ) throws(Problem) -> [(path: ElementPath, element: Element)]? {
        guard let places = request.places else { return nil }
        var gathered = RefreshedElements()
        for place in places {
            let found: (place: ElementPlace, element: Element)
            do {
                found = try list.element(at: place.element, of: .section(place.section))
            } catch {
                throw Problem(unshown: error, pointer: place.pointer)
            }
            try gathered.add(found.element, at: found.place.path, pointer: place.pointer)
        }
        for row in request.rows {
            let section: Section
            do {
                section = try list.section(at: row.section).section
            } catch {
                throw Problem(unshown: error, pointer: row.pointer)
            }
            let paths = list.indexPaths(ofRow: row.row, in: section.identifier)
            // A row that is hidden has nothing to refresh; one that is not there is a mistake.
            guard !paths.isEmpty || director.working.list.hasRow(row.row, in: section.identifier) else {
                throw .unprocessable(
                    "There is no row \(row.row.quoted) in the section \(section.identifier.quoted).",
                    faults: [.init(pointer: row.pointer + "/row", detail: "there is no such row")]
                ).tellingContent
            }
            for path in paths {
                try gathered.add(list.sections[path.section].list[path.element], at: path, pointer: row.pointer)
            }
        }
        return gathered.elements
    }
}

extension Mutation {
    /// Tells subscribers to bring an element into view. Nothing is stored.
    mutating func scroll(_ call: Call) throws(Problem) -> Reply {
        try call.require(.content)
        let request = try Coding.scroll(try call.document())
        let newest = draft.published
        let path = try place(of: request.target, in: newest.list)
        let section = newest.list.sections[path.section]
        let place = ScrollPlace(
            path: path, section: section.identifier, element: section.list[path.element].identifier,
            position: request.position, isAnimated: request.isAnimated)
        let frame = draft.announce(.scroll(director: name, version: newest.version, place))
        return Reply(body: Array(frame.json))
    }

    private func place(of target: ScrollRequest.Target, in list: ListState) throws(Problem) -> ElementPath {
        do throws(DirectorError) {
            switch target {
            case .element(let section, let element):
                return try list.element(at: element, of: .section(section)).place.path
            case .section(let section):
                return try list.element(at: .first, of: .section(section)).place.path
            case .row(let address, let row):
                let section = try list.section(at: address).section
                if let path = list.indexPaths(ofRow: row, in: section.identifier).first { return path }
            }
        } catch {
            throw Problem(unshown: error, pointer: "/to")
        }
        throw .unprocessable(
            "The published state shows no element of such a row.",
            faults: [.init(pointer: "/to/row", detail: "the row is not there, hidden, or without elements")]
        ).tellingContent
    }
}

/// The elements of a refresh, each once, as many as one message has room for.
private struct RefreshedElements {
    private(set) var elements: [(path: ElementPath, element: Element)] = []
    private var seen: Set<ElementPath> = []
    private var size = 0

    /// Adds an element.
    ///
    /// Checked here, so that a request of a few bytes for each element does not gather more than is sent.
    mutating func add(_ element: Element, at path: ElementPath, pointer: String) throws(Problem) {
        guard seen.insert(path).inserted else { return }
        size += element.bytes
        guard size <= MessageBound.bytes else {
            let detail =
                "the elements up to here take \(size) bytes, and one message has at most "
                + "\(MessageBound.bytes); name fewer at a time, or refresh all"
            throw .unprocessable(
                "The elements are too large for one message.", faults: [.init(pointer: pointer, detail: detail)]
            ).tellingContent
        }
        elements.append((path, element))
    }
}

extension Problem {
    /// The place that a refresh names is not published: 422 with its pointer in the body.
    fileprivate init(unshown error: DirectorError, pointer: String) {
        self =
            .unprocessable(
                "The published state has no such element: \(error.detail).",
                faults: [.init(pointer: pointer, detail: error.detail)]
            ).tellingContent
    }
}
