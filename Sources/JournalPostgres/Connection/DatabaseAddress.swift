import CPostgres
import Journal

/// The address of a database with the user, in libpq's form; it is parsed once, and its password is never written
/// anywhere.
package struct DatabaseAddress: Sendable, CustomStringConvertible {
    /// The parameters for libpq, by its key words, for each host in the order of attempts.
    let hosts: [[(key: String, value: String)]]
    /// The name and port of each host, for people.
    let places: [String]
    /// The findings about a pooler in front of the database.
    let pooler = PoolerWatch()
    /// The user, the hosts and the database, without anything secret.
    package let description: String

    /// Parses a URL such as `postgresql://user@host:5432/database?sslmode=verify-full`.
    ///
    /// - Throws: `JournalError.refused(_:)` without the text, which may have a password.
    package init(_ url: String) throws(JournalError) {
        guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://"), let options = Self.parse(url) else {
            throw .refused("it is not a URL such as postgresql://user@host:5432/database")
        }
        let named = Dictionary(options, uniquingKeysWith: { first, _ in first })
        func list(_ key: String) -> [String] {
            named[key].map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
        }
        let (names, numbers, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(1, names.count, numbers.count)
        func fits(_ list: [String]) -> Bool { list.count <= 1 || list.count == count }
        guard fits(names), fits(numbers), fits(ports) else {
            throw .refused("it names \(count) hosts, and another number of addresses or ports")
        }
        // libpq's deadline for each of several hosts exists in its blocking functions only: each is tried by itself.
        hosts = (0..<count).map { index in
            options.map { key, value in
                guard ["host", "hostaddr", "port"].contains(key) else { return (key, value) }
                let values = list(key)
                return (key, values.count == 1 ? values[0] : values[index])
            }
        }
        places = (0..<count).map { index in
            let name = names.isEmpty ? (numbers.isEmpty ? "localhost" : numbers[index]) : names[index]
            let port = ports.isEmpty ? "" : ports.count == 1 ? ports[0] : ports[index]
            return port.isEmpty ? name : "\(name):\(port)"
        }
        let user = named["user"].map { "\($0)@" } ?? ""
        description = "postgresql://\(user)\(places.joined(separator: ","))/\(named["dbname"] ?? "")"
    }

    private static func parse(_ url: String) -> [(String, String)]? {
        guard let options = PQconninfoParse(url, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var found: [(String, String)] = []
        var next = options
        // SAFETY: libpq ends the list with an option without a key word, and each text with a zero.
        while let key = next.pointee.keyword {
            if let value = next.pointee.val { found.append((String(cString: key), String(cString: value))) }
            next += 1
        }
        return found
    }
}
