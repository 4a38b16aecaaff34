import Directors
import JSONValues
import ListDiff

/// A director under measurement, and what is needed to choose changes without touching what they will touch: looking
/// an element up beforehand would bring the nodes on its path into the processor's caches.
struct ReloadSubject {
    let shape: ListShape
    var director: Director

    /// The numbers of each section's elements, in no order.
    var members: [[Int32]]
    /// The numbers of the sections in order.
    var order: [Int]
    /// The number of the next new element or score.
    var next: Int
    var random = SplitMix64(seed: 1)

    /// Fills a director.
    init(_ shape: ListShape) throws {
        self.shape = shape
        members = (0..<shape.sections).map { section in
            (section * shape.elements..<(section + 1) * shape.elements).map(Int32.init)
        }
        director = try .filled(sections: shape.sections, elements: shape.elements)
        order = Array(0..<shape.sections)
        next = shape.sections * shape.elements
    }

    /// Makes one change, checks its result and returns its time.
    mutating func measure(_ change: ListChange, by addressing: Addressing) throws -> Duration {
        let step = try step(change, by: addressing)
        let begin = ContinuousClock.now
        let published = try step.perform(on: &director)
        let reading = ContinuousClock.now - begin
        if published == nil, step.mayStay {
            return try measure(change, by: addressing)
        }
        step.verify(published, "\(change.name) by \(addressing.rawValue) in \(shape.name)")
        return reading
    }

    /// Chooses a change of a kind, its places at random over the whole list.
    mutating func step(_ change: ListChange, by addressing: Addressing) throws -> ChangeStep {
        let section = Int.random(in: 0..<shape.sections, using: &random)
        switch (change, addressing) {
        case (.swapSections, _): return swap(addressing)
        case (.scatteredUpdates, _): return try scatteredUpdates(addressing)
        case (.firstToEnd, _): return firstToEnd(section, addressing)
        case (_, .position): return try step(change, atPositionIn: section)
        case (_, .identifier): return try step(change, byIdentifierIn: section)
        }
    }
}
