import Notation

/// The members of a JSON object, in the order they came.
///
/// Names are told apart by their bytes: canonically equivalent ones are different members. Equality and hashing leave
/// the order out. A look-up by name costs a scan of at most 16 members, and a dictionary
/// look-up in a larger object.
public struct JSONObject: Sendable {
    /// A name with its value.
    public struct Member: Sendable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public internal(set) var value: JSON

        /// Makes a member.
        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The members in order; no two have the same name.
    public private(set) var members: [Member] = []
    /// The index of each name in `members`, once a scan would be slower.
    private var positions: [Name: Int] = [:]

    private static let scanLimit = 16

    /// Makes an empty object.
    public init() {}

    /// Makes an object of these members; of several with one name the last value stays.
    public init(_ members: some Sequence<(String, JSON)>) {
        for (name, value) in members { self[name] = value }
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there are none.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of the member of that name, or nil where there is none.
    ///
    /// Setting a value adds the member at the end or replaces its value in place; setting nil removes it.
    public subscript(name: String) -> JSON? {
        get { position(of: name).map { members[$0].value } }
        set {
            switch (position(of: name), newValue) {
            case (let position?, let value?): members[position].value = value
            case (nil, let value?): append(Member(name: name, value: value))
            case (let position?, nil): remove(at: position)
            case (nil, nil): break
            }
        }
    }

    private func position(of name: String) -> Int? {
        guard members.count > Self.scanLimit else { return members.firstIndex { $0.name.isVerbatim(name) } }
        return positions[name]
    }

    private mutating func append(_ member: Member) {
        members.append(member)
        if members.count == Self.scanLimit + 1 {
            indexNames()
        } else if members.count > Self.scanLimit {
            positions[member.name] = members.count - 1
        }
    }

    private mutating func remove(at position: Int) {
        members.remove(at: position)
        indexNames()
    }

    private mutating func indexNames() {
        positions.removeAll(keepingCapacity: true)
        guard members.count > Self.scanLimit else { return }
        for (position, member) in members.enumerated() { positions[member.name] = position }
    }
}

extension JSONObject.Member: Hashable {
    /// Whether both have the same name, by its bytes, and equal values.
    public static func == (left: Self, right: Self) -> Bool {
        left.name.isVerbatim(right.name) && left.value == right.value
    }

    /// Feeds the name and the value.
    public func hash(into hasher: inout Hasher) {
        name.hashVerbatim(into: &hasher)
        hasher.combine(value)
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same names with equal values, in any order.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.count == right.count else { return false }
        return left.members.allSatisfy { right[$0.name] == $0.value }
    }

    /// Feeds the members to the hasher so that their order does not show.
    public func hash(into hasher: inout Hasher) {
        // A sum of the members' own hashes does not depend on their order.
        hasher.combine(members.reduce(0) { $0 &+ $1.hashValue })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object; of several members with one name the last value stays.
    public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
