extension TLSSession {
    /// Seals two pieces as if they lay together: what is short goes into one record.
    ///
    /// - Throws: `notOpen` where `canSend` is false; nothing was appended then.
    package mutating func send(_ first: RawSpan, then second: RawSpan, to output: inout [UInt8]) throws(TLSError) {
        guard canSend else { throw .notOpen }
        // SAFETY: the pointers are used within the closures only.
        try first.withUnsafeBytes { (first) throws(TLSError) in
            try second.withUnsafeBytes { (second) throws(TLSError) in
                if first.isEmpty { return try seal(second, to: &output) }
                try gather(to: &output) { (gatherer, session, output) throws(TLSError) in
                    try gatherer.add(first, in: &session, to: &output)
                    try gatherer.add(second, in: &session, to: &output)
                }
            }
        }
    }

    /// Seals pieces as if they lay together: what is short goes into one record.
    ///
    /// - Throws: `notOpen` where `canSend` is false; nothing was appended then.
    package mutating func send(
        pieces: some Sequence<ArraySlice<UInt8>>, to output: inout [UInt8]
    ) throws(TLSError) {
        guard canSend else { throw .notOpen }
        try gather(to: &output) { (gatherer, session, output) throws(TLSError) in
            for piece in pieces {
                // SAFETY: the pointer is used within the call only.
                try piece.span.bytes.withUnsafeBytes { (piece) throws(TLSError) in
                    try gatherer.add(piece, in: &session, to: &output)
                }
            }
        }
    }

    private mutating func gather(
        to output: inout [UInt8],
        _ add: (inout RecordGatherer, inout TLSSession, inout [UInt8]) throws(TLSError) -> Void
    ) throws(TLSError) {
        // SAFETY: the memory is used within the closure only.
        try withUnsafeTemporaryAllocation(
            byteCount: Self.maxRecord, alignment: 16
        ) { (memory) throws(TLSError) in
            var gatherer = RecordGatherer(memory: memory)
            try add(&gatherer, &self, &output)
            try gatherer.finish(in: &self, to: &output)
        }
    }
}

/// Copies short pieces together until a record is full. Whole records within a piece are sealed from where they lie.
private struct RecordGatherer {
    let memory: UnsafeMutableRawBufferPointer
    var count = 0

    init(memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    mutating func add(
        _ piece: UnsafeRawBufferPointer, in session: inout TLSSession, to output: inout [UInt8]
    ) throws(TLSError) {
        var rest = piece[...]
        while !rest.isEmpty {
            if count == 0, rest.count >= memory.count {
                let whole = rest.count / memory.count * memory.count
                try session.seal(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)), to: &output)
                rest = rest.dropFirst(whole)
                continue
            }
            let taken = rest.prefix(memory.count - count)
            // SAFETY: there is room for what was taken, by the line above.
            UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: taken))
            count += taken.count
            rest = rest.dropFirst(taken.count)
            if count == memory.count { try finish(in: &session, to: &output) }
        }
    }

    mutating func finish(in session: inout TLSSession, to output: inout [UInt8]) throws(TLSError) {
        try session.seal(UnsafeRawBufferPointer(rebasing: memory[..<count]), to: &output)
        count = 0
    }
}
