import CCurl

/// Asks a server of this machine whether it answers.
package enum Probe {
    /// Asks for the head of what is at an address. Blocks, for the time of `timeout` at most; from any thread but a loop's.
    ///
    /// The certificate is not checked, since nothing is told to the server; the request is for the host `localhost`.
    ///
    /// - Parameters:
    ///   - url: The address, `https` or `http`.
    ///   - timeout: How long it may take.
    ///   - version: The program's version, for `User-Agent`.
    /// - Returns: The answer's status.
    /// - Throws: ``DownloadError`` where there is no answer.
    package static func status(of url: String, timeout: Duration, version: String) throws(DownloadError) -> Int {
        do {
            try CurlLibrary.prepare()
        } catch {
            throw DownloadError(detail: "\(error)")
        }
        var status = 0
        var text = [CChar](repeating: 0, count: Int(CCURL_ERROR_SIZE))
        // SAFETY: the text has as many bytes as libcurl asks for, and outlives the call.
        let result = ccurl_probe(url, "callboard/\(version)", Int(timeout / .milliseconds(1)), &status, &text)
        guard result != CURLE_OK else { return status }
        let detail = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // SAFETY: libcurl's own text, which is static.
        throw DownloadError(detail: detail.isEmpty ? String(cString: curl_easy_strerror(result)) : detail)
    }
}
