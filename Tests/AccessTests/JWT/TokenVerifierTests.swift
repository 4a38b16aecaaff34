import Testing

@testable import Access

@Suite("Verification of tokens")
struct TokenVerifierTests {
    @Test("a token of each algorithm is accepted with what it says", arguments: SigningAlgorithm.allCases)
    func accepted(algorithm: SigningAlgorithm) throws {
        let verified = try Issuance.verifier.verify(Issuance.token(algorithm), now: Issuance.now)
        #expect(verified.issuer == Issuance.issuer(for: algorithm) && verified.subject == "alice")
        #expect(verified.id == "t-1" && verified.keyID == Issuance.keyID(for: algorithm))
        #expect(verified.expiresAt == Issuance.now + 660 && verified.algorithm == algorithm)
        #expect(verified.grants.allow(.read, on: "shop-1") && !verified.grants.allow(.read, on: "menu"))
        let keys = try #require(Issuance.verifier.keys(of: verified.issuer))
        #expect(keys.keys.first { $0.id == verified.keyID }?.thumbprint == verified.key)
    }

    @Test(
        "headers that are accepted",
        arguments: [
            #","typ":"JWT""#, #","typ":"jwt""#, #","typ":"at+jwt""#, #","typ":"application/AT+JWT""#,
            #","typ":"APPLICATION/jwt""#, #","cty":"x","x5t":"y","unknown":{"a":[1]}"#,
        ])
    func headers(more: String) {
        #expect(Issuance.fault(Issuance.token(.es256, header: Issuance.header(.es256, more))) == nil)
    }

