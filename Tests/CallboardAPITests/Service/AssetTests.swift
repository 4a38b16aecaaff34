import CallboardAPI
import Foundation
import Testing
import WebAssets

@Suite("Files for browsers: the JavaScript client and the console")
struct AssetTests {
    @Test(
        "the client comes in the smallest coding that is taken, each with a tag of its own",
        arguments: [
            (nil, "identity"), ("gzip", "gzip"), ("gzip, deflate, br, zstd", "br"), ("br;q=0, gzip", "gzip"),
            ("*", "br"),
            ("*;q=0", "identity"), ("deflate", "identity"), ("identity;q=0, zstd", "identity"), ("BR", "br"),
        ] as [(String?, String)])
    func codings(accepted: String?, expected: String) async throws {
        try await TestServer.run { server in
            let fields = accepted.map { ["Accept-Encoding": $0] } ?? [:]
            let answer = try server.send("GET", "/client.js", headers: fields).expect(200)
            let form = try #require(Asset.all["client.js"]?.forms.first { $0.coding.rawValue == expected })
            #expect(answer.fields["content-encoding"] == (expected == "identity" ? nil : expected))
            #expect(answer.body == form.bytes && answer.fields["etag"] == form.tag)
            #expect(answer.fields["vary"] == "Accept-Encoding" && answer.fields["cache-control"] == "no-cache")
            #expect(answer.fields["content-type"] == "text/javascript; charset=utf-8")
            let again = try server.send(
                "GET", "/client.js", headers: fields.merging(["If-None-Match": form.tag]) { $1 }
            ).expect(304)
            #expect(again.body.isEmpty && again.fields["etag"] == form.tag && again.fields["content-encoding"] == nil)
        }
    }

    @Test(
        "a file that is not the one asked for is called a file, and its tag is said",
        arguments: ["/client.js", "/console/"])
    func otherFile(path: String) async throws {
        try await TestServer.run { server in
            let tag = try #require(try server.send("GET", path).expect(200).fields["etag"])
            try server.send("GET", path, headers: ["If-Match": tag]).expect(200)
            let answer = try server.send("GET", path, headers: ["If-Match": "\"other\""]).expect(412)
            #expect(answer.text.contains(#""title":"The content has changed since it was read""#))
            #expect(!answer.text.contains("director"))
            #expect(answer.text.contains("the file is at \(tag.replacing("\"", with: "\\\""));"))
        }
    }

    @Test("every file is there in three codings, whose tags differ; what a page or a module names is there")
    func table() throws {
        let modules = ["client", "list", "offline"].flatMap { ["\($0).js", "\($0).d.ts"] }
        #expect(Set(modules).isSubset(of: Asset.all.keys))
        let tags = Asset.all.values.flatMap { $0.forms.map(\.tag) }
        #expect(Set(tags).count == tags.count)
        for asset in Asset.all.values {
            #expect(Set(asset.forms.map(\.coding)) == [.br, .gzip, .identity], "\(asset.path)")
            #expect(!asset.forms.contains { $0.bytes.isEmpty } && asset.mediaType != "application/octet-stream")
        }
        var named: [String] = []
        for path in ["index.html", "main.js", "later.js", "chunk.js"] {
            let file = try #require(Asset.all["console/" + path]?.forms.last)
            let text = String(decoding: file.bytes, as: UTF8.self)
            let names = text.matches(of: /(?:src=|href=|from|import\()"([.\/\w]+\.\w+)"/).map { String($0.1) }
            #expect(path == "chunk.js" || names.count >= 2, "\(path): \(names)")
            named += names
        }
        for name in named {
            let path = name.hasPrefix("/") ? String(name.dropFirst()) : "console/" + name.replacing("./", with: "")
            #expect(Asset.all[path] != nil, "\(name)")
        }
    }

    @Test("the page may load what the server itself has and nothing else, and / leads to it")
    func page() async throws {
        try await TestServer.run { server in
            let page = try server.send("GET", "/console/", headers: ["Accept": "text/html,*/*;q=0.8"]).expect(200)
            let policy = try #require(page.fields["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'self';") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe") && page.fields["referrer-policy"] == "no-referrer")
            #expect(page.fields["cross-origin-opener-policy"] == "same-origin")
            #expect(page.fields["content-type"] == "text/html; charset=utf-8")
            for path in ["/", "/console"] {
                let answer = try server.send("GET", path, headers: ["Accept": "text/html"]).expect(302)
                #expect(answer.fields["location"] == "console/")
            }
            for path in ["/console/none.js", "/console/..%2Fclient.js", "/client.js/", "/Console/"] {
                try server.send("GET", path).expect(404)
            }
            try server.send("GET", "/console/%00").expect(400)
            try server.send("POST", "/console/").expect(405)
            try server.send("GET", "/client.js", headers: ["Accept": "image/png"]).expect(406)
        }
    }

    @Test("a console that is turned off is not there; the client is", arguments: ["/", "/console", "/console/"])
    func turnedOff(path: String) async throws {
        try await TestServer.run {
            $0.console = .no
        } _: { server in
            #expect(try server.send("GET", path).expect(404).text.contains("console.enabled"))
            try server.send("GET", "/client.js").expect(200)
        }
    }

    @Test("with auto, a server that everybody may change from elsewhere has no console")
    func openToAll() {
        var configuration = APIConfiguration()
        #expect(configuration.hasConsole)
        configuration.server.host = "0.0.0.0"
        configuration.access.isOpenToAll = true
        #expect(!configuration.hasConsole)
        configuration.console = .yes
        #expect(configuration.hasConsole)
        configuration.console = .auto
        configuration.access.mode = .required
        #expect(configuration.hasConsole)
    }

    @Test("who signs in anew gets the page, although the session's cookie is no good any more")
    func endedSession() async throws {
        try await AccessServer.run { server in
            for credential in [nil, "__Host-callboard=cbt_000000000000000000000000000000000000"] {
                let fields = credential.map { ["Cookie": $0] } ?? [:]
                try server.server.send("GET", "/console/", headers: fields).expect(200)
                try server.server.send("GET", "/client.js", headers: fields).expect(200)
                try server.server.send("GET", "/v1/directors", headers: fields).expect(401)
            }
        }
    }

    @Test("every answer tells browsers to take its content for what its type says")
    func types() async throws {
        try await TestServer.run { server in
            try server.makeDirector()
            for (method, path) in [
                ("GET", "/v1/directors/d"), ("GET", "/livez"), ("GET", "/none"), ("PUT", "/livez"),
                ("OPTIONS", "/livez"),
                ("DELETE", "/v1/directors/d"), ("GET", "/console/"), ("GET", "/openapi.json"),
            ] {
                let answer = try server.send(method, path)
                #expect(answer.fields["x-content-type-options"] == "nosniff", "\(method) \(path)")
            }
        }
    }
}
