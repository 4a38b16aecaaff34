import Directors
import HTTPWire
import JSONValues
import ListDiff

/// An event of a stream: its name, its payload and the schema of its payload stand here and nowhere else.
package enum StreamEvent {
    /// The published state, at the beginning of a stream or after a gap.
    case snapshot(Director, PublishedState, withElements: Bool)
    /// The client's copy is good; what follows leads from `from` to `version`.
    case resumed(director: String, from: Int, version: Int)
    /// What a reload published.
    case changeset(PublishedChange)
    /// Nothing has happened: the version of the only director; its name where it is not plain.
    case heartbeat(director: String? = nil, version: Int)
    /// Nothing has happened on a stream of several directors: the version of each by its name.
    case heartbeats([(director: String, version: Int)])
    /// Visible cells are to be drawn anew: the named elements, or all.
    case refresh(director: String, version: Int, elements: [(path: ElementPath, element: Element)]?)
    /// An element is to be brought into view.
    case scroll(director: String, version: Int, ScrollPlace)
    /// Properties, adapters or hooks of the director have changed.
    case definition(Director)
    /// Nothing more follows: of one director, or on the whole stream.
    case end(director: String?, reason: EndReason)

    /// The last event of a director that was deleted. It has no id: there is nothing to resume.
    package static func deleted(_ director: String) -> EventFrame {
        StreamEvent.end(director: director, reason: .deleted).frame(id: nil)
    }

    /// A director's last event from a host that has let go of it: the client comes back for it.
    package static func moved(_ director: String) -> EventFrame {
        StreamEvent.end(director: director, reason: .closing).frame(id: nil)
    }

    /// Why a stream ends, or what it carries of one director.
    package enum EndReason: String, CaseIterable, Sendable {
        /// The credential's time is over: come back with another one.
        case expired
        /// The credential was revoked.
        case revoked
        /// The credential does not allow reading the director.
        case forbidden
        /// The server is closing: come back.
        case closing
        /// An operator has closed the stream: come back later.
        case closed
        /// The director was deleted.
        case deleted
    }

    /// The name in the `event:` line.
    package enum Name: String, CaseIterable, Sendable {
        case snapshot, resumed, changeset, heartbeat, refresh, scroll, definition, end

        /// The schema of the payload, by its name in the OpenAPI document; nil for a small object without one.
        package var schema: String? {
            switch self {
            case .changeset: "Changeset"
            case .refresh: "Refresh"
            case .scroll: "Scroll"
            case .snapshot, .resumed, .heartbeat, .definition, .end: nil
            }
        }
    }

    /// The event's name.
    package var name: Name {
        switch self {
        case .snapshot: .snapshot
        case .resumed: .resumed
        case .changeset: .changeset
        case .heartbeat, .heartbeats: .heartbeat
        case .refresh: .refresh
        case .scroll: .scroll
        case .definition: .definition
        case .end: .end
        }
    }

    /// The event as it is sent, encoded where it stays.
    ///
    /// - Parameter id: The event's id, which a client sends to resume after it; nil keeps the client's last id.
    /// - Complexity: O(*n*) in the bytes of the payload.
    package func frame(id: String?) -> EventFrame {
        EventFrame(event: name.rawValue, id: id, reservingCapacity: sizeEstimate) { bytes in
            var writer = JSONWriter(appendingTo: bytes)
            bytes = []
            encode(to: &writer)
            bytes = writer.bytes
        }
    }

    /// The event of one director's version, with the id that resumes after it.
    package func frame(epoch: String, version: Int) -> EventFrame {
        frame(id: ResumeToken.part(epoch: epoch, version: version))
    }

    /// About how many bytes the payload has; less for what is short or seldom sent.
    private var sizeEstimate: Int {
        if case .changeset(let change) = self { change.textEstimate } else { 128 }
    }

    private func encode(to writer: inout JSONWriter) {
        switch self {
        case .snapshot(let director, let state, let withElements):
            director.encodeSnapshot(of: state, includingElements: withElements, to: &writer)
        case .changeset(let change):
            change.encode(to: &writer)
        case .definition(let director):
            director.encodeDefinition(to: &writer)
        case .resumed(let director, let from, let version):
            writer.object {
                $0.member("director", director)
                $0.member("from", from)
                $0.member("version", version)
            }
        case .heartbeat(let director, let version):
            writer.object {
                if let director { $0.member("director", director) }
                $0.member("version", version)
            }
        case .heartbeats(let versions):
            writer.object {
                $0.key("versions")
                $0.object { for (director, version) in versions { $0.member(director, version) } }
            }
        case .refresh(let director, let version, let elements):
            Self.encodeRefresh(director, version, elements, to: &writer)
        case .scroll(let director, let version, let place):
            writer.object {
                $0.member("director", director)
                $0.member("version", version)
                place.encodeMembers(to: &$0)
            }
        case .end(let director, let reason):
            writer.object {
                if let director { $0.member("director", director) }
                $0.member("reason", reason.rawValue)
            }
        }
    }

    private static func encodeRefresh(
        _ director: String, _ version: Int, _ elements: [(path: ElementPath, element: Element)]?,
        to writer: inout JSONWriter
    ) {
        writer.object {
            $0.member("director", director)
            $0.member("version", version)
            guard let elements else { return $0.member("all", true) }
            $0.key("elements")
            $0.array {
                for (path, element) in elements {
                    $0.object {
                        $0.key("at")
                        $0.array {
                            $0.int(path.section)
                            $0.int(path.element)
                        }
                        $0.key("element")
                        element.encode(to: &$0)
                    }
                }
            }
        }
    }
}

extension EventFrame {
    /// Makes an event with a payload that was encoded elsewhere.
    package convenience init(event: StreamEvent.Name, epoch: String, version: Int, payload: [UInt8]) {
        let id = ResumeToken.part(epoch: epoch, version: version)
        self.init(ServerSentEvent(event: event.rawValue, data: payload, id: id))
    }

    /// The event's payload, of a frame that a ``StreamEvent`` has made.
    package var json: ArraySlice<UInt8> { storage[data] }
}
