import JSONValues
import ListDiff
import Notation

extension ListState {
    /// Performs an operation that brings elements in.
    ///
    /// - Returns: The place of the element that was put or patched by itself; nil for other operations.
    mutating func applyToElementContent(
        _ operation: Operation, _ context: OperationContext
    ) throws(DirectorError) -> ElementPlace? {
        switch operation {
        case .setElements(let section, let row, let drafts):
            let list = try elementList(section: section, row: row)
            let elements = try make(drafts, for: list, context)
            try check(adding: elements.count - self.elements(at: list).count, context)
            changeElements(at: list) { $0 = $0.adopting(elements) }
        case .addElements(.newSection(let identifier), let drafts, let address):
            _ = try PersistentList<Element>().insertion(address, of: .element, pointer: "/at")
            let draft = SectionDraft(identifier: identifier, elements: drafts)
            let section = try context.section(draft, identifier: nil, pointer: "")
            try insert([section], at: content.count, context)
        case .addElements(.section(let section), let drafts, let place):
            try addElements(drafts, to: try elementList(section: section, row: nil), at: place, context)
        case .addElements(.row(let section, let row), let drafts, let place):
            try addElements(drafts, to: try elementList(section: section, row: row), at: place, context)
        case .setElement(let section, let row, let address, let draft, let place):
            return try setElement(address, in: try elementList(section: section, row: row), draft, place, context)
        case .patchElement(let section, let row, let element, let patch):
            let (place, current) = try self.element(at: element, in: section, row: row)
            let draft = ElementDraft(model: current.model, reading: current.value.patched(with: patch.root))
            let replacement: Element
            do {
                replacement = try context.element(draft, since: current, pointer: "")
            } catch {
                var error = error.movingPointers(from: "/value", to: "/patch")
                error.pointer = "/patch"
                throw error
            }
            replace(current, at: place, with: replacement)
            return place
        default:
            break
        }
        return nil
    }

    /// Performs an operation that removes elements or puts them elsewhere.
    mutating func applyToElementOrder(_ operation: Operation) throws(DirectorError) {
        switch operation {
        case .removeElement(let section, let row, let element):
            let place = try self.element(at: element, in: section, row: row).place
            changeElements(at: place.list) { $0.remove(at: place.position) }
        case .removeElements(let section, let row, let addresses):
            let list = try elementList(section: section, row: row)
            let positions = try elements(at: list).positions(addresses, of: .element)
            changeElements(at: list) { $0.remove(at: positions) }
        case .removeAllElements(let section, let row):
            changeElements(at: try elementList(section: section, row: row)) { $0 = [] }
        case .moveElement(let section, let row, let from, let to, let targetSection, let targetRow):
            let source = try elementList(section: section, row: row)
            let target = try target(section: section, row: row, toSection: targetSection, toRow: targetRow)
            try moveElement(from, of: source, to, in: target)
        case .swapElements(let section, let row, let one, let other):
            let list = try elementList(section: section, row: row)
            let elements = elements(at: list)
            let first = try elements.movable(one, of: .element, pointer: "/at")
            let second = try elements.movable(other, of: .element, pointer: "/with")
            if first != second { changeElements(at: list) { $0.swapAt(first, second) } }
        default:
            break
        }
    }

    private func check(adding count: Int, _ context: OperationContext) throws(DirectorError) {
        try context.check(sections: content.count, elements: elementCount + count)
    }

    /// The model that the elements of a list have to be of; nil for a section's, which may be of any.
    private func model(of list: ElementListPlace) -> String? {
        list.row.flatMap { content[list.section].rows?[$0].settings.model }
    }

    /// Makes the elements of drafts for a list; those of a row are of its model.
    private func make(
        _ drafts: [ElementDraft], for list: ElementListPlace, _ context: OperationContext
    ) throws(DirectorError) -> [Element] {
        guard let model = model(of: list) else { return try context.elements(drafts, pointer: "/elements") }
        for (position, draft) in drafts.enumerated() {
            try check(draft, isOf: model, pointer: "/elements/\(position)/model", context)
        }
        return try context.elements(drafts.map { $0.ofModel(model) }, pointer: "/elements")
    }

