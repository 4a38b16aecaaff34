import JSONValues

/// When a source is asked, where not at each reload that a request asks for.
package enum SourceTime: Hashable, Sendable {
    /// When somebody reads the list or begins to follow it.
    case read
    /// So long after each answer.
    case every(Duration)

    /// The length of time; nil for a source that readers have asked.
    package var duration: Duration? {
        if case .every(let duration) = self { duration } else { nil }
    }
}

extension FieldType<SourceTime> {
    private static let time = FieldType<Duration>.duration(EventHookDraft.pollingTimes)

    /// A length of time, or `read`.
    static let sourceTime = FieldType(
        .string(), body: .anyOf([.constant("read"), time.bodySchema]),
        decode: { node, faults in
            node.string == "read" ? .read : time.decode(node, &faults).map { .every($0) }
        },
        encode: { value, writer in
            switch value {
            case .read: writer.string("read")
            case .every(let duration): time.encode(duration, &writer)
            }
        })
}
