import Directors
import Feed
import HTTPTypes
import JSONValues
import Reactor

extension Application {
    /// `GET /v1/streams`: the streams that are open, oldest first.
    func listStreams(_ call: Call) {
        let director = call.query["director"]
        StreamQuestion(allStreams) {
            $0.listing(following: director)
        } completion: { streams in
            // Sorted and written together, where there are many elsewhere than on a loop.
            call.answer(.content(work: 256 * streams.count) { self.page(of: streams, call.query) })
        }
    }

    /// `DELETE /v1/streams/{stream}`: tells the stream that an operator has closed it.
    func closeStream(_ call: Call) throws(Problem) {
        let unknown = Problem.notFound(
            "There is no stream \(call.parameters[0].quoted); GET /v1/streams lists those that are open.")
        guard let number = responder.number(ofRequest: call.parameters[0]) else { throw unknown }
        StreamQuestion(allStreams) { stream -> Bool? in
            guard stream.identity.number == number else { return nil }
            stream.finish(reason: .closed)
            return true
        } completion: { found in
            if found.isEmpty { call.answer(unknown) } else { call.answer(.noContent(etag: nil)) }
        }
    }

    /// The page of streams that a query asks for.
    private func page(of streams: [StreamListing], _ query: Query) -> [UInt8] {
        let (offset, limit) = query.page
        let all = streams.sorted { $0.identity < $1.identity }.uniqued
        let page = all.dropFirst(offset).prefix(limit)
        return ListForm.streams.page(page, offset: offset, limit: limit, total: all.count) {
            ShownStream(id: responder.name(ofRequest: $0.identity.number), listing: $0).write(to: &$1)
        }
    }
}

extension [StreamListing] {
    /// Without those that were asked twice; in order.
    fileprivate var uniqued: [StreamListing] {
        var found: [StreamListing] = []
        found.reserveCapacity(count)
        for stream in self where found.last?.identity != stream.identity { found.append(stream) }
        return found
    }
}

/// An open stream as the list of streams shows it.
struct ShownStream: AnswerObject {
    let id: String
    let listing: StreamListing

    static let form = AnswerForm<Self>(
        AnswerField("id") { $0.id },
        AnswerField("since") { WallTime(milliseconds: $0.listing.identity.since) },
        AnswerField("directors") { $0.listing.positions },
        AnswerField("address") { $0.listing.connection?.peer.host },
        AnswerField("protocol", as: .nullable(.choice(["http/1.1", "h2"]))) {
            $0.listing.connection.map { $0.isHTTP2 ? "h2" : "http/1.1" }
        },
        AnswerField("principal") { stream in
            let permit = stream.listing.permit
            return ((permit as? ClusterPermit)?.inner as? StreamAccess ?? permit as? StreamAccess)?.holder
        })
}

extension StreamListing.Position: AnswerObject {
    package static let form = AnswerForm<Self>(
        AnswerField("name") { $0.director },
        AnswerField("version") { $0.version },
        AnswerField("lag", as: .nullable(.integer(minimum: 0))) { $0.lag })
}

/// The principal that has opened a stream.
struct StreamHolder: AnswerObject {
    let kind: String
    let name: String

    static let form = AnswerForm<Self>(
        AnswerField("kind", as: .choice(["token", "jwt", "certificate"])) { $0.kind },
        AnswerField("name") { $0.name })
}
