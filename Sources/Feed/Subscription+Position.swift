import DirectorLife
import HTTPWire

// Where a stream stands in the feeds of its directors.

extension Subscription {
    /// Its positions in the feeds of its directors, without ended feeds whose last event has been handed out.
    var positions: [StreamListing.Position] {
        cursors.filter { !$0.isOver || !$0.backlog.isEmpty }.map(\.listed)
    }

    /// An event that says that nothing has happened.
    func heartbeat() -> EventFrame {
        if !isShared { return StreamEvent.heartbeat(version: cursors[0].version ?? 0).frame(id: token()) }
        // A version that the client's token names is not known to be one until the director has answered.
        let versions = cursors.compactMap { cursor in
            cursor.hub == nil ? nil : cursor.version.map { (cursor.source.name, $0) }
        }
        return StreamEvent.heartbeats(versions).frame(id: token())
    }

    /// The id that resumes after everything handed out so far.
    func token() -> String? {
        let parts = cursors.compactMap { cursor in
            cursor.version.map {
                ResumeToken.part(
                    epoch: cursor.source.epoch, version: cursor.source.resumeVersion(holding: $0))
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ".")
    }
}
