import JSONValues
import ListDiff

extension ListState {
    /// Performs an operation that brings elements in.
    ///
    /// - Returns: Where the element stands that was put or patched by itself; nil for other operations.
    mutating func applyToElementContent(
        _ operation: Operation, _ context: OperationContext
    ) throws(DirectorError) -> ElementPath? {
        switch operation {
        case .setElements(let address, let drafts):
            let section = try content.position(address, of: .section, pointer: "/section")
            let elements = try context.elements(drafts, pointer: "/elements")
            let total = elementCount - content[section].count + elements.count
            try context.check(sections: content.count, elements: total)
            changeSection(at: section) { $0.list = $0.list.adopting(elements) }
        case .addElements(.newSection(let identifier), let drafts, let address):
            _ = try PersistentList<Element>().insertion(address, of: .element, pointer: "/at")
            let draft = SectionDraft(identifier: identifier, elements: drafts)
            let section = try context.section(draft, identifier: nil, pointer: "")
            try insert([section], at: content.count, context)
        case .addElements(.section(let address), let drafts, let place):
            let section = try content.position(address, of: .section, pointer: "/section")
            let position = try content[section].list.insertion(place, of: .element, pointer: "/at")
            let elements = try context.elements(drafts, pointer: "/elements")
            try context.check(sections: content.count, elements: elementCount + elements.count)
            changeSection(at: section) { $0.list.insert(elements, at: position) }
        case .setElement(let section, let address, let draft, let place):
            return try setElement(section, address, draft, place, context)
        case .patchElement(let section, let element, let patch):
            let (path, current) = try self.element(at: element, in: section)
            let draft = ElementDraft(model: current.model, reading: current.value.patched(with: patch.root))
            let replacement: Element
            do {
                replacement = try context.element(draft, pointer: "")
            } catch {
                var error = error.movingPointers(from: "/value", to: "/patch")
                error.pointer = "/patch"
                throw error
            }
            replace(current, at: path, with: replacement)
            return path
        default:
            break
        }
        return nil
    }

    /// Performs an operation that removes elements or puts them elsewhere.
    mutating func applyToElementOrder(_ operation: Operation) throws(DirectorError) {
        switch operation {
        case .removeElement(let section, let element):
            let path = try self.element(at: element, in: section).path
            changeSection(at: path.section) { $0.list.remove(at: path.element) }
        case .removeElements(let address, let addresses):
            let section = try content.position(address, of: .section, pointer: "/section")
            let positions = try content[section].list.positions(addresses, of: .element)
            changeSection(at: section) { $0.list.remove(at: positions) }
        case .removeAllElements(let address):
            let section = try content.position(address, of: .section, pointer: "/section")
            changeSection(at: section) { $0.list = [] }
        case .moveElement(let section, let from, let to, let target):
            try moveElement(section, from, to, target)
        case .swapElements(let address, let one, let other):
            let section = try content.position(address, of: .section, pointer: "/section")
            let first = try content[section].list.movable(one, of: .element, pointer: "/at")
            let second = try content[section].list.movable(other, of: .element, pointer: "/with")
            if first != second { changeSection(at: section) { $0.list.swapAt(first, second) } }
        default:
            break
        }
    }

    private mutating func setElement(
        _ sectionAddress: Address, _ address: Address, _ draft: ElementDraft, _ place: Address?,
        _ context: OperationContext
    ) throws(DirectorError) -> ElementPath {
        let section = try content.position(sectionAddress, of: .section, pointer: "/section")
        guard case .identifier(let identifier) = address,
            content[section].list.positions(of: identifier, limit: 1).isEmpty
        else {
            let (path, current) = try self.element(at: address, in: sectionAddress)
            replace(current, at: path, with: try context.element(draft, pointer: "/value"))
            return path
        }
        let position = try content[section].list.insertion(place, of: .element, pointer: "/at")
        let element = try context.element(draft, pointer: "/value")
        guard element.identifier.utf8.elementsEqual(identifier.utf8) else {
            let fault = Fault(
                pointer: "/value/value",
                detail:
                    "the value has the identifier \(element.identifier.quoted), and no element has the one that it is "
                    + "addressed by, \(identifier.quoted)")
            throw DirectorError(.refused([fault]), pointer: "/value/value")
        }
        try context.check(sections: content.count, elements: elementCount + 1)
        changeSection(at: section) { $0.list.insert(element, at: position) }
        return ElementPath(section: section, element: position)
    }

    private mutating func replace(_ current: Element, at path: ElementPath, with element: Element) {
        // What comes in as it is there already must not look like a change to the next reload.
        guard !element.isInterchangeable(with: current) else { return }
        changeSection(at: path.section) { $0.list.replace(at: path.element, with: element) }
    }

    private mutating func moveElement(
        _ section: Address, _ from: Address, _ to: Address, _ toSection: Address?
    ) throws(DirectorError) {
        let source = try content.position(section, of: .section, pointer: "/section")
        let target =
            try toSection.map { address throws(DirectorError) in
                try content.position(address, of: .section, pointer: "/toSection")
            } ?? source
        let position = try content[source].list.movable(from, of: .element, pointer: "/from")
        if target == source {
            let place = try content[source].list.movable(to, of: .element, pointer: "/to")
            if place != position { changeSection(at: source) { $0.list.move(from: position, to: place) } }
            return
        }
        let place = try content[target].list.insertion(to, of: .element, pointer: "/to")
        let element = content[source].list[position]
        changeSection(at: source) { $0.list.remove(at: position) }
        changeSection(at: target) { $0.list.insert(element, at: place) }
    }
}

extension PersistentList<Element> {
    /// Inserts elements, so that the first one stands at a position; one by itself more quickly than as one of many.
    fileprivate mutating func insert(_ elements: [Element], at position: Int) {
        if elements.count == 1 {
            insert(elements[0], at: position)
        } else {
            insert(contentsOf: elements, at: position)
        }
    }

    /// A list of elements that came in whole, with those of this list in place of the ones that are the same, so that
    /// the next reload and the versions that are retained profit from what has not changed.
    func adopting(_ elements: [Element]) -> PersistentList<Element> {
        adopting(elements) { old, new in new.isInterchangeable(with: old) }
    }
}
