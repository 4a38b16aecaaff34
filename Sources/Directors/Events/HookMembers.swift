import JSONValues
import Notation

/// A hook's JSON form: in a body, in an answer and in the journal.
package struct HookMembers: Equatable, Sendable {
    var url: HookURL?
    var secrets: [EventHookDraft.SecretText]?
    var timeout: Duration?
    var defaultAnswer: JSONValue?
    var headers: [HookHeader]?
    var coalesce: Duration?
    var every: SourceTime?
    var isCached: Bool?
    /// Nil where nothing is said.
    var rights: Effects?
    /// Nil where only a hook that is disabled says so.
    var isDisabled: Bool?

    /// Makes the members of a hook of which nothing is said.
    init() {}

    /// Takes what a hook says.
    ///
    /// - Parameters:
    ///   - hook: The hook.
    ///   - secret: How a secret is written.
    ///   - header: How a header's value is written.
    ///   - tellsUse: Whether a hook that is in use says so.
    init(_ hook: EventHook, secret: (HookSecret) -> String, header: (HookHeader) -> String, tellsUse: Bool) {
        url = hook.url
        secrets = hook.secrets.isEmpty ? nil : hook.secrets.map { .masked(secret($0), pointer: "") }
        timeout = hook.timeout
        defaultAnswer = hook.defaultAnswer
        headers = hook.headers.isEmpty ? nil : hook.headers.map { HookHeader(name: $0.name, value: header($0)) }
        coalesce = hook.coalesce
        every = hook.every
        isCached = hook.isCached ? true : nil
        // What says nothing of rights has all, as what an earlier program has stored.
        rights = hook.url == nil || hook.rights == .ofAnswers ? nil : hook.rights
        isDisabled = tellsUse || hook.isDisabled ? hook.isDisabled : nil
    }

    /// The members of an event hook.
    package static let fields = Fields<HookMembers>("an event hook", others: HookMembers.answered) {
        Field(
            "url", \.url, .optional(.hookURL),
            "The target: absolute, http or https, without user information and fragment. A notification needs it; a "
                + "question does without where it has a default, which is then the answer.")
        Field("secret", \.secrets, .optional(.secrets), "One secret or several; each call is signed with all of them.")
        Field(
            "timeout", \.timeout, .optional(.duration(EventHookDraft.timeouts)),
            "How long a call may take, waiting included; the server's setting unless said.")
        Field(
            "default", \.defaultAnswer, .optional(.anyValue, keepingNull: true),
            "For a question: what is answered where the target does not, of the event's type.")
        Field("headers", \.headers, .optional(.headers), "Fields that are sent besides.")
        Field(
            "coalesce", get: { $0.coalesce }, set: { $0.coalesce = $1 },
            .optional(.duration(EventHookDraft.coalescingTimes)), after: "timeout",
            "For a notification: the time within which the latest stands for all.")
        Field(
            "every", get: { $0.every }, set: { $0.every = $1 }, .optional(.sourceTime),
            "For a source: how often it is asked, or `read` for whenever somebody reads the list or begins to follow it. "
                + "Without it, it is asked at each `POST …/reload`, which waits for it.")
        Field(
            "cache", \.isCached, .optional(.boolean),
            "For a question: whether it is asked once for each element and version.")
        Field(
            "rights", get: { $0.rights }, set: { $0.rights = $1 }, .optional(.answerRights), presence: .sometimes,
            "The rights of the operations in the target's answers: `mutate` changes the list, `define` its adapters. "
                + "If a request leaves them out, the hook gets those of its client; it may not get more. If an answer "
                + "leaves them out, the hook has both.")
        Field(
            "isDisabled", get: { $0.isDisabled }, set: { $0.isDisabled = $1 }, .optional(.boolean), presence: .always,
            "Whether nothing is sent.")
    }

    /// Members that only answers have. A body may contain them, so that a client can send back the resource that it has
    /// read.
    private static let answered = [
        MemberDescription("event", .string(), use: .leftAside, "The event."),
        MemberDescription(
            "kind", .choice(["notification", "question", "source"]), use: .leftAside,
            "Whether the event is told, asked by a UI, or asked by the server itself."),
        MemberDescription(
            "disabledReason", .string(), use: .leftAside, presence: .sometimes, "Why the hook is disabled."),
        MemberDescription(
            "answer", .string(), use: .leftAside, presence: .sometimes, "The type of the answer, for a question."),
        MemberDescription(
            "health", .reference("HookHealth"), use: .leftAside,
            "How the target is doing, since the server was started or the URL changed."),
    ]
}

