import Directors
import Foundation

/// The part of the benchmark of rows that runs in processes of their own: what an element holds in memory.
struct RowMemoryProbe {
    /// The arguments that stand for it; people have no use for them.
    private enum Argument: String {
        case rows = "row-memory-probe"
        case section = "section-memory-probe"
    }

    private let argument: Argument

    /// Recognises the arguments.
    init?(argument: String) {
        guard let argument = Argument(rawValue: argument) else { return nil }
        self.argument = argument
    }

    /// Fills a director and prints what was added by it as JSON.
    func run() throws {
        keep(try director(of: 100))
        let before = try AllocatedMemory.current()
        let director = try director(of: RowBenchmarks.long)
        let filled = try AllocatedMemory.current()
        keep(director)
        FileHandle.standardOutput.write(try JSONEncoder().encode(filled - before))
    }

    private func director(of count: Int) throws -> Director {
        switch argument {
        case .rows: try .filled(rows: [RowSample(identifier: "people", elements: count)])
        case .section: try .filled(sections: 1, elements: count)
        }
    }

    /// Measures both and prints the result line.
    static func report() throws {
        let rows: AllocatedMemory = try MemoryProbe.launch(Argument.rows.rawValue)
        let section: AllocatedMemory = try MemoryProbe.launch(Argument.section.rawValue)
        let count = Double(RowBenchmarks.long)
        let (ours, yardstick) = (Double(rows.resident) / count, Double(section.resident) / count)
        BenchmarkResult(
            name: "memory of one of \(RowBenchmarks.long.grouped) elements of a row, published",
            ours: String(format: "%.2f bytes (%.2f in use)", ours, Double(rows.inUse) / count),
            yardstick: String(
                format: "in a section %.2f bytes (%.2f in use)", yardstick, Double(section.inUse) / count),
            ratio: yardstick / ours, target: .none
        ).report()
    }
}