    private func check(
        _ draft: ElementDraft, isOf model: String, pointer: String, _ context: OperationContext
    ) throws(DirectorError) {
        guard let own = draft.model, !own.isVerbatim(model), !context.limits.areOfStored else { return }
        let detail = "the row's elements are of the model \(model.quoted), not of \(own.quoted)"
        throw DirectorError(.refused([Fault(pointer: pointer, detail: detail)]), pointer: pointer)
    }

    private mutating func addElements(
        _ drafts: [ElementDraft], to list: ElementListPlace, at place: Address?, _ context: OperationContext
    ) throws(DirectorError) {
        let position = try elements(at: list).insertion(place, of: .element, pointer: "/at")
        let elements = try make(drafts, for: list, context)
        try check(adding: elements.count, context)
        changeElements(at: list) { $0.insert(elements, at: position) }
    }

    private mutating func setElement(
        _ address: Address, in list: ElementListPlace, _ draft: ElementDraft, _ place: Address?,
        _ context: OperationContext
    ) throws(DirectorError) -> ElementPlace {
        let elements = elements(at: list)
        var draft = draft
        if let model = model(of: list) {
            try check(draft, isOf: model, pointer: "/value/model", context)
            draft = draft.ofModel(model)
        }
        guard case .identifier(let identifier) = address, elements.positions(of: identifier, limit: 1).isEmpty else {
            let position = try elements.position(address, of: .element, pointer: "/element")
            let found = ElementPlace(list: list, position: position)
            let current = elements[position]
            replace(current, at: found, with: try context.element(draft, since: current, pointer: "/value"))
            return found
        }
        let position = try elements.insertion(place, of: .element, pointer: "/at")
        let element = try context.element(draft, pointer: "/value")
        guard element.identifier.utf8.elementsEqual(identifier.utf8) else {
            let fault = Fault(
                pointer: "/value/value",
                detail:
                    "the value has the identifier \(element.identifier.quoted), and no element has the one that it is "
                    + "addressed by, \(identifier.quoted)")
            throw DirectorError(.refused([fault]), pointer: "/value/value")
        }
        try check(adding: 1, context)
        changeElements(at: list) { $0.insert(element, at: position) }
        return ElementPlace(list: list, position: position)
    }

    private mutating func replace(_ current: Element, at place: ElementPlace, with element: Element) {
        // What comes in as it is there already must not look like a change to the next reload.
        guard !element.isInterchangeable(with: current) else { return }
        changeElements(at: place.list) { $0.replace(at: place.position, with: element) }
    }

    /// The list that an element is moved to.
    private func target(
        section: Address, row: Address?, toSection: Address?, toRow: Address?
    ) throws(DirectorError) -> ElementListPlace {
        if toSection == nil, toRow == nil { return try elementList(section: section, row: row) }
        do {
            return try elementList(section: toSection ?? section, row: toRow)
        } catch {
            throw error.movingPointers(from: "/row", to: "/toRow")
                .movingPointers(from: "/section", to: toSection == nil ? "/section" : "/toSection")
        }
    }

    private mutating func moveElement(
        _ from: Address, of source: ElementListPlace, _ to: Address, in target: ElementListPlace
    ) throws(DirectorError) {
        let elements = elements(at: source)
        let position = try elements.movable(from, of: .element, pointer: "/from")
        if target == source {
            let place = try elements.movable(to, of: .element, pointer: "/to")
            if place != position { changeElements(at: source) { $0.move(from: position, to: place) } }
            return
        }
        let place = try self.elements(at: target).insertion(to, of: .element, pointer: "/to")
        let element = elements[position]
        if let model = model(of: target), !element.model.isVerbatim(model) {
            let detail = "the row's elements are of the model \(model.quoted), not of \(element.model.quoted)"
            throw DirectorError(.refused([Fault(pointer: "/from", detail: detail)]), pointer: "/from")
        }
        changeElements(at: source) { $0.remove(at: position) }
        changeElements(at: target) { $0.insert(element, at: place) }
    }
}

extension PersistentList<Element> {
    /// Inserts elements from a position on; a single element takes a quicker way.
    fileprivate mutating func insert(_ elements: [Element], at position: Int) {
        if elements.count == 1 {
            insert(elements[0], at: position)
        } else {
            insert(contentsOf: elements, at: position)
        }
    }

    /// A list of new elements in which elements of this list replace equal ones: the next reload and the retained
    /// versions share the unchanged part.
    func adopting(_ elements: [Element]) -> PersistentList<Element> {
        adopting(elements) { old, new in new.isInterchangeable(with: old) }
    }
}
