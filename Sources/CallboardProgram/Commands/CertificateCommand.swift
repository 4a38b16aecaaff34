import ArgumentParser
import Foundation
import TLSEngine

/// `callboard certificate`.
struct CertificateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate",
        abstract: "Make a certificate for trying out TLS, and the authority that issues it.",
        discussion: """
            Writes certificate.pem and key.pem for the names that clients use, and
            authority.pem, which clients have to trust. An authority that is already
            in the folder is kept: clients trust the next certificate without a
            change, and a running server takes it by itself.

            authority-key.pem can sign a certificate for any name, which all clients
            that trust the authority accept. Keep it secret, or delete it once the
            certificate is made. For a public server, use a public authority, such
            as Let's Encrypt.

            Only its owner can read the folder: give clients a copy of authority.pem.

            Examples:
              callboard certificate
              callboard certificate localhost board.local 192.168.1.20 --days 30
              callboard serve --tls-certificate certificates/certificate.pem \\
                --tls-key certificates/key.pem
              curl --cacert certificates/authority.pem https://localhost:8080/livez
              callboard directors --ca certificates/authority.pem \\
                --server https://localhost:8080
            """)

    @Argument(
        help: ArgumentHelp("Names and addresses of the server (default: localhost 127.0.0.1 ::1).", valueName: "NAME"))
    var names: [String] = []

    @Option(help: ArgumentHelp("The folder to write to.", valueName: "FOLDER"))
    var out = "certificates"

    @Option(help: ArgumentHelp("How long the certificate is valid, 1 to 397 days.", valueName: "DAYS"))
    var days = 90

    func validate() throws {
        guard (1...397).contains(days) else {
            throw ValidationError("--days takes 1 to 397: browsers refuse longer ones")
        }
        _ = try alternatives
    }

    func run() async throws {
        try await Program.run {
            let folder = CertificateFolder(path: out)
            let names = try alternatives
            let now = Int(Date().timeIntervalSince1970)
            let isNew = try folder.issue(names, days: days, now: now)
            for line in Self.report(folder, names, isNew: isNew, end: now + days * 86_400) { Output.line(line) }
            return .success
        }
    }

    private var alternatives: [TLSName] {
        get throws {
            try (names.isEmpty ? ["localhost", "127.0.0.1", "::1"] : names).map { text in
                guard let name = TLSName(host: text) else {
                    throw ValidationError("\"\(TextWidth.printable(text))\" is no host's name and no address")
                }
                return name
            }
        }
    }

    /// The files that were made, and their use.
    static func report(_ folder: CertificateFolder, _ names: [TLSName], isNew: Bool, end: Int) -> [String] {
        let host = names.first?.text ?? "localhost"
        let address = host.contains(":") ? "[\(host)]" : host
        let authority = isNew ? "a new authority" : "the authority that was there"
        return [
            "made \(folder.certificate), until \(TokenTime.text(end)), by \(authority), for:",
            "  " + names.map(\.text).joined(separator: ", "),
            "serve with it:",
            "  callboard serve --tls-certificate \(folder.certificate) --tls-key \(folder.key)",
            "have curl trust it:",
            "  curl --cacert \(folder.authority) https://\(address):8080/livez",
            "have a browser trust it: import \(folder.authority) as an authority, in Chromium under",
            "  chrome://certificate-manager, in Firefox under about:preferences#privacy, View Certificates",
            "have callboard watch, load and directors trust it, or say export \(TrustOptions.variable)=\(folder.authority):",
            "  callboard directors --ca \(folder.authority) --server https://\(address):8080",
            "have all programs of a Debian machine trust it:",
            "  sudo cp \(folder.authority) /usr/local/share/ca-certificates/callboard.crt && sudo update-ca-certificates",
            "keep \(folder.authorityKey) to yourself, or delete it: it can vouch for any server",
        ]
    }
}
