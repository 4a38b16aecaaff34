extension JSONError {
    /// The way to what is wrong in the text that was read: to a member that is there twice, to the value that is nested
    /// too deep, to the string that an escape stands in.
    ///
    /// The text before the fault has to be right, as it is for the reasons where ``Reason/isOfJSON`` holds.
    ///
    /// - Complexity: O(*n*) in the offset of the fault.
    package func pointer(in text: [UInt8]) -> JSONPointer {
        var finder = PlaceFinder(text: text)
        finder.go(to: offset)
        if case .duplicateName = reason { finder.takeName(at: offset) }
        return JSONPointer(tokens: finder.tokens)
    }
}

/// Follows a text from its beginning, without values: what is open at a place, and the member or element there.
private struct PlaceFinder {
    /// An array or object that is open.
    private enum Container {
        case array(position: Int)
        case object(name: String?)
    }

    private let text: [UInt8]
    private var open: [Container] = []

    init(text: [UInt8]) {
        self.text = text
    }

    var tokens: [String] {
        open.compactMap { container in
            switch container {
            case .array(let position): String(position)
            case .object(let name): name
            }
        }
    }

    mutating func go(to offset: Int) {
        var position = 0
        while position < min(offset, text.count) {
            switch text[position] {
            case UInt8(ascii: "{"): open.append(.object(name: nil))
            case UInt8(ascii: "["): open.append(.array(position: 0))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: ","): passComma()
            case UInt8(ascii: "\""):
                let end = endOfString(at: position)
                // A fault inside a name is one of the object.
                if end <= offset { takeName(at: position) }
                position = end
                continue
            default: break
            }
            position += 1
        }
    }

    /// Takes a string as the name of a member, where one is due.
    mutating func takeName(at start: Int) {
        guard case .object(nil)? = open.last, start < text.count else { return }
        let content = text[(start + 1)..<max(start + 1, endOfString(at: start) - 1)]
        open[open.count - 1] = .object(name: JSONEscapes.decode(content))
    }

    private mutating func passComma() {
        switch open.last {
        case .array(let position): open[open.count - 1] = .array(position: position + 1)
        case .object: open[open.count - 1] = .object(name: nil)
        case nil: break
        }
    }

    /// The offset behind the closing quote of the string that begins at an offset.
    private func endOfString(at start: Int) -> Int {
        var position = start + 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, text.count)
    }
}
