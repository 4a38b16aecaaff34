import CallboardClient
import Directors
import Foundation
import Synchronization
import Webhooks

@testable import CallboardProgram

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A listener on a free port, with what it has shown.
final class ListenerFixture: Sendable {
    /// What came back from a request.
    struct Answer: Equatable {
        var status: Int
        var body: String
        var retryAfter: String?
    }

    let listener: EventListener
    private let shown: Entries

    private final class Entries: Sendable {
        let list = Mutex<[ListenEntry]>([])
    }

    /// Runs a listener for as long as `body` takes.
    ///
    /// - Parameter time: What its clock says; the time where it is nil.
    /// - Returns: What it says at its end.
    @discardableResult
    static func run(
        secrets: [HookSecret] = [], plan: AnswerPlan = AnswerPlan(), limit: Int? = nil,
        time: Date? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (ListenerFixture) async throws -> Void
    ) async throws -> ListenSummary {
        let entries = Entries()
        let listener = try await EventListener.start(host: "127.0.0.1", port: 0) { loop in
            EventReceiver(
                loop: loop, check: SignatureCheck(secrets: secrets), plan: plan, limit: limit, now: { time ?? Date() }
            ) {
                entry in
                entries.list.withLock { $0.append(entry) }
            }
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(ListenerFixture(listener: listener, shown: entries)))
        } catch {
            result = .failure(error)
        }
        let summary = await listener.stop()
        try result.get()
        return summary
    }

    private init(listener: EventListener, shown: Entries) {
        self.listener = listener
        self.shown = shown
    }

    /// What the listener has shown so far.
    var entries: [ListenEntry] { shown.list.withLock { $0 } }

    /// The events among it.
    var receptions: [Reception] { entries.compactMap { if case .event(let reception) = $0 { reception } else { nil } } }

    /// Sends a request, as a server sends an event.
    func send(
        _ body: [UInt8], _ fields: [(name: String, value: String)] = [], method: String = "POST", path: String = "/"
    ) async throws -> Answer {
        try await Self.send(body, fields, method: method, to: listener.address + path)
    }

    /// Sends a message, signed or not.
    func send(_ message: JSON, id: String = "msg_1", signing secrets: [HookSecret] = []) async throws -> Answer {
        let body = message.utf8
        let fields = WebhookSignature.fields(
            id: id, timestamp: Int(Date().timeIntervalSince1970), body: body, secrets: secrets)
        return try await send(body, fields.map { ($0.name, $0.value) })
    }

    /// Sends a request to any server.
    static func send(
        _ body: [UInt8], _ fields: [(name: String, value: String)] = [], method: String = "POST", to address: String
    ) async throws -> Answer {
        guard let url = URL(string: address) else { throw ProgramError("\(address) is no URL", status: .usage) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if !body.isEmpty { request.httpBody = Data(body) }
        for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let head = response as? HTTPURLResponse
        return Answer(
            status: head?.statusCode ?? 0, body: String(decoding: data, as: UTF8.self),
            retryAfter: head?.value(forHTTPHeaderField: "Retry-After"))
    }
}

/// Messages as servers send them.
enum Messages {
    /// The data of an event at an element.
    static let item: JSON = [
        "indexPath": [5, 0], "section": ["id": "AD", "headerTitle": "Andorra"],
        "element": ["id": "AD-07", "model": "Item", "value": ["name": "Andorra la Vella", "height": 44.5]],
        "cell": "ItemCell",
    ]

    /// A message about an element, or whatever else the data say.
    static func message(_ type: String, _ data: JSON = item) -> JSON {
        var all: JSONObject = ["director": "countries", "epoch": "k3f9a0x2b1", "version": 3]
        for member in data.objectValue?.members ?? [] { all[member.name] = member.value }
        return ["type": .string(type), "timestamp": "2026-11-21T10:24:31.250Z", "data": .object(all)]
    }

    /// The same as it is received.
    static func event(_ type: String, _ data: JSON = item) throws -> ReceivedEvent {
        try ReceivedEvent(message(type, data).utf8)
    }
}
