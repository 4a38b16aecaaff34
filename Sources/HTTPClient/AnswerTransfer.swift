import CCurl
import Glibc
import Reactor

extension HeaderField {
    /// Reads a header's line; nil for one that is no field.
    fileprivate init?(line: UnsafeRawBufferPointer) {
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let value = text[text.index(after: colon)...].filter { !$0.isNewline }.drop { $0 == " " || $0 == "\t" }
        self.init(text[..<colon].lowercased(), String(value))
    }
}

/// A transfer whose answer is gathered as a whole.
final class AnswerTransfer: CurlTransfer {
    /// Bytes of an answer's header, trailer and interim answers included.
    private static let maxHeaderBytes = 64 * 1024

    /// The server that is called; nil where libcurl alone reads the address.
    let target: HTTPTarget?
    /// The addresses that were checked: of these one is connected to, and no other.
    private let addresses: [IPAddress]
    private let rules: (any AddressRules)?
    let maxAnswerBytes: Int
    /// Whether all fields of the answer are kept.
    var wantsFields = false
    /// See ``ClientRequest/takesStatusAlone``.
    var takesStatusAlone = false

    private(set) var body: [UInt8] = []
    private(set) var contentType: String?
    private(set) var retryAfter: RetryAfter?
    private(set) var fields: [HeaderField] = []
    /// Why a callback ended the transfer, which libcurl itself only knows as "a callback did".
    private(set) var failure: ClientFailure?
    private var headerBytes = 0
    /// Whether the empty line has come that ends a header: libcurl takes a connection's end for it too.
    private(set) var hasWholeHeader = false

    init(
        target: HTTPTarget? = nil, addresses: [IPAddress] = [], rules: (any AddressRules)? = nil, maxAnswerBytes: Int,
        on multi: CurlMulti? = nil
    ) {
        self.target = target
        self.addresses = addresses
        self.rules = rules
        self.maxAnswerBytes = maxAnswerBytes
        super.init(on: multi, mayRepeat: false)
    }

    /// The target, for messages.
    var place: String { target.map { "\($0)" } ?? "the server" }

    override func receive(piece: UnsafeRawBufferPointer) -> Piece {
        guard body.count + piece.count <= maxAnswerBytes else {
            failure = .answerTooLarge(limit: maxAnswerBytes)
            return .refused
        }
        body.append(contentsOf: piece)
        return .taken
    }

    override func receive(line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.maxHeaderBytes else {
            failure = .unreadable(target: place, reason: "its header has more than \(Self.maxHeaderBytes) bytes")
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
        if wantsFields, let field = HeaderField(line: line) { fields.append(field) }
        return true
    }

    /// The value of a field, where a header's line is of that name.
    private static func value(of name: String, in line: UnsafeRawBufferPointer) -> Substring? {
        guard line.count > name.utf8.count, zip(line, name.utf8).allSatisfy({ $0.0 == $0.1 || $0.0 | 0x20 == $0.1 })
        else { return nil }
        return String(decoding: line.dropFirst(name.utf8.count), as: UTF8.self).prefix { !$0.isNewline }
    }

    override func mayConnect(to address: UnsafePointer<curl_sockaddr>) -> Bool {
        guard let target else { return true }
        do throws(AddressRefusal) {
            try check(address, of: target.host)
            return true
        } catch {
            failure = .refused(error)
            return false
        }
    }

    /// Checks the address once more, at the last moment there is: whatever led here, this is what is connected to.
    private func check(_ address: UnsafePointer<curl_sockaddr>, of host: HTTPHost) throws(AddressRefusal) {
        var storage = sockaddr_storage()
        // SAFETY: an address's length is within the storage, and libcurl's structure holds as many bytes.
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(
                from: UnsafeRawBufferPointer(
                    start: ccurl_address(address), count: min($0.count, Int(address.pointee.addrlen))))
        }
        guard let address = IPAddress(SocketAddress(kernelForm: &storage)) else {
            throw AddressRefusal(host: "\(host)", address: .v6(0, 0), kind: "no address of the internet")
        }
        try rules?.check(address, of: host)
        guard addresses.contains(address) else {
            throw AddressRefusal(host: "\(host)", address: address, kind: "an address that was not looked up for it")
        }
    }
}
