import Notation

extension ResponseWriter {
    /// The interim response that asks a client for its content (RFC 9110, section 15.2.1).
    ///
    /// Send it once, when ``RequestHead/expectsContinue`` is true and the content is wanted, before any other byte of
    /// the response.
    package static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The chunk of size zero with no trailers, which ends a chunked response (RFC 9112, section 7.1).
    package static let lastChunk = Array("0\r\n\r\n".utf8)

    /// The two bytes after a chunk's data.
    package static let chunkEnd = Array("\r\n".utf8)

    /// Appends what goes before a chunk's data of this size; ``chunkEnd`` goes after it.
    ///
    /// Appends nothing for a size of zero or less: an empty chunk would end the response.
    package static func appendChunkStart(size: Int, to out: inout [UInt8]) {
        guard size > 0 else { return }
        out.append(UInt(size), base: 16)
        out.append(contentsOf: chunkEnd)
    }

    /// Appends a whole chunk; nothing where the data is empty.
    package static func appendChunk(_ data: some Collection<UInt8>, to out: inout [UInt8]) {
        guard !data.isEmpty else { return }
        appendChunkStart(size: data.count, to: &out)
        out.append(contentsOf: data)
        out.append(contentsOf: chunkEnd)
    }
}
