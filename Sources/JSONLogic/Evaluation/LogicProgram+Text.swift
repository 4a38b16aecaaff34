import JSONValues

extension LogicProgram {
    /// `cat`: the texts of the arguments one behind the other.
    func concatenate(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        guard instruction.spreads else {
            for operand in instruction.operands {
                try append(value(Int(operands[operand]), data, &state), to: &bytes, place, &state)
            }
            return .utf8(bytes)
        }
        try forEachArgument(instruction, place, data, &state) { value, state throws(LogicFailure) in
            try append(value, to: &bytes, place, &state)
        }
        return .utf8(bytes)
    }

    private func append(
        _ value: LogicValue, to bytes: inout [UInt8], _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) {
        let size = value.size
        try state.build(size, at: place)
        try state.read(value.readLength, at: place)
        if value.isFraction { try state.convert(size, at: place) }
        guard value.appendText(to: &bytes) else { throw LogicFailure(.notText(value.kind), at: place) }
    }

    /// `substr`: a part of a text, from a position on or before the end, of a length or up to a position before the end,
    /// in code points.
    func substring(
        _ instruction: Instruction, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> LogicValue {
        let first = instruction.operands.lowerBound
        let source = try value(Int(operands[first]), data, &state)
        let start = try position(first + 1, place, data, &state)
        let length = instruction.count > 2 ? try position(first + 2, place, data, &state) : nil
        try state.build(source.size, at: place)
        try state.step(LogicState.part, at: place)
        try state.read(source.readLength, at: place)
        if source.isFraction { try state.convert(source.size, at: place) }
        var bytes: [UInt8] = []
        guard source.appendText(to: &bytes) else { throw LogicFailure(.notText(source.kind), at: place) }
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let rest = start < 0 ? scalars.suffix(-max(start, -Int.max)) : scalars.dropFirst(start)
        let part =
            switch length {
            case nil: rest
            case let length? where length < 0: rest.dropLast(-max(length, -Int.max))
            case let length?: rest.prefix(length)
            }
        return .utf8(Array(String(part).utf8))
    }

    /// An argument that is a position or length: a number, whose fraction does not count, or the nearest `Int`.
    private func position(
        _ operand: Int, _ place: Int, _ data: LogicData, _ state: inout LogicState
    ) throws(LogicFailure) -> Int {
        switch try number(value(Int(operands[operand]), data, &state), place, &state) {
        case .integer(let int): return int
        case .number(let double): return Int(exactly: double.rounded(.towardZero)) ?? (double < 0 ? .min : .max)
        case .decimal: throw LogicFailure(.inexact, at: place)
        }
    }

    /// `in`: whether an array has an element that is the same (`===`), or a text has a part that is; nothing is in any
    /// other value.
    func contains(
        _ haystack: LogicValue, _ needle: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        switch haystack.kind {
        case .string:
            guard needle.kind != .null else { return false }
            // Counted before escapes are decoded.
            try state.read(haystack.readLength + needle.readLength, at: place)
            guard let text = haystack.utf8 else { return false }
            if let part = needle.utf8 { return try contains(text, part, place, &state) }
            var part: [UInt8] = []
            guard needle.appendText(to: &part) else { return false }
            return try contains(text, part[...], place, &state)
        case .array: return try containsElement(haystack, needle, place, &state)
        default: return false
        }
    }

    private func containsElement(
        _ haystack: LogicValue, _ needle: LogicValue, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        if case .array(let array) = haystack {
            for element in array.elements {
                try state.step(at: place)
                if try isSame(element, needle, place, &state) { return true }
            }
        } else if case .json(let node) = haystack {
            for element in node.elements {
                try state.step(at: place)
                if try isSame(.json(element), needle, place, &state) { return true }
            }
        }
        return false
    }

    /// Looks for a part of a text; every byte that is compared counts as read.
    private func contains(
        _ text: ArraySlice<UInt8>, _ part: ArraySlice<UInt8>, _ place: Int, _ state: inout LogicState
    ) throws(LogicFailure) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= text.count else { return false }
        var compared = 0
        for start in text.startIndex...(text.endIndex - part.count) where text[start] == first {
            var length = 1
            while length < part.count, text[start + length] == part[part.startIndex + length] { length += 1 }
            if length == part.count { return true }
            compared += length
            if compared >= 1 << 12 {
                try state.read(compared, at: place)
                compared = 0
            }
        }
        try state.read(compared, at: place)
        return false
    }
}
