import JSONValues

/// The keys of one issuer: a JWK Set (RFC 7517, section 5).
///
/// Two sets are equal where they have the same keys under the same names for the same algorithms, whatever their order.
package struct KeySet: Sendable {
    /// The most bytes of a set's text.
    package static let byteLimit = 256 * 1024
    /// The most keys of a set, those that are skipped included.
    package static let keyLimit = 100
    /// A set is an object with an array of objects with arrays (`key_ops`, `x5c`); members that nobody knows may be
    /// deeper.
    private static let depthLimit = 8

    /// The keys that can be used, in the order of the text.
    package let keys: [VerificationKey]
    /// How many keys are for other uses, or of kinds and algorithms that are not supported.
    package let skipped: Int
    /// The SHA-256 of what makes two sets equal; like the thumbprint of a secret, it is not to be shown.
    package let fingerprint: [UInt8]

    /// Reads a set.
    ///
    /// - Complexity: O(bytes), and O(*n*²) in the number of keys, which ``keyLimit`` bounds.
    /// - Throws: ``KeySetError`` where the text is too long or no set, where a key that would be used is malformed, too
    ///   short or private, where two keys are under one name for one algorithm, and where no key can be used.
    package init(parsing bytes: [UInt8]) throws(KeySetError) {
        guard bytes.count <= Self.byteLimit else {
            throw KeySetError("expected at most \(Self.byteLimit) bytes")
        }
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, maximumDepth: Self.depthLimit)
        } catch {
            throw KeySetError("\(error)")
        }
        guard document.root.kind == .object else { throw KeySetError("expected an object with the member keys") }
        guard let list = document.root["keys"] else { throw KeySetError("the member keys is missing") }
        guard list.kind == .array else { throw KeySetError(pointer: "/keys", "expected an array of keys") }
        var (keys, skipped) = ([VerificationKey](), 0)
        for (index, node) in list.elements.enumerated() {
            guard index < Self.keyLimit else {
                throw KeySetError(pointer: "/keys", "expected at most \(Self.keyLimit) keys")
            }
            do throws(KeySetError) {
                guard let key = try JSONWebKey.read(node) else {
                    skipped += 1
                    continue
                }
                try Self.check(key, against: keys)
                keys.append(key)
            } catch {
                throw error.within("/keys/\(index)")
            }
        }
        guard !keys.isEmpty else {
            throw KeySetError(pointer: "/keys", "no key can be used; \(skipped) are for other uses or algorithms")
        }
        self.keys = keys
        self.skipped = skipped
        fingerprint = Self.fingerprint(of: keys)
    }

    /// A token names its key by `kid` alone (RFC 7515, section 4.1.4), so that the name has to lead to one key.
    private static func check(_ key: VerificationKey, against others: [VerificationKey]) throws(KeySetError) {
        guard let id = key.id else { return }
        for other in others where other.isNamed(id) && !other.algorithms.isDisjoint(with: key.algorithms) {
            throw KeySetError(pointer: "/kid", "another key has the same kid for the same algorithm")
        }
    }

    private static func fingerprint(of keys: [VerificationKey]) -> [UInt8] {
        let parts = keys.map { key in
            let algorithms = key.algorithms.map(\.rawValue).sorted().joined(separator: ",")
            // The digest of a name is as long as any other, so that parts joined cannot be read in two ways.
            return key.thumbprint.bytes + sha256(of: Array((key.id.map { "kid \($0)" } ?? "no kid").utf8))
                + sha256(of: Array(algorithms.utf8))
        }
        return sha256(of: parts.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
    }

    /// The keys that may have signed a token of this algorithm; if the token names its key, only those of that name.
    func candidates(for algorithm: SigningAlgorithm, named name: String?) -> [VerificationKey] {
        keys.filter { key in
            guard key.algorithms.contains(algorithm) else { return false }
            guard let name else { return true }
            return key.isNamed(name)
        }
    }
}

extension KeySet: Equatable {
    /// Compares the fingerprints.
    package static func == (one: KeySet, other: KeySet) -> Bool {
        one.fingerprint == other.fingerprint
    }
}
