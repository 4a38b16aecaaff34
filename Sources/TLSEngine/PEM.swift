import COpenSSL
import Glibc

/// A certificate of OpenSSL's, freed with this object.
final class OwnedCertificate {
    /// OpenSSL's `X509`.
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        // SAFETY: this object owns one reference.
        X509_free(pointer)
    }
}

/// A private key of OpenSSL's, freed with this object.
final class OwnedKey {
    /// OpenSSL's `EVP_PKEY`.
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        // SAFETY: this object owns one reference.
        EVP_PKEY_free(pointer)
    }
}

/// Reading of certificates and keys in PEM form (RFC 7468).
enum PEM {
    /// All certificates, at least one, in their order.
    static func certificates(in text: [UInt8], name: String) throws(TLSConfigurationError) -> [OwnedCertificate] {
        try check(text, name: name)
        let stream = try stream(of: text)
        // SAFETY: the stream is freed here once; a certificate belongs to who gets it.
        defer { BIO_free(stream) }
        var certificates: [OwnedCertificate] = []
        // An encrypted certificate would have the library ask on the terminal.
        while let pointer = PEM_read_bio_X509(stream, nil, { _, _, _, _ in -1 }, nil) {
            certificates.append(OwnedCertificate(owning: pointer))
            OpenSSLErrors.clear()
        }
        let error = OpenSSLErrors.take()
        guard error.library == ERR_LIB_PEM, error.reason == PEM_R_NO_START_LINE else {
            throw .damagedCertificate(name, number: certificates.count + 1, error.text)
        }
        guard !certificates.isEmpty else { throw .noCertificate(name) }
        return certificates
    }

    /// The first private key, decrypted with the passphrase where it is encrypted.
    static func key(
        in text: [UInt8], passphrase: [UInt8]?, name: String
    ) throws(TLSConfigurationError) -> OwnedKey {
        try check(text, name: name)
        let stream = try stream(of: text)
        // SAFETY: as above. The library asks for the passphrase during the call.
        defer { BIO_free(stream) }
        var request = PassphraseRequest(passphrase: passphrase)
        let key = withUnsafeMutablePointer(to: &request) { request in
            PEM_read_bio_PrivateKey(stream, nil, PassphraseRequest.answer, request)
        }
        let error = OpenSSLErrors.take()
        if let key { return OwnedKey(owning: key) }
        if request.wasAsked { throw passphrase == nil ? .passphraseMissing(name) : .passphraseWrong(name) }
        guard String(decoding: text, as: UTF8.self).contains("PRIVATE KEY-----") else { throw .noKey(name) }
        throw .damagedKey(name, error.text)
    }

    private static func check(_ text: [UInt8], name: String) throws(TLSConfigurationError) {
        guard !text.isEmpty else { throw .empty(name) }
        guard text.count <= TLSCertificateFiles.maxSize else { throw .tooLarge(name) }
        // How certificates, keys and PKCS #12 begin in DER form: a sequence with its length.
        let beginnings: [[UInt8]] = [[0x30, 0x82], [0x30, 0x81], [0x30, 0x77, 0x02]]
        if beginnings.contains(where: { text.starts(with: $0) }) { throw .binary(name) }
        OpenSSLErrors.clear()
    }

    /// A stream with a copy of the bytes, to be freed by the caller.
    private static func stream(of text: [UInt8]) throws(TLSConfigurationError) -> OpaquePointer {
        // SAFETY: the library reads within the count.
        guard let stream = BIO_new(BIO_s_mem()), BIO_write(stream, text, Int32(text.count)) == text.count else {
            throw .library(OpenSSLErrors.take().text)
        }
        return stream
    }

    /// All bytes that are left in a stream in memory.
    static func bytes(of stream: OpaquePointer) -> [UInt8] {
        // SAFETY: the library fills in as many bytes as it says are there.
        [UInt8](unsafeUninitializedCapacity: BIO_ctrl_pending(stream)) { memory, count in
            count = max(0, Int(BIO_read(stream, memory.baseAddress, Int32(memory.count))))
        }
    }
}

/// The library's question for a key's passphrase.
private struct PassphraseRequest {
    let passphrase: [UInt8]?
    var wasAsked = false

    typealias Callback = @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32

    static let answer: Callback = { memory, size, _, context in
        // SAFETY: the context is the request of the call that is under way; the library has room for `size` bytes.
        guard let request = context?.assumingMemoryBound(to: PassphraseRequest.self), let memory else { return -1 }
        request.pointee.wasAsked = true
        guard let passphrase = request.pointee.passphrase, passphrase.count <= size else { return -1 }
        memcpy(memory, passphrase, passphrase.count)
        return Int32(passphrase.count)
    }
}
