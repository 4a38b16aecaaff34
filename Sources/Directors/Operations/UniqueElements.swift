import ListDiff
import Notation

/// Finds what operations bring in although another element of its model has the identifier, where the model's adapter
/// says that identifiers are unique.
///
/// The operations of a batch are noted one by one and checked at its end: a batch may move an element by removing it in
/// one place and adding it in another, in any order. Nothing is noted of a model whose adapter does not say so.
struct UniqueElements {
    struct Key: Hashable {
        @Verbatim var model: String
        @Verbatim var identifier: String
    }

    /// The origin of an identifier: the last operation that brings it in, and its place in that operation.
    private typealias Place = (operation: Int, pointer: String)

    /// The adapters as they are by now.
    var adapters: AdapterRegistry
    private var incoming: [Key: Place] = [:]
    private var anything: Place?

    /// Starts with nothing.
    init(_ adapters: AdapterRegistry) {
        self.adapters = adapters
    }

    /// Notes what an operation has brought in.
    ///
    /// - Parameters:
    ///   - operation: The operation, which has been performed.
    ///   - position: Its position in the batch.
    ///   - element: The element that it has put or patched by itself, if there is one.
    /// - Complexity: O(*n*) in the length of the values that it brings in.
    mutating func note(_ operation: Operation, at position: Int, _ element: Element?) {
        switch operation {
        case .sections(let edit):
            switch edit.incoming {
            case .items(let drafts):
                for (index, draft) in drafts.enumerated() { note(draft, "/sections/\(index)", position) }
            case .item(let draft): note(draft, "/value", position)
            case .patch(let patch, _): note(patch, position)
            case .nothing: return
            }
        case .rows(_, let edit):
            switch edit.incoming {
            case .items(let drafts): note(drafts, "/rows", position)
            case .item(let draft): note(draft, "/value", position)
            case .patch(let patch, _): note(patch, position)
            case .nothing: return
            }
        case .elements(_, let edit):
            switch edit.incoming {
            case .items(let drafts): note(drafts, "/elements", position)
            case .item: note(element, "/value/value", position)
            case .patch: note(element, "/patch", position)
            case .nothing: return
            }
        case .newSection(_, let drafts, _): note(drafts, "/elements", position)
        case .setVariable, .removeVariable, .setAdapter, .removeAdapter: return
        }
    }

    private mutating func note(_ element: Element?, _ pointer: String, _ position: Int) {
        guard let element, adapters.cells[element.model]?.isUnique == true else { return }
        incoming[Key(model: element.model, identifier: element.identifier)] = (position, pointer)
    }

    /// Notes a merge patch of a section or row, which is not read twice.
    private mutating func note(_ patch: ValueDraft, _ position: Int) {
        let root = patch.value.document.root
        if root["elements"] != nil || root["rows"] != nil || root["model"] != nil { anything = (position, "/patch") }
    }

    private mutating func note(_ draft: SectionDraft, _ pointer: String, _ position: Int) {
        note(draft.elements, pointer + "/elements", position)
        note(draft.rows ?? [], pointer + "/rows", position)
    }

    private mutating func note(_ drafts: [RowDraft], _ pointer: String, _ position: Int) {
        for (index, draft) in drafts.enumerated() { note(draft, "\(pointer)/\(index)", position) }
    }

    private mutating func note(_ draft: RowDraft, _ pointer: String, _ position: Int) {
        let model = draft.values.model
        note(model.map { model in draft.elements.map { $0.ofModel(model) } } ?? [], pointer + "/elements", position)
    }

    private mutating func note(_ drafts: [ElementDraft], _ pointer: String, _ position: Int) {
        for (index, draft) in drafts.enumerated() {
            guard let adapter = adapters.adapter(of: draft), adapter.isUnique,
                case .success(let identifier) = adapter.identifier.identifier(of: draft.root)
            else { continue }
            let key = Key(model: adapter.model, identifier: identifier)
            incoming[key] = (position, "\(pointer)/\(index)")
        }
    }

