import JSONValues
import ListDiff
import Notation

/// The elements of a section or of a model row.
struct ElementLevel: ListLevel {
    let place: ElementListPlace

    static var member: DirectorError.Member { .element }

    /// Finds the list.
    init(_ owner: ElementOwner, in state: ListState) throws(DirectorError) {
        place = try state.elementList(of: owner)
    }

    func list(in state: ListState) -> PersistentList<Element> { state.elements(at: place) }

    func change(_ state: inout ListState, _ change: (inout PersistentList<Element>) -> Void) {
        state.changeElements(at: place, change)
    }

    func isSame(as other: ElementLevel) -> Bool { place == other.place }

    func set(_ drafts: [ElementDraft], in state: inout ListState, _ context: OperationContext) throws(DirectorError) {
        let elements = try make(drafts, for: state, context)
        try check(adding: elements.count - list(in: state).count, to: state, context)
        change(&state) { $0 = $0.adopting(elements) }
    }

    func make(
        _ drafts: [ElementDraft], for state: ListState, _ context: OperationContext
    ) throws(DirectorError) -> [Element] {
        guard let model = model(in: state) else { return try context.elements(drafts, pointer: "/elements") }
        for (position, draft) in drafts.enumerated() {
            try check(draft, isOf: model, pointer: "/elements/\(position)/model", context)
        }
        return try context.elements(drafts.map { $0.ofModel(model) }, pointer: "/elements")
    }

    func check(adding elements: [Element], to state: ListState, _ context: OperationContext) throws(DirectorError) {
        try check(adding: elements.count, to: state, context)
    }

    func check(
        putting draft: ElementDraft, at _: Address, in state: ListState, _ context: OperationContext
    ) throws(DirectorError) {
        if let model = model(in: state) { try check(draft, isOf: model, pointer: "/value/model", context) }
    }

    func make(
        new draft: ElementDraft, named identifier: String, for state: ListState, _ context: OperationContext
    ) throws(DirectorError) -> Element {
        let element = try context.element(draft.ofModel(model(in: state)), pointer: "/value")
        guard element.identifier.isVerbatim(identifier) else {
            throw DirectorError(
                refusing:
                    "the value has the identifier \(element.identifier.quoted), but is addressed by "
                    + "\(identifier.quoted), which no element has", at: "/value/value")
        }
        return element
    }

    func replace(
        _ current: Element, at position: Int, with draft: ElementDraft, in state: inout ListState,
        _ context: OperationContext
    ) throws(DirectorError) {
        let element = try context.element(draft.ofModel(model(in: state)), since: current, pointer: "/value")
        replace(current, at: position, with: element, in: &state)
    }

    func patch(
        _ current: Element, at position: Int, with patch: ValueDraft, in state: inout ListState,
        _ context: OperationContext
    ) throws(DirectorError) {
        let draft = ElementDraft(model: current.model, reading: current.value.patched(with: patch.root))
        let element: Element
        do {
            element = try context.element(draft, since: current, pointer: "")
        } catch {
            var error = error.movingPointers(from: "/value", to: "/patch")
            error.pointer = "/patch"
            throw error
        }
        replace(current, at: position, with: element, in: &state)
    }

    func target(_ destination: ElementDestination, in state: ListState) throws(DirectorError) -> ElementLevel {
        let section = destination.section
        do {
            let owner = ElementOwner(section: section ?? .position(place.section), row: destination.row)
            return try ElementLevel(owner, in: state)
        } catch {
            throw error.movingPointers(from: "/row", to: "/toRow")
                .movingPointers(from: "/section", to: section == nil ? "/section" : "/toSection")
        }
    }

    func check(moving element: Element, to state: ListState) throws(DirectorError) {
        if let model = model(in: state) { try check(element.model, is: model, pointer: "/from") }
    }

    /// The model that the elements have to be of; nil for a section's, which may be of any.
    private func model(in state: ListState) -> String? {
        place.row.flatMap { state.content[place.section].rows?[$0].settings.model }
    }

    private func check(
        _ draft: ElementDraft, isOf model: String, pointer: String, _ context: OperationContext
    ) throws(DirectorError) {
        guard let own = draft.model, !context.limits.areOfStored else { return }
        try check(own, is: model, pointer: pointer)
    }

    private func check(_ own: String, is model: String, pointer: String) throws(DirectorError) {
        guard !own.isVerbatim(model) else { return }
        throw DirectorError(
            refusing: "the row's elements are of the model \(model.quoted), not of \(own.quoted)", at: pointer)
    }

    private func check(adding count: Int, to state: ListState, _ context: OperationContext) throws(DirectorError) {
        try context.check(sections: state.content.count, elements: state.elementCount + count)
    }

    private func replace(_ current: Element, at position: Int, with element: Element, in state: inout ListState) {
        // What comes in as it is there already must not look like a change to the next reload.
        guard !element.isInterchangeable(with: current) else { return }
        change(&state) { $0.replace(at: position, with: element) }
    }
}

extension ElementDraft {
    /// The draft with the model of a row where it names none.
    fileprivate func ofModel(_ model: String?) -> ElementDraft { model.map { ofModel($0) } ?? self }
}

extension PersistentList<Element> {
    /// A list of new elements in which elements of this list replace equal ones: the next reload and the retained
    /// versions share the unchanged part.
    func adopting(_ elements: [Element]) -> PersistentList<Element> {
        adopting(elements) { old, new in new.isInterchangeable(with: old) }
    }
}
