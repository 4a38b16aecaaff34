import CallboardClient
import Foundation

/// What a process of the client holds and has used.
struct Usage: Encodable {
    let descriptors: Int
    let threads: Int
    /// The memory that is in use, in bytes.
    let resident: Int
    /// The time of the processors, in seconds.
    let processor: Double

    /// Looks at this process.
    init() {
        let files = FileManager.default
        descriptors = (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
        threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        // `man 5 proc_pid_statm`: the second number counts pages.
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        resident = (pages.flatMap { Int($0[1]) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
        var usage = rusage()
        getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
        processor = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}

/// A load that the client is put under; it tells of its usage in lines of JSON.
enum Load {
    case churn(Callboard, count: Int)
    case idle(Callboard, seconds: Int)
    case report(server: String, clients: Int, reports: Int)

    /// Reads a command line without the program's name; nil where it says something else.
    init?(_ arguments: ArraySlice<String>) {
        let words = Array(arguments)
        let numbers = words.dropFirst(2).compactMap { Int($0) }
        switch (words.first, numbers.count) {
        case ("churn", 1), ("idle", 1):
            guard let board = try? Callboard(server: words[1]) else { return nil }
            self = words[0] == "churn" ? .churn(board, count: numbers[0]) : .idle(board, seconds: numbers[0])
        case ("report", 2): self = .report(server: words[1], clients: numbers[0], reports: numbers[1])
        default: return nil
        }
    }

    func run() async throws {
        switch self {
        case .churn(let board, let count):
            for number in 1...count {
                try await followOnce(board)
                if number % max(1, count / 10) == 0 { try tellUsage() }
            }
        case .idle(let board, let seconds):
            let updates = board.director("book").list().makeAsyncIterator()
            _ = try await updates.next()
            let following = Task { while try await updates.next() != nil {} }
            try tellUsage()
            try await Task.sleep(for: .seconds(seconds))
            try tellUsage()
            following.cancel()
        case .report(let server, let clients, let reports):
            try await withThrowingTaskGroup { group in
                for client in 0..<clients {
                    group.addTask { try await report(to: server, client, reports) }
                }
                try await group.waitForAll()
            }
            try tellUsage()
        }
    }

    /// Follows a list until its first state is there, and lets it go in one of two ways.
    private func followOnce(_ board: Callboard) async throws {
        let task = Task {
            for try await update in board.director("book").list() {
                if case .replaced = update { return }
            }
        }
        try await task.value
        let endless = Task { for try await _ in board.director("book").list() {} }
        await Task.yield()
        endless.cancel()
        _ = await endless.result
    }

    /// Reports events one by one, as an app does whose user taps, and waits until the server has taken them.
    private func report(to server: String, _ client: Int, _ reports: Int) async throws {
        let policy = ReconnectPolicy(initialDelay: .milliseconds(50), maximumDelay: .seconds(1))
        let queue = try ReportQueue(Callboard(server: server), reconnect: policy) { report, error in
            print(JSON.object(["refused": .string("\(error)")]).text)
        }
        for number in 0..<reports {
            let event = ListEvent(
                "didSelect", at: .named(section: "people", row: nil, element: "Ada"),
                parameters: ["client": .number(JSONNumber(client)), "number": .number(JSONNumber(number))])
            try await queue.add(event, to: "book\(client % 10)")
            try await Task.sleep(for: .milliseconds(.random(in: 0...200)))
        }
        await queue.waitUntilEmpty()
    }

    private func tellUsage() throws {
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(Usage()) + Data("\n".utf8))
    }
}
