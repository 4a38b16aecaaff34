import Foundation

/// The inputs that fuzzers have kept, in `Tests/Fuzz/Corpus`.
package enum FuzzCorpus {
    /// A target's inputs with the names of their files, in the order of the names.
    ///
    /// - Throws: Where the target has no folder or a file cannot be read.
    package static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appending(path: "Fuzz/Corpus/\(target.rawValue)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, Array(try Data(contentsOf: folder.appending(path: name))))
        }
    }
}
