import CallboardAPI

/// Why a node does not carry out what is sent to its internal listener.
enum NodeRefusal: Error, Hashable, Sendable {
    /// It is not signed with the nodes' secret, or not as it was signed.
    case unsigned
    /// It is a message of another version of this program.
    case version
    /// It is for another node.
    case addressee
    /// It was made too long ago, or the clocks differ.
    case clock
    /// It does not name the receiver's epoch, which is this one.
    case epoch(String)
    /// A message of its number has come before, or one of a much higher number.
    case repeated

    /// The name that travels with a signed answer.
    var name: String {
        switch self {
        case .unsigned: "unsigned"
        case .version: "version"
        case .addressee: "addressee"
        case .clock: "clock"
        case .epoch: "epoch"
        case .repeated: "repeated"
        }
    }

    /// The fault, as a sentence without its full stop.
    var reason: String {
        switch self {
        case .unsigned: "the message is not signed with the nodes' secret, or is not as it was signed"
        case .version:
            "the message is of another version of callboard: nodes of different versions do not pass requests on to each "
                + "other; update the others, too"
        case .addressee: "the message is for another node"
        case .clock:
            "the message was made more than \(NodeEnvelope.tolerance / 60) minutes ago, or the clocks of the nodes differ by "
                + "as much"
        case .epoch: "the message does not name the receiver's epoch, which the answer does"
        case .repeated: "the receiver has had the message before, or it came too late"
        }
    }

    /// The answer's content.
    var problem: Problem {
        Problem(
            .credentialRefused,
            "This port is for the other nodes of the cluster: \(reason). Nothing was done.")
    }
}
