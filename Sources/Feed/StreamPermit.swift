import DirectorLife

/// Whether a stream may go on: what its client may read can end while it is open.
package protocol StreamPermit: Sendable {
    /// Why the stream has to end now; nil while it may go on.
    ///
    /// Asked about once a second for every stream, on the stream's loop: it must be quick while nothing has changed.
    var endReason: StreamEvent.EndReason? { get }
}
