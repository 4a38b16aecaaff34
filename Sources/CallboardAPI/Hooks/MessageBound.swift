import Directors
import Hosting

/// How large what a short request brings about may be: messages to hooks about several elements, all hooks together; what
/// subscribers are told to refresh; answers to questions about several elements. As large as what a body may bring.
enum MessageBound {
    /// Bytes of the elements, or of the answers.
    static let bytes = 16 << 20

    /// Refuses elements that are too much for one message.
    static func check(_ events: [ResolvedEvent]) throws(Problem) {
        var size = 0
        for event in events where event.isBatch && event.hook?.url != nil {
            size += event.items.reduce(0) { $0 + $1.element.bytes + $1.section.titleBytes }
            // Each hook is told them.
            size += event.parameters?.bytes.count ?? 0
        }
        guard size > bytes else { return }
        let detail = "the elements take \(size) bytes and may take \(bytes); name fewer at a time"
        throw Problem.unprocessable(
            "The elements are too large for one message.", faults: [.init(pointer: "/indexPaths", detail: detail)]
        ).tellingContent
    }

    /// Refuses answers that are too much for one reply: a hook's default, or one cached answer, may be asked for at
    /// thousands of places.
    static func check(_ answers: some Sequence<EventAnswer>) throws(Problem) {
        var size = 0
        for answer in answers { size += answer.value.bytes.count + (answer.reason?.utf8.count ?? 0) }
        guard size > bytes else { return }
        let detail = "the answers take \(size) bytes and may take \(bytes); ask about fewer at a time"
        throw .unprocessable(
            "The answers are too large for one reply.", faults: [.init(pointer: "/indexPaths", detail: detail)])
    }
}

extension Section {
    /// The bytes of the section's texts, which a message tells with each of its elements.
    fileprivate var titleBytes: Int {
        identifier.utf8.count + attributes.textLength
    }
}
