// Follows a list through the intermediary of support/intermediary.py once for each case, all in one process.
//
//     callboard-follow PROXY < CASES       as follow.mjs has it: the answers are lines of JSON
//
// Or puts the client under load (Load.swift):
//
//     callboard-follow churn SERVER COUNT               follows and lets go, again and again
//     callboard-follow idle SERVER SECONDS              follows a list that does not change
//     callboard-follow report SERVER CLIENTS REPORTS    has each client report so many events

import CallboardClient
import Foundation
import Synchronization

/// A list that is followed on the path of one case.
final class Follower: Sendable {
    private struct State {
        var version: Int?
        var told: [String] = []
    }

    let name: String
    private let state = Mutex(State())

    init(_ name: String) { self.name = name }

    /// The version that the copy has; nil before the first.
    var version: Int? { state.withLock { $0.version } }
    /// What the client has told since it was forgotten.
    var told: [String] { state.withLock { $0.told } }

    func forget() { state.withLock { $0.told = [] } }

    /// Follows until the task is cancelled; what ends the list otherwise is told as well.
    func run(_ board: Callboard) async {
        // Four attempts are over within a second, and servers that are away for long are not asked by all at every moment.
        let policy = ReconnectPolicy(initialDelay: .milliseconds(50), maximumDelay: .seconds(1))
        do {
            for try await update in board.director("book").list(StreamOptions(reconnect: policy)) { note(update) }
            note("over")
        } catch {
            note("\(error)")
        }
    }

    private func note(_ told: String, version: Int? = nil) {
        state.withLock { state in
            state.told.append(told)
            state.version = version ?? state.version
        }
    }

    private func note(_ update: LiveList.Update) {
        switch update {
        case .replaced(let list, _): note("replaced", version: list.version)
        case .changed(let list, _): note("changed", version: list.version)
        case .connection(.lost): note("lost")
        case .resynchronizing(let mismatch): note("\(mismatch)")
        default: break
        }
    }
}

struct Heading: Decodable {
    var cases: [String]
    var begins: Bool
}

struct Answer: Encodable {
    var missing: [String]?
    var began: Int?
    var late: [[String]]?
    var told: [String: [String]]?
}

func tell(_ answer: Answer) throws {
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(answer) + Data("\n".utf8))
}

/// Waits until something holds of every list; returns those of which it does not.
func until(_ followers: [Follower], _ holds: (Follower) -> Bool) async throws -> [Follower] {
    let end = ContinuousClock.now + .seconds(120)
    while true {
        let rest = followers.filter { !holds($0) }
        if rest.isEmpty || ContinuousClock.now > end { return rest }
        try await Task.sleep(for: .milliseconds(20))
    }
}

func followCases() async throws {
    while let line = readLine() {
        let heading = try JSONDecoder().decode(Heading.self, from: Data(line.utf8))
        let followers = heading.cases.map(Follower.init)
        // As a program has them: some lists for each transport, which allows 64 connections to a server.
        let transports = stride(from: 0, to: followers.count, by: 32).map { _ in URLSessionTransport() }
        let tasks = try followers.enumerated().map { place, follower in
            let server = "\(CommandLine.arguments[1])/\(follower.name)"
            let board = try Callboard(server: server, transport: transports[place / 32])
            return Task.detached { await follower.run(board) }
        }
        if heading.begins {
            try tell(Answer(missing: await until(followers) { $0.version != nil }.map(\.name)))
            // Nothing is told between the first snapshot and the cut. A list that begins without a server has told already.
            for follower in followers { follower.forget() }
        }
        try tell(Answer(began: followers.count))
        let version = readLine().flatMap { Int($0) }
        let late = try await until(followers) { $0.version == version }
        try tell(
            Answer(
                late: late.map { [$0.name, "\($0.version ?? -1)"] + $0.told },
                told: Dictionary(uniqueKeysWithValues: followers.map { ($0.name, $0.told) })))
        for task in tasks { task.cancel() }
    }
}

let arguments = CommandLine.arguments
if arguments.count == 2 {
    try await followCases()
} else if let load = Load(arguments.dropFirst()) {
    try await load.run()
} else {
    FileHandle.standardError.write(Data("The first lines of main.swift say how it is called.\n".utf8))
    exit(2)
}
