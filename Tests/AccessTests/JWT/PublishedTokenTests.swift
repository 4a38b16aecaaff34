import Testing

@testable import Access

/// Tokens and keys that others have made.
@Suite("Tokens of other hands")
struct PublishedTokenTests {
    private func key(_ members: String) throws -> VerificationKey {
        try #require(try Issuance.parse(["{\(members)}"]).keys.first)
    }

    private func verifies(_ key: VerificationKey, _ token: String, by algorithm: SigningAlgorithm) throws -> Bool {
        let parts = try TokenParts(Array(token.utf8))
        return key.verifies(parts.signature, of: parts.signed, by: algorithm)
    }

    private static let joe =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// RFC 7515, appendices A.1, A.2 and A.3; RFC 8037, appendix A.4.
    static let published: [(SigningAlgorithm, String, String)] = [
        (
            .hs256,
            #""kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow""#,
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(joe).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        ),
        (
            .rs256,
            #"""
            "kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw\#
            -4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5\#
            z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NA\#
            co9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"
            """#,
            """
            eyJhbGciOiJSUzI1NiJ9.\(joe).\
            cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CU\
            Ar7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi\
            12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlU\
            PQGe77Rw
            """
        ),
        (
            .es256,
            #"""
            "kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\#
            "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
            """#,
            """
            eyJhbGciOiJFUzI1NiJ9.\(joe).\
            DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
            """
        ),
        (
            .edDSA, #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#,
            """
            eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.\
            hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
            """
        ),
    ]

    @Test("the signatures of the published examples are right, and wrong once a bit differs", arguments: published)
    func examples(algorithm: SigningAlgorithm, members: String, token: String) throws {
        let key = try key(members)
        #expect(try verifies(key, token, by: algorithm))
        let parts = try TokenParts(Array(token.utf8))
        for bit in 0..<parts.signature.count * 8 {
            var signature = parts.signature
            signature[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.verifies(signature, of: parts.signed, by: algorithm))
        }
        var signed = Array(parts.signed)
        signed[signed.count - 1] ^= 1
        #expect(!key.verifies(parts.signature, of: signed[...], by: algorithm))
        for other in SigningAlgorithm.allCases where other != algorithm {
            #expect(try !verifies(key, token, by: other))
        }
    }

    @Test("the published HS256 token passes its signature and its time, and lacks an audience")
    func joe() throws {
        let (algorithm, members, token) = Self.published[0]
        let issuer = try TokenIssuer(issuer: "joe", audiences: ["any"], algorithms: [algorithm])
        let verifier = try TokenVerifier(issuers: [(issuer, try Issuance.parse(["{\(members)}"]))])
        #expect(Issuance.fault(token, verifier: verifier, now: 1_300_819_379) == .missing("aud"))
        #expect(Issuance.fault(token, verifier: verifier, now: 1_300_819_440) == .expired(at: 1_300_819_380))
    }

    @Test(
        "tokens of PyJWT and joserfc are accepted",
        arguments: [
            (SigningAlgorithm.hs256, ForeignTokens.hs256, "hs"), (.rs256, ForeignTokens.rs256, "rs"),
            (.ps256, ForeignTokens.ps256, "ps"), (.es256, ForeignTokens.es256, "es"),
            (.edDSA, ForeignTokens.edDSA, "ed"),
        ])
    func foreign(algorithm: SigningAlgorithm, token: String, keyID: String) throws {
        let verifier = try TokenVerifier(issuers: [
            (
                TokenIssuer(
                    issuer: Issuance.publicIssuer, audiences: ["callboard"], algorithms: Issuance.publicAlgorithms),
                KeySet(parsing: Array(ForeignTokens.publicKeys.utf8))
            ),
            (
                TokenIssuer(issuer: Issuance.secretIssuer, audiences: ["callboard"], algorithms: [.hs256]),
                KeySet(parsing: Array(ForeignTokens.secretKeys.utf8))
            ),
        ])
        let verified = try verifier.verify(token, now: Issuance.now)
        #expect(verified.issuer == Issuance.issuer(for: algorithm) && verified.algorithm == algorithm)
        #expect(verified.subject == "alice" && verified.id == "t-1" && verified.keyID == keyID)
        #expect(verified.expiresAt == 4_102_444_860 && verified.grants.list.count == 1)
        #expect(verified.grants.allow(.report, on: "shop-1") && !verified.grants.allow(.mutate, on: "shop-1"))
    }
}
