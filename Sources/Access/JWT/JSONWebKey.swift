import COpenSSL
import JSONValues
import Notation

/// Reads keys as RFC 7517 writes them.
enum JSONWebKey {
    /// The fewest bytes of a shared secret: as many as the hash has (RFC 7518, section 3.2).
    static let fewestSecretBytes = 32
    /// The sizes of an RSA modulus: RFC 7518, section 3.3, has the lower bound, the upper one bounds the work.
    static let modulusBits = 2048...8192
    /// The most bytes of a public exponent: OpenSSL takes no larger one with a modulus above 3072 bits.
    static let mostExponentBytes = 8
    /// The most bytes of a key's name.
    static let nameLimit = 256

    /// The members that a private key has (RFC 7518, sections 6.2.2 and 6.3.2; RFC 8037, section 2).
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth"]

    /// Reads a key; nil for one that is for another use, or of a kind, curve or algorithm that is not supported.
    ///
    /// - Throws: ``KeySetError`` with the place inside the key.
    static func read(_ node: JSONNode) throws(KeySetError) -> VerificationKey? {
        guard node.kind == .object else { throw KeySetError("expected an object") }
        guard let type = try text(node, "kty") else { throw KeySetError("the member kty is missing") }
        // A private key in a published file is an accident that has to be noticed, whatever the key is for.
        if ["RSA", "EC", "OKP"].contains(type), let member = privateMembers.first(where: { node[$0] != nil }) {
            throw KeySetError(
                pointer: "/\(member)",
                "this is a private key: it must not leave its issuer; give the members of the public key only")
        }
        guard let kind = try kind(node, type: type), try isForVerifying(node) else { return nil }
        var algorithms = kind.algorithms
        if let name = try text(node, "alg") {
            guard let algorithm = SigningAlgorithm(rawValue: name) else { return nil }
            guard algorithm.keyKind == kind else {
                throw KeySetError(pointer: "/alg", "the algorithm \(name) is not for a key of this kind")
            }
            algorithms = [algorithm]
        }
        let id = try text(node, "kid")
        guard (id?.utf8.count ?? 0) <= nameLimit else {
            throw KeySetError(pointer: "/kid", "expected at most \(nameLimit) bytes")
        }
        return switch kind {
        case .secret: try secret(node, id, algorithms)
        case .rsa: try rsa(node, id, algorithms)
        case .p256: try p256(node, id, algorithms)
        case .ed25519: try ed25519(node, id, algorithms)
        }
    }

    private static func kind(_ node: JSONNode, type: String) throws(KeySetError) -> KeyKind? {
        switch type {
        case "oct": return .secret
        case "RSA": return .rsa
        case "EC", "OKP":
            guard let curve = try text(node, "crv") else { throw KeySetError("the member crv is missing") }
            if type == "EC" { return curve == "P-256" ? .p256 : nil }
            return curve == "Ed25519" ? .ed25519 : nil
        default: return nil
        }
    }

    /// Whether `use` and `key_ops` (RFC 7517, sections 4.2 and 4.3) allow to verify signatures.
    private static func isForVerifying(_ node: JSONNode) throws(KeySetError) -> Bool {
        if let use = try text(node, "use"), use != "sig" { return false }
        guard let operations = node["key_ops"] else { return true }
        guard operations.kind == .array, operations.elements.allSatisfy({ $0.kind == .string }) else {
            throw KeySetError(pointer: "/key_ops", "expected an array of strings")
        }
        return operations.elements.contains { $0.isString(Array("verify".utf8)) }
    }

    private static func secret(
        _ node: JSONNode, _ id: String?, _ algorithms: Set<SigningAlgorithm>
    ) throws(KeySetError) -> VerificationKey {
        let secret = try bytes(node, "k")
        guard secret.count >= fewestSecretBytes else {
            throw KeySetError(pointer: "/k", "expected at least \(fewestSecretBytes) bytes (RFC 7518, section 3.2)")
        }
        let thumbprint = KeyThumbprint(members: [("k", Base64URL.encode(secret)), ("kty", "oct")])
        return VerificationKey(secret: secret, id: id, algorithms: algorithms, thumbprint: thumbprint)
    }

