import CallboardAPI
import CallboardClient
import Foundation
import Testing

@testable import CallboardProgram

@Suite("Settings")
struct SettingsTests {
    private static func file(_ text: String) throws -> SettingsFile {
        try SettingsFile(path: "settings.json", content: Array(text.utf8))
    }

    private static func message(_ work: () throws -> Void) -> String {
        do {
            try work()
            return "nothing was thrown"
        } catch {
            return "\(error)"
        }
    }

    private static var example: [UInt8] {
        get throws {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            return Array(try Data(contentsOf: root.appendingPathComponent("Config/callboard.json")))
        }
    }

    @Test("the example file has every key, each with its default")
    func exampleFile() throws {
        let file = try SettingsFile(path: "Config/callboard.json", content: Self.example)
        #expect(Set(file.values.keys) == Set(Setting.all.map(\.key)))
        let document = try JSON(parsing: JSONComments.blank(Self.example))
        let defaults = ServeSettings()
        for setting in Setting.all {
            let pointer = "/" + setting.key.replacing(".", with: "/")
            #expect(document.value(at: pointer) == setting.read(defaults), "\(setting.key)")
        }
    }

    @Test("the example file is what --print-config prints")
    func printedExample() throws {
        #expect(try String(decoding: Self.example, as: UTF8.self) == SettingsExample.text)
    }

