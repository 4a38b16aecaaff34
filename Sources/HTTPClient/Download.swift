import CCurl

/// Gets small documents from addresses that the operator has set: key sets of issuers.
///
/// Nothing of the hooks' rules about addresses applies: these come from the settings, not from whoever may register a hook.
package enum Download {
    /// Gets what is at an address. Blocks, for the time of `timeout` at most; from any thread but a loop's.
    ///
    /// The request is sent once. Redirects are not followed, and nothing is taken from the environment.
    ///
    /// - Parameters:
    ///   - url: The address, `https` or `http`.
    ///   - types: The media types to ask for, as `Accept` names them.
    ///   - limit: The most bytes to accept.
    ///   - timeout: How long it may take, looking the name up included.
    ///   - version: The program's version, for `User-Agent`.
    /// - Throws: ``DownloadError``.
    package static func get(
        _ url: String, types: String, limit: Int, timeout: Duration, version: String
    ) throws(DownloadError) -> [UInt8] {
        do {
            try CurlLibrary.prepare()
        } catch {
            throw DownloadError(detail: "\(error)")
        }
        var options = CurlOptions(url: url)
        options.fields = [HeaderField("User-Agent", "callboard/\(version)"), HeaderField("Accept", types)]
        options.timeout = timeout
        let (easy, transfer) = (CurlEasy(), AnswerTransfer(maxAnswerBytes: limit))
        let code = easy.prepare(options, for: transfer) ? easy.perform() : CURLE_URL_MALFORMAT
        // The handle must not call a transfer that is gone.
        defer { easy.reset() }
        if case .answerTooLarge? = transfer.failure {
            throw DownloadError(detail: "the answer is longer than \(limit) bytes")
        }
        guard code == CURLE_OK else { throw DownloadError(detail: CurlEasy.text(of: code)) }
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        guard status == 200 else { throw DownloadError(detail: "the answer has the status \(status)") }
        return transfer.body
    }
}

/// Why a document could not be had.
package struct DownloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, without a full stop.
    package let detail: String

    /// The fault, without a full stop.
    package var description: String { detail }
}
