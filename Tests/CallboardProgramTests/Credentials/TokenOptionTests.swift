import Access
import ArgumentParser
import Foundation
import Testing

@testable import CallboardProgram

@Suite("Options and texts of tokens")
struct TokenOptionTests {
    private static func short(_ arguments: [String]) throws -> String {
        TokenText.short(try GrantOptions.parse(arguments).grants)
    }

    @Test(
        "rights with the same patterns are in one grant, in whatever order the patterns are",
        arguments: [
            (["--read", "menu-*", "--report", "menu-*"], "read,report menu-*"),
            (["--read", "a", "--read", "b", "--mutate", "b", "--mutate", "a"], "read,mutate a b"),
            (["--read", "a", "--read", "b", "--report", "a"], "read a b; report a"),
            (["--hooks", "x", "--define", "y", "--read", "x", "--read", "x"], "read,hooks x; define y"),
            (["--operate"], "operate"),
            (["--operate", "--read", "*"], "read *; operate"),
            (["--all"], "all *"),
        ])
    func gathered(arguments: [String], expected: String) throws {
        #expect(try Self.short(arguments) == expected)
    }

    @Test("what is given by --all is every right")
    func all() throws {
        #expect(try GrantOptions.parse(["--all"]).grants == .everything)
    }

    @Test(
        "options that give no grants are an error of the command line",
        arguments: [
            ([], "at least one right"), (["--all", "--read", "a"], "--all is every right"),
            (["--all", "--operate"], "--all is every right"), (["--read", "a*b"], "--read 'a*b': "),
            (["--hooks", ""], "--hooks '': "),
        ])
    func refused(arguments: [String], message: String) {
        let error = #expect(throws: (any Error).self) { try GrantOptions.parse(arguments) }
        guard let error else { return }
        #expect(GrantOptions.message(for: error).contains(message))
        #expect(GrantOptions.exitCode(for: error) == .validationFailure)
    }

    @Test(
        "an end is a span or a date",
        arguments: [
            ("90d", .after(7_776_000)), ("12h", .after(43_200)), ("30m", .after(1800)), ("2w", .after(1_209_600)),
            ("1970-01-02", .at(86_400)), ("2024-02-29", .at(1_709_164_800)),
            ("2027-12-31T18:00:00Z", .at(1_830_276_000)), ("2027-12-31T18:00:00+01:00", .at(1_830_272_400)),
            ("2027-12-31T18:00:00-05:30", .at(1_830_295_800)),
        ] as [(String, TokenExpiry)])
    func expiry(text: String, expected: TokenExpiry) {
        #expect(TokenExpiry(argument: text) == expected)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "d", "90", "0d", "-1d", "1.5h", "90 d", "٣d", "9999999999999999999d", "999999999w", "90s", "1y",
            "2027-02-29", "2027-13-01", "2027-1-1", "2027-12-31T24:00:00Z", "2027-12-31T18:00", "2027-12-31 18:00:00Z",
            "2027-12-31T18:00:00", "2027-12-31T18:00:60Z", "2027-12-31T18:00:00Zx", "tomorrow",
        ])
    func noExpiry(text: String) {
        #expect(TokenExpiry(argument: text) == nil)
    }

    @Test("an end is counted from now, and has not passed")
    func end() async throws {
        #expect(try TokenExpiry.after(60).seconds(now: 1000) == 1060)
        #expect(try TokenExpiry.at(1001).seconds(now: 1000) == 1001)
        for expiry in [TokenExpiry.at(1000), .at(5), .after(253_402_300_799)] {
            let error = await programError { try expiry.seconds(now: 1000) }
            #expect(error?.advice?.contains("--expires") == true)
        }
    }

    @Test("the table has a line for each token and lines up whatever the names are")
    func table() throws {
        let grants = try Grants([Grant([.read, .report], on: [DirectorPattern("menu-*")])])
        let kitchen = TokenEntry(
            id: "tok_1", name: "Küche 🍳", digest: TokenDigest(of: "a"), grants: grants, createdAt: 0,
            expiresAt: 86_400, lastUsedAt: 3600)
        let admin = TokenEntry(
            id: "tok_2", name: "a\u{1B}[2J", digest: TokenDigest(of: "b"), grants: .everything, createdAt: 60)
        #expect(
            TokenText.table([kitchen, admin], now: 86_400) == [
                "ID     NAME      GRANTS              CREATED               EXPIRES                         LAST USED",
                "tok_1  Küche 🍳  read,report menu-*  1970-01-01T00:00:00Z  1970-01-02T00:00:00Z (expired)  "
                    + "1970-01-01T01:00:00Z",
                "tok_2  a\u{FFFD}[2J     all *               1970-01-01T00:01:00Z  never                           "
                    + "never",
            ])
        #expect(TokenText.table([], now: 0) == ["no tokens; make one with \"callboard token create\""])
    }

    @Test("a token as JSON has its grants as the API has them, and its text only when it was just made")
    func json() throws {
        let grants = try Grants([Grant([.read], on: [DirectorPattern("a"), DirectorPattern("b-*")])])
        let entry = TokenEntry(
            id: "tok_1", name: "n", digest: TokenDigest(of: "a"), grants: grants, createdAt: 0, expiresAt: 60,
            lastUsedAt: 30)
        let granted = #""grants":[{"actions":["read"],"directors":["a","b-*"]}]"#
        #expect(
            TokenText.json(entry) == #"{"id":"tok_1","name":"n",\#(granted),"createdAt":"1970-01-01T00:00:00Z","#
                + #""expiresAt":"1970-01-01T00:01:00Z","lastUsedAt":"1970-01-01T00:00:30Z"}"#)
        #expect(
            TokenText.made(entry, text: "cbt_x") == #"{"id":"tok_1","name":"n","token":"cbt_x",\#(granted),"#
                + #""expiresAt":"1970-01-01T00:01:00Z"}"#)
    }
}
