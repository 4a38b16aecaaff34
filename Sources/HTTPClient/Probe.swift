import CCurl

/// The result of asking a server of this machine whether it answers.
package struct Probe: Sendable {
    /// The answer's status; nil where there was no answer.
    package let status: Int?
    /// Why there was no answer, without a full stop; empty where there was one.
    package let failure: String
    /// Whether the time had passed before the answer came.
    package let isLate: Bool

    /// Asks for the head of what is at an address. Blocks, for the time of `timeout` at most; from any thread but a loop's.
    ///
    /// The request is sent once, for the host `localhost`. The certificate is not checked, since nothing is told to the
    /// server.
    ///
    /// - Parameters:
    ///   - url: The address, `https` or `http`.
    ///   - hook: Sees the TLS context before the handshake.
    ///   - timeout: How long it may take.
    ///   - version: The program's version, for `User-Agent`.
    package init(of url: String, hook: TLSContextHook, timeout: Duration, version: String) {
        do {
            try CurlLibrary.prepareForOpenSSL()
        } catch {
            (status, failure, isLate) = (nil, "\(error)", false)
            return
        }
        var options = CurlOptions(url: url, method: "HEAD")
        options.fields = [HeaderField("User-Agent", "callboard/\(version)"), HeaderField("Host", "localhost")]
        options.timeout = timeout
        options.trust = .nobody(hook)
        let (easy, transfer) = (CurlEasy(), AnswerTransfer(maxAnswerBytes: 0))
        let code = easy.prepare(options, for: transfer) ? easy.perform() : CURLE_URL_MALFORMAT
        isLate = code == CURLE_OPERATION_TIMEDOUT
        status = code == CURLE_OK ? easy.number(CURLINFO_RESPONSE_CODE) : nil
        failure = code == CURLE_OK ? "" : easy.explanation(of: code)
        // The handle must not call a transfer that is gone.
        easy.reset()
    }
}