    @Test(
        "headers that are refused",
        arguments: [
            (#"{"kid":"p256"}"#, "algorithm (alg)"), (#"{"alg":256}"#, "algorithm (alg)"),
            (#"{"alg":"ES256","typ":"secevent+jwt"}"#, "expected JWT"), (#"{"alg":"ES256","typ":""}"#, "expected JWT"),
            (#"{"alg":"ES256","typ":"application/application/jwt"}"#, "expected JWT"),
            (#"{"alg":"ES256","typ":null}"#, "typ that is no string"), (#"{"alg":"ES256","kid":7}"#, "kid"),
            (#"{"alg":"ES256","kid":"\#(String(repeating: "k", count: 257))"}"#, "256 bytes"),
            ("[]", "header that is no JSON object"), ("{", "not a JSON document"), ("{}{}", "something follows"),
            (#"{"alg":"ES256","x":[[[[[[[[1]]]]]]]]}"#, "nested deeper"),
            ("{\"alg\":\"ES256\",\"x\":\"\u{0}\"}", "control"),
            (#"{"alg":"ES256","x":"\ud800"}"#, "surrogate"),
        ])
    func refusedHeaders(header: String, detail: String) throws {
        let fault = try #require(Issuance.fault(Issuance.token(.es256, header: header)))
        #expect(fault.description.contains(detail) && fault.description.hasPrefix("the token "), "\(fault)")
    }

    @Test(
        "claims that are accepted",
        arguments: [
            ["aud": #"["x","callboard"]"#], ["aud": #""https://board.example""#], ["sub": nil], ["jti": nil],
            ["iat": nil], ["authorization_details": nil], ["authorization_details": "[]"], ["nbf": "1799999999.25"],
            ["exp": "1.8000006e9"], ["exp": "253402300799"], ["other": #"{"a":{"b":{"c":{"d":[1]}}}}"#],
            ["authorization_details": #"[{"type":"urn:other","actions":7}]"#],
        ] as [[String: String?]])
    func claims(_ claims: [String: String?]) {
        #expect(Issuance.fault(Issuance.token(.es256, payload: Issuance.payload(claims))) == nil)
    }

    @Test(
        "claims that are refused",
        arguments: [
            (["iss": nil], .missing("iss")), (["exp": nil], .missing("exp")), (["aud": nil], .missing("aud")),
            (["iss": #""https://evil.example""#], .issuer("https://evil.example")),
            (["iss": #""https://id.example/""#], .issuer("https://id.example/")),
            (["aud": #""other""#], .audience), (["aud": "[]"], .audience), (["aud": #"["CALLBOARD"]"#], .audience),
            (["nbf": "\(Issuance.now + 61)"], .notYet(until: Issuance.now + 61)),
            (["nbf": "\(Issuance.now + 60).5"], .notYet(until: Issuance.now + 61)),
            (["iat": "\(Issuance.now + 61)"], .issuedInFuture(at: Issuance.now + 61)),
            (["exp": "0"], .expired(at: 0)), (["exp": "\(Issuance.now - 60)"], .expired(at: Issuance.now - 60)),
        ] as [([String: String?], TokenFault)])
    func refusedClaims(claims: [String: String?], fault: TokenFault) {
        #expect(Issuance.fault(Issuance.token(.es256, payload: Issuance.payload(claims))) == fault)
    }

    @Test(
        "claims of another type are malformed",
        arguments: [
            ("iss", ["1", "null", #"["https://id.example"]"#]), ("aud", ["1", "{}", #"["callboard",1]"#, "null"]),
            (
                "exp",
                [
                    #""1800000600""#, "null", "true", "-1", "-0.5", "1e999", "1e308", "253402300800",
                    "1e-999999999999e",
                    "99999999999999999999", "1e99999999999999999999",
                ]
            ),
            ("nbf", [#""0""#, "-1", "1e400"]), ("iat", ["[]", "-1", "1e400"]),
            ("sub", ["1", "null", "\"\(String(repeating: "s", count: 257))\""]),
            ("jti", ["1", "\"\(String(repeating: "s", count: 257))\""]),
        ])
    func malformedClaims(name: String, values: [String]) {
        for value in values {
            let fault = Issuance.fault(Issuance.token(.es256, payload: Issuance.payload([name: value])))
            guard case .malformed = fault else {
                Issue.record("\(name) \(value): \(String(describing: fault))")
                continue
            }
        }
    }

    @Test("clocks may differ by less than the skew: 59 s are accepted, 60 s and 61 s refused")
    func skew() {
        let exp = Issuance.token(.es256, payload: Issuance.payload(["exp": "\(Issuance.now)"]))
        #expect(Issuance.fault(exp, now: Issuance.now + 59) == nil)
        #expect(Issuance.fault(exp, now: Issuance.now + 60) == .expired(at: Issuance.now))
        #expect(Issuance.fault(exp, now: Issuance.now + 61) == .expired(at: Issuance.now))
        let nbf = Issuance.token(
            .es256, payload: Issuance.payload(["nbf": "\(Issuance.now)", "iat": "\(Issuance.now)"]))
        #expect(Issuance.fault(nbf, now: Issuance.now - 59) == nil)
        #expect(Issuance.fault(nbf, now: Issuance.now - 61) == .notYet(until: Issuance.now))
        let strict = Issuance.makeVerifier(skew: 0)
        #expect(Issuance.fault(exp, verifier: strict, now: Issuance.now - 1) == nil)
        #expect(Issuance.fault(exp, verifier: strict, now: Issuance.now) == .expired(at: Issuance.now))
        #expect(Issuance.fault(nbf, verifier: strict, now: Issuance.now) == nil)
    }

    @Test(
        "one bad grant refuses the token",
        arguments: [
            ("{}", "", "array"), ("null", "", "array"), ("[1]", "/0", "object"), ("[{}]", "/0", "string type"),
            (#"[{"type":1}]"#, "/0", "string type"),
            (#"[{"type":"urn:other"},{"type":"urn:callboard:grant"}]"#, "/1", "actions is missing"),
            (
                #"[{"type":"urn:callboard:grant","actions":["fly"],"directors":["a"]}]"#, "/0/actions/0",
                "no such action"
            ),
            (#"[{"type":"urn:callboard:grant","actions":["operate"],"x":1}]"#, "/0/x", "no such member"),
        ])
    func grants(text: String, pointer: String, detail: String) {
        let payload = Issuance.payload(["authorization_details": text])
        guard case .grants(let error) = Issuance.fault(Issuance.token(.es256, payload: payload)) else {
            Issue.record("the token was not refused for its grants")
            return
        }
        #expect(error.pointer == "/authorization_details" + pointer && error.detail.contains(detail), "\(error)")
    }

    @Test("grants are bounded; those of others do not count")
    func grantBound() throws {
        let ours = #"{"type":"urn:callboard:grant","actions":["operate"]}"#
        func fault(_ list: [String]) -> TokenFault? {
            let details = "[\(list.joined(separator: ","))]"
            return Issuance.fault(
                Issuance.token(.es256, payload: Issuance.payload(["authorization_details": details])))
        }
        let others = [String](repeating: #"{"type":"x"}"#, count: 100)
        #expect(fault(others + [String](repeating: ours, count: Grants.limit)) == nil)
        guard case .grants = fault([String](repeating: ours, count: Grants.limit + 1)) else {
            Issue.record("too many grants were accepted")
            return
        }
    }

    @Test("keys are found by name, or tried where there are few")
    func keys() throws {
        let signed = Issuance.token(.edDSA)
        let nameless = Issuance.token(.edDSA, header: #"{"alg":"EdDSA"}"#)
        let none = Issuance.makeVerifier(publicKeys: nil)
        #expect(Issuance.fault(signed, verifier: none) == .noKeys(issuer: Issuance.publicIssuer))
        var changed = none
        #expect(!changed.setKeys(nil, of: Issuance.publicIssuer) && !changed.setKeys(nil, of: "unknown"))
        let set = try Issuance.parse([Issuance.key(.otherEd25519, kid: "a"), Issuance.key(.rsa, kid: "b")])
        #expect(changed.setKeys(set, of: Issuance.publicIssuer) && !changed.setKeys(set, of: Issuance.publicIssuer))
        #expect(
            Issuance.fault(signed, verifier: changed)
                == .unknownKey(issuer: Issuance.publicIssuer, keyID: "ed25519"))
        #expect(Issuance.fault(signed, verifier: changed)?.mayPassWithOtherKeys == true)
        #expect(Issuance.fault(nameless, verifier: changed) == .signature)
        changed.setKeys(try Issuance.parse([Issuance.key(.rsa)]), of: Issuance.publicIssuer)
        #expect(
            Issuance.fault(nameless, verifier: changed) == .unknownKey(issuer: Issuance.publicIssuer, keyID: nil))
        let others = (0..<7).map { Issuance.key(.otherEd25519, kid: "\($0)") }
        changed.setKeys(try Issuance.parse(others + [Issuance.key(.ed25519)]), of: Issuance.publicIssuer)
        #expect(Issuance.fault(nameless, verifier: changed) == nil)
        changed.setKeys(
            try Issuance.parse(others + [Issuance.key(.ed25519), Issuance.key(.otherEd25519)]),
            of: Issuance.publicIssuer)
        #expect(Issuance.fault(nameless, verifier: changed) == .noKeyID(issuer: Issuance.publicIssuer))
    }

    @Test("what a fault quotes is cut and without control characters")
    func quoting() {
        let long = String(repeating: "x", count: 500)
        for fault in [
            TokenFault.algorithm(long), .type(long), .duplicate(long), .issuer(long), .noKeys(issuer: long),
            .unknownKey(issuer: "i", keyID: long), .grants(GrantError(pointer: long, "bad")),
        ] {
            #expect(fault.description.utf8.count < 200 && fault.description.hasPrefix("the token "))
        }
        let description = TokenFault.issuer("a\r\nb\u{9b}c").description
        #expect(description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}

@Suite("Issuers")
struct TokenIssuerTests {
    @Test(
        "settings that cannot be right are refused",
        arguments: [
            ("", ["a"], [.rs256], 60, .issuer), ("i", [], [.rs256], 60, .audiences),
            ("i", [""], [.rs256], 60, .audiences),
            ("i", [String](repeating: "a", count: 33), [.rs256], 60, .audiences), ("i", ["a"], [], 60, .noAlgorithm),
            ("i", ["a"], [.hs256, .es256], 60, .mixedAlgorithms), ("i", ["a"], [.es256], -1, .clockSkew),
            ("i", ["a"], [.es256], 601, .clockSkew),
            (String(repeating: "i", count: 1_025), ["a"], [.es256], 0, .issuer),
        ] as [(String, [String], Set<SigningAlgorithm>, Int, TokenIssuerError)])
    func refusals(
        issuer: String, audiences: [String], algorithms: Set<SigningAlgorithm>, skew: Int, error: TokenIssuerError
    ) {
        #expect(throws: error) {
            try TokenIssuer(issuer: issuer, audiences: audiences, algorithms: algorithms, clockSkew: skew)
        }
        #expect(error.description.hasPrefix("the "))
    }

    @Test("issuers are bounded and have different names")
    func lists() throws {
        let issuers = try (0...TokenVerifier.issuerLimit).map {
            (try TokenIssuer(issuer: "i\($0)", audiences: ["a"], algorithms: [.es256]), KeySet?.none)
        }
        #expect(throws: TokenIssuerError.tooMany) { try TokenVerifier(issuers: issuers) }
        #expect(throws: TokenIssuerError.duplicate("i0")) { try TokenVerifier(issuers: [issuers[0], issuers[0]]) }
    }
}
