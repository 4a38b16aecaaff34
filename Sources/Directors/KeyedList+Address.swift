extension KeyedList {
    /// The position of an item that is to be read, replaced or removed.
    func position(
        _ address: Address, of member: DirectorError.Member, pointer: String
    ) throws(DirectorError) -> Int {
        guard let position = try existing(address, pointer: pointer) else {
            throw DirectorError(.notFound(member, address, count: count), pointer: pointer)
        }
        return position
    }

    /// The position of an item that is to be moved, or the place that it is to have in the same list afterwards.
    func movable(
        _ address: Address, of member: DirectorError.Member, pointer: String
    ) throws(DirectorError) -> Int {
        guard let position = try existing(address, pointer: pointer) else {
            throw DirectorError(.invalidPlace(member, address, count: count), pointer: pointer)
        }
        return position
    }

    /// The place of an insert: nil and `last` are the end, and so is the count.
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

    private func existing(_ address: Address, pointer: String) throws(DirectorError) -> Int? {
        switch address {
        case .first: return count > 0 ? 0 : nil
        case .last: return count > 0 ? count - 1 : nil
        case .position(let position): return items.indices.contains(position) ? position : nil
        case .identifier(let identifier):
            switch match(identifier) {
            case .none: return nil
            case .one(let position): return position
            case .several(let positions):
                throw DirectorError(.ambiguous(identifier: identifier, positions: positions), pointer: pointer)
            }
        }
    }
}
