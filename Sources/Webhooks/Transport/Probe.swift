import CCurl
import COpenSSL

/// The result of asking a server of this machine whether it answers.
package struct Probe: Sendable {
    /// The answer's status; nil where there was no answer.
    package let status: Int?
    /// Whether the server has sent its certificate and ended the connection without an answer, in time: as one does that
    /// wants a client's certificate.
    package let isRefused: Bool
    /// Why there was no answer, without a full stop; empty where there was one.
    package let failure: String

    /// Asks for the head of what is at an address. Blocks, for the time of `timeout` at most; from any thread but a loop's.
    ///
    /// The certificate is not checked, since nothing is told to the server; the request is for the host `localhost`.
    ///
    /// - Parameters:
    ///   - url: The address, `https` or `http`.
    ///   - timeout: How long it may take.
    ///   - version: The program's version, for `User-Agent`.
    package init(of url: String, timeout: Duration, version: String) {
        do {
            try CurlLibrary.prepare()
        } catch {
            (status, isRefused, failure) = (nil, false, "\(error)")
            return
        }
        var (answered, seen) = (0, Int32(0))
        var text = [CChar](repeating: 0, count: Int(CCURL_ERROR_SIZE))
        // SAFETY: the text has as many bytes as libcurl asks for; it and the note outlive the call, which closes all
        // connections.
        let result = ccurl_probe(
            url, "callboard/\(version)", Int(timeout / .milliseconds(1)), &answered, &text,
            { _, tls, note in
                copenssl_note_certificates(tls, note?.assumingMemoryBound(to: Int32.self))
                return CURLE_OK
            }, &seen)
        isRefused = seen != 0 && result != CURLE_OK && result != CURLE_OPERATION_TIMEDOUT
        guard result != CURLE_OK else {
            (status, failure) = (answered, "")
            return
        }
        let detail = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // SAFETY: libcurl's own text, which is static.
        (status, failure) = (nil, detail.isEmpty ? String(cString: curl_easy_strerror(result)) : detail)
    }
}
