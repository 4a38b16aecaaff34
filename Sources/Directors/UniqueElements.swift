import ListDiff
import Notation

/// Finds what operations bring in although another element of its model has the identifier, where the model's adapter
/// says that identifiers are unique.
///
/// The operations of a batch are noted one by one and looked up at its end, so that an element may be moved by removing
/// it in one place and adding it in another, in any order. Nothing is noted of a model whose adapter does not say so.
struct UniqueElements {
    private struct Key: Hashable {
        @Verbatim var model: String
        @Verbatim var identifier: String
    }

    /// Where an identifier has come in: the last operation that has it, and the place in that.
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
        case .setElements(_, _, let drafts), .addElements(_, let drafts, _):
            note(drafts, "/elements", position)
        case .setElement, .patchElement:
            guard let element, adapters.cells[element.model]?.isUnique == true else { return }
            let pointer = if case .setElement = operation { "/value/value" } else { "/patch" }
            incoming[Key(model: element.model, identifier: element.identifier)] = (position, pointer)
        case .setSections(let drafts), .addSections(let drafts, _):
            for (index, draft) in drafts.enumerated() { note(draft, "/sections/\(index)", position) }
        case .setSection(_, let draft): note(draft, "/value", position)
        case .setRows(_, let drafts), .addRows(_, let drafts, _): note(drafts, "/rows", position)
        case .setRow(_, _, let draft, _): note(draft, "/value", position)
        // A merge patch may bring in elements too; they are not read twice.
        case .patchSection, .patchRow: anything = (position, "/patch")
        default: return
        }
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
            for (key, place) in incoming {
                let paths = list.paths(of: key.identifier) { $0.model.isVerbatim(key.model) }
                if paths.count > 1 { throw duplicate(key, paths, place) }
            }
        } else if anything != nil || !incoming.isEmpty {
            var seen: [Key: ElementPath] = [:]
            for (path, element) in list.elementsWithPaths where adapters.cells[element.model]?.isUnique == true {
                let key = Key(model: element.model, identifier: element.identifier)
                guard let place = incoming[key] ?? anything else { continue }
                guard let first = seen.updateValue(path, forKey: key) else { continue }
                throw duplicate(key, [first, path], place)
            }
        }
    }

    private func duplicate(_ key: Key, _ paths: [ElementPath], _ place: Place) -> DirectorError {
        DirectorError(
            .duplicate(model: key.model, identifier: key.identifier, at: paths), pointer: place.pointer,
            operation: place.operation)
    }
}

extension ListState {
    /// The first two places of an identifier among the elements that a predicate wants.
    fileprivate func paths(of identifier: String, where isWanted: (Element) -> Bool) -> [ElementPath] {
        var paths: [ElementPath] = []
        for (position, section) in content.enumerated() {
            func add(_ list: PersistentList<Element>, from start: Int) {
                for place in list.positions(of: identifier) where paths.count < 2 && isWanted(list[place]) {
                    paths.append(ElementPath(section: position, element: start + place))
                }
            }
            add(section.list, from: 0)
            var start = 0
            for row in section.rows ?? [] {
                add(row.elements, from: start)
                start += row.measure.elements
            }
            if paths.count > 1 { break }
        }
        return paths
    }

    /// All elements with their index paths; those of rows as if no row was hidden.
    fileprivate var elementsWithPaths: some Sequence<(ElementPath, Element)> {
        content.enumerated().lazy.flatMap { position, section in
            var lists = [(0, section.list)]
            var start = 0
            for row in section.rows ?? [] {
                lists.append((start, row.elements))
                start += row.measure.elements
            }
            return lists.lazy.flatMap { start, list in
                list.enumerated().lazy.map { (ElementPath(section: position, element: start + $0), $1) }
            }
        }
    }
}

extension CellAdapter {
    /// Whether two elements of the model may not have the same identifier.
    package var isUnique: Bool { values.unique == true }

    /// Checks that no two elements of the model have the same identifier.
    ///
    /// - Complexity: O(*n*) in the number of elements.
    func checkUnique(in list: ListState) throws(DirectorError) {
        var seen: [Name: ElementPath] = [:]
        for (path, element) in list.elementsWithPaths where element.model.isVerbatim(values.model) {
            guard let first = seen.updateValue(path, forKey: Name(element.identifier)) else { continue }
            throw DirectorError(
                .duplicate(model: values.model, identifier: element.identifier, at: [first, path]), pointer: "/unique")
        }
    }
}
