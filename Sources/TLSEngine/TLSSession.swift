import COpenSSL

/// The server's end of one TLS connection: bytes in, bytes out, no socket.
///
/// Received bytes go in with `receive`; bytes to be sent, alerts and the handshake included, are appended to an array
/// of the caller's, after an error too. A session belongs to one thread at a time, never waits and keeps no buffers
/// while it is idle.
package struct TLSSession: ~Copyable {
    /// How far a session has come.
    package enum State: Hashable, Sendable {
        /// The handshake is under way.
        case handshaking
        /// Plaintext goes in both directions.
        case open
        /// The client has said that it sends nothing more (close_notify). Sending is still possible.
        case peerClosed
        /// The bytes have ended without the client having said so: what came last may be missing.
        case truncated
        /// Nothing more is possible. The appended output, an alert for instance, can be sent.
        case failed(TLSError)
    }

    /// How many handshake messages a client may send after the handshake, for each MiB of plaintext and at first.
    static let messageAllowance = 32
    /// The most plaintext that a record carries (RFC 8446, section 5.1).
    package static let maxRecord = 16_384

    /// How far the session has come.
    package private(set) var state = State.handshaking
    /// Whether close_notify was sent; nothing can be sent after it.
    package private(set) var isClosed = false
    /// Whether the handshake has ended well; a client may close before that.
    private var hasOpened = false
    /// How many records may be sealed with one key: AES-GCM is good for 2^24.5 (RFC 8446, section 5.5).
    var recordsPerKey = 1 << 23
    /// The first byte of the client's, which is never a letter in TLS.
    private var firstByte: UInt8?
    private var recordsWithKey = 0
    private var messages = 0
    private var receivedCount = 0

    let tls: OpaquePointer
    private let bio: OpaquePointer
    private let context: TLSContext

    /// Makes a session that waits for a client to begin.
    package init(context: TLSContext) throws(TLSError) {
        OpenSSLErrors.clear()
        // SAFETY: the session owns both; it gives its one reference to the stream to `tls`, which frees it.
        guard let tls = SSL_new(context.defaultContext) else { throw .library(OpenSSLErrors.take().text) }
        guard let bio = RecordPipe.makeBIO() else {
            SSL_free(tls)
            throw .library(OpenSSLErrors.take().text)
        }
        SSL_set_bio(tls, bio, bio)
        SSL_set_accept_state(tls)
        self.tls = tls
        self.bio = bio
        self.context = context
    }

    deinit {
        // SAFETY: made in init, and used by nobody else. The context's own objects outlive it.
        SSL_free(tls)
        OpenSSLErrors.clear()
    }

    /// Whether plaintext can be sent.
    package var canSend: Bool { hasOpened && !isClosed && (state == .open || state == .peerClosed) }

    // MARK: Receiving

    /// Takes received bytes in, all of them, however they are cut.
    ///
    /// - Parameters:
    ///   - plaintext: Gets what the client sent, appended: at most as many bytes as are taken in and those of one record.
    ///   - output: Gets what has to be sent, appended.
    /// - Throws: Once, and again at every further call, why the session has failed. What was appended before stands.
    package mutating func receive(
        _ ciphertext: RawSpan, to plaintext: inout [UInt8], output: inout [UInt8]
    ) throws(TLSError) {
        switch state {
        case .failed(let error): throw error
        case .peerClosed, .truncated: return
        case .handshaking, .open: break
        }
        guard !ciphertext.isEmpty else { return }
        // SAFETY: there is at least one byte.
        if firstByte == nil { firstByte = ciphertext.unsafeLoad(as: UInt8.self) }
        // What a read has come to is told from the queue, too.
        OpenSSLErrors.clear()
        let tls = tls
        var received = 0
        // SAFETY: both pointers are used within the closures only.
        let (result, messages) = ciphertext.withUnsafeBytes { input in
            withUnsafeTemporaryAllocation(byteCount: Self.maxRecord, alignment: 16) { record in
                call(input: input, output: &output) {
                    var count = 0
                    // SAFETY: the library writes at most as many bytes as there is room for.
                    while SSL_read_ex(tls, record.baseAddress, record.count, &count) == 1 {
                        plaintext.append(contentsOf: UnsafeRawBufferPointer(rebasing: record[..<count]))
                        received += count
                    }
                    return SSL_get_error(tls, 0)
                }
            }
        }
        try settle(result, received: received, messages: messages)
    }

    /// Takes note that nothing more comes: the client has closed or broken the connection.
    package mutating func receiveEnd() {
        if state == .handshaking || state == .open { state = .truncated }
    }

    /// Finds the state that a read has led to.
    private mutating func settle(_ result: Int32, received: Int, messages count: Int) throws(TLSError) {
        receivedCount += received
        // SAFETY: only looks, here and below.
        if hasOpened {
            messages += count
        } else if SSL_is_init_finished(tls) == 1 {
            hasOpened = true
            state = .open
        }
        switch result {
        case SSL_ERROR_WANT_READ where messages <= Self.messageAllowance * (1 + receivedCount >> 20):
            OpenSSLErrors.clear()
        case SSL_ERROR_WANT_READ:
            try fail(.tooManyMessages)
        case SSL_ERROR_ZERO_RETURN:
            OpenSSLErrors.clear()
            state = .peerClosed
        default:
            let error = TLSError.taken(verification: SSL_get_verify_result(tls))
            // The library itself knows the methods GET, POST, HEAD, PUT and CONNECT only.
            let isMethod = firstByte.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ?? false
            try fail(isMethod ? .httpRequest : error)
        }
    }

    private mutating func fail(_ error: TLSError) throws(TLSError) {
        state = .failed(error)
        throw error
    }

    // MARK: Sending

    /// Seals plaintext, in records of at most 16 kB, and appends them to the output.
    ///
    /// - Throws: `notOpen` where `canSend` is false; nothing was appended then.
    package mutating func send(_ plaintext: RawSpan, to output: inout [UInt8]) throws(TLSError) {
        guard canSend else { throw .notOpen }
        // SAFETY: the pointer is used within the call only.
        try plaintext.withUnsafeBytes { (bytes) throws(TLSError) in try seal(bytes, to: &output) }
    }

    /// Seals one or more records of plaintext that lies together.
    mutating func seal(_ plaintext: UnsafeRawBufferPointer, to output: inout [UInt8]) throws(TLSError) {
        guard !plaintext.isEmpty else { return }
        let tls = tls
        recordsWithKey += (plaintext.count + Self.maxRecord - 1) / Self.maxRecord
        // SAFETY: the library reads within the count. It takes all of it, since the output has always room.
        let (result, _) = call(input: UnsafeRawBufferPointer(start: nil, count: 0), output: &output) {
            var count = 0
            return SSL_write_ex(tls, plaintext.baseAddress, plaintext.count, &count) == 1 && count == plaintext.count
                ? SSL_ERROR_NONE : SSL_ERROR_SSL
        }
        guard result == SSL_ERROR_NONE else { return try fail(.library(OpenSSLErrors.take().text)) }
        if recordsWithKey >= recordsPerKey {
            recordsWithKey = 0
            // SAFETY: an open session; the message goes out before the next record. TLS 1.2 has no such message.
            if SSL_version(tls) == TLS1_3_VERSION { SSL_key_update(tls, SSL_KEY_UPDATE_NOT_REQUESTED) }
        }
    }

    /// Says that nothing more is sent (close_notify), where that can be said. The client may still send.
    package mutating func close(to output: inout [UInt8]) {
        guard canSend else { return }
        isClosed = true
        let tls = tls
        // SAFETY: an open session, which sends its alert and waits for nothing.
        _ = call(input: UnsafeRawBufferPointer(start: nil, count: 0), output: &output) { SSL_shutdown(tls) }
        OpenSSLErrors.clear()
    }

    // MARK: Calling the library

    /// Calls the library with the stream leading to these bytes; counts the handshake messages that were received.
    private func call(
        input: UnsafeRawBufferPointer, output: inout [UInt8], _ body: () -> Int32
    ) -> (result: Int32, messages: Int) {
        // SAFETY: the stream's data points to the pipe, and the pipe to the array, until the closures return. Nobody else
        // touches either meanwhile.
        withUnsafeMutablePointer(to: &output) { output in
            var pipe = RecordPipe(input: input, output: output)
            let result = withUnsafeMutablePointer(to: &pipe) { pipe in
                BIO_set_data(bio, pipe)
                defer { BIO_set_data(bio, nil) }
                return body()
            }
            return (result, pipe.messages)
        }
    }
}
