import Foundation

/// The two streams that the program writes to.
///
/// Much of the output contains texts of a server, a file or a receiver. So no stream gets bytes that a terminal would
/// act on, whether it is a terminal or not: files are shown sooner or later. Code that moves the cursor uses `screen`.
enum Output {
    /// Writes text of any origin and a line break to standard output at once.
    static func line(_ text: String) { write(TextWidth.safe(text) + "\n", to: .standardOutput) }

    /// Writes text of any origin to standard output at once.
    static func text(_ text: String) { write(TextWidth.safe(text), to: .standardOutput) }

    /// Writes JSON and a line break to standard output at once.
    static func json(_ text: String) { write(TextWidth.escaped(text) + "\n", to: .standardOutput) }

    /// Writes text of any origin and a line break to standard error at once.
    static func error(_ text: String) { write(TextWidth.safe(text) + "\n", to: .standardError) }

    /// Writes JSON and a line break to standard error at once.
    static func errorJSON(_ text: String) { write(TextWidth.escaped(text) + "\n", to: .standardError) }

    /// Writes cursor movements to standard output, unbuffered and unchanged. The caller makes sure that it is a
    /// terminal, and that text from outside is printable.
    static func screen(_ text: String) { write(text, to: .standardOutput) }

    /// Writes to standard error, at once and as it is, what moves the cursor of a terminal; see ``screen(_:)``.
    static func errorScreen(_ text: String) { write(text, to: .standardError) }

    private static func write(_ text: String, to handle: FileHandle) {
        // A reader that has gone away is no reason to complain: there is nobody left to tell.
        try? handle.write(contentsOf: Data(text.utf8))
    }
}
