import Synchronization
import TLSEngine

/// The certificates of a server, which can be replaced while it runs. Any thread.
package final class ServerCertificates: Sendable {
    private let context: Mutex<TLSContext>

    /// Begins with these.
    package init(_ context: TLSContext) {
        self.context = Mutex(context)
    }

    /// The certificate context of new connections; open connections keep theirs.
    package var current: TLSContext { context.withLock { $0 } }

    /// Gives new connections other certificates.
    package func replace(with context: TLSContext) {
        self.context.withLock { $0 = context }
    }
}
