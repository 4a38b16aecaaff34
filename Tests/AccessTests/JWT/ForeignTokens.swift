/// Tokens that other implementations have signed: PyJWT 2.15.1 (RS256, ES256, HS256) and joserfc 1.8.0 (PS256, EdDSA),
/// with keys that they and cryptography 50.0.2 made. Every token ends in the year 2100.
enum ForeignTokens {
    static let publicKeys = #"""
        {"keys": [\#

        {"kty": "RSA", "n": "m5TRBqH8k84MKmYVscNwKYS5WjyRwetgMAw6UOKE9WepRZJLM1biZIXXffJ-dJarw2LIzVriFmb\#
        _uPglX_RSzViNUwLGLnsTnyuH72LEwZKuDLZ57nRzldscmf63Z3XO8Hc2YI2zFk9Qtz6ah2TUp-e1uod_vYGDpiq-4aNMw0N\#
        1g4jLYr0rexGrxFmCF_GmDEZ3-116VEaQYWvdN_Rfb79qY0BXKSNRRmEpNuBwuM48j6s92Rwehanx6ibV9f25mipyHJzo-Yx\#
        b14QEfnG2QaaD8D6mSQEjkXXvJZ_AUqf9fFqg3M_9iEHyT9_USzxInaxg_-kzboBlO0oG7krNiw", "e": "AQAB", "kid"\#
        : "rs", "alg": "RS256", "use": "sig"},\#
        {"n": "oqU5R3_w5cHM7Mw55mI_3qLwY1h6Q6U8IIOZxY9BCcwqhFeEsKN_uhJmy2NVSRMOZknHZjBh0fQZiaFxdH8nQ5jwO\#
        nG-0ysR8NYWYezX7pLSX6i8Du-LzN0JK2nuqFUxLL54lGv1eyZ-dfA6UM39AInCvoF3v_uqyPaxraVdtCzb0aPeX7VUJejBr\#
        f8ZsoR8rp0O1HJT0y3aCI-vIiKP2mmihsPuG5gbiE6EGOX2y5-bHsikVCTRSvzygOJNmEwuNpYHklmhzIpLbMok3LXtAvpi8\#
        rqDwRQ1XZI9KFcJi3D6spJ1qKBE0b2sAFFzBQ2LejiFrMBwFavO1UNpAqL9bw", "e": "AQAB", "kid": "ps", "alg":\#
         "PS256", "kty": "RSA"},\#
        {"kty": "EC", "crv": "P-256", "x": "vbyUpV2Rav9Z2-6JuAJ7t8hEgNxiD19yQr_l6Rd6nnY", "y": "owCGcevA\#
        -IVGrb-6Uiq6NOmbV4aFJU3eg-sgNnXT5RY", "kid": "es"},\#
        {"crv": "Ed25519", "x": "IrI7euQIT0THyqMyn7HLdK3RJe2GC4nXUHuRmJE5aTI", "kid": "ed", "kty": "OKP"\#
        }\#
        ]}
        """#
    static let secretKeys = #"""
        {"keys": [{"kty": "oct", "kid": "hs", "k": "hMp8Q_UHbt9WGEo3PUdw9GWu1uoDTcGgLiyp1xy1LKU"}]}
        """#

    static let rs256 = #"""
        eyJhbGciOiJSUzI1NiIsImtpZCI6InJzIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQi\#
        OiJjYWxsYm9hcmQiLCJzdWIiOiJhbGljZSIsImp0aSI6InQtMSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAyNDQ0ODAw\#
        LCJhdXRob3JpemF0aW9uX2RldGFpbHMiOlt7InR5cGUiOiJ1cm46Y2FsbGJvYXJkOmdyYW50IiwiYWN0aW9ucyI6WyJyZWFk\#
        IiwicmVwb3J0Il0sImRpcmVjdG9ycyI6WyJzaG9wLSoiXX0seyJ0eXBlIjoidXJuOm90aGVyIiwieCI6WzFdfV19.bYQVo1M\#
        P3FiNKpOJ30-Kq_enTNImqMPpyZFfqKooZdk2zI7Y3frzZP966jwbb6VWlW-cxOvogzpZ0dldzAc97ktc4VlxA-7fOlznPTu\#
        gYNf8oPD1oWXp87yzb1ZJuMxqhEambbMwAGYG0BMjMoygebGlkHXAgZzlElQ1COfaEFS2G9aylNkRz41f8Hz3kwkkPxdxEss\#
        RzJu0RBm3RDeRjM0fOnFEVfgyGujClIDphV5lPLtcIS7xo4KFKj0xWSpAapfyfJVVgK9s-Y3Lk5EbfA5xDSP8yy7E8pc-HSS\#
        H0qOpg-ZGop3PR-57_1mnGa6EziFijegaYKG4vfyLSyNZgw
        """#
    static let ps256 = #"""
        eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJQUzI1NiIsImtpZCI6InBzIn0.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJh\#
        dWQiOiJjYWxsYm9hcmQiLCJzdWIiOiJhbGljZSIsImp0aSI6InQtMSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAyNDQ0\#
        ODAwLCJhdXRob3JpemF0aW9uX2RldGFpbHMiOlt7InR5cGUiOiJ1cm46Y2FsbGJvYXJkOmdyYW50IiwiYWN0aW9ucyI6WyJy\#
        ZWFkIiwicmVwb3J0Il0sImRpcmVjdG9ycyI6WyJzaG9wLSoiXX0seyJ0eXBlIjoidXJuOm90aGVyIiwieCI6WzFdfV19.dnL\#
        dVRqOdC8W1nc2irep63yZIUwli04Ej3U2tdql8Mn6FISGR4rbi4bYkob99w_p_vjwNG0w6lgRgVkDtvRy557KHmOnSJvBcRY\#
        Lz4GkdzWwvLQs_-Mc4QbWHGB9WN_iNienUiQoLLF5Q4hUmlJZEhJ7zQtgeixj7oQ6WlKuSDYf-X2VVw4HZeIFZRk_4M5KNqa\#
        FBrqWnAm_5ChkBVt3PjNp-fMU42Dv-f94GP3K0hVODcj-ZRRBb56-tf_Wm_mOMh4Ou_VI-kYx7lGAigZr2R_pSHUFdPFv1YU\#
        KlMrC53zD1SsAXFO1d7fjFTyLTzTrRdzu2Yywrn71nW04ZeVccg
        """#
    static let es256 = #"""
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVzIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQi\#
        OiJjYWxsYm9hcmQiLCJzdWIiOiJhbGljZSIsImp0aSI6InQtMSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAyNDQ0ODAw\#
        LCJhdXRob3JpemF0aW9uX2RldGFpbHMiOlt7InR5cGUiOiJ1cm46Y2FsbGJvYXJkOmdyYW50IiwiYWN0aW9ucyI6WyJyZWFk\#
        IiwicmVwb3J0Il0sImRpcmVjdG9ycyI6WyJzaG9wLSoiXX0seyJ0eXBlIjoidXJuOm90aGVyIiwieCI6WzFdfV19.ItXvZcy\#
        Dpd7Ss_rVrrhnOCuKRL8-zOHMSpOgq5Y2r8wLDZqFGIm4nZzkGJYi3BD5QOua60c7VOFaYDCFwz_vqw
        """#
    static let edDSA = #"""
        eyJ0eXAiOiJKV1QiLCJhbGciOiJFZERTQSIsImtpZCI6ImVkIn0.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQi\#
        OiJjYWxsYm9hcmQiLCJzdWIiOiJhbGljZSIsImp0aSI6InQtMSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAyNDQ0ODAw\#
        LCJhdXRob3JpemF0aW9uX2RldGFpbHMiOlt7InR5cGUiOiJ1cm46Y2FsbGJvYXJkOmdyYW50IiwiYWN0aW9ucyI6WyJyZWFk\#
        IiwicmVwb3J0Il0sImRpcmVjdG9ycyI6WyJzaG9wLSoiXX0seyJ0eXBlIjoidXJuOm90aGVyIiwieCI6WzFdfV19.lsI1DNY\#
        TIkdNHrEKMP_EvYd96QLF3TDO5T9QcIyKHlyDHtKc2wjsqgHhdSkfi34mjJ7MTReFy8zgVwD-tBngDQ
        """#
    static let hs256 = #"""
        eyJhbGciOiJIUzI1NiIsImtpZCI6ImhzIiwidHlwIjoiSldUIn0.eyJpc3MiOiJodHRwczovL2ludGVybmFsLmV4YW1wbGUi\#
        LCJhdWQiOiJjYWxsYm9hcmQiLCJzdWIiOiJhbGljZSIsImp0aSI6InQtMSIsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjo0MTAy\#
        NDQ0ODAwLCJhdXRob3JpemF0aW9uX2RldGFpbHMiOlt7InR5cGUiOiJ1cm46Y2FsbGJvYXJkOmdyYW50IiwiYWN0aW9ucyI6\#
        WyJyZWFkIiwicmVwb3J0Il0sImRpcmVjdG9ycyI6WyJzaG9wLSoiXX0seyJ0eXBlIjoidXJuOm90aGVyIiwieCI6WzFdfV19\#
        .x1-pq5NeRAuWh_OUICUpAOJCx68wBhXgi5Oj7-RZdfw
        """#
}
