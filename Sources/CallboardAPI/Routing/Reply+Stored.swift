import DirectorLife
import Directors
import HTTPTypes
import JSONValues
import Journal

// The form in which the answer to a request with an Idempotency-Key is kept over a restart.

extension Reply {
    /// The reply as one JSON object; its body, which is UTF-8, as a string.
    var encoded: [UInt8] {
        var writer = JSONWriter(reservingCapacity: body.count + 128)
        writer.beginObject()
        writer.member("status", status.code)
        writer.member("type", contentType)
        if telling != .content { writer.member("tells", telling.rawValue) }
        if !done.isEmpty { writer.member("done", Int(done.rawValue)) }
        if let etag { writer.member("etag", etag) }
        if let location { writer.member("location", location) }
        if !isStorable { writer.member("storable", false) }
        writer.member("body", String(decoding: body, as: UTF8.self))
        writer.endObject()
        return writer.bytes
    }

    /// Notes what the request has done, and makes the answer that is kept for its repetitions; nil where it has no key.
    mutating func keep(under key: CommandKey?, done: Effects) -> StoredAnswer? {
        self.done = done
        guard let key else { return nil }
        self = copied
        return key.answer(encoded, now: StoreClock.now())
    }

    /// Reads that form; nil where it is not one.
    init?(encoded: [UInt8]) {
        guard let document = try? JSONDocument(encoded), let code = document.root["status"]?.int,
            (100...599).contains(code), let type = document.root["type"]?.string,
            let body = document.root["body"]?.string
        else { return nil }
        self.init(
            status: HTTPResponse.Status(integerLiteral: code), body: Array(body.utf8), contentType: type,
            etag: document.root["etag"]?.string, location: document.root["location"]?.string,
            isStorable: document.root["storable"]?.bool ?? (type != "application/problem+json"))
        // What an earlier program has kept says neither: it is taken for content.
        if let telling = document.root["tells"]?.string.flatMap(Telling.init(rawValue:)) { self.telling = telling }
        if let done = document.root["done"]?.int, let bits = UInt8(exactly: done) {
            self.done = Effects(rawValue: bits)
        }
    }
}

extension Problem {
    /// The problem as the answer to a call.
    func reply(to call: Call) -> Reply {
        let instance = call.exchange.head.target.prefix { $0 != "?" }
        return Reply(
            status: status, body: body(instance: String(instance)), contentType: "application/problem+json",
            isStorable: false, telling: tellsContent ? .content : .nothing)
    }
}