    private static func rsa(
        _ node: JSONNode, _ id: String?, _ algorithms: Set<SigningAlgorithm>
    ) throws(KeySetError) -> VerificationKey {
        let modulus = try number(node, "n")
        let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
        guard modulusBits.contains(bits) else {
            throw KeySetError(
                pointer: "/n",
                "expected a modulus of \(modulusBits.lowerBound) to \(modulusBits.upperBound) bits, and it has \(bits)")
        }
        guard modulus.last.map({ $0 & 1 == 1 }) == true else {
            throw KeySetError(pointer: "/n", "expected an odd modulus")
        }
        let exponent = try number(node, "e")
        guard exponent.count <= mostExponentBytes, exponent != [1], exponent.last.map({ $0 & 1 == 1 }) == true else {
            throw KeySetError(pointer: "/e", "expected an odd exponent of at least 3 and at most 64 bits")
        }
        let thumbprint = KeyThumbprint(members: [
            ("e", Base64URL.encode(exponent)), ("kty", "RSA"), ("n", Base64URL.encode(modulus)),
        ])
        // SAFETY: the library reads both arrays within their counts.
        guard let key = copenssl_rsa_key(modulus, modulus.count, exponent, exponent.count) else {
            throw KeySetError(pointer: "/n", "the numbers are no RSA key")
        }
        return VerificationKey(owning: key, id: id, algorithms: algorithms, thumbprint: thumbprint)
    }

    private static func p256(
        _ node: JSONNode, _ id: String?, _ algorithms: Set<SigningAlgorithm>
    ) throws(KeySetError) -> VerificationKey {
        let x = try bytes(node, "x", count: Int(COPENSSL_P256_BYTES))
        let y = try bytes(node, "y", count: Int(COPENSSL_P256_BYTES))
        let thumbprint = KeyThumbprint(members: [
            ("crv", "P-256"), ("kty", "EC"), ("x", Base64URL.encode(x)), ("y", Base64URL.encode(y)),
        ])
        // SAFETY: the library reads the 32 bytes that both arrays have.
        guard let key = copenssl_p256_key(x, y) else {
            throw KeySetError(pointer: "/x", "x and y are no point of the curve P-256")
        }
        return VerificationKey(owning: key, id: id, algorithms: algorithms, thumbprint: thumbprint)
    }

    private static func ed25519(
        _ node: JSONNode, _ id: String?, _ algorithms: Set<SigningAlgorithm>
    ) throws(KeySetError) -> VerificationKey {
        let x = try bytes(node, "x", count: Int(COPENSSL_ED25519_BYTES))
        let thumbprint = KeyThumbprint(members: [("crv", "Ed25519"), ("kty", "OKP"), ("x", Base64URL.encode(x))])
        // SAFETY: the library reads the 32 bytes that the array has.
        guard let key = copenssl_ed25519_key(x) else {
            throw KeySetError(pointer: "/x", "the bytes are no Ed25519 key")
        }
        return VerificationKey(owning: key, id: id, algorithms: algorithms, thumbprint: thumbprint)
    }

    private static func text(_ node: JSONNode, _ name: String) throws(KeySetError) -> String? {
        guard let member = node[name] else { return nil }
        guard let text = member.string else { throw KeySetError(pointer: "/\(name)", "expected a string") }
        return text
    }

    private static func bytes(
        _ node: JSONNode, _ name: String, count: Int? = nil
    ) throws(KeySetError) -> [UInt8] {
        guard let member = node[name] else { throw KeySetError("the member \(name) is missing") }
        guard let bytes = member.utf8.flatMap({ Base64URL.decode($0) }) else {
            throw KeySetError(pointer: "/\(name)", "expected a string in base64url without padding")
        }
        if let count, bytes.count != count {
            throw KeySetError(pointer: "/\(name)", "expected \(count) bytes, and there are \(bytes.count)")
        }
        return bytes
    }

    /// A positive number in as few bytes as it takes (Base64urlUInt; RFC 7518, section 2).
    private static func number(_ node: JSONNode, _ name: String) throws(KeySetError) -> [UInt8] {
        let bytes = try bytes(node, name)
        guard let first = bytes.first, first != 0 else {
            throw KeySetError(pointer: "/\(name)", "expected a number that does not begin with a zero byte")
        }
        return bytes
    }
}
