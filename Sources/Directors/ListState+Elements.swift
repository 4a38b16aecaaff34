import JSONValues

extension ListState {
    /// Performs an operation that brings elements in.
    mutating func applyToElementContent(_ operation: Operation, _ context: OperationContext) throws(DirectorError) {
        switch operation {
        case .setElements(let address, let drafts):
            let section = try content.position(address, of: .section, pointer: "/section")
            let elements = try context.elements(drafts, pointer: "/elements")
            let total = elementCount - content.items[section].count + elements.count
            try context.check(sections: content.count, elements: total)
            changeSection(at: section) { $0.content = KeyedList(elements) }
        case .addElements(.newSection(let identifier), let drafts, let address):
            _ = try KeyedList<Element>().insertion(address, of: .element, pointer: "/at")
            let draft = SectionDraft(identifier: identifier, elements: drafts)
            let section = try context.section(draft, identifier: nil, pointer: "")
            try insert([section], at: content.count, "", context)
        case .addElements(.section(let address), let drafts, let place):
            let section = try content.position(address, of: .section, pointer: "/section")
            let position = try content.items[section].content.insertion(place, of: .element, pointer: "/at")
            let elements = try context.elements(drafts, pointer: "/elements")
            try context.check(sections: content.count, elements: elementCount + elements.count)
            changeSection(at: section) { $0.content.insert(elements, at: position) }
        case .setElement(let section, let element, let draft):
            let path = try self.element(at: element, in: section).path
            let replacement = try context.element(draft, pointer: "/value")
            replaceElement(at: path.element, in: path.section, with: replacement)
        case .patchElement(let section, let element, let patch):
            let (path, current) = try self.element(at: element, in: section)
            let draft = ElementDraft(model: current.model, value: current.value.merging(patch))
            let replacement: Element
            do {
                replacement = try context.element(draft, pointer: "")
            } catch {
                var error = error.movingPointers(from: "/value", to: "/patch")
                error.pointer = "/patch"
                throw error
            }
            replaceElement(at: path.element, in: path.section, with: replacement)
        default:
            break
        }
    }

    /// Performs an operation that removes elements or puts them elsewhere.
    mutating func applyToElementOrder(_ operation: Operation) throws(DirectorError) {
        switch operation {
        case .removeElement(let section, let element):
            let path = try self.element(at: element, in: section).path
            changeSection(at: path.section) { $0.content.remove(at: path.element) }
        case .removeElements(let address, let addresses):
            let section = try content.position(address, of: .section, pointer: "/section")
            let positions = try content.items[section].content.positions(addresses, of: .element)
            changeSection(at: section) { $0.content.remove(at: positions) }
        case .removeAllElements(let address):
            let section = try content.position(address, of: .section, pointer: "/section")
            changeSection(at: section) { $0.content = KeyedList() }
        case .moveElement(let section, let from, let to, let target):
            try moveElement(section, from, to, target)
        case .swapElements(let address, let one, let other):
            let section = try content.position(address, of: .section, pointer: "/section")
            let first = try content.items[section].content.movable(one, of: .element, pointer: "/at")
            let second = try content.items[section].content.movable(other, of: .element, pointer: "/with")
            changeSection(at: section) { $0.content.swap(first, second) }
        default:
            break
        }
    }

    private mutating func replaceElement(at position: Int, in section: Int, with element: Element) {
        changeSection(at: section) { $0.content.replace(at: position, with: element) }
    }

    private mutating func moveElement(
        _ section: Address, _ from: Address, _ to: Address, _ toSection: Address?
    ) throws(DirectorError) {
        let source = try content.position(section, of: .section, pointer: "/section")
        let target =
            try toSection.map { address throws(DirectorError) in
                try content.position(address, of: .section, pointer: "/toSection")
            } ?? source
        let position = try content.items[source].content.movable(from, of: .element, pointer: "/from")
        if target == source {
            let place = try content.items[source].content.movable(to, of: .element, pointer: "/to")
            changeSection(at: source) { $0.content.move(from: position, to: place) }
            return
        }
        let place = try content.items[target].content.insertion(to, of: .element, pointer: "/to")
        let element = content.items[source].content.items[position]
        changeSection(at: source) { $0.content.remove(at: position) }
        changeSection(at: target) { $0.content.insert([element], at: place) }
    }
}
