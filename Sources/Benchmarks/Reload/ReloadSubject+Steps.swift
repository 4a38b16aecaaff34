import Directors
import JSONValues
import ListDiff

extension ReloadSubject {
    /// A change of one element, addressed by its position.
    mutating func step(_ change: ListChange, atPositionIn section: Int) throws -> ChangeStep {
        let count = members[section].count
        let place = Int.random(in: 0..<count, using: &random)
        let path = ElementPath(section: section, element: place)
        switch change {
        case .insert:
            let (draft, identifier) = try newElement(in: section)
            return ChangeStep(
                operations: [.elements(of: .section(.position(section)), .add([draft], at: .position(place)))],
                expected: .init(inserted: 1), target: path, identifier: identifier)
        case .delete:
            // Which one went is not known here, so that elements are no longer addressed by identifier afterwards.
            members[section].removeLast()
            return ChangeStep(
                operations: [.elements(of: .section(.position(section)), .remove(.position(place)))],
                expected: .init(deleted: 1), source: path)
        case .move:
            // Further than to a neighbour, so that only one move is the shortest.
            let other = (place + Int.random(in: 2...(count - 2), using: &random)) % count
            return ChangeStep(
                operations: [
                    .elements(of: .section(.position(section)), .move(from: .position(place), to: .position(other)))
                ],
                expected: .init(moved: 1), source: path, target: ElementPath(section: section, element: other))
        default:
            return ChangeStep(
                operations: [
                    .elements(of: .section(.position(section)), .patch(.position(place), try ValueDraft(newScore())))
                ],
                expected: .init(updated: 1), source: path)
        }
    }

    /// A change of one element, addressed by its identifier.
    mutating func step(_ change: ListChange, byIdentifierIn section: Int) throws -> ChangeStep {
        let name = Address.identifier("s\(order[section])")
        let index = Int.random(in: members[section].indices, using: &random)
        let identifier = SampleValue.identifier(Int(members[section][index]))
        switch change {
        case .insert:
            let (draft, new) = try newElement(in: section)
            return ChangeStep(
                operations: [.elements(of: .section(name), .add([draft], at: .identifier(identifier)))],
                expected: .init(inserted: 1), identifier: new)
        case .delete:
            members[section].swapAt(index, members[section].count - 1)
            members[section].removeLast()
            return ChangeStep(
                operations: [.elements(of: .section(name), .remove(.identifier(identifier)))],
                expected: .init(deleted: 1))
        case .move:
            let place = Int.random(in: members[section].indices, using: &random)
            return ChangeStep(
                operations: [
                    .elements(of: .section(name), .move(from: .identifier(identifier), to: .position(place)))
                ],
                expected: .init(moved: 1), target: ElementPath(section: section, element: place), mayStay: true)
        default:
            return ChangeStep(
                operations: [
                    .elements(of: .section(name), .patch(.identifier(identifier), try ValueDraft(newScore())))
                ],
                expected: .init(updated: 1), identifier: identifier)
        }
    }

    /// The move of a section's first element to its end.
    mutating func firstToEnd(_ section: Int, _ addressing: Addressing) -> ChangeStep {
        let address = self.address(of: section, addressing)
        return ChangeStep(
            operations: [.elements(of: .section(address), .move(from: .first, to: .last))],
            expected: .init(moved: 1), source: ElementPath(section: section, element: 0),
            target: ElementPath(section: section, element: members[section].count - 1))
    }

    /// Updates of different elements all over the list, as one batch.
    mutating func scatteredUpdates(_ addressing: Addressing) throws -> ChangeStep {
        var places = Set<ElementPath>()
        while places.count < ListChange.scattered {
            let section = Int.random(in: 0..<shape.sections, using: &random)
            let index = Int.random(in: members[section].indices, using: &random)
            places.insert(ElementPath(section: section, element: index))
        }
        var operations: [Directors.Operation] = []
        for place in places {
            let element: Address =
                switch addressing {
                case .position: .position(place.element)
                case .identifier: .identifier(SampleValue.identifier(Int(members[place.section][place.element])))
                }
            let section = address(of: place.section, addressing)
            operations.append(.elements(of: .section(section), .patch(element, try ValueDraft(newScore()))))
        }
        return ChangeStep(operations: operations, expected: .init(updated: ListChange.scattered))
    }

    /// A swap of two sections that are no neighbours: of neighbours it would be one move, of others it is two.
    mutating func swap(_ addressing: Addressing) -> ChangeStep {
        var (one, other) = (0, 0)
        while abs(one - other) < 2 {
            one = Int.random(in: 0..<shape.sections, using: &random)
            other = Int.random(in: 0..<shape.sections, using: &random)
        }
        let step = ChangeStep(
            operations: [.sections(.swap(address(of: one, addressing), with: address(of: other, addressing)))],
            expected: .init(sectionsMoved: 2))
        order.swapAt(one, other)
        members.swapAt(one, other)
        return step
    }

    private func address(of section: Int, _ addressing: Addressing) -> Address {
        switch addressing {
        case .position: .position(section)
        case .identifier: .identifier("s\(order[section])")
        }
    }

    private mutating func newElement(in section: Int) throws -> (ElementDraft, identifier: String) {
        defer { next += 1 }
        members[section].append(Int32(next))
        return (try SampleValue.draft(next), SampleValue.identifier(next))
    }

    private mutating func newScore() throws -> JSONValue {
        next += 1
        return try SampleValue.patch(score: 1_000_000 + next)
    }
}
