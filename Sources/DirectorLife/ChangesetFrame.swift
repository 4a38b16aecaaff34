import Directors
import HTTPWire

extension EventFrame {
    /// Encodes a change as the stream event `changeset`, with the later version's place as its id.
    ///
    /// - Complexity: O(*k*) in the number of operations, and in the text of the elements that they carry.
    package static func changeset(_ change: PublishedChange) -> EventFrame {
        StreamEvent.changeset(change).frame(epoch: change.epoch, version: change.version)
    }

    /// Makes the event `changeset` of a change's JSON form, which the caller vouches is one line.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package static func changeset(json: some Collection<UInt8>, epoch: String, version: Int) -> EventFrame {
        EventFrame(
            event: StreamEvent.Name.changeset.rawValue, id: ResumeToken.part(epoch: epoch, version: version),
            reservingCapacity: json.count
        ) { $0.append(contentsOf: json) }
    }
}
