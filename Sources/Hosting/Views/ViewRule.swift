import Directors
import JSONValues
import Journal
import Notation
import Synchronization
import Views

/// A view's definition, compiled, with all that decides who shares an instance.
package final class ViewRule: Sendable {
    /// The definition.
    package let definition: ViewDefinition
    /// The claims that it reads.
    let claims: ViewClaims
    /// The text that stands for the definition in the epochs of its instances.
    let text: [UInt8]
    /// The rule as a director keeps it.
    package let derivation: Derivation

    /// Makes a rule of a definition.
    package init(_ definition: ViewDefinition) {
        self.definition = definition
        claims = definition.claims
        var writer = JSONWriter()
        definition.encode(to: &writer)
        text = writer.takeBytes()
        derivation = Derivation(source: definition.source, definition: JSONValue(trusting: text))
    }

    /// The epoch of an instance: the beginning of its root's, and a digest of all that decides its content. So an id names
    /// the same list on every node and after a restart.
    ///
    /// - Parameters:
    ///   - source: The epoch of the source; nil where there is none.
    ///   - plan: The bound rule.
    ///   - claims: The claims that were bound.
    func epoch(of source: String?, _ plan: ViewPlan, claims: JSONValue?) -> String {
        let digits = [UInt64(0), 1].map { seed in
            var hash = StableHash(seed: seed)
            hash.combine(source ?? "")
            hash.combine(text)
            for (name, value) in plan.bindings.sorted(by: { $0.key < $1.key }) {
                hash.combine(name.text)
                hash.combine(value.bytes)
            }
            hash.combine(claims?.bytes ?? [])
            return String(hash.value, radix: 36)
        }
        return "\((source ?? "0").prefix(10))v\(digits[0])\(digits[1].prefix(8))"
    }
}

/// A view director's rule, as any thread may read it.
package final class HostedView: Sendable {
    private let present: Mutex<Result<ViewRule, RepresentationError>>
    private let derivation: Mutex<Derivation>

    /// Compiles a stored definition.
    init(_ derivation: Derivation) {
        self.derivation = Mutex(derivation)
        present = Mutex(Self.compiled(derivation))
    }

    /// The rule.
    ///
    /// - Throws: The faults of a stored definition that this program cannot read.
    package var rule: ViewRule {
        get throws(RepresentationError) { try present.withLock { $0 }.get() }
    }

    /// The name of the source.
    package var source: String { derivation.withLock { $0.source } }

    /// Takes the definition that is stored now; returns whether it is another one.
    func update(_ derivation: Derivation) -> Bool {
        let isOther = self.derivation.withLock { held in
            defer { held = derivation }
            return held != derivation
        }
        if isOther {
            let rule = Self.compiled(derivation)
            present.withLock { $0 = rule }
        }
        return isOther
    }

    private static func compiled(_ derivation: Derivation) -> Result<ViewRule, RepresentationError> {
        Result { () throws(RepresentationError) in
            ViewRule(try ViewDefinition.decode(derivation.definition.document.root))
        }
    }
}