    @Test("every default is a value that its own key takes")
    func defaultsAreValid() throws {
        let settings = try SettingsLoader(file: Self.file(String(decoding: Self.example, as: UTF8.self))).load()
        let defaults = ServeSettings()
        for setting in Setting.all { #expect(setting.read(settings) == setting.read(defaults), "\(setting.key)") }
    }

    @Test("flags win over the environment, that over the file, that over the default")
    func precedence() throws {
        let file = try Self.file(#"{"server": {"host": "file", "port": 1, "loops": 3}}"#)
        let environment = ["CALLBOARD_SERVER_HOST": "environment", "CALLBOARD_SERVER_PORT": "2", "HOST": "other"]
        let loader = SettingsLoader(flags: ["server.host": .text("flag")], environment: environment, file: file)
        let server = try loader.load().configuration
        #expect(server.server.host == "flag")
        #expect(server.server.port == 2)
        #expect(server.loops == 3)
        #expect(server.server.backlog == 1024)
    }

    /// The settings of a cluster go together with a database and a secret that is there.
    private func cluster(_ setting: Setting) throws {
        let secret = FileManager.default.temporaryDirectory.appendingPathComponent("secret-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: secret) }
        try Data("0123456789abcdef0123456789abcdef".utf8).write(to: secret)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret.path)
        let values = [
            "cluster.listen": "127.0.0.1:9", "cluster.url": "https://10.0.0.5:8090", "cluster.secretFile": secret.path,
            "cluster.tlsCertificate": "c", "cluster.tlsKey": "k", "cluster.tlsTrust": "t", "cluster.name": "a",
        ]
        var environment = ["CALLBOARD_JOURNAL_URL": "postgresql://x/y"]
        for (key, value) in values { environment[try #require(Setting.named(key)).environmentName] = value }
        let settings = try SettingsLoader(environment: environment).load()
        #expect(setting.read(settings) == .string(values[setting.key] ?? ""))
    }

    @Test("every setting can be read from its environment variable", arguments: Setting.all.map(\.key))
    func environment(key: String) throws {
        let setting = try #require(Setting.named(key))
        let (text, expected): (String, JSON) =
            switch setting.kind {
            case .text: key == "data" ? ("memory", "memory") : ("x", "x")
            case .choice(let words): (words[0], .string(words[0]))
            case .integer(let range): ("\(range.upperBound)", .number(JSONNumber(range.upperBound)))
            case .number(let range): ("\(range.upperBound)", .number(JSONNumber(Int(range.upperBound))))
            case .texts: ("a,b", ["a", "b"])
            case .numbers(let range): ("\(range.upperBound),1.5", [.number(JSONNumber(Int(range.upperBound))), 1.5])
            case .flag: ("true", true)
            case .objects where key != "auth.anonymous": ("[]", [])
            case .objects: (#"[{"actions":["read"],"directors":["a"]}]"#, [["actions": ["read"], "directors": ["a"]]])
            }
        // What goes together is set together, so that neither stands alone: the two bounds of a range, the files of TLS.
        var environment = [setting.environmentName: text]
        if key.hasPrefix("cluster."), setting.kind == .text { return try cluster(setting) }
        if key.hasPrefix("tls.") {
            environment.merge(["CALLBOARD_TLS_CERTIFICATE": "x", "CALLBOARD_TLS_KEY": "x"]) { $1 }
        }
        if key == "feed.retryMin" { environment["CALLBOARD_FEED_RETRY_MAX"] = text }
        let settings = try SettingsLoader(environment: environment).load()
        #expect(setting.read(settings) == expected)
    }

    @Test("a database waits for its commits, and its URL wins over the folder")
    func database() throws {
        let url = "postgresql://a:secret@h/d"
        var loader = SettingsLoader(environment: ["CALLBOARD_JOURNAL_URL": url, "CALLBOARD_DATA": "memory"])
        #expect(try loader.load().configuration.storage.isDatabase)
        #expect(try !loader.load().configuration.storage.isMemory)
        loader.environment["CALLBOARD_JOURNAL_DURABILITY"] = "normal"
        let message = Self.message { _ = try loader.load() }
        #expect(message.contains("journal.durability") && !message.contains("secret"))
    }

    @Test("commands for data folders say what is for databases", arguments: ["postgresql://a:secret@h/d", nil])
    func databaseInPlaceOfFolder(argument: String?) {
        let message = Self.message {
            _ = try DataPath.resolve(argument, environment: ["CALLBOARD_JOURNAL_URL": "postgres://a:secret@h/d"])
        }
        #expect(message.contains("pg_dump") && !message.contains("secret"))
    }

    @Test(
        "a fault names the place, the key and what was expected",
        arguments: [
            (#"{"server": {"hots": "x"}}"#, ["settings.json", "\"server.hots\"", "\"server.host\""]),
            (#"{"sever": {"host": "x"}}"#, ["\"sever\"", "unknown key"]),
            (#"{"server": {"port": "8080"}}"#, ["server.port", "\"8080\"", "a whole number from 0 to 65535"]),
            (#"{"server": {"port": 70000}}"#, ["server.port", "70000"]),
            (#"{"server": {"port": 1.5}}"#, ["server.port", "1.5"]),
            (#"{"server": 1}"#, ["\"server\""]),
            (#"{"feed": {"heartbeat": 0}}"#, ["feed.heartbeat", "in seconds"]),
            (#"{"log": {"level": "loud"}}"#, ["log.level", "\"loud\"", "\"trace\""]),
            (#"{"cors": {"origins": [1]}}"#, ["cors.origins", "a list of texts"]),
            (#"{"hooks": {"retryDelays": [5, "1"]}}"#, ["hooks.retryDelays", "a list of numbers", "in seconds"]),
            (#"{"hooks": {"retryDelays": [5, -1]}}"#, ["hooks.retryDelays", "a list of numbers"]),
            (#"{"auth": {"openToAll": "yes"}}"#, ["auth.openToAll", "true or false"]),
            (#"{"auth": {"anonymous": {}}}"#, ["auth.anonymous", "a JSON array of objects"]),
            ("{\n  \"data\": \"memory\",\n}", ["settings.json:3:1"]),
            ("[]", ["an object"]),
        ])
    func fileFaults(text: String, parts: [String]) {
        let message = Self.message { _ = try Self.file(text) }
        for part in parts { #expect(message.contains(part), "\(message)") }
    }

    @Test(
        "what is wrong in a list of objects is named with its place",
        arguments: [
            (#"{"auth": {"issuers": [{"issuer": "i"}]}}"#, ["auth.issuers/0", "audience is missing"]),
            (
                #"{"auth": {"issuers": [{"issuer": "i", "audience": "a", "algorithms": "none", "keysFile": "k"}]}}"#,
                ["auth.issuers/0/algorithms", "none of: HS256"]
            ),
            (
                #"{"auth": {"issuers": [{"issuer": "i", "audience": "a", "algorithms": "ES256", "jwksURL": "http://x"}]}}"#,
                ["auth.issuers/0/jwksURL", "https"]
            ),
            (#"{"tls": {"certificates": [{"certificate": "c"}]}}"#, ["tls.certificates/0", "key is missing"]),
            (#"{"tls": {"certificates": [{"certificate": 1, "key": "k"}]}}"#, ["tls.certificates/0/certificate"]),
            (#"{"tls": {"certificates": [{"chain": "c"}]}}"#, ["tls.certificates/0/chain", "no such member"]),
            (#"{"tls": {"key": "k"}}"#, ["tls.key", "no certificate"]),
            (#"{"tls": {"clientCA": "c"}}"#, ["tls.clientCA needs tls.certificate"]),
            (#"{"auth": {"certificates": [{"name": "*", "grants": [{}]}]}}"#, ["auth.certificates/0/grants/0"]),
            (#"{"auth": {"certificates": [{"grants": []}]}}"#, ["auth.certificates/0/name"]),
            (#"{"auth": {"anonymous": [{"actions": ["red"]}]}}"#, ["auth.anonymous/0/actions/0", "no such action"]),
        ])
    func objectFaults(text: String, parts: [String]) {
        let message = Self.message { _ = try SettingsLoader(file: Self.file(text)).load() }
        for part in parts { #expect(message.contains(part), "\(message)") }
    }

    @Test(
        "a bad flag or variable stops the start and is named with its value",
        arguments: [
            ("CALLBOARD_SERVER_PORT", "abc"), ("CALLBOARD_SERVER_PORT", "65536"), ("CALLBOARD_FEED_HEARTBEAT", "-1"),
            ("CALLBOARD_LOG_FORMAT", "xml"),
        ])
    func environmentFaults(name: String, value: String) {
        let message = Self.message { _ = try SettingsLoader(environment: [name: value]).load() }
        #expect(message.contains(name) && message.contains("\"\(value)\""), "\(message)")
    }

    @Test("content is kept in a folder of its own unless another, or memory, is named")
    func data() throws {
        let named = try SettingsLoader(flags: ["data": .text("/var/lib/callboard")]).load()
        #expect(named.configuration.storage.data == "/var/lib/callboard")
        #expect(try SettingsLoader().load().configuration.storage.data == "callboard-data")
        #expect(try SettingsLoader(flags: ["data": .text("memory")]).load().configuration.storage.isMemory)
        let message = Self.message { _ = try SettingsLoader(flags: ["data": .text("")]).load() }
        #expect(message.contains("has to name a folder"))
    }

    @Test("what hooks may call is checked when the settings are read")
    func allow() throws {
        for text in ["10.1.0.0/16,*.example,loopback,auto", ""] {
            _ = try SettingsLoader(environment: ["CALLBOARD_HOOKS_ALLOW": text]).load()
        }
        let message = Self.message {
            _ = try SettingsLoader(environment: ["CALLBOARD_HOOKS_ALLOW": "10.1.0.0/16,x y"]).load()
        }
        #expect(message.contains("hooks.allow") && message.contains("'x y'") && message.contains("auto"), "\(message)")
    }

    @Test("variables that are no settings are found, those of other programs left alone")
    func unknownVariables() {
        let environment = [
            "CALLBOARD_SERVRE_HOST": "x", "CALLBOARD_SERVER": "y", "CALLBOARD_CONFIG": "z", "HOME": "/",
            "CALLBOARD_TOKEN": "t", "CALLBOARD_CA": "f",
        ]
        #expect(EnvironmentNames.unknown(in: environment) == ["CALLBOARD_SERVRE_HOST"])
    }

    @Test(
        "a variable that means nothing keeps the server from starting, and the nearest one is named",
        arguments: [
            ("CALLBOARD_TLS_CLIENTCA", "CALLBOARD_TLS_CLIENT_CA"), ("CALLBOARD_SERVRE_HOST", "CALLBOARD_SERVER_HOST"),
            ("CALLBOARD_AUTHMODE", "CALLBOARD_AUTH_MODE"), ("CALLBOARD_PORT", nil), ("CALLBOARD_", nil),
        ] as [(String, String?)])
    func refusedVariables(name: String, nearest: String?) {
        for load in [
            { _ = try SettingsLoader(environment: [name: "x"]).load() },
            {
                _ = try SettingsLoader(environment: [name: "x"]).storage()
            },
        ] {
            let message = Self.message(load)
            #expect(message.contains("\(name) is unknown"), "\(message)")
            if let nearest { #expect(message.contains("did you mean \(nearest)?"), "\(message)") }
        }
    }

    @Test(
        "variables that Kubernetes sets for a service called callboard, and those of the tests, mean nothing to a server"
    )
    func foreignVariables() throws {
        let environment = [
            "CALLBOARD_SERVICE_HOST": "10.0.0.1", "CALLBOARD_SERVICE_PORT": "80", "CALLBOARD_SERVICE_PORT_HTTP": "80",
            "CALLBOARD_PORT": "tcp://10.0.0.1:80", "CALLBOARD_PORT_80_TCP": "tcp://10.0.0.1:80",
            "CALLBOARD_PORT_80_TCP_PROTO": "tcp", "CALLBOARD_NODES_SERVICE_HOST": "None", "CALLBOARD_SEED": "7",
            "CALLBOARD_TEST_NODES": "1", "CALLBOARD_BIN": "x",
        ]
        _ = try SettingsLoader(environment: environment).load()
    }

    @Test(
        "comments become spaces, and what looks like one in a string stays",
        arguments: [
            ("{} // x", "{}     "), ("/* a\nb */{}", "    \n    {}"), (#"{"u":"http://x"}"#, #"{"u":"http://x"}"#),
            (#"{"a":"\"//"}//"#, #"{"a":"\"//"}  "#), ("/* open", "       "), ("1/2", "1/2"),
            ("\"open //", "\"open //"),
        ])
    func comments(text: String, expected: String) {
        #expect(String(decoding: JSONComments.blank(Array(text.utf8)), as: UTF8.self) == expected)
    }

    @Test("only loopback addresses count as such")
    func loopback() {
        for host in ["127.0.0.1", "127.9.8.7", "::1", "localhost", "[::1]"] { #expect(Loopback.contains(host)) }
        for host in ["0.0.0.0", "*", "", "::", "127.0.0.1.example", "192.168.1.1", "128.0.0.1", "127.0.0.256"] {
            #expect(!Loopback.contains(host), "\(host)")
        }
    }
}
