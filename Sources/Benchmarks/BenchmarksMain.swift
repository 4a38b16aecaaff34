import Foundation

/// The program `callboard-benchmarks`: the measurements that need no server.
///
/// The measurements of a running server are in `Config/benchmarks`; `Config/bench` runs both kinds. Arguments name the
/// parts to run, all unless any is named. Build it for release: `swift run -c release callboard-benchmarks reload`.
@main
enum BenchmarksMain {
    /// A part that can be run by itself.
    private enum Part: String, CaseIterable {
        case diff
        case reload
        case list
        case memory
        case logic
        case prices
        case rows
    }

    /// Runs the parts and prints a line for each ratio.
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if let probe = arguments.first.flatMap(MemoryProbe.init(argument:)) {
            return try probe.run()
        }
        if let probe = try OpeningProbe(arguments: arguments) {
            return try await probe.run()
        }
        if let probe = arguments.first.flatMap(RowMemoryProbe.init(argument:)) {
            return try probe.run()
        }
        let parts = arguments.map { argument in
            guard let part = Part(rawValue: argument) else {
                let known = Part.allCases.map(\.rawValue).joined(separator: ", ")
                refute("there is no part \(argument.debugDescription); there are: \(known)")
            }
            return part
        }
        for part in parts.isEmpty ? Part.allCases : parts {
            switch part {
            case .diff: DiffBenchmarks.run()
            case .reload: try ReloadBenchmarks.run()
            case .list: try ListBenchmarks.run()
            case .memory: try MemoryBenchmarks.run()
            case .logic: try LogicBenchmarks.run()
            case .prices: try PriceBenchmarks.run()
            case .rows: try RowBenchmarks.run()
            }
        }
    }
}
