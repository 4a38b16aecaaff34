import CallboardClient
import Foundation
import HTTPTypes
import Notation

/// A message of a hook, as it came in.
struct ReceivedEvent: Sendable {
    /// The most elements that a message may be about; a server asks for no more at a time.
    static let maximumItems = 10_000

    /// The event's name, whatever it is.
    let type: String
    /// The whole message.
    let message: JSON

    /// Reads a request's body.
    init(_ body: [UInt8]) throws(ListenRefusal) {
        do throws(JSONParseError) {
            message = try JSON(parsing: body)
        } catch {
            throw ListenRefusal(status: .badRequest, reason: "the body is not JSON: \(error)")
        }
        guard let type = message["type"]?.stringValue, message["data"]?.objectValue != nil else {
            throw ListenRefusal(
                status: .badRequest, reason: #"the body is no event: it needs a string "type" and an object "data""#)
        }
        self.type = type
        if let count = items?.count, count > Self.maximumItems {
            throw ListenRefusal(
                status: .contentTooLarge,
                reason: "the event is about \(Count.grouped(count)) elements; it may be about 10,000")
        }
    }

    /// What the event is about.
    var data: JSON { message["data"] ?? .null }

    /// The elements of a question that was asked for several at a time.
    var items: [JSON]? { data["items"]?.arrayValue }

    /// When it was reported; nil where the message does not say.
    var reported: Date? {
        guard let text = message["timestamp"]?.stringValue else { return nil }
        return DateText.millisecondsSince1970(rfc3339: text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}

/// Why a request is no event that the listener takes.
struct ListenRefusal: Error, Sendable, Equatable {
    /// The status that it is answered with.
    let status: HTTPResponse.Status
    /// A description of the fault, which may quote the received bytes.
    let reason: String
}
