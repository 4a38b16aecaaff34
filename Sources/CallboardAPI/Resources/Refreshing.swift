import DirectorLife
import Directors
import HTTPTypes
import JSONValues
import ListDiff

extension Mutation {
    /// Tells subscribers to draw cells anew. Nothing is stored: who is away has nothing to refresh.
    mutating func refresh(_ call: Call) throws(Problem) -> Reply {
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
        var seen = Set<ElementPath>(minimumCapacity: places.count)
        var elements: [(path: ElementPath, element: Element)] = []
        var size = 0
        for place in places {
            let found: (path: ElementPath, element: Element)
            do {
                let element = try list.element(at: place.element, in: place.section, row: nil)
                found = (element.place.path, element.element)
            } catch {
                throw .unprocessable(
                    "The published state has no such element: \(error.detail).",
                    faults: [.init(pointer: place.pointer, detail: error.detail)])
            }
            guard seen.insert(found.path).inserted else { continue }
            size += found.element.bytes
            // Checked here, so that a request of a few bytes for each element does not gather more than is sent.
            guard size <= MessageBound.bytes else {
                let detail =
                    "the elements up to here take \(size) bytes, and one message has at most "
                    + "\(MessageBound.bytes); name fewer at a time, or refresh all"
                throw .unprocessable(
                    "The elements are too large for one message.",
                    faults: [.init(pointer: place.pointer, detail: detail)])
            }
            elements.append(found)
        }
        return elements
    }
}
