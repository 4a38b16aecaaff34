import ListDiff

/// How a change is shown (`UITableView.RowAnimation`), by the name that the wire has.
///
/// A name that this version of the client does not know is kept.
public struct ListAnimation: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// Makes an animation of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not at all.
    public static let none = ListAnimation(rawValue: "none")
    /// By fading in or out.
    public static let fade = ListAnimation(rawValue: "fade")
    /// From or to the right.
    public static let right = ListAnimation(rawValue: "right")
    /// From or to the left.
    public static let left = ListAnimation(rawValue: "left")
    /// From or to the top.
    public static let top = ListAnimation(rawValue: "top")
    /// From or to the bottom.
    public static let bottom = ListAnimation(rawValue: "bottom")
    /// Centred.
    public static let middle = ListAnimation(rawValue: "middle")
    /// As the view sees fit.
    public static let automatic = ListAnimation(rawValue: "automatic")
}

/// How changes are shown, by the kind of operation; the other kinds are left to the view.
public typealias ListAnimations = [ChangesetOperation: ListAnimation]

extension ListAnimations {
    /// Reads animations by the names of their operations; an operation that this version does not know is passed over.
    init(_ reader: JSONReader?) throws(RepresentationError) {
        self.init()
        for member in try reader?.object().members ?? [] {
            guard let operation = ChangesetOperation(rawValue: member.name) else { continue }
            self[operation] = member.value.stringValue.map { ListAnimation(rawValue: $0) }
        }
    }

    /// The animations as the wire has them.
    var json: JSON {
        .object(JSONObject(map { ($0.key.rawValue, JSON.string($0.value.rawValue)) }.sorted { $0.0 < $1.0 }))
    }
}
