import Access
import Foundation
import HTTPClient

/// How a server shares its database with other nodes (`cluster.*`).
package struct ClusterSettings: Sendable {
    /// The address of the internal listener, `HOST:PORT` (`cluster.listen`); empty for a server that has its database for
    /// itself.
    package var listen = ""
    /// The address at which other nodes reach the internal listener (`cluster.url`); empty for the listener's own
    /// address.
    package var url = ""
    /// The file with the secret that all nodes share (`cluster.secretFile`).
    package var secretFile = ""
    /// The node's certificate with its chain for TLS between nodes, PEM (`cluster.tlsCertificate`); empty for none.
    package var tlsCertificate = ""
    /// Its private key, PEM (`cluster.tlsKey`).
    package var tlsKey = ""
    /// The authorities that the nodes' certificates have to come from, PEM (`cluster.tlsTrust`).
    package var tlsTrust = ""
    /// The node's name for people (`cluster.name`); empty for the machine's name and the process.
    package var name = ""

    /// For how long nobody has to have asked a node for another one's director until it leaves memory
    /// (`cluster.unloadAfter`); up to twice as long passes.
    package var unloadAfter = Duration.seconds(600)

    /// Makes the defaults: no other node.
    package init() {}

    /// Whether there may be other nodes.
    package var isOn: Bool { !listen.isEmpty }

    /// Whether nodes speak TLS to each other.
    package var isSecure: Bool { !tlsCertificate.isEmpty }

    /// The scheme of the internal listener's address.
    var scheme: String { isSecure ? "https" : "http" }

    /// The host that other nodes connect to; nil where the settings name none.
    var reachedHost: String? {
        if url.isEmpty { return address?.host }
        return (try? HTTPURL(url)).map { "\($0.target.host)" }
    }

    /// The host and port to listen on; nil where ``listen`` is no address.
    package var address: (host: String, port: UInt16)? {
        guard let colon = listen.lastIndex(of: ":"), let port = UInt16(listen[listen.index(after: colon)...]) else {
            return nil
        }
        let host = listen[..<colon]
        return (host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host), port)
    }

    /// The fault of the settings with its remedy; nil without one.
    package func fault(isDatabase: Bool) -> (fault: String, advice: String)? {
        guard isOn else {
            let others = ([("url", url), ("secretFile", secretFile)] + tlsFiles).filter { !$0.1.isEmpty }
            guard let first = others.first else { return nil }
            return ("cluster.\(first.0) is set, and cluster.listen is not", "set cluster.listen, such as 10.0.0.5:8090")
        }
        guard isDatabase else {
            return ("cluster.listen is set, and nodes share a database", "set journal.url as well")
        }
        guard let address else {
            return ("cluster.listen is \"\(listen)\"", "write it as HOST:PORT, such as 10.0.0.5:8090")
        }
        guard !secretFile.isEmpty else {
            return (
                "cluster.listen is set, but cluster.secretFile is not",
                "set it to a file with a secret that all nodes share: openssl rand -base64 32 > cluster-secret"
            )
        }
        if let fault = tlsFault ?? urlFault ?? nameFault { return fault }
        guard !url.isEmpty || !["", "*", "0.0.0.0", "::"].contains(address.host) else {
            return (
                "cluster.listen is every address of this machine, and cluster.url is not set",
                "set cluster.url to where the other nodes reach this one, such as \(scheme)://10.0.0.5:8090"
            )
        }
        return nil
    }

    private var urlFault: (fault: String, advice: String)? {
        guard !url.isEmpty else { return nil }
        guard let read = try? HTTPURL(url), read.path == "/" else {
            return (
                "cluster.url is \(url.debugDescription)",
                "write it as \(scheme)://HOST:PORT, such as \(scheme)://10.0.0.5:8090"
            )
        }
        guard read.target.isSecure != isSecure else { return nil }
        return isSecure
            ? ("cluster.url is \(url), and cluster.tlsCertificate is set", "write it as https://HOST:PORT")
            : (
                "cluster.url is \(url), and cluster.tlsCertificate is not set",
                "set cluster.tlsCertificate, cluster.tlsKey and cluster.tlsTrust, or write it as http://HOST:PORT"
            )
    }

    /// The files of TLS between nodes, by the names of their settings.
    private var tlsFiles: [(String, String)] {
        [("tlsCertificate", tlsCertificate), ("tlsKey", tlsKey), ("tlsTrust", tlsTrust)]
    }

    private var tlsFault: (fault: String, advice: String)? {
        let missing = tlsFiles.filter(\.1.isEmpty)
        guard let first = missing.first, missing.count < tlsFiles.count,
            let set = tlsFiles.first(where: { !$0.1.isEmpty })
        else { return nil }
        return (
            "cluster.\(set.0) is set, and cluster.\(first.0) is not",
            "set cluster.tlsCertificate, cluster.tlsKey and cluster.tlsTrust, or none of them"
        )
    }

    private var nameFault: (fault: String, advice: String)? {
        if name.utf8.count <= 128, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) {
            return nil
        }
        return ("cluster.name is \(name.debugDescription)", "write up to 128 bytes without line breaks")
    }

    /// Reads the secret.
    ///
    /// - Throws: Why it cannot be used, a sentence without its full stop.
    package func secret() throws(ClusterSecretError) -> SharedSecret {
        var status = stat()
        // A pipe would wait for somebody who writes to it.
        guard stat(secretFile, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 16,
            let data = FileManager.default.contents(atPath: secretFile)
        else {
            throw ClusterSecretError("cluster.secretFile: \(secretFile) cannot be read, or is no file of a secret")
        }
        guard status.st_mode & 0o007 == 0 else {
            throw ClusterSecretError(
                "cluster.secretFile: other users of this machine can read \(secretFile); chmod o= closes it")
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let secret = SharedSecret(text) else {
            throw ClusterSecretError(
                "cluster.secretFile: \(secretFile) has \(text.count) characters; a secret needs "
                    + "\(SharedSecret.minimumLength): openssl rand -base64 32")
        }
        return secret
    }
}

/// Why the nodes' secret cannot be used.
package struct ClusterSecretError: Error, Sendable, CustomStringConvertible {
    /// A sentence without its full stop.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
