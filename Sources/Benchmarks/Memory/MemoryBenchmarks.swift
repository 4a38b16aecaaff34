import Foundation

/// Measures what a long list and its retained versions hold in memory, everything counted.
enum MemoryBenchmarks {
    /// How many bytes an element may take, its value of a hundred bytes included.
    private static let elementLimit = 400.0
    /// How much more, in percent of the whole, the retained versions may take together.
    private static let versionsLimit = 1.0

    /// Runs the probe a few times and prints a line for each bound; it takes about half a minute.
    static func run() throws {
        let reports = try (0..<3).map { _ in try MemoryProbe.launch() }
        let count = Double(MemoryProbe.elements)
        let each = reports.map { Double($0.content.resident) / count }
        let eachInUse = reports.map { Double($0.content.inUse) / count }
        report(
            "memory of one of \(MemoryProbe.elements.grouped) elements with values of \(SampleValue.length) bytes",
            (each, eachInUse), unit: "bytes", limit: elementLimit)
        let more = reports.map { Double($0.versions.resident) / Double($0.content.resident) * 100 }
        let moreInUse = reports.map { Double($0.versions.inUse) / Double($0.content.inUse) * 100 }
        report(
            "\(MemoryProbe.versions) retained versions that differ by \(ListChange.scattered) elements each",
            (more, moreInUse), unit: "% more", limit: versionsLimit)
    }

    private static func report(
        _ name: String, _ readings: (resident: [Double], inUse: [Double]), unit: String, limit: Double
    ) {
        let resident = readings.resident.sorted()[readings.resident.count / 2]
        let inUse = readings.inUse.sorted()[readings.inUse.count / 2]
        BenchmarkResult(
            name: name, ours: String(format: "%.2f %@ (%.2f in use)", resident, unit, inUse),
            yardstick: String(format: "bound %.0f %@", limit, unit), ratio: limit / resident, target: .atLeast(1)
        ).report()
    }
}
