import Foundation
import Synchronization

@testable import CallboardClient

/// Gives the tokens `t1`, `t2` and so on, and counts how often it was asked.
final class TestProvider: Sendable {
    /// What it throws instead of a token.
    struct Failure: Error, Equatable {}

    private let count = Mutex(0)
    private let lifetime: TimeInterval?
    private let failing: Set<Int>
    private let repeated: Bool
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - lifetime: how long each token lasts; nil is without end.
    ///   - failing: which calls throw, from 1.
    ///   - repeated: whether it gives `t1` always.
    init(
        lifetime: TimeInterval? = nil, failing: Set<Int> = [], repeated: Bool = false,
        now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 0) }
    ) {
        self.lifetime = lifetime
        self.failing = failing
        self.repeated = repeated
        self.now = now
    }

    /// How often it was asked.
    var calls: Int { count.withLock { $0 } }

    var credential: Credential { .provider { try self.next() } }

    func next() throws -> AccessToken {
        let call = count.withLock { count in
            count += 1
            return count
        }
        if failing.contains(call) { throw Failure() }
        return try AccessToken("t\(repeated ? 1 : call)", expiresAt: lifetime.map { now().addingTimeInterval($0) })
    }
}

/// A time that the test sets.
final class TestTime: Sendable {
    private let seconds = Mutex<TimeInterval>(0)

    var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

    func set(_ value: TimeInterval) { seconds.withLock { $0 = value } }
}

extension TestTransport.Answer {
    /// A refusal as the server words it.
    static func refusal(_ status: Int, _ detail: String) -> TestTransport.Answer {
        let body = #"{"type":"urn:callboard:problem:x","title":"Refused","status":\#(status),"detail":"\#(detail)"}"#
        return .status(status, fields: ["Content-Type": "application/problem+json"], body: body)
    }

    /// A list of no directors.
    static var noDirectors: TestTransport.Answer {
        .status(200, fields: [:], body: #"{"directors":[],"offset":0,"total":0}"#)
    }
}
