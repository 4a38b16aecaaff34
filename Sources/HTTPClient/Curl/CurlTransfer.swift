import CCurl
import Glibc

/// One transfer of libcurl's: the base of what its callbacks gather.
///
/// One thread runs a transfer, and keeps it while libcurl has pointers to it. libcurl calls its callbacks on that thread, within
/// calls to libcurl.
class CurlTransfer {
    /// The answer of a transfer to a piece of content.
    enum Piece {
        /// It was taken.
        case taken
        /// It is to come again once the handle is resumed.
        case held
        /// The transfer is to end.
        case refused
    }

    /// The multi handle that watches the transfer's sockets; nil for one that blocks.
    private unowned let multi: CurlMulti?
    /// Whether the request may be sent again though the server may have carried it out.
    private let mayRepeat: Bool
    /// Whether the request has been handed to a connection, and nothing of an answer has come.
    var isSent = false
    /// Whether libcurl wanted to send the request again, which ended the transfer.
    private(set) var wasStopped = false
    /// Content that is read while it is sent, and how much of it was.
    private var content: (source: LongContent, position: Int)?

    init(on multi: CurlMulti?, mayRepeat: Bool) {
        self.multi = multi
        self.mayRepeat = mayRepeat
    }

    // MARK: What a transfer does with it

    /// Takes a line of a header, its end included; false ends the transfer.
    func receive(line: UnsafeRawBufferPointer) -> Bool { true }

    /// Takes a piece of the content.
    func receive(piece: UnsafeRawBufferPointer) -> Piece { .taken }

    /// Whether an address may be connected to.
    func mayConnect(to address: UnsafePointer<curl_sockaddr>) -> Bool { true }

    // MARK: Callbacks

    /// Has the handle call back here.
    func attach(to easy: UnsafeMutableRawPointer) {
        // SAFETY: whoever runs the transfer keeps this object until the handle is out of the multi handle and reset.
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, Self.receivePiece)
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, Self.receiveLine)
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        ccurl_set_send_callback(easy, Self.beginSending)
        ccurl_set_pointer(easy, CURLOPT_PREREQDATA, context)
        ccurl_set_open_callback(easy, Self.openSocket)
        ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        guard let multi else { return }
        // SAFETY: connections keep this context; the multi object is closed, and them with it, before it goes.
        ccurl_set_close_callback(easy, CurlMulti.closeSocket)
        ccurl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(multi).toOpaque())
    }

    /// Has the handle ask here for the request's content.
    func send(_ source: LongContent, by easy: UnsafeMutableRawPointer) -> CURLcode {
        content = (source, 0)
        // SAFETY: the context is kept as that of the other callbacks is, see `attach`.
        let context = Unmanaged.passUnretained(self).toOpaque()
        return ccurl_set_body_source(easy, Int64(source.count), Self.sendPiece, Self.seek, context)
    }

    private static let sendPiece: ccurl_data_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        // SAFETY: libcurl lends size × count bytes for the call; the context is kept, see `attach`.
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        guard let (source, position) = transfer.content else { return 0 }
        let piece = source.read(position..<min(source.count, position + size * count))
        UnsafeMutableRawBufferPointer(start: bytes, count: size * count).copyBytes(from: piece)
        transfer.content?.position += piece.count
        return piece.count
    }

    private static let seek: ccurl_seek_callback = { context, offset, origin in
        guard let context, origin == SEEK_SET else { return CCURL_SEEK_FAILED }
        // SAFETY: as above.
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        guard let count = transfer.content?.source.count, 0...count ~= Int(offset) else { return CCURL_SEEK_FAILED }
        transfer.content?.position = Int(offset)
        return CCURL_SEEK_DONE
    }

    private static let receivePiece: ccurl_data_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        // SAFETY: libcurl lends size × count bytes for the call; the context is kept, see `attach`.
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        // Any other count than the one that was given is a refusal.
        return switch transfer.receive(piece: UnsafeRawBufferPointer(start: bytes, count: size * count)) {
        case .taken: size * count
        case .held: CCURL_WRITE_PAUSE
        case .refused: 0
        }
    }

    private static let receiveLine: ccurl_data_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        // SAFETY: as above; it is one line.
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.receive(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    private static let beginSending: ccurl_send_callback = { context, _, _, _, _ in
        guard let context else { return CCURL_SEND_NOT }
        // SAFETY: as above.
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().beginSending()
            ? CCURL_SEND : CCURL_SEND_NOT
    }

    private static let openSocket: ccurl_open_callback = { context, _, address in
        guard let context, let address else { return CCURL_SOCKET_BAD }
        // SAFETY: as above; the address is libcurl's for the call.
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        guard transfer.mayConnect(to: address) else { return CCURL_SOCKET_BAD }
        return transfer.multi?.openSocket(for: address) ?? ccurl_open_socket(address)
    }

    /// Notes that the request is sent; false where it was before and may not be repeated.
    ///
    /// libcurl by itself sends a request again where a connection that was used before ends without an answer. The
    /// receiver may have carried it out all the same, so whether to repeat is for the caller to say.
    private func beginSending() -> Bool {
        guard isSent, !mayRepeat else {
            isSent = true
            return true
        }
        wasStopped = true
        return false
    }
}
