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
        return Coding.page(
            "streams", all.dropFirst(offset).prefix(limit), offset: offset, limit: limit, total: all.count
        ) {
            $0.encode(id: responder.name(ofRequest: $0.identity.number), to: &$1)
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

extension StreamListing {
    /// Appends the stream's JSON form.
    fileprivate func encode(id: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("since", WallTime(milliseconds: identity.since).description)
            writer.key("directors")
            writer.array { writer in for position in positions { position.encode(to: &writer) } }
            writer.key("address")
            writer.text(connection?.peer.host)
            writer.key("protocol")
            writer.text(connection.map { $0.isHTTP2 ? "h2" : "http/1.1" })
            writer.key("principal")
            if let holder = ((permit as? ClusterPermit)?.inner as? StreamAccess ?? permit as? StreamAccess)?.holder {
                writer.object { writer in
                    writer.member("kind", holder.kind)
                    writer.member("name", holder.name)
                }
            } else {
                writer.null()
            }
        }
    }
}

extension StreamListing.Position {
    fileprivate func encode(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", director)
            writer.key("version")
            if let version { writer.int(version) } else { writer.null() }
            writer.key("lag")
            if let lag { writer.int(lag) } else { writer.null() }
        }
    }
}
