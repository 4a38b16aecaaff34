/// A key that scrolls the watched list, or leaves it.
enum WatchKey: Sendable, Equatable {
    case up, down, pageUp, pageDown, home, end
    case quit
}

/// Reads keys from a terminal's bytes.
///
/// An escape sequence may arrive in several parts, and a key with Shift, Alt or Control is the key itself. Everything
/// else is left out. Memory is constant: of a sequence (ECMA-48, 5.4) the first parameter counts.
struct WatchKeyReader: Sendable {
    private enum State {
        case text
        /// Behind an escape.
        case escape
        /// Behind `ESC O`.
        case single
        /// Behind `ESC [`, with the parameter bytes so far, at most four.
        case sequence([UInt8])
    }

    private var state = State.text

    /// The keys that end in these bytes.
    mutating func keys(in bytes: some Sequence<UInt8>) -> [WatchKey] { bytes.compactMap { key(at: $0) } }

    private mutating func key(at byte: UInt8) -> WatchKey? {
        switch (state, byte) {
        case (_, 0x1B): state = .escape
        case (.escape, UInt8(ascii: "[")): state = .sequence([])
        case (.escape, UInt8(ascii: "O")): state = .single
        case (.sequence(let parameters), 0x20...0x3F):
            if parameters.count < 4 { state = .sequence(parameters + [byte]) }
        case (.sequence(let parameters), 0x40...0x7E):
            state = .text
            return Self.key(parameters, byte)
        case (.single, 0x40...0x7E):
            state = .text
            return Self.key([], byte)
        default:
            state = .text
            return Self.key(typed: byte)
        }
        return nil
    }

    private static func key(typed byte: UInt8) -> WatchKey? {
        switch UnicodeScalar(byte) {
        case "k": .up
        case "j": .down
        case "g": .home
        case "G": .end
        case "q": .quit
        default: nil
        }
    }

    /// The key of a sequence, as xterm, VT220, rxvt and Linux' console send it.
    private static func key(_ parameters: [UInt8], _ final: UInt8) -> WatchKey? {
        switch UnicodeScalar(final) {
        case "A": .up
        case "B": .down
        case "H": .home
        case "F": .end
        case "~":
            switch parameters.prefix(while: { $0 != UInt8(ascii: ";") }) {
            case [UInt8(ascii: "1")], [UInt8(ascii: "7")]: .home
            case [UInt8(ascii: "4")], [UInt8(ascii: "8")]: .end
            case [UInt8(ascii: "5")]: .pageUp
            case [UInt8(ascii: "6")]: .pageDown
            default: nil
            }
        default: nil
        }
    }
}
