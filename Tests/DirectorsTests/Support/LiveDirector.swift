import JSONValues

@testable import Directors

/// A director that an expectation can change: macros take no mutating calls.
@dynamicMemberLookup
final class LiveDirector {
    var value: Director

    init(_ value: Director) {
        self.value = value
    }

    subscript<Member>(dynamicMember path: KeyPath<Director, Member>) -> Member {
        value[keyPath: path]
    }

    func perform(_ operations: [Directors.Operation]) throws(DirectorError) {
        try value.perform(operations)
    }

    func reload(animations: Animations? = nil) throws(DirectorError) -> PublishedChange? {
        try value.reload(animations: animations)
    }

    func dryRun(_ operations: [Directors.Operation]) throws(DirectorError) -> PublishedChange? {
        try value.dryRun(operations)
    }

    @discardableResult
    func register(_ adapter: CellAdapter) throws(DirectorError) -> Bool {
        try value.register(adapter)
    }

    @discardableResult
    func register(_ adapter: HeaderFooterAdapter) throws(DirectorError) -> Bool {
        try value.register(adapter)
    }

    func removeCellAdapter(model: String) throws(DirectorError) {
        try value.removeCellAdapter(model: model)
    }

    func removeHeaderFooterAdapter(view: String) throws(DirectorError) {
        try value.removeHeaderFooterAdapter(view: view)
    }

    func redefine(_ properties: DirectorProperties) -> Bool {
        value.redefine(properties)
    }

    func change(from earlier: PublishedState, to later: PublishedState) -> PublishedChange {
        value.change(from: earlier, to: later)
    }

    func unchanged() -> PublishedChange {
        value.unchanged()
    }
}