extension FieldType<HookURL> {
    /// The address of a target.
    fileprivate static let hookURL = FieldType(
        .string(), body: .reference("HookURL"), decode: { HookURL.decode($0, &$1) }, encode: { $1.string($0.text) })
}

extension FieldType<[EventHookDraft.SecretText]> {
    /// One secret or several, masked or whole.
    fileprivate static let secrets = FieldType(
        .array(.string()), body: .reference("HookSecrets"), decode: { EventHookDraft.SecretText.decodeList($0, &$1) },
        encode: { secrets, writer in writer.array { for secret in secrets { $0.string(secret.text) } } })
}

extension FieldType<[HookHeader]> {
    /// Fields of a request by their names.
    fileprivate static let headers = FieldType(
        .reference("HookHeaders"), decode: { HookHeader.decodeList($0, &$1) },
        encode: { headers, writer in
            writer.object { for header in headers { $0.member(header.name, header.value) } }
        })
}

extension FieldType<Duration> {
    /// A length of time within bounds.
    static func duration(_ range: ClosedRange<Duration>) -> FieldType {
        FieldType(
            .string(), body: .reference("TimeLength"), decode: { DurationText.decode($0, in: range, &$1) },
            encode: { $1.string(DurationText.text($0)) })
    }
}

extension HookURL {
    fileprivate static func decode(_ node: JSONNode, _ faults: inout FaultList) -> HookURL? {
        guard let text = node.decodeString(&faults) else { return nil }
        do {
            return try HookURL(parsing: text)
        } catch {
            faults.append(node, error.detail)
            return nil
        }
    }
}

extension EventHookDraft.SecretText {
    /// The secret as it is written.
    fileprivate var text: String {
        switch self {
        case .whole(let secret): secret.text
        case .masked(let text, _): text
        }
    }

    /// Reads one secret or several.
    fileprivate static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [EventHookDraft.SecretText] {
        let nodes = node.kind == .array ? Array(node.elements) : [node]
        if !(1...EventHook.maximumSecrets ~= nodes.count) {
            faults.append(node, "a hook has 1 to \(EventHook.maximumSecrets) secrets")
        }
        return nodes.prefix(EventHook.maximumSecrets).compactMap { decode($0, &faults) }
    }

    private static func decode(_ node: JSONNode, _ faults: inout FaultList) -> EventHookDraft.SecretText? {
        guard let text = node.decodeString(&faults) else { return nil }
        if HookSecret.isMasked(text) { return .masked(text, pointer: node.pointer.description) }
        do {
            return .whole(try HookSecret(text))
        } catch {
            faults.append(node, "the secret \(error)")
            return nil
        }
    }
}

extension HookHeader {
    fileprivate static func decodeList(_ node: JSONNode, _ faults: inout FaultList) -> [HookHeader] {
        guard node.isObject("headers", &faults) else { return [] }
        var headers: [Name: HookHeader] = [:]
        for member in node.members where !faults.isFull {
            let name = member.name
            if let detail = fault(inName: name) { faults.append(member.value, detail) }
            if headers[name.lowercased()] != nil {
                faults.append(member.value, "the header \(name.quoted) is there twice")
            }
            guard let value = member.value.decodeString(&faults) else { continue }
            if !value.hasPrefix(mask), let detail = fault(inValue: value) { faults.append(member.value, detail) }
            headers[name.lowercased()] = HookHeader(name: name, value: value)
        }
        if headers.count > maximumCount { faults.append(node, "a hook has at most \(maximumCount) headers") }
        return headers.sorted { $0.key < $1.key }.map(\.value)
    }
}
