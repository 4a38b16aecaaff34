#if os(Linux)
    import CCurl
    import Foundation
    import Synchronization

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// One request over libcurl, which feeds an exchange.
    ///
    /// All but `isHeld` belongs to the thread of a ``CurlLoop``, which keeps the transfer for as long as libcurl has it.
    final class CurlTransfer: @unchecked Sendable {
        /// Whether the reader wants no more for now; any thread sets it, and libcurl's thread asks before each piece.
        let isHeld = Atomic(false)
        private let request: URLRequest
        private let authority: CertificateAuthority?
        private let exchange: SessionExchange
        private var easy: CurlEasy?
        private var isCancelled = false
        /// Whether the request has been sent, and nothing of an answer has come.
        private var isSent = false
        private var head = CurlHead()

        init(_ request: URLRequest, trusting authority: CertificateAuthority?, for exchange: SessionExchange) {
            self.request = request
            self.authority = authority
            self.exchange = exchange
        }

        /// Hands the request to libcurl; returns its handle, or nil where there is none or the transfer was cancelled.
        func begin(on multi: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            guard !isCancelled else { return nil }
            guard let easy = CurlEasy(request, trusting: authority) else {
                exchange.complete(TransportError.connection(reason: "libcurl does not take the request"))
                return nil
            }
            // SAFETY: the loop keeps this object until it has taken the handle out of the multi handle.
            let context = Unmanaged.passUnretained(self).toOpaque()
            ccurl_set_data_callback(easy.handle, CURLOPT_HEADERFUNCTION, Self.receiveLine)
            ccurl_set_pointer(easy.handle, CURLOPT_HEADERDATA, context)
            ccurl_set_data_callback(easy.handle, CURLOPT_WRITEFUNCTION, Self.receivePiece)
            ccurl_set_pointer(easy.handle, CURLOPT_WRITEDATA, context)
            ccurl_set_send_callback(easy.handle, Self.beginSending)
            ccurl_set_pointer(easy.handle, CURLOPT_PREREQDATA, context)
            // SAFETY: the handle is configured, and in no multi handle yet.
            guard curl_multi_add_handle(multi, easy.handle) == CURLM_OK else {
                exchange.complete(TransportError.connection(reason: "libcurl does not take the request"))
                return nil
            }
            self.easy = easy
            return easy.handle
        }

        /// Reads on where libcurl was told to pause.
        func proceed() {
            // SAFETY: on libcurl's thread; it may call `receivePiece` with what it has kept.
            if let easy { curl_easy_pause(easy.handle, CCURL_PAUSE_NONE) }
        }

        /// Gives the transfer up; returns the handle that libcurl had for it.
        func cancel(on multi: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            isCancelled = true
            guard let easy else { return nil }
            release(on: multi)
            return easy.handle
        }

        /// Ends the exchange with libcurl's result.
        func end(on multi: UnsafeMutableRawPointer, _ code: CURLcode) {
            let reason = easy?.explanation(of: code) ?? ""
            release(on: multi)
            switch code {
            case CURLE_OK: exchange.complete(nil)
            case CURLE_ABORTED_BY_CALLBACK:
                let reason = "the connection ended without an answer; whether the request was carried out is not known"
                exchange.complete(TransportError.connection(reason: reason))
            case CURLE_PEER_FAILED_VERIFICATION: exchange.complete(TransportError.untrusted(reason: reason))
            default: exchange.complete(TransportError.connection(reason: reason))
            }
        }

        private func release(on multi: UnsafeMutableRawPointer) {
            guard let easy else { return }
            // SAFETY: the handle was added by `begin`; afterwards nothing calls back.
            curl_multi_remove_handle(multi, easy.handle)
            self.easy = nil
        }

        /// Notes that the request is sent; false where it was before, without an answer, and is not safe to repeat.
        ///
        /// libcurl by itself sends a request again where a connection that was used before ends without an answer. The
        /// server may have carried it out all the same.
        private func beginSending() -> Bool {
            defer { isSent = true }
            return !isSent || ["GET", "HEAD"].contains(request.httpMethod ?? "GET")
        }

        private func receive(line: UnsafeRawBufferPointer) -> Bool {
            // What follows an answer is its redirect.
            isSent = false
            guard head.add(String(decoding: line, as: UTF8.self)) else { return true }
            return exchange.receiveHead(status: head.status, fields: head.fields)
        }

        // libcurl takes any count but the one that it gave for a refusal, and ends the transfer.
        private static let receiveLine: ccurl_data_callback = { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            // SAFETY: the context is the transfer, which the loop keeps; the bytes are valid during the call.
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            let isWanted = transfer.receive(line: UnsafeRawBufferPointer(start: bytes, count: size * count))
            return isWanted ? size * count : 0
        }

        private static let beginSending: ccurl_send_callback = { context, _, _, _, _ in
            guard let context else { return CCURL_SEND_NOT }
            // SAFETY: as above.
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            return transfer.beginSending() ? CCURL_SEND : CCURL_SEND_NOT
        }

        private static let receivePiece: ccurl_data_callback = { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            // SAFETY: as above.
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
            guard !transfer.isHeld.load(ordering: .relaxed) else { return CCURL_WRITE_PAUSE }
            transfer.exchange.receiveBody(Array(UnsafeRawBufferPointer(start: bytes, count: size * count)))
            return size * count
        }
    }

    /// The head of an answer, as libcurl tells it line by line.
    struct CurlHead {
        private(set) var status = 0
        private(set) var fields: [String: String] = [:]
        private var isWhole = false

        /// Adds a line; true where it ends the head that the caller is to get.
        ///
        /// Heads before that one are skipped: those of informational answers (RFC 9110, section 15.2) and of redirects,
        /// which libcurl follows. So are trailers after it.
        mutating func add(_ line: String) -> Bool {
            guard !isWhole else { return false }
            let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
            if line.hasPrefix("HTTP/") {
                status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                fields = [:]
            } else if line.isEmpty {
                let isRedirect = (300..<400).contains(status) && fields["location"] != nil
                isWhole = status >= 200 && !isRedirect
                return isWhole
            } else if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                let name = line[..<colon].lowercased()
                fields[name] = fields[name].map { "\($0), \(value)" } ?? value
            }
            return false
        }
    }
#endif
