import ListDiff
import Notation

/// An event of a director's stream, or a change of its connection.
public enum StreamEvent: Sendable, Hashable {
    /// The connection's state changed; the client's own word, not the server's.
    case connection(ConnectionState)
    /// The whole published state: the first event of a stream that does not resume.
    case snapshot(Snapshot)
    /// The stream goes on after what the client already has.
    case resumed(Resumption)
    /// The difference from one version to a later one.
    case changeset(RemoteChangeset)
    /// Nothing happened for a while; the stream is alive.
    case heartbeat(Heartbeat)
    /// Visible cells are to be refreshed in place; the list's structure stays.
    case refresh(Refresh)
    /// An element is to be brought into view.
    case scroll(ScrollCommand)
    /// The director's properties or adapters changed.
    case definition(ListDefinition)
    /// The server ends the stream and says why; the client asks again, and the sequence ends if the director is gone.
    case end(StreamEnd)
    /// An event whose data could not be read: the list may have missed a change.
    case unreadable(ServerSentEvent, RepresentationError)
    /// An event of a kind that this version of the client does not know; safe to ignore.
    case unknown(ServerSentEvent)
}

/// The state of the connection that carries a stream.
public enum ConnectionState: Sendable, Hashable {
    /// A connection is being made; `attempt` counts from 1 since the last one that worked.
    case connecting(attempt: Int)
    /// The server has answered and the stream is running.
    case open
    /// The connection is gone, and another one will be made after `retryIn`.
    case lost(StreamInterruption, retryIn: Duration)
}

/// Why a stream's connection was given up.
public enum StreamInterruption: Sendable, Hashable, CustomStringConvertible {
    /// The server was not reached, or the connection broke; the reason is the system's sentence.
    case connection(reason: String)
    /// Nothing arrived for that long, not even a heartbeat.
    case silent(Duration)
    /// The server closed the connection.
    case closedByServer
    /// The server said that it ends the stream, and why.
    case ended(StreamEnd)
    /// The provider of tokens failed; the reason is its error in words.
    case noToken(reason: String)
    /// The server answered with a status that may pass, such as 503, or something between answered in its place.
    case refused(status: Int)
    /// The answer is a success and no event stream, such as the page of a portal.
    case notAStream(type: String)
    /// The bytes of the stream break a limit of the client's.
    case outOfBounds(ServerSentEventError)
    /// Events arrived faster than they were taken, so the connection was given up to bound what waits.
    case overrun
    /// The list's reader asked for a fresh snapshot.
    case restarted

    /// The cause of the interruption, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .connection(let reason): reason
        case .silent(let duration): "nothing arrived for \(duration / .seconds(1)) s"
        case .closedByServer: "the server closed the connection"
        case .ended(let end): "the server ended the stream: \(end)"
        case .noToken(let reason): "there is no token: \(reason)"
        case .refused(let status): "the server answered \(status)"
        case .notAStream(let type): "the answer is \(type.isEmpty ? "of no type" : type) and no event stream"
        case .outOfBounds(let error): error.description
        case .overrun: "events arrived faster than they were taken"
        case .restarted: "a fresh snapshot was asked for"
        }
    }
}

/// A published state of a director.
public struct Snapshot: Sendable, Hashable {
    /// What the director is.
    public let definition: ListDefinition
    /// The life of the director that the version belongs to.
    public let epoch: String
    /// The version of the state.
    public let version: Int
    /// The sections; nil where the stream was asked for a snapshot without elements.
    public let sections: [RemoteSection]?
    /// How much the list holds; nil where the server left it out.
    public let counts: ListCounts?
    /// The totals of a view, by name; empty for a director without any.
    public let totals: JSONObject
    /// Why an earlier copy is to be thrown away; nil at a stream's ordinary start.
    public let reset: String?
}

/// A director at some moment: its description and its adapters.
public struct ListDefinition: Sendable, Hashable {
    /// The director's name.
    public let name: String
    /// The kind of view that it is made for; nil where the server left it out.
    public let kind: DirectorDescription.Kind?
    /// The properties, such as `rowHeight`.
    public let properties: JSONObject
    /// The cell adapters as the server describes them.
    public let adapters: [JSON]
    /// The header and footer adapters as the server describes them.
    public let headerFooterAdapters: [JSON]
    /// The hooks of the director, of its scroll view and of rows, as the server describes them; those of adapters stand with
    /// these.
    let hooks: Hooks

    struct Hooks: Sendable, Hashable {
        let director: JSONObject
        let scroll: JSONObject
        let rows: [JSON]
    }
}

/// The place where a stream goes on.
public struct Resumption: Sendable, Hashable {
    /// The director; nil on the stream of a single one where the server left it out.
    public let director: String?
    /// The version that the client has.
    public let from: Int
    /// The version that the server has.
    public let version: Int
}

/// A sign of life.
public struct Heartbeat: Sendable, Hashable {
    /// The version that the server has; nil on a stream of several directors.
    public let version: Int?
    /// The version of each director, on a stream of several; empty on that of one.
    public let versions: [DirectorVersion]

    /// The version of one director among several.
    public struct DirectorVersion: Sendable, Hashable {
        /// The director's name.
        public let director: String
        /// The version that the server has.
        public let version: Int

        /// Compares names by their bytes.
        public static func == (left: DirectorVersion, right: DirectorVersion) -> Bool {
            left.director.isVerbatim(right.director) && left.version == right.version
        }

        /// Feeds the name's bytes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(Name(director))
        }
    }
}

/// Cells to show again in place.
public struct Refresh: Sendable, Hashable {
    /// The director; nil on the stream of a single one where the server left it out.
    public let director: String?
    /// The version whose places are meant; nil where the server left it out.
    public let version: Int?
    /// The places with their elements; nil for every visible cell.
    public let elements: [Cell]?

    /// A place with its element.
    public struct Cell: Sendable, Hashable {
        /// The place in the published list.
        public let path: ElementPath
        /// The element as it stands there.
        public let element: RemoteElement
    }
}

/// An element to bring into view.
public struct ScrollCommand: Sendable, Hashable {
    /// The director; nil where the server left it out.
    public let director: String?
    /// The version whose place is meant; nil where the server left it out.
    public let version: Int?
    /// The element's place in that version.
    public let path: ElementPath
    /// The identifier of the element's section.
    public let section: String
    /// The element's identifier: in another version it is found by these two.
    public let element: String
    /// The place in what is visible where the element is to be.
    public let position: Position
    /// Whether the list moves there visibly.
    public let isAnimated: Bool

    /// A place in what is visible, after UITableView.ScrollPosition; in a list that scrolls sideways `top` is its beginning.
    public enum Position: String, Sendable, Hashable, CaseIterable {
        /// The nearest one.
        case none
        /// The beginning.
        case top
        /// The middle.
        case middle
        /// The end.
        case bottom
    }

    /// Finds the element in sections: at the command's place, or else by its identifiers.
    ///
    /// - Returns: The element's place; nil if it is not there.
    ///
    /// - Complexity: O(*n*) in the numbers of sections and of the section's elements, unless it stands at the command's place.
    public func place(in sections: [RemoteSection]) -> ElementPath? {
        func isThere(_ path: ElementPath) -> Bool {
            sections.indices.contains(path.section) && sections[path.section].id == section
                && sections[path.section].elements.indices.contains(path.element)
                && sections[path.section].elements[path.element].id == element
        }
        if isThere(path) { return path }
        for (position, other) in sections.enumerated() where other.id == section {
            if let index = other.elements.firstIndex(where: { $0.id == element }) {
                return ElementPath(section: position, element: index)
            }
        }
        return nil
    }
}
