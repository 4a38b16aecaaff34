import CCurl
import COpenSSL
import Glibc
import Reactor

extension WebhookField {
    /// Reads a header's line; nil for one that is no field.
    fileprivate init?(line: UnsafeRawBufferPointer) {
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let value = text[text.index(after: colon)...].filter { !$0.isNewline }.drop { $0 == " " || $0 == "\t" }
        self.init(text[..<colon].lowercased(), String(value))
    }
}

/// One request under way in libcurl: what its callbacks gather, and what they have to know.
///
/// Lives on the loop's thread, and is kept by the transport for as long as libcurl has pointers to it.
final class CurlTransfer {
    /// Bytes of an answer's header, trailer and interim answers included.
    private static let maxHeaderBytes = 64 * 1024

    let request: WebhookRequest
    /// The addresses that were checked: of these one is connected to, and no other.
    let addresses: [IPAddress]
    private let policy: AddressPolicy
    let maxAnswerBytes: Int
    private unowned let multi: CurlMulti

    private(set) var body: [UInt8] = []
    private(set) var contentType: String?
    private(set) var retryAfter: RetryAfter?
    private(set) var fields: [WebhookField] = []
    /// Whether the request has been handed to a connection.
    private var isSent = false
    /// Why a callback ended the transfer, which libcurl itself only knows as "a callback did".
    private(set) var failure: WebhookFailure?
    private var headerBytes = 0
    /// Whether the empty line has come that ends a header: libcurl takes a connection's end for it too.
    private(set) var hasWholeHeader = false

    init(
        request: WebhookRequest, addresses: [IPAddress], policy: AddressPolicy, maxAnswerBytes: Int, multi: CurlMulti
    ) {
        self.request = request
        self.addresses = addresses
        self.policy = policy
        self.maxAnswerBytes = maxAnswerBytes
        self.multi = multi
    }

    /// Has the handle call back here.
    func attach(to easy: UnsafeMutableRawPointer) {
        // SAFETY: the transport keeps this object until the handle is out of the multi handle and reset.
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, Self.receiveBody)
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        ccurl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, Self.receiveHeader)
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        ccurl_set_open_callback(easy, Self.openSocket)
        ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
        ccurl_set_send_callback(easy, Self.beginSending)
        ccurl_set_pointer(easy, CURLOPT_PREREQDATA, context)
    }

    // MARK: Callbacks

    private static let receiveBody: ccurl_data_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        // SAFETY: libcurl lends size × count bytes for the call; the context is kept, see `attach`.
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    private static let receiveHeader: ccurl_data_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        // SAFETY: as above; it is one line.
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return transfer.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
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
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue().openSocket(for: address)
    }

    /// Has a new TLS context trust the transport's certificates; its context is OpenSSL's store of them.
    static let useTrust: ccurl_tls_callback = { _, tls, store in
        guard let tls, let store else { return CURLE_SSL_CONNECT_ERROR }
        // SAFETY: libcurl stands on OpenSSL, which was checked; the store outlives every connection.
        copenssl_use_trust(tls, OpaquePointer(store))
        return CURLE_OK
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= maxAnswerBytes else {
            failure = .answerTooLarge(limit: maxAnswerBytes)
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.maxHeaderBytes else {
            let reason = "its header has more than \(Self.maxHeaderBytes) bytes"
            failure = .unreadable(target: "\(request.url.target)", reason: reason)
            return false
        }
        if line.starts(with: "HTTP/".utf8) {
            // Another answer begins: the one before was an interim one.
            (contentType, retryAfter, fields) = (nil, nil, [])
            hasWholeHeader = false
        } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            hasWholeHeader = true
        } else if let value = Self.value(of: "retry-after:", in: line) {
            retryAfter = RetryAfter(value)
        } else if let value = Self.value(of: "content-type:", in: line) {
            contentType = String(value.drop { $0 == " " || $0 == "\t" })
        }
        if request.wantsFields, let field = WebhookField(line: line) { fields.append(field) }
        return true
    }

    /// The value of a field, where a header's line is of that name.
    private static func value(of name: String, in line: UnsafeRawBufferPointer) -> Substring? {
        guard line.count > name.utf8.count, zip(line, name.utf8).allSatisfy({ $0.0 == $0.1 || $0.0 | 0x20 == $0.1 })
        else { return nil }
        return String(decoding: line.dropFirst(name.utf8.count), as: UTF8.self).prefix { !$0.isNewline }
    }

    /// Notes that the request is sent; false where it was before.
    ///
    /// libcurl by itself sends a request again where a connection that was used before ends without an answer. The
    /// receiver may have taken it all the same, so whether to repeat is for the dispatcher to say, which counts it.
    private func beginSending() -> Bool {
        guard isSent else {
            isSent = true
            return true
        }
        failure = .cutOff(
            target: "\(request.url.target)", reason: "the connection, which was used before, ended without an answer")
        return false
    }

    private func openSocket(for address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        do throws(AddressRefusal) {
            try check(address)
        } catch {
            failure = .refused(error)
            return CCURL_SOCKET_BAD
        }
        return multi.openSocket(for: address)
    }

    /// Checks the address once more, at the last moment there is: whatever led here, this is what is connected to.
    private func check(_ address: UnsafePointer<curl_sockaddr>) throws(AddressRefusal) {
        var storage = sockaddr_storage()
        // SAFETY: an address's length is within the storage, and libcurl's structure holds as many bytes.
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(
                from: UnsafeRawBufferPointer(
                    start: ccurl_address(address), count: min($0.count, Int(address.pointee.addrlen))))
        }
        let host = request.url.target.host
        guard let address = IPAddress(SocketAddress(kernelForm: &storage)) else {
            throw AddressRefusal(host: "\(host)", address: .v6(0, 0), kind: "no address of the internet")
        }
        try policy.check(address, of: host)
        guard addresses.contains(address) else {
            throw AddressRefusal(host: "\(host)", address: address, kind: "an address that was not looked up for it")
        }
    }
}
