import Testing

@testable import CallboardProgram

@Suite("Keys of a watched list")
struct WatchKeyTests {
    @Test(
        "a key is understood as each terminal sends it, in one part or byte by byte",
        arguments: [
            ("k", [WatchKey.up]), ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[1;5A", [.up]),
            ("j", [.down]), ("\u{1B}[B", [.down]), ("\u{1B}OB", [.down]),
            ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~", [.pageDown]), ("\u{1B}[6;2~", [.pageDown]),
            ("g", [.home]), ("\u{1B}[H", [.home]), ("\u{1B}OH", [.home]), ("\u{1B}[1~", [.home]),
            ("\u{1B}[7~", [.home]), ("G", [.end]), ("\u{1B}[F", [.end]),
            ("\u{1B}[4~", [.end]), ("\u{1B}[8~", [.end]),
            ("q", [.quit]), ("\u{1B}q", [.quit]), ("\u{1B}\u{1B}[A", [.up]),
            ("jk\u{1B}[Bg", [.down, .up, .down, .home]),
            ("Jx é\u{1B}[24~\u{1B}[C\u{1B}[[A\u{1B}[15~\u{1B}[55555555~", []), ("\u{1B}[<0;1;1MG", [.end]),
        ])
    func keys(bytes: String, expected: [WatchKey]) {
        var reader = WatchKeyReader()
        #expect(reader.keys(in: bytes.utf8) == expected)
        #expect(bytes.utf8.flatMap { reader.keys(in: [$0]) } == expected)
    }
}
