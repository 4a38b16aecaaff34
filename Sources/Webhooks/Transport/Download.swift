import CCurl

/// Gets small documents from addresses that the operator has set: key sets of issuers.
///
/// Nothing of the hooks' rules about addresses applies: these come from the settings, not from whoever may register a hook.
package enum Download {
    /// Gets what is at an address. Blocks, for the time of `timeout` at most; from any thread but a loop's.
    ///
    /// Redirects are not followed, and nothing is taken from the environment.
    ///
    /// - Parameters:
    ///   - url: The address, `https` or `http`.
    ///   - limit: The most bytes to accept.
    ///   - timeout: How long it may take, looking the name up included.
    ///   - version: The program's version, for `User-Agent`.
    /// - Throws: ``DownloadError``.
    package static func get(
        _ url: String, limit: Int, timeout: Duration, version: String
    ) throws(DownloadError) -> [UInt8] {
        do {
            try CurlLibrary.prepare()
        } catch {
            throw DownloadError(detail: "\(error)")
        }
        var download = ccurl_download()
        var failure: String?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            download.bytes = buffer.baseAddress
            download.capacity = limit
            // SAFETY: the buffer has room for `capacity` bytes, and it and the texts outlive the call, which writes no more.
            let result = ccurl_download(&download, url, "callboard/\(version)", nil, Int(timeout / .milliseconds(1)))
            count = download.count
            if result == CURLE_WRITE_ERROR {
                failure = "the answer is longer than \(limit) bytes"
            } else if result != CURLE_OK {
                // SAFETY: libcurl's own text, which is static.
                failure = String(cString: curl_easy_strerror(result))
            }
        }
        if let failure { throw DownloadError(detail: failure) }
        guard download.status == 200 else {
            throw DownloadError(detail: "the answer has the status \(download.status)")
        }
        return bytes
    }
}

/// Why a document could not be had.
package struct DownloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, without a full stop.
    package let detail: String

    /// The fault, without a full stop.
    package var description: String { detail }
}
