import Directors
import JSONValues
import Journal

/// The events of a request: one, or several that each have an outcome of their own.
struct ReportBody<Report: Sendable>: Sendable {
    /// An event that was read, or why it cannot be.
    struct Entry: Sendable {
        let key: EventIDs.Key?
        /// The event's place in the body.
        let part: BodyPart
        let report: Result<Report, Problem>
    }

    /// Whether the body is a list of events.
    let isSeveral: Bool
    /// The events in their order, at least one.
    let entries: [Entry]

    /// The same events, read once more in another way.
    func map<Other>(_ read: (Report, BodyPart) -> Result<Other, Problem>) -> ReportBody<Other> {
        ReportBody<Other>(
            isSeveral: isSeveral,
            entries: entries.map { entry in
                .init(key: entry.key, part: entry.part, report: entry.report.flatMap { read($0, entry.part) })
            })
    }
}

extension ReportBody<EventReport> {
    /// The most events of one request.
    static var maximumEvents: Int { 1_000 }
    /// The longest key of an event, in bytes.
    static var maximumKeyLength: Int { 255 }

    /// The latest version that an event names; nil where one means the newest, and where none can be read.
    var latestVersion: Int? {
        let reports = entries.compactMap { try? $0.report.get() }
        return reports.allSatisfy { $0.version != nil } ? reports.compactMap(\.version).max() : nil
    }
}

extension Coding {
    /// A UI's reports and questions: `{"event": …}`, or `{"events": [{"event": …, "key"?: …}, …]}`.
    ///
    /// - Throws: A body that is neither. The problem of one event among several stands in its entry.
    static func reports(_ document: JSONDocument) throws(Problem) -> ReportBody<EventReport> {
        do throws(RepresentationError) {
            guard document.root.kind == .object, document.root["events"] != nil else {
                let report = try EventReport.decode(document.root)
                return ReportBody(isSeveral: false, entries: [.init(key: nil, part: .whole, report: .success(report))])
            }
            let nodes = try eventNodes(document.root)
            return ReportBody(isSeveral: true, entries: bounded(nodes.map(entry)))
        } catch {
            throw Problem(error)
        }
    }

    private static func eventNodes(_ root: JSONNode) throws(RepresentationError) -> [JSONNode] {
        try decoding { faults in
            for member in root.members where !member.isNamed("events") {
                JSONNode.appendUnknown(member, of: "a list of events", known: ["events"], &faults)
            }
            guard let events = root["events"], events.kind == .array else {
                faults.append("/events", "expected a list of events")
                return nil
            }
            let nodes = Array(events.elements)
            let maximum = ReportBody<EventReport>.maximumEvents
            guard 1...maximum ~= nodes.count else {
                faults.append("/events", "a request has 1 to \(maximum) events, and this one \(nodes.count)")
                return nil
            }
            return nodes
        }
    }

    private static func entry(_ node: JSONNode) -> ReportBody<EventReport>.Entry {
        let part = BodyPart.part("", at: node.pointer.description)
        do throws(RepresentationError) {
            let name = try decoding { faults in node.decodeKey(&faults) }
            var hash = StableHash()
            hash.combine(Array(node.text))
            let key = name.map { EventIDs.Key($0, fingerprint: hash.value) }
            return .init(key: key, part: part, report: .success(try .decode(node, besides: "key")))
        } catch {
            return .init(key: nil, part: part, report: .failure(Problem(error)))
        }
    }

    /// Refuses the events with which a request passes the bound of places.
    private static func bounded(_ entries: [ReportBody<EventReport>.Entry]) -> [ReportBody<EventReport>.Entry] {
        var places = 0
        return entries.map { entry in
            guard case .success(let report) = entry.report else { return entry }
            if case .elements(let paths) = report.target { places += paths.count } else { places += 1 }
            guard places > EventReport.maximumPaths else { return entry }
            let detail =
                "All events of a request have at most \(EventReport.maximumPaths) places; send this one in another."
            return .init(key: entry.key, part: entry.part, report: .failure(.unprocessable(detail)))
        }
    }
}

extension JSONNode {
    /// The event's `key`; nil without one.
    fileprivate func decodeKey(_ faults: inout FaultList) -> String?? {
        guard kind == .object, let node = self["key"], !node.isNull else { return .some(nil) }
        guard let key = node.string, 1...ReportBody<EventReport>.maximumKeyLength ~= key.utf8.count,
            key.utf8.allSatisfy({ 0x21...0x7e ~= $0 })
        else {
            let maximum = ReportBody<EventReport>.maximumKeyLength
            faults.append(node, "expected a key of 1 to \(maximum) visible ASCII characters")
            return nil
        }
        return .some(key)
    }
}