    /// Looks what has come in up in the list that the batch has led to.
    ///
    /// - Complexity: O(*k* *s* log *n*) for *k* identifiers in *s* sections and rows, or O(*n*) in the number of elements
    ///   where that is less.
    /// - Throws: The first identifier that several elements of its model have.
    func check(_ list: ListState) throws(DirectorError) {
        let lists = list.content.count + list.content.measure.rows
        if anything == nil, incoming.count * lists <= list.elementCount {
            // Once for each identifier, however many models it has come in for.
            for identifier in Set(texts: incoming.keys.map(\.identifier)) {
                try check(list.elementsWithPaths(of: identifier.text))
            }
        } else if anything != nil || !incoming.isEmpty {
            try check(list.elementsWithPaths)
        }
    }

    private func check(_ elements: some Sequence<(ElementPath, Element)>) throws(DirectorError) {
        var seen: [Key: ElementPath] = [:]
        for (path, element) in elements where adapters.cells[element.model]?.isUnique == true {
            let key = Key(model: element.model, identifier: element.identifier)
            guard let place = incoming[key] ?? anything else { continue }
            guard let first = seen.updateValue(path, forKey: key) else { continue }
            throw duplicate(key, [first, path], place)
        }
    }

    private func duplicate(_ key: Key, _ paths: [ElementPath], _ place: Place) -> DirectorError {
        DirectorError(
            .duplicate(model: key.model, identifier: key.identifier, at: paths), pointer: place.pointer,
            operation: place.operation)
    }
}

extension ListState {
    /// All elements with their index paths; those of rows as if no row was hidden.
    fileprivate var elementsWithPaths: some Sequence<(ElementPath, Element)> {
        placedLists.lazy.flatMap { section, start, list in
            list.enumerated().lazy.map { (ElementPath(section: section, element: start + $0), $1) }
        }
    }

    /// The elements that have an identifier, of any model, with their paths.
    fileprivate func elementsWithPaths(of identifier: String) -> some Sequence<(ElementPath, Element)> {
        placedLists.lazy.flatMap { section, start, list in
            list.positions(of: identifier).lazy.map {
                (ElementPath(section: section, element: start + $0), list[$0])
            }
        }
    }

    /// The lists of elements, of sections and of rows, each with its section and its start in that.
    private var placedLists: some Sequence<(section: Int, start: Int, list: PersistentList<Element>)> {
        content.enumerated().lazy.flatMap { position, section in
            var lists = [(section: position, start: 0, list: section.list)]
            var start = 0
            for row in section.rows ?? [] {
                lists.append((position, start, row.elements))
                start += row.measure.elements
            }
            return lists
        }
    }
}

extension CellAdapter {
    /// Whether two elements of the model may not have the same identifier.
    package var isUnique: Bool { values.unique == true }
}

extension AdapterRegistry {
    /// Checks that no two elements of a model whose identifiers are unique have the same one.
    ///
    /// - Parameters:
    ///   - list: The elements.
    ///   - adapter: The adapter whose model is looked at, which need not be registered yet; nil for all that are.
    /// - Complexity: O(*n*) in the number of elements, however many models there are.
    func checkUnique(in list: ListState, of adapter: CellAdapter? = nil) throws(DirectorError) {
        var seen: [UniqueElements.Key: ElementPath] = [:]
        for (path, element) in list.elementsWithPaths {
            guard adapter.map({ element.model.isVerbatim($0.model) }) ?? (cells[element.model]?.isUnique == true) else {
                continue
            }
            let key = UniqueElements.Key(model: element.model, identifier: element.identifier)
            guard let first = seen.updateValue(path, forKey: key) else { continue }
            throw DirectorError(
                .duplicate(model: key.model, identifier: key.identifier, at: [first, path]), pointer: "/unique")
        }
    }
}
