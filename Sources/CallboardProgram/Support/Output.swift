import Foundation

/// The two streams that the program writes to.
enum Output {
    /// Writes a line to standard output at once.
    static func line(_ text: String) { write(text + "\n", to: .standardOutput) }

    /// Writes text to standard output at once.
    static func text(_ text: String) { write(text, to: .standardOutput) }

    /// Writes a line to standard error at once.
    static func error(_ text: String) { write(text + "\n", to: .standardError) }

    /// Writes text to standard error at once.
    static func errorText(_ text: String) { write(text, to: .standardError) }

    private static func write(_ text: String, to handle: FileHandle) {
        // A reader that has gone away is no reason to complain: there is nobody left to tell.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
