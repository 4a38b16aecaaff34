import ListDiff
import Notation

/// Something in a list that can be addressed by its identifier.
protocol Addressable: ListItem {
    var identifier: String { get }
}

extension Element: Addressable {}

extension Section: Addressable {}

extension PersistentList where Element: Addressable {
    /// The positions of the items of an identifier, ascending; at most as many as are wanted.
    ///
    /// The identifier alone decides: elements of different models may share one.
    ///
    /// - Complexity: O((1 + *d*) log *n*) for *d* positions found.
    func positions(of identifier: String, limit: Int = .max) -> [Int] {
        positions(hash: identifier.hashValue, limit: limit) { $0.identifier.isVerbatim(identifier) }
    }

    /// The position of an item that is to be read, replaced or removed.
    ///
    /// - Complexity: O(log *n*).
    func position(
        _ address: Address, of member: DirectorError.Member, pointer: String
    ) throws(DirectorError) -> Int {
        guard let position = try existing(address, of: member, pointer: pointer) else {
            throw DirectorError(.notFound(member, address, count: count), pointer: pointer)
        }
        return position
    }

    /// The positions that several addresses stand for, each once, ascending.
    ///
    /// - Complexity: O(*m* log *n*) for *m* addresses, and O(*m* log *m*).
    func positions(_ addresses: [Address], of member: DirectorError.Member) throws(DirectorError) -> [Int] {
        var positions = Set<Int>(minimumCapacity: addresses.count)
        for (index, address) in addresses.enumerated() {
            positions.insert(try position(address, of: member, pointer: "/at/\(index)"))
        }
        return positions.sorted()
    }

    /// The position of an item that is to be moved, or the place that it is to have in the same list afterwards.
    ///
    /// - Complexity: O(log *n*).
    func movable(
        _ address: Address, of member: DirectorError.Member, pointer: String
    ) throws(DirectorError) -> Int {
        guard let position = try existing(address, of: member, pointer: pointer) else {
            throw DirectorError(.invalidPlace(member, address, count: count), pointer: pointer)
        }
        return position
    }

    /// The place of an insert: nil and `last` are the end, and so is the count.
    ///
    /// - Complexity: O(log *n*).
    func insertion(
        _ address: Address?, of member: DirectorError.Member, pointer: String
    ) throws(DirectorError) -> Int {
        switch address {
        case nil, .last: return count
        case .first: return 0
        case .position(count): return count
        case let address?: return try movable(address, of: member, pointer: pointer)
        }
    }

    /// The position that an address stands for; nil where there is none.
    ///
    /// - Complexity: O(log *n*).
    /// - Throws: That it is an identifier of several items.
    func existing(
        _ address: Address, of member: DirectorError.Member, pointer: String
    ) throws(DirectorError) -> Int? {
        switch address {
        case .first: return isEmpty ? nil : 0
        case .last: return isEmpty ? nil : count - 1
        case .position(let position): return indices.contains(position) ? position : nil
        case .identifier(let identifier):
            switch soleMatch(hash: identifier.hashValue, where: { $0.identifier.isVerbatim(identifier) }) {
            case .none: return nil
            case .one(let position): return position
            case .several: break
            }
            // One more than an error names, so that it can say that there are more.
            let positions = positions(of: identifier, limit: Fault.limit + 1)
            guard positions.count <= 1 else {
                throw DirectorError(
                    .ambiguous(member, identifier: identifier, positions: positions), pointer: pointer)
            }
            return positions.first
        }
    }
}
