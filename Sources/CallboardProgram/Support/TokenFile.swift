import CallboardClient
import Foundation
import Synchronization

/// A file with a token that is replaced from time to time.
///
/// While it cannot be read or is empty, the last token that it had stays in use: a file that is written in place is
/// empty for a moment, and a pipe can be read only once.
final class TokenFile: Sendable {
    private let path: String
    private let last = Mutex<AccessToken?>(nil)

    init(path: String) { self.path = path }

    /// Reads the token; line breaks at the end are not part of it.
    ///
    /// - Throws: `ProgramError` where there has been no token yet, or the file has something that is none.
    func read() throws -> AccessToken {
        var bytes: [UInt8]
        do {
            bytes = try content()
        } catch {
            if let token = last.withLock({ $0 }) { return token }
            let reason = "cannot read \(path): \(error)"
            throw ProgramError("--token-file: \(reason)", advice: Self.advice, status: .configuration)
        }
        while let byte = bytes.last, byte == 0x0A || byte == 0x0D { bytes.removeLast() }
        guard bytes.count <= Self.maximumLength else {
            throw ProgramError(
                "--token-file \(path): the file is too long for a token", advice: Self.advice, status: .configuration)
        }
        if bytes.isEmpty, let token = last.withLock({ $0 }) { return token }
        do throws(ClientError) {
            let token = try AccessToken(String(decoding: bytes, as: UTF8.self))
            last.withLock { $0 = token }
            return token
        } catch {
            throw ProgramError("--token-file \(path): \(error)", advice: Self.advice, status: .configuration)
        }
    }

    private static let advice = "name a file with the token alone, as \"callboard token create\" prints it"

    /// The longest content that is read; what is longer is no token that a server takes in a header field.
    private static let maximumLength = 1 << 16

    /// Reads the file, which may be a pipe, and not more than one byte beyond the longest content.
    private func content() throws -> [UInt8] {
        try InputFile.read(path, limit: Self.maximumLength)
    }
}
