import Directors
import Foundation

/// The part of the memory benchmark that runs in a process of its own, so that nothing else was ever allocated there.
struct MemoryProbe {
    /// The argument that stands for it; people have no use for it.
    static let argument = "memory-probe"

    /// How many elements are held.
    static let elements = 1_000_000
    /// How many versions are retained besides the first.
    static let versions = 10

    /// Recognises the argument.
    init?(argument: String) {
        guard argument == MemoryProbe.argument else { return nil }
    }

    /// Fills a director, retains versions of it and prints what was added by each as JSON.
    func run() throws {
        // Whatever the first use of a director sets up for good is not an element's.
        keep(try Director.filled(sections: 1, elements: 100))
        let before = try AllocatedMemory.current()
        var director = try Director.filled(sections: 1, elements: MemoryProbe.elements)
        let filled = try AllocatedMemory.current()
        var retained = [director.published]
        var random = SplitMix64(seed: 1)
        for version in 1...MemoryProbe.versions {
            try director.perform(updates(version, &random))
            guard try director.reload()?.changeset.stages.first?.elementUpdated.count == ListChange.scattered else {
                refute("version \(version) does not differ by \(ListChange.scattered) elements")
            }
            retained.append(director.published)
        }
        let after = try AllocatedMemory.current()
        guard retained.map(\.version) == Array(1...(MemoryProbe.versions + 1)) else {
            refute("the retained versions are \(retained.map(\.version))")
        }
        keep(retained)
        let report = Report(content: filled - before, versions: after - filled)
        FileHandle.standardOutput.write(try JSONEncoder().encode(report))
    }

    /// Updates of different elements all over the list.
    private func updates(_ version: Int, _ random: inout SplitMix64) throws -> [Directors.Operation] {
        var places = Set<Int>()
        while places.count < ListChange.scattered {
            places.insert(Int.random(in: 0..<MemoryProbe.elements, using: &random))
        }
        // A score that no element has yet, so that each update changes something.
        let patch = try SampleValue.patch(score: 9_000_000 + version)
        return places.map { .elements(of: .section(.first), .patch(.position($0), ValueDraft(patch))) }
    }

    /// What the process says.
    struct Report: Codable {
        /// The memory of the working and the published state together.
        var content: AllocatedMemory
        /// The additional memory of the retained versions.
        var versions: AllocatedMemory
    }

    /// Runs the probe in a new process of the same program.
    static func launch() throws -> Report {
        try launch(argument)
    }

    /// Runs a probe in a new process of the same program.
    ///
    /// - Parameter argument: The probe's argument.
    /// - Returns: The decoded output of the process.
    static func launch<Output: Decodable>(_ argument: String) throws -> Output {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [argument]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            refute("the memory probe ended with status \(process.terminationStatus)")
        }
        return try JSONDecoder().decode(Output.self, from: data)
    }
}
