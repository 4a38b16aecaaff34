/// The movement of a list's sections in one stage: the sections that leave their places, the sections that arrive, and
/// the resulting positions.
@usableFromInline
@frozen
package struct SectionPlacement {
    /// The origin of the section at a place after the stage.
    @usableFromInline
    @frozen
    enum Origin {
        /// A section that was there, by its position before.
        case kept(Int)
        /// A section that is inserted, by its number among those.
        case inserted(Int)
    }

    /// The number of sections before the stage.
    @usableFromInline let count: Int

    /// The number of sections after the stage.
    @usableFromInline var countAfter: Int

    /// The sections that have an operation.
    @usableFromInline var taken: Set<Int> = []
    @usableFromInline var deleted: Set<Int> = []

    /// For each section that is moved, where to.
    @usableFromInline var moved: [Int: Int] = [:]

    /// The sections that are deleted or moved; ascending once the stage is settled.
    @usableFromInline var leaving: [Int] = []

    /// The inserted and moved sections, by their places after the stage.
    @usableFromInline var arrivals: [Int: Origin] = [:]

    /// The places of the arrivals; ascending once the stage is settled.
    @usableFromInline var places: [Int] = []

    /// Leaves all sections where they are.
    @inlinable
    init(count: Int) {
        self.count = count
        countAfter = count
    }

    /// Claims a section for one operation; what is wrong with that, or nil.
    @inlinable
    mutating func take(_ section: Int) -> ChangesetError.Reason? {
        guard section >= 0, section < count else {
            return .outOfRange(count: count)
        }
        return taken.insert(section).inserted ? nil : .sourceTaken
    }

    /// Puts what arrives at its place; what is wrong with that, or nil.
    @inlinable
    mutating func place(_ origin: Origin, at place: Int) -> ChangesetError.Reason? {
        guard place >= 0, place < countAfter else {
            return .outOfRange(count: countAfter)
        }
        guard arrivals.updateValue(origin, forKey: place) == nil else {
            return .targetTaken
        }
        places.append(place)
        if case .kept(let section) = origin {
            moved[section] = place
        }
        return nil
    }

    /// Prepares for looking up places, once everything has left and arrived.
    @inlinable
    mutating func settle() {
        leaving.sort()
        places.sort()
    }

    /// The origin of the section at a place after the stage.
    @inlinable
    func origin(of place: Int) -> Origin {
        arrivals[place] ?? .kept(Self.gap(place - Self.below(place, in: places), in: leaving))
    }

    /// A kept section's place after the stage.
    @inlinable
    func place(of section: Int) -> Int {
        moved[section] ?? Self.gap(section - Self.below(section, in: leaving), in: places)
    }

    /// How many of some ascending positions are below one.
    @inlinable
    package static func below(_ position: Int, in positions: [Int]) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The position with a number of others in front of it that are none of some ascending positions.
    @inlinable
    package static func gap(_ rank: Int, in positions: [Int]) -> Int {
        var low = 0
        var high = positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] - middle <= rank {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return rank + low
    }
}
