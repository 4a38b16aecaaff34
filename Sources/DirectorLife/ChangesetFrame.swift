import Directors
import HTTPWire
import JSONValues

extension EventFrame {
    /// Encodes a change as the stream event `changeset`, with the later version's place as its id.
    ///
    /// - Complexity: O(*k*) in the number of operations, and in the text of the elements that they carry.
    package static func changeset(_ change: PublishedChange) -> EventFrame {
        EventFrame(
            event: "changeset", id: ResumeToken.part(epoch: change.epoch, version: change.version),
            reservingCapacity: change.textEstimate
        ) { bytes in
            var writer = JSONWriter(appendingTo: bytes)
            bytes = []
            change.encode(to: &writer)
            bytes = writer.bytes
        }
    }

    /// Makes the event `changeset` of a change's JSON form, which the caller vouches is one line.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    package static func changeset(json: some Collection<UInt8>, epoch: String, version: Int) -> EventFrame {
        EventFrame(
            event: "changeset", id: ResumeToken.part(epoch: epoch, version: version), reservingCapacity: json.count
        ) { $0.append(contentsOf: json) }
    }
}
