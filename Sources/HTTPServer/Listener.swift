import Reactor

/// How a worker takes a connection from a listener; tests put a kernel without descriptors in its place.
package typealias Acceptor = @Sendable (borrowing ListeningSocket) throws(SystemError) -> Outcome<AcceptedSocket>

/// A socket that a worker accepts connections from.
final class Listener {
    let socket: ListeningSocket
    /// Whether clients speak TLS here.
    let isEncrypted: Bool
    var registration: Registration?
    /// The workers that take turns with its connections; none where every worker has a listener of its own.
    let others: [Worker]
    var turn = 0

    init(socket: consuming ListeningSocket, isEncrypted: Bool, others: [Worker]) {
        self.socket = socket
        self.isEncrypted = isEncrypted
        self.others = others
    }
}
