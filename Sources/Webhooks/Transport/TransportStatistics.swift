/// What a transport has done and is doing.
package struct TransportStatistics: Hashable, Sendable {
    /// Requests that wait for their turn.
    package var waiting = 0
    /// Requests under way, look-ups of names included.
    package var underWay = 0
    /// Requests that got an answer.
    package var answered = 0
    /// Requests that did not.
    package var failed = 0
    /// Connections that were opened, or tried: with reuse, far fewer than requests.
    package var connectionsOpened = 0

    /// Makes the statistics of a transport that has done nothing.
    package init() {}
}
