import DirectorLife
import Directors
import HTTPTypes
import Journal

extension Call {
    /// The longest key that is taken, in bytes.
    private static let maxKeyLength = 255

    /// The request's `Idempotency-Key`, which a POST and `PUT …/content` may have; nil without one.
    ///
    /// - Throws: 400 for one that is empty, too long or not visible ASCII.
    var commandKey: CommandKey? {
        get throws(Problem) {
            guard route.method == .post || route.takesKey, let key = self[.idempotencyKey] else { return nil }
            guard (1...Self.maxKeyLength).contains(key.utf8.count),
                key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
            else {
                throw .badRequest("Idempotency-Key must be 1 to \(Self.maxKeyLength) visible ASCII characters.")
            }
            return CommandKey(key, fingerprint: fingerprint)
        }
    }

    /// The request's `Callboard-Cause`, the mutation's name in the changeset that shows it; nil without one.
    ///
    /// - Throws: 400 for one that is empty, too long or not visible ASCII.
    var cause: String? {
        get throws(Problem) {
            guard let cause = self[.callboardCause] else { return nil }
            guard CauseList.isWellFormed(cause) else {
                throw .badRequest(
                    "Callboard-Cause must be 1 to \(CauseList.maxLength) visible ASCII characters in one line, and is "
                        + "\(cause.quoted).")
            }
            return cause
        }
    }

    /// Distinguishes two requests that bear the same key: method, target and body. The same in every run of the program.
    private var fingerprint: UInt64 {
        var hash = StableHash()
        hash.combine(exchange.head.method.rawValue)
        hash.combine(exchange.head.target)
        hash.combine(exchange.body)
        // The outcomes of events tell of the list: they are kept for somebody who may know as much.
        if case .report = route.action, hidesContent { hash.combine("without content") }
        return hash.value
    }

    /// Whether the client wants no representation back (RFC 7240, section 4.2); the value may be quoted, have spaces
    /// before it and parameters behind it.
    var prefersMinimal: Bool {
        guard let prefer = self[.prefer] else { return false }
        return prefer.split(separator: ",").contains { preference in
            let text = preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            return text.lowercased() == "return=minimal"
        }
    }
}
