import JSONValues

/// All that somebody may do: a right is held where any of the grants gives it.
package struct Grants: Hashable, Sendable {
    /// The most grants that one principal has.
    package static let limit = 64

    /// The grants in the order they were given.
    package let list: [Grant]
    /// The rights that hold for every director, so that the usual question needs no name.
    private let everywhere: Rights

    /// Gathers grants.
    ///
    /// - Throws: ``GrantError`` where there are more than ``limit``.
    package init(_ list: [Grant]) throws(GrantError) {
        guard list.count <= Self.limit else { throw GrantError("expected at most \(Self.limit) grants") }
        self.init(unchecked: list)
    }

    /// What any of these allow.
    ///
    /// The settings' own are joined only, so that there may be more than ``limit``.
    package init(joining several: [Grants]) {
        self.init(unchecked: several.flatMap(\.list))
    }

    private init(unchecked list: [Grant]) {
        self.list = list
        var everywhere = Rights()
        for grant in list where grant.directors.contains(where: \.isAll) { everywhere.formUnion(grant.rights) }
        if list.contains(where: { $0.rights.contains(.operate) }) { everywhere.formUnion([.operate]) }
        self.everywhere = everywhere
    }

    /// Every right to every director.
    package static let everything = Grants(unchecked: [.everything])
    /// No right at all.
    package static let nothing = Grants(unchecked: [])

    /// Whether the right is held for the director. O(patterns) at most.
    package func allow(_ right: Right, on director: String) -> Bool {
        if everywhere.contains(right) { return true }
        for grant in list where grant.rights.contains(right) {
            for pattern in grant.directors where pattern.matches(director) { return true }
        }
        return false
    }

    /// Whether the right is held for every director there is or will be; for ``Right/operate``, whether it is held.
    package func allowEverywhere(_ right: Right) -> Bool {
        everywhere.contains(right)
    }

    /// Whether the right is held for any director at all.
    package func allowSomewhere(_ right: Right) -> Bool {
        list.contains { $0.rights.contains(right) }
    }

    /// The right to read those of these directors that the grants allow to read, and nothing else.
    package func reading(_ directors: [String]) -> Grants {
        let names = directors.filter { allow(.read, on: $0) }
        return names.isEmpty ? .nothing : Grants(unchecked: [.reading(names)])
    }

    /// About how many bytes the grants take in memory, for bounds.
    package var memory: Int {
        list.reduce(64) { $0 + 48 + $1.directors.reduce(0) { $0 + 80 + $1.length } }
    }

    /// Reads an array of grants.
    package init(decoding node: JSONNode) throws(GrantError) {
        guard node.kind == .array else { throw GrantError("expected an array of grants") }
        var list: [Grant] = []
        for (index, element) in node.elements.enumerated() {
            guard list.count < Self.limit else { throw GrantError("expected at most \(Self.limit) grants") }
            do throws(GrantError) {
                list.append(try Grant(decoding: element))
            } catch {
                throw error.within("/\(index)")
            }
        }
        try self.init(list)
    }

    /// Writes the grants as they are read.
    package func encode(to writer: inout JSONWriter) {
        writer.beginArray()
        for grant in list { grant.encode(to: &writer) }
        writer.endArray()
    }
}
