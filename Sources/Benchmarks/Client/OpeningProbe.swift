import CallboardClient
import Foundation

/// The client's part of the benchmark of long lists: opens the lists of a server that is there, and tells how long it took.
struct OpeningProbe {
    /// The argument that stands for it; the server's address follows.
    static let argument = "opening-probe"

    /// How many rows a screen shows.
    static let screen = 100
    /// How often each list is opened.
    static let rounds = 7

    private let callboard: Callboard

    /// Recognises the arguments.
    init?(arguments: some Collection<String>) throws {
        guard arguments.count == 2, arguments.first == OpeningProbe.argument, let server = arguments.dropFirst().first
        else { return nil }
        callboard = try Callboard(server: server)
    }

    /// Opens each list in turn and prints the seconds that each time took as JSON.
    func run() async throws {
        var seconds: [String: [Double]] = [:]
        for round in 0..<OpeningProbe.rounds {
            seconds["sparse", default: []].append(try await time { try await openSparse("large") })
            seconds["small", default: []].append(try await time { try await openWhole("small") })
            // A whole list takes its time; twice says enough.
            if round < 2 { seconds["whole", default: []].append(try await time { try await openWhole("large") }) }
        }
        print(String(decoding: try JSONEncoder().encode(seconds), as: UTF8.self))
    }

    private func time(_ work: () async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        return try await clock.measure(work) / .seconds(1)
    }

    /// Opens a list with all its rows.
    private func openWhole(_ name: String) async throws {
        for try await update in callboard.director(name).list() {
            guard case .replaced(let list, _) = update else { continue }
            guard list.counts.elements >= OpeningProbe.screen else { refute("\(name) has \(list.counts)") }
            return
        }
    }

    /// Opens a list by its lengths, and loads the first screen.
    private func openSparse(_ name: String) async throws {
        let live = callboard.director(name).sparseList()
        for try await update in live {
            switch update {
            case .list(.replaced): live.load(0..<OpeningProbe.screen, inSection: 0)
            case .loaded(let list, let paths):
                guard paths.count == OpeningProbe.screen, list.heldCount == paths.count else {
                    refute("\(name): \(paths.count) rows came")
                }
                return
            case .notLoaded(let error): throw error
            default: continue
            }
        }
    }
}
