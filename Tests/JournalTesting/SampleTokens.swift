import Access
import Journal
import TestSupport

extension TokenStore {
    /// Makes changes and waits for the result.
    package func write(_ changes: [TokenChange]) async throws {
        try await withCheckedContinuation { continuation in
            write(changes) { continuation.resume(returning: $0) }
        }.get()
    }
}

extension TokenEntry {
    /// A token that does not end; tokens are ordered by their numbers.
    package static func sample(_ number: Int, name: String = "kitchen", digest: Int? = nil) -> TokenEntry {
        TokenEntry(
            id: "tok_\(number)", name: name, digest: TokenDigest(of: "secret \(digest ?? number)"),
            grants: .everything, createdAt: 1_700_000_000 + number)
    }

    /// Any token with a number.
    package static func random(_ number: Int, _ random: inout SeededGenerator) -> TokenEntry {
        let sample = sample(number, name: String(repeating: "é", count: random.below(90)))
        var entry = TokenEntry(
            id: sample.id, name: sample.name, digest: sample.digest,
            grants: random.chance(2) ? .everything : .nothing, createdAt: sample.createdAt + random.below(100),
            expiresAt: random.chance(2) ? random.below(1 << 30) : nil)
        if random.chance(2) { entry.lastUsedAt = random.below(1 << 30) }
        return entry
    }
}

extension TokenChange {
    /// Any change of one of forty tokens.
    package static func random(_ random: inout SeededGenerator) -> TokenChange {
        let number = 1 + random.below(40)
        if random.chance(3) { return .remove(id: TokenEntry.sample(number).id) }
        if random.chance(3) { return .used(id: TokenEntry.sample(number).id, at: random.below(1 << 30)) }
        return .put(.random(number, &random))
    }

    /// Makes the change in a dictionary by identifier.
    package func make(in entries: inout [String: TokenEntry]) {
        switch self {
        case .put(let entry): entries[entry.id] = entry
        case .remove(let id): entries[id] = nil
        case .used(let id, let time): entries[id]?.lastUsedAt = time
        }
    }
}
