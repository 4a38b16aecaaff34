import JSONValues
import Testing

@testable import Directors

@Suite("Event hooks as bodies bring them")
struct EventHookTests {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    static let other = "whsec_" + Base64.encode(Array(repeating: 7, count: 64))

    private func draft(
        _ body: String, _ event: String = "didSelect", _ source: EventSource = .tableCell
    ) throws -> EventHookDraft {
        let event = try #require(EventCatalog.event(event, of: source))
        return try EventHookDraft.decode(node(body), for: event)
    }

    private func shown(_ hook: EventHook, _ event: String = "didSelect", generated: HookSecret? = nil) throws -> String
    {
        let event = try #require(EventCatalog.event(event, of: .tableCell))
        return text { hook.encode(to: &$0, on: event, generatedSecret: generated) }
    }

    @Test("a hook of an address alone is given a random secret, which only the answer that made it shows")
    func generated() throws {
        let made = try draft(#"{"url":"https://example.com/h"}"#).resolved(replacing: nil)
        let secret = try #require(made.generatedSecret)
        #expect(secret.key.count == 24 && made.hook.secrets == [secret])
        #expect(try HookSecret(secret.text) == secret && HookSecret.random() != secret)
        #expect(made.hook == EventHook(url: try HookURL(parsing: "https://example.com/h"), secrets: [secret]))
        let masked = #"["whsec_…\#(secret.text.suffix(4))"]"#
        let beginning = #"{"event":"didSelect","kind":"notification","url":"https://example.com/h","secret":"#
        #expect(try shown(made.hook) == beginning + masked + #","isDisabled":false}"#)
        #expect(
            try shown(made.hook, generated: secret) == beginning + #"["\#(secret.text)"],"isDisabled":false}"#)
        #expect(try shown(made.hook, generated: .random()) == shown(made.hook))
    }

    @Test("all members are read and shown, credentials masked")
    func all() throws {
        let body = """
            {"url":"http://[::1]:8080/a?b=%20c","secret":["\(Self.secret)","\(Self.other)"],"timeout":"2500ms",
            "headers":{"X-Tenant":"5","authorization":"Bearer 0123456789"},"coalesce":"100ms"}
            """
        let hook = try draft(body).resolved(replacing: nil).hook
        #expect(hook.timeout == .milliseconds(2500) && hook.coalesce == .milliseconds(100))
        #expect(hook.secrets.map(\.text) == [Self.secret, Self.other] && hook.secrets[1].key.count == 64)
        #expect(hook.headers.map(\.name) == ["authorization", "X-Tenant"])
        #expect(hook.url?.text == "http://[::1]:8080/a?b=%20c")
        let form = try shown(hook)
        #expect(form.contains(##""secret":["whsec_…LaSw","whsec_…Bw=="],"timeout":"2500ms","coalesce":"100ms""##))
        #expect(form.contains(#""headers":{"authorization":"…6789","X-Tenant":"5"}"#))
        for text in [form, "\(hook)", String(reflecting: hook)] {
            #expect(!text.contains(Self.secret) && !text.contains("Bearer"))
        }
        let question = try draft(
            #"{"url":"https://h/","default":-1,"cache":true,"timeout":0.25,"secret":null,"headers":null}"#, "rowHeight")
        let asked = try question.resolved(replacing: nil).hook
        #expect(asked.defaultAnswer?.text == "-1" && asked.isCached && asked.timeout == .milliseconds(250))
        #expect(try shown(asked, "rowHeight").contains(#""timeout":"250ms","default":-1,"cache":true"#))
        #expect(try shown(asked, "rowHeight").contains(#""kind":"question""#))
    }

    @Test("what was read can be changed and sent back: what is masked stays what it was")
    func sentBack() throws {
        let body = """
            {"url":"https://h/","secret":["\(Self.secret)","\(Self.other)"],"headers":{"Authorization":"Basic abcdefghijk"}}
            """
        let hook = try draft(body).resolved(replacing: nil).hook
        let form = try shown(hook).replacing(
            #""url":"https://h/""#, with: #""health":{"waiting":0},"answer":null,"url":"HTTPS://h/i""#)
        var wanted = hook
        wanted.url = try HookURL(parsing: "HTTPS://h/i")
        #expect(try draft(form).resolved(replacing: hook).hook == wanted)
        let error = #expect(throws: RepresentationError.self) { try draft(form).resolved(replacing: nil) }
        #expect(error?.faults.map(\.pointer) == ["/headers/Authorization", "/secret/0", "/secret/1"])
        let bare = try draft(#"{"url":"https://h/"}"#).resolved(replacing: hook)
        #expect(bare.hook.secrets == hook.secrets && bare.generatedSecret == nil && bare.hook.headers.isEmpty)
        let rotated = #"{"url":"https://h/","secret":["\#(HookSecret.random().text)","whsec_…LaSw"]}"#
        #expect(try draft(rotated).resolved(replacing: hook).hook.secrets.last?.text == Self.secret)
    }

    @Test("a disabled hook stays so when it is sent back as it was read, and is enabled by a body that does not say so")
    func disabled() throws {
        var hook = try draft(#"{"url":"https://h/"}"#).resolved(replacing: nil).hook
        hook.disabledReason = "the target has answered 410"
        let form = try shown(hook)
        #expect(form.hasSuffix(#""isDisabled":true,"disabledReason":"the target has answered 410"}"#))
        #expect(try draft(form).resolved(replacing: hook).hook == hook)
        #expect(try !draft(#"{"url":"https://h/"}"#).resolved(replacing: hook).hook.isDisabled)
        #expect(try draft(#"{"url":"https://h/","isDisabled":true}"#).resolved(replacing: nil).hook.isDisabled)
    }

    @Test("a question has a default without a URL: it is read, shown, stored, and given a secret with a URL only")
    func withoutURL() throws {
        let body = #"{"default":64,"timeout":"2s"}"#
        let made = try draft(body, "rowHeight").resolved(replacing: nil)
        #expect(made.hook.url == nil && made.hook.secrets.isEmpty && made.generatedSecret == nil)
        #expect(made.hook.defaultAnswer?.text == "64")
        let rowHeight = try #require(EventCatalog.event("rowHeight", of: .tableCell))
        var writer = JSONWriter()
        made.hook.encode(to: &writer, on: rowHeight)
        let shown = String(decoding: writer.bytes, as: UTF8.self)
        #expect(
            shown
                == #"{"event":"rowHeight","kind":"question","timeout":"2s","default":64,"isDisabled":false}"#)
        #expect(try draft(shown, "rowHeight").resolved(replacing: made.hook).hook == made.hook)
        var registry = HookRegistry()
        registry[.cell("A"), "rowHeight"] = made.hook
        var stored = JSONWriter()
        registry.encodeStored(to: &stored)
        let text = String(decoding: stored.bytes, as: UTF8.self)
        #expect(try HookRegistry.decodeStored(node(text), kind: .table) == registry)
        // A URL that comes later brings a secret; one that goes leaves it.
        let called = try draft(#"{"url":"https://h/","default":64}"#, "rowHeight").resolved(replacing: made.hook)
        #expect(called.generatedSecret != nil && called.hook.secrets.count == 1)
        let again = try draft(#"{"url":null,"default":64}"#, "rowHeight").resolved(replacing: called.hook)
        #expect(again.hook.url == nil && again.hook.secrets == called.hook.secrets && again.generatedSecret == nil)
        #expect(try draft(#"{"default":null}"#, "willSelect").resolved(replacing: nil).hook.defaultAnswer != nil)
    }

    @Test("a masked header is kept by a hook that loses its URL, and goes to no server that it gets then")
    func maskedWithoutURL() throws {
        let body = #"{"url":"https://h/","default":1,"headers":{"Authorization":"Basic abcdefghijk"}}"#
        let hook = try draft(body, "rowHeight").resolved(replacing: nil).hook
        let masked = #""default":1,"headers":{"Authorization":"\#(try #require(hook.headers.first).shown)"}}"#
        let silent = try draft("{" + masked, "rowHeight").resolved(replacing: hook).hook
        #expect(silent.url == nil && silent.headers == hook.headers)
        for url in ["https://h/", "https://i/"] {
            let body = #"{"url":"\#(url)","# + masked
            #expect(throws: RepresentationError.self) { try draft(body, "rowHeight").resolved(replacing: silent) }
        }
    }

    /// Bodies for an event, with the pointers of their faults.
    static let badBodies: [(event: String, body: String, pointers: [String])] = [
        ("didSelect", "[]", [""]), ("didSelect", "{}", [""]), ("didSelect", #"{"url":7}"#, ["/url"]),
        ("didSelect", #"{"url":null}"#, [""]), ("didSelect", #"{"timeout":"1s"}"#, [""]),
        ("rowHeight", "{}", [""]), ("rowHeight", #"{"default":"44"}"#, ["/default"]),
        ("rowHeight", #"{"url":7,"default":44}"#, ["/url"]), ("canEditRow", #"{"default":null}"#, ["/default"]),
        ("didSelect", #"{"default":true}"#, ["/default", ""]),
        ("didSelect", #"{"url":"https://h/","Secret":"x"}"#, ["/Secret"]),
        ("didSelect", #"{"url":"https://h/","secret":[]}"#, ["/secret"]),
        ("didSelect", #"{"url":"https://h/","secret":"whsec_abc"}"#, ["/secret"]),
        ("didSelect", #"{"url":"https://h/","secret":[1,"\#(secret)"]}"#, ["/secret/0"]),
        (
            "didSelect",
            #"{"url":"https://h/","secret":[\#(Array(repeating: "\"" + secret + "\"", count: 9).joined(separator: ","))]}"#,
            ["/secret"]
        ),
        ("didSelect", #"{"url":"https://h/","default":true}"#, ["/default"]),
        ("didSelect", #"{"url":"https://h/","cache":true}"#, ["/cache"]),
        ("rowHeight", #"{"url":"https://h/","coalesce":"1s"}"#, ["/coalesce"]),
        ("rowHeight", #"{"url":"https://h/","default":-2}"#, ["/default"]),
        ("rowHeight", #"{"url":"https://h/","default":"44"}"#, ["/default"]),
        ("canEditRow", #"{"url":"https://h/","default":1}"#, ["/default"]),
        ("canEditRow", #"{"url":"https://h/","default":null}"#, ["/default"]),
        ("didSelect", #"{"url":"https://h/","timeout":"0s","coalesce":"2h"}"#, ["/timeout", "/coalesce"]),
        ("didSelect", #"{"url":"https://h/","timeout":"5"}"#, ["/timeout"]),
        ("didSelect", #"{"url":"https://h/","timeout":1e300}"#, ["/timeout"]),
        ("didSelect", #"{"url":"https://h/","headers":{"Webhook-Id":"x"}}"#, ["/headers/Webhook-Id"]),
        ("didSelect", #"{"url":"https://h/","headers":{"content-TYPE":"x"}}"#, ["/headers/content-TYPE"]),
        ("didSelect", #"{"url":"https://h/","headers":{"a b":"x","":"y"}}"#, ["/headers/a b", "/headers/"]),
        ("didSelect", #"{"url":"https://h/","headers":{"A":"x\r\nB: y"}}"#, ["/headers/A"]),
        ("didSelect", #"{"url":"https://h/","headers":{"A":"x","a":"y"}}"#, ["/headers/a"]),
        ("didSelect", #"{"url":"https://h/","kind":"question","event":"didDeselect"}"#, ["/event", "/kind"]),
    ]

    @Test(
        "a masked header goes to no other server than before",
        arguments: [
            "https://i/", "http://h/", "https://h:444/", "https://h.i/", "https://h@i/", "https://i/?https://h/",
        ])
    func elsewhere(_ url: String) throws {
        let hook = try draft(#"{"url":"https://h/","headers":{"Authorization":"Basic abcdefghijk","A":"b"}}"#)
            .resolved(replacing: nil).hook
        let form = try shown(hook).replacing(#""url":"https://h/""#, with: #""url":"\#(url)""#)
        let error = #expect(throws: RepresentationError.self) { try draft(form).resolved(replacing: hook) }
        #expect(error?.faults.map(\.pointer) == ["/headers/Authorization"])
        #expect(error?.faults.first?.detail.contains("has not led to this server") == true)
    }

    @Test("everything that is wrong with a hook is named with its place", arguments: badBodies)
    func faults(_ row: (event: String, body: String, pointers: [String])) {
        let error = #expect(throws: RepresentationError.self) { try draft(row.body, row.event) }
        #expect(error?.faults.map(\.pointer) == row.pointers)
    }

    @Test("answers to questions about the whole list are not cached, and those about a header are")
    func cached() throws {
        let body = #"{"url":"https://h/","cache":true}"#
        let error = #expect(throws: RepresentationError.self) { try draft(body, "shouldScrollToTop", .scroll) }
        #expect(error?.pointer == "/cache")
        #expect(try draft(body, "headerHeight", .tableHeaderFooter).resolved(replacing: nil).hook.isCached)
    }

    @Test(
        "an address is kept as it was written",
        arguments: ["https://example.com", "HTTP://Example.COM:81/x?y=/", "http://[2001:DB8::1]/", "http://a_b/%c3%b6"])
    func addresses(_ text: String) throws {
        #expect(try HookURL(parsing: text).text == text)
    }

    @Test(
        "what is no address of the web, or cannot stand in one, is refused in words that help",
        arguments: [
            ("", "http:// or https://"), ("h.example/", "http:// or https://"), ("//host/", "http:// or https://"),
            ("ftp://h/", "http:// or https://"), ("https:/h", "http:// or https://"), ("https", "http:// or https://"),
            ("javascript:alert(1)", "http:// or https://"), ("https://h/\u{E4}", "encode them"),
            ("https://h /", "encode them"), ("https://h/\n", "encode them"), ("https://h/\u{7F}", "encode them"),
            ("https://h/" + String(repeating: "a", count: 2048), "2048 bytes"),
        ])
    func badAddresses(_ row: (text: String, phrase: String)) {
        let fault = #expect(throws: HookURLFault.self) { try HookURL(parsing: row.text) }
        #expect(fault?.detail.contains(row.phrase) == true)
    }

    @Test(
        "a length of time is shown in the largest unit that says it in whole numbers",
        arguments: [
            (#""100ms""#, "100ms"), ("0.1", "100ms"), (#""1000ms""#, "1s"), ("2", "2s"), (#""1.5s""#, "1500ms"),
            (#""60s""#, "1m"), (#""2m""#, "2m"), ("90", "90s"), (#""0.5m""#, "30s"),
        ])
    func durations(_ row: (text: String, shown: String)) throws {
        var faults = FaultList()
        let duration = DurationText.decode(
            try node(row.text), in: .milliseconds(1) ... .seconds(120), &faults)
        #expect(faults.isEmpty && duration.map(DurationText.text) == row.shown)
    }

    @Test(
        "hooks in an adapter's body are its own, and one on an event that it has not is refused with those that it has")
    func adapterEvents() throws {
        let body = try node(
            #"{"cell":"C","events":{"didSelect":{"url":"https://h/"},"rowHeight":{"url":"https://h/","default":44}}}"#)
        let drafts = try #require(try EventHookDraft.decodeEvents(of: body, source: .tableCell))
        #expect(drafts.keys.sorted() == ["didSelect", "rowHeight"])
        #expect(try EventHookDraft.decodeEvents(of: node("{}"), source: .tableCell) == nil)
        #expect(try EventHookDraft.decodeEvents(of: node(#"{"events":{}}"#), source: .tableCell)?.isEmpty == true)
        let error = #expect(throws: RepresentationError.self) {
            try EventHookDraft.decodeEvents(
                of: node(#"{"events":{"rowHeight":{"url":"https://h/"},"didSelect":{"url":"h"}}}"#),
                source: .collectionCell)
        }
        #expect(error?.faults.map(\.pointer) == ["/events/rowHeight", "/events/didSelect/url"])
        #expect(error?.detail.contains("itemSize") == true)
        let masked = #"{"events":{"didSelect":{"url":"https://h/","secret":"whsec_…abcd"}}}"#
        let draft = try #require(try EventHookDraft.decodeEvents(of: node(masked), source: .tableCell)?["didSelect"])
        let unknown = #expect(throws: RepresentationError.self) { try draft.resolved(replacing: nil) }
        #expect(unknown?.pointer == "/events/didSelect/secret")
    }
}
