/// For each other node its epoch, if known, and the number of the last message sent to it.
struct PeerSequences: Sendable {
    /// How many nodes are known at once; each start of a node makes another one.
    static let maxNodes = 1024

    private struct Place {
        var epoch: String?
        var last: Int
    }

    private var places: [Int: Place] = [:]
    /// No number that was used is above, of nodes that are not known any more.
    private var floor = 0

    /// Makes sequences that know nobody.
    init() {}

    /// The epoch and the number of the next message to a node: no two messages to one have the same number.
    mutating func next(for node: Int) -> (epoch: String?, number: Int) {
        if places.count == Self.maxNodes, places[node] == nil {
            floor = places.values.reduce(floor) { max($0, $1.last) }
            places = [:]
        }
        var place = places[node] ?? Place(epoch: nil, last: floor)
        place.last += 1
        places[node] = place
        return (place.epoch, place.last)
    }

    /// Notes a node's epoch; nil where it is not known any more.
    mutating func note(_ epoch: String?, of node: Int) {
        places[node]?.epoch = epoch
    }
}
