import Foundation

/// Something that the listener has to show.
enum ListenEntry: Sendable {
    /// An event was taken.
    case event(Reception)
    /// A request was refused.
    case refused(ListenRefusal, at: Date, from: String)
}

/// An event that was taken, with what is known of its request and what is answered.
struct Reception: Sendable {
    let event: ReceivedEvent
    /// When it came.
    let time: Date
    /// The path that it came to.
    let path: String
    /// The delivery's identifier; nil where the message had none.
    let id: String?
    /// For the how manyth time the delivery came.
    let attempt: Int
    let signature: SignatureCheck.Verdict
    let answer: PlannedAnswer
}
