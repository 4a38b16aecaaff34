import Journal

// What a POST with an Idempotency-Key means when it comes again.

extension DirectorHost {
    /// The request's key, where the method takes one.
    func idempotencyKey(_ call: Call) throws(Problem) -> String? {
        guard call.route.method == .post, let key = call[.idempotencyKey] else { return nil }
        guard (1...IdempotencyStore.maxKeyLength).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw .badRequest("Idempotency-Key must be 1 to \(IdempotencyStore.maxKeyLength) visible ASCII characters.")
        }
        return key
    }

    /// The first answer to a key; nil where the key is new.
    func repeated(_ key: String, _ call: Call) throws(Problem) -> Reply? {
        switch idempotency.look(up: key, fingerprint: call.fingerprint) {
        case .new: return nil
        case .repeated(let answer): return answer
        case .underWay:
            throw .conflict(
                "The request with the Idempotency-Key \(key.quoted) is under way; ask again for its answer.")
        case .mismatch:
            throw .unprocessable(
                "The Idempotency-Key \(key.quoted) was used for another request within 24 hours; take a new key.")
        }
    }
}

extension Call {
    /// Tells two requests apart that bear the same key: method, target and body. The same in every run of the program.
    var fingerprint: UInt64 {
        var hash = StableHash()
        hash.combine(exchange.head.method.rawValue)
        hash.combine(exchange.head.target)
        hash.combine(exchange.body)
        return hash.value
    }
}

extension StoredAnswer {
    /// The answer to a request with a key, to be kept for 24 hours.
    init(_ key: String, fingerprint: UInt64, _ reply: Reply) {
        self.init(
            key: key, fingerprint: fingerprint, body: reply.encoded,
            expires: StoreClock.now() + IdempotencyStore.lifetime)
    }
}
