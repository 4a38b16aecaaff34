import Directors
import Foundation
import HTTPTypes
import JSONValues

extension DirectorHost {
    // MARK: Reading

    func listElements(_ call: Call) throws(Problem) -> Outcome {
        let (list, tag) = try state(call)
        let section = try find(try call.address(1), in: list)
        return read(call, tag: tag) { Reply(body: Coding.page(section.list, call.query)) }
    }

    func readElement(_ call: Call) throws(Problem) -> Outcome {
        let (list, tag) = try state(call)
        let (section, element) = (try call.address(1), try call.address(2))
        do {
            let found = try list.element(at: element, in: section).element
            return read(call, tag: tag) { Reply(body: Coding.encode(found)) }
        } catch {
            throw Problem(error, body: nil)
        }
    }

    // MARK: Changing

    func setElements(_ call: Call) throws(Problem) -> Outcome {
        let section = try call.address(1)
        let body = try Coding.elements(try call.document(), model: call.query["model"])
        return try mutate(call, [.setElements(section: section, body.drafts)], body: body.part) { () throws(Problem) in
            Reply(body: Coding.page(try find(section, in: director.working.list).list, call.query))
        }
    }

    func appendElements(_ call: Call) throws(Problem) -> Outcome {
        guard let address = call.query.address("section") else {
            return try addElements(call, to: .newSection(identifier: UUID().uuidString))
        }
        return try addElements(call, to: .section(address))
    }

    func addElements(_ call: Call, to target: ElementTarget) throws(Problem) -> Outcome {
        let body = try Coding.elements(try call.document(), model: call.query["model"])
        let place = call.query.integer("at")
        let operation = Directors.Operation.addElements(target, body.drafts, at: place.map { .position($0) })
        return try mutate(call, [operation], body: body.part) { () throws(Problem) in
            let section: Section
            switch target {
            case .section(let address): section = try find(address, in: director.working.list)
            case .newSection: section = try find(.last, in: director.working.list)
            }
            let start = place ?? section.count - body.drafts.count
            let added = section.list[start..<start + body.drafts.count]
            guard body.isSingle, let element = added.first else {
                return Reply(status: .created, body: Coding.list(added))
            }
            return Reply(
                status: .created, body: Coding.encode(element),
                location: Location.path(
                    "v1", "directors", name, "sections", Address.identifier(section.identifier).description, "elements",
                    "@\(start)"))
        }
    }

    func removeElements(_ call: Call) throws(Problem) -> Outcome {
        let section = try call.address(1)
        let operation: Directors.Operation =
            call.query.positions("at").map { .removeElements(section: section, at: $0.map { .position($0) }) }
            ?? .removeAllElements(section: section)
        return try mutate(call, [operation]) { () throws(Problem) in .noContent(etag: nil) }
    }

    func moveElement(_ call: Call) throws(Problem) -> Outcome {
        let section = try call.address(1)
        let operation = try Coding.operation(try call.document()) { node throws(RepresentationError) in
            try Directors.Operation.decodeMoveElement(node, section: section)
        }
        return try mutate(call, [operation], body: "") { () throws(Problem) in Reply(body: representation) }
    }

    func swapElements(_ call: Call) throws(Problem) -> Outcome {
        let section = try call.address(1)
        let operation = try Coding.operation(try call.document()) { node throws(RepresentationError) in
            try Directors.Operation.decodeSwapElements(node, section: section)
        }
        return try mutate(call, [operation], body: "") { () throws(Problem) in Reply(body: representation) }
    }

    func putElement(_ call: Call) throws(Problem) -> Outcome {
        let (section, element) = (try call.address(1), try call.address(2))
        let place = try place(element, in: section)
        let model = call.query["model"]
        let draft = try Coding.element(try call.document(), model: model)
        let operation = Directors.Operation.setElement(section: section, element: element, draft)
        return try mutate(call, [operation], body: model == nil ? "/value" : "/value/value") { () throws(Problem) in
            Reply(body: Coding.encode(try self.element(at: place)))
        }
    }

    func patchElement(_ call: Call) throws(Problem) -> Outcome {
        let (section, element) = (try call.address(1), try call.address(2))
        let place = try place(element, in: section)
        let patch = try call.document().root.value
        return try mutate(call, [.patchElement(section: section, element: element, patch: patch)], body: "/patch") {
            () throws(Problem) in Reply(body: Coding.encode(try self.element(at: place)))
        }
    }

    func removeElement(_ call: Call) throws(Problem) -> Outcome {
        let operation = Directors.Operation.removeElement(section: try call.address(1), element: try call.address(2))
        return try mutate(call, [operation]) { () throws(Problem) in .noContent(etag: nil) }
    }

    /// Where an element stands, so that it is found again when its identifier has changed.
    private func place(_ element: Address, in section: Address) throws(Problem) -> (section: Int, element: Int) {
        do {
            let path = try director.working.list.element(at: element, in: section).path
            return (path.section, path.element)
        } catch {
            throw Problem(error, body: nil)
        }
    }

    private func element(at place: (section: Int, element: Int)) throws(Problem) -> Element {
        do {
            return try director.working.list.element(at: .position(place.element), in: .position(place.section)).element
        } catch {
            throw Problem(error, body: nil)
        }
    }
}
