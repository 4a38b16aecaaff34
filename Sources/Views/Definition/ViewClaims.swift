import JSONLogic
import JSONValues
import Notation

/// The claims that a view's expressions read: readers who agree in these share one list.
package enum ViewClaims: Equatable, Sendable {
    /// All of them.
    case all
    /// Those with these names.
    case named(Set<Name>)

    /// Whether no claim is read.
    package var isEmpty: Bool { self == .named([]) }

    /// The claims of a reader, without what is not read; nil if none are read.
    ///
    /// - Complexity: O(*n*) in the length of the claims' text.
    package func part(of claims: JSONValue?) -> JSONValue? {
        guard !isEmpty, let claims, claims.document.root.kind == .object else { return nil }
        guard case .named(let names) = self else { return claims }
        var writer = JSONWriter()
        writer.object { writer in
            for name in names.sorted() {
                guard let value = claims.document.root[name.text] else { continue }
                writer.key(name.text)
                writer.value(value.value)
            }
        }
        return JSONValue(trusting: writer.takeBytes())
    }
}

extension ViewDefinition {
    /// All expressions of the definition.
    var expressions: [LogicExpression] {
        let grouping = sectioning?.grouping
        let all = [condition, grouping?.key, grouping?.title] + sort.map(\.key) + totals.map(\.expression)
        return all.compactMap { $0 }
    }

    /// The claims that the expressions read.
    package var claims: ViewClaims {
        var names: Set<Name> = []
        for path in expressions.lazy.flatMap(\.reads.paths) {
            guard let first = path.first else { return .all }
            guard first.isVerbatim("claims") else { continue }
            guard path.count > 1 else { return .all }
            names.insert(Name(path[1]))
        }
        return .named(names)
    }
}
